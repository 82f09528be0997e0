"""Themes of questions in Letters, for players who remember every letter that they have seen."""

from __future__ import annotations

from collections.abc import Iterator

from wonderland.components.themes import Theme
from wonderland.engine.language import phrase
from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.games.letters.rules.components import WORD, Letter
from wonderland.games.letters.rules.state import FaceUp, TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View

THEMES = (
    Theme("memory", phrase("Known or new")),
    Theme("next-letter", phrase("The letter you need")),
    Theme("waiting", phrase("Other players' letters")),
    Theme("menaces", phrase("Letters at risk")),
    Theme("threat", phrase("Someone is about to win")),
    Theme("finish", phrase("One or two letters to go")),
)
_AT_RISK, _NEARLY_DONE = 2, 2


def of_position(view: View) -> Iterator[str]:
    """Yield the themes of a position."""
    seat = view.seat or 0
    up = _face_up(view)
    if sum(card.colour == view.options.colours[seat] for card in up) >= _AT_RISK:
        yield "menaces"
    missing = [_missing(view, other, up) for other in range(len(view.rails))]
    if min(missing[:seat] + missing[seat + 1 :]) <= 1:
        yield "threat"
    if missing[seat] <= _NEARLY_DONE:
        yield "finish"


def _face_up(view: View) -> list[Letter]:
    return [
        space.card
        for space in view.spaces
        if isinstance(space, FaceUp) and isinstance(space.card, Letter)
    ]


def _missing(view: View, seat: Seat, up: list[Letter]) -> int:
    """Return how many of a seat's letters are neither on its rail nor face up."""
    colour = view.options.colours[seat]
    return len(WORD) - view.rails[seat] - sum(card.colour == colour for card in up)


def of_choice(view: View, action: TurnCard) -> Iterator[str]:
    """Yield the themes of a choice."""
    seat, content = view.seat or 0, view.spaces[action.space]
    if content is FACE_DOWN:
        yield "memory"
    else:
        assert isinstance(content, TurnedDown)  # noqa: S101 - seats turn face-down cards only
        colour = view.options.colours[seat]
        if content.card.colour != colour:
            yield "waiting"
        elif content.card.place == view.rails[seat]:
            yield "next-letter"
