"""The ring of Cookies in sentences, for those who listen to a page."""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.core.language import Language
from wonderland.core.protocol import Seat
from wonderland.games.cookies.view import View
from wonderland.games.cookies.words import space_name


def described(view: View, names: Sequence[str], say: Language) -> list[str]:
    """The spaces, where the pawns stand, and which cookies are left."""
    larder = view.larder
    spaces = [
        say("{space}: {cookies}", space=space_name(number, space.kind, say), cookies=space.cookies)
        for number, space in enumerate(view.options.board.spaces)
    ]
    shown = say("No large cookie lies face up.")
    if larder.face_up is not None:
        shown = say("A large cookie worth {worth} lies face up.", worth=larder.face_up)
    return [
        say(
            "The ring, clockwise, with how many small cookies a spin takes: {spaces}.",
            spaces="; ".join(spaces),
        ),
        *(_pawn(view, seat, name, say) for seat, name in enumerate(names)),
        shown,
        say.plural(
            "{number} large cookie lies face down.",
            "{number} large cookies lie face down.",
            len(larder.stack),
        ),
        say.plural(
            "{number} small cookie is left.", "{number} small cookies are left.", larder.small_left
        ),
    ]


def _pawn(view: View, seat: Seat, name: str, say: Language) -> str:
    where = view.pawns[seat]
    space = space_name(where, view.options.board.spaces[where].kind, say)
    if view.in_hole(seat) and view.stuck[seat]:
        return say("{name} is stuck in the Rabbit Hole: {space}.", name=name, space=space)
    if view.in_hole(seat):
        return say("{name} is in the Rabbit Hole: {space}.", name=name, space=space)
    if view.large == seat:
        return say("{name} is large, on {space}.", name=name, space=space)
    return say("{name} is small, on {space}.", name=name, space=space)
