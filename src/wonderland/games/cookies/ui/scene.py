"""Browser scene of Cookies: the template context, computed from a view alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wonderland.components.scene import SceneContext
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.cookies.rules.board import Board, Kind
from wonderland.games.cookies.rules.components import COOKIE_VALUES
from wonderland.games.cookies.rules.events import CookieTaken, FellIntoHole, SmallCookiesTaken
from wonderland.games.cookies.rules.scoring import points
from wonderland.games.cookies.rules.state import Dealing, Ended, Starting, TurningFirst, pile_size
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui.board_picture import MAX_BOARDS
from wonderland.games.cookies.ui.choice_scene import (
    COOKIE_PLACES,
    foresee_all,
    hand_context,
    marks_of_move,
    other_choices,
    question,
    space_targets,
    spaces_in_reach,
)
from wonderland.games.cookies.ui.ring_scene import PAWN_COLOURS, count_hops, ring_context
from wonderland.games.cookies.ui.words import describe_pawn, explain_kind, kind_name, space_name

_MAX_PLAYS_BELOW = 2
"""Number of plays that fit below a card, even on a phone."""
EMBLEMS = (
    *(("card-blue-3", "blue"), ("card-red-1", "red"), ("card-green-5", "green")),
    *(("cookie-3", ""), ("cookie-5", ""), ("cookie-2", "")),
    *(("card-grey-2", "grey"), ("card-blue-J", "blue"), ("card-red-4", "red")),
    *(("cookie-4", ""), ("cookie-back", ""), ("cookie-3", "")),
)
_MAX_HOPS = 12
"""Number of hops for which cookies and spinner wait at most."""


def scene(view: View, setting: SceneContext) -> dict[str, Any]:
    """Return the template context: ring, players, hand with previews, and other choices."""
    names, say, turn = setting.names, setting.say, acting(view)
    near = view.seat if view.seat is not None else len(names) - 1
    hops = count_hops(setting.last, len(view.options.board.spaces))
    order = [(near + place + 1) % len(names) for place in range(len(names))]
    outlooks = foresee_all(view, setting)
    hand, choices = hand_context(view, setting, outlooks), other_choices(view, setting, outlooks)
    return {
        "seat": view.seat,
        "described": describe_ring(view, names, say),
        "ring": ring_context(
            view, setting, turn, space_targets(outlooks), spaces_in_reach(view, outlooks)
        ),
        "explained": explain_places(view.options.board, say),
        "players": [_player(view, seat, setting) for seat in order],
        "hand": hand,
        "colour": PAWN_COLOURS[near],
        "many": max((len(held["ways"]) for held in hand), default=0) > _MAX_PLAYS_BELOW,
        "beats": marks_of_move(setting.last, len(view.options.board.spaces)),
        "hops": min(hops, _MAX_HOPS),
        "choices": choices,
        "plays": {choice["play"] for choice in choices},
        "question": question(view, say) if choices else "",
        "ending": _ending(view, say),
    }


def acting(view: View) -> Seat | None:
    """The seat to move, or `None` before the first turn and after the last."""
    stage = view.stage
    if isinstance(stage, Starting | Dealing | TurningFirst | Ended):
        return None
    return stage.seat


@lru_cache(MAX_BOARDS)
def explain_places(board: Board, say: Language) -> list[dict[str, Any]]:
    """The kinds of special spaces on this board, each with what it does."""
    return [
        {
            "kind": kind.value.replace(" ", "-"),
            "name": kind_name(kind, say),
            "sentences": explain_kind(kind, say),
        }
        for kind in Kind
        if kind is not Kind.PLAIN and board.has(kind)
    ]


# The players


def _player(view: View, seat: Seat, setting: SceneContext) -> dict[str, Any]:
    say, stage, hand = setting.say, view.stage, view.hands[seat]
    large, small = view.larder.large[seat], view.larder.small[seat]
    taken = [e for e in setting.last if isinstance(e, SmallCookiesTaken) and e.seat == seat and e.number]
    is_other = seat != view.seat
    pile, played = pile_size(hand, view.unseen[seat]), view.played[seat]
    return {
        "seat": seat,
        "name": setting.names[seat],
        "mood": _mood(view, seat, setting.last),
        "mine": seat == view.seat,
        "to_act": seat == acting(view),
        "won": isinstance(stage, Ended) and seat in stage.result.winners,
        "points": points(large, small),
        "points_title": say("Points so far: highest score wins"),
        "cards": sum(card is FACE_DOWN for card in hand) if is_other else 0,
        "open": [card.mark for card in hand if card is not FACE_DOWN] if is_other else [],
        "colour": PAWN_COLOURS[seat],
        "is_large": view.large == seat,
        "state": _pawn_state(view, seat, say),
        "large": _large_cookies(large, seat, setting.last),
        "small": small,
        "small_new": bool(taken),
        "pile": pile,
        "played": [card.mark for card in played],
        "cards_label": say.plural(
            "{number} card in hand, {pile} in the pile, played: {played}",
            "{number} cards in hand, {pile} in the pile, played: {played}",
            len(hand),
            pile=pile,
            played=" ".join(card.mark for card in played) or say("none"),
        ),
    }


def _mood(view: View, seat: Seat, last: Sequence[Any]) -> str:
    """How a player looks: after what just happened to them, and at the end."""
    if isinstance(view.stage, Ended):
        larder = view.larder
        totals = [points(*each) for each in zip(larder.large, larder.small, strict=True)]
        if seat in view.stage.result.winners:
            return "pleased"
        return "dismayed" if totals[seat] == min(totals) else ""
    own = [event for event in last if getattr(event, "seat", None) == seat]
    if any(isinstance(event, FellIntoHole) for event in own):
        return "dismayed"
    return "pleased" if any(isinstance(event, CookieTaken | SmallCookiesTaken) for event in own) else ""


def _pawn_state(view: View, seat: Seat, say: Language) -> str:
    if view.in_hole(seat):
        return say("stuck in the hole") if view.stuck[seat] else say("in the hole")
    return say("large") if view.large == seat else ""


def _large_cookies(large: Sequence[int], seat: Seat, last: Sequence[Any]) -> list[dict[str, Any]]:
    """Large cookies of a seat; new ones name the place they came from, for the animation."""
    new = [event for event in last if isinstance(event, CookieTaken) and event.seat == seat]
    shown = []
    for value in COOKIE_VALUES:
        came = [COOKIE_PLACES[event.which] for event in new if event.cookie == value]
        number = large.count(value)
        for nth, where in enumerate([*[""] * (number - len(came)), *came]):
            piece = f"large-{seat}-{value}-{nth}"
            shown.append({"value": value, "piece": piece, "new": bool(where), "from": where})
    return shown


def _ending(view: View, say: Language) -> str:
    if not isinstance(view.stage, Ended):
        return ""
    return say("How it was decided: {what}.", what=say(view.stage.result.decided))


# For screen readers


def describe_ring(view: View, names: Sequence[str], say: Language) -> list[str]:
    """Describe the ring in sentences for screen readers: spaces, pawns and cookies left."""
    larder = view.larder
    shown = say("No large cookie is face up.")
    if larder.face_up is not None:
        shown = say("A large cookie worth {worth} is face up.", worth=larder.face_up)
    return [
        _describe_board(view.options.board, say),
        *(describe_pawn(view, seat, name, say) for seat, name in enumerate(names)),
        shown,
        say.plural(
            "{number} large cookie is face down.",
            "{number} large cookies are face down.",
            len(larder.stack),
        ),
        say.plural(
            "{number} small cookie is left.", "{number} small cookies are left.", larder.small_left
        ),
    ]


@lru_cache(MAX_BOARDS)
def _describe_board(board: Board, say: Language) -> str:
    spaces = [
        say("{space}: {cookies}", space=space_name(number, space.kind, say), cookies=space.cookies)
        for number, space in enumerate(board.spaces)
    ]
    return say(
        "The ring, clockwise, with the number of small cookies a spin takes: {spaces}.",
        spaces=say.join_clauses(spaces),
    )
