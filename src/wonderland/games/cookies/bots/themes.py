"""Themes of questions in Cookies: the spaces that are within reach, and what is special about a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wonderland.components.themes import Theme
from wonderland.engine.language import phrase
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import PawnMoved, SentOn
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.view import View, observed_state

THEMES = (
    Theme("cheshire-cat", phrase("The Cheshire Cat")),
    Theme("tea-party", phrase("The Tea Party")),
    Theme("small-cookies", phrase("Small Cookies")),
    Theme("rabbit-hole", phrase("The Rabbit Hole")),
    Theme("large-pawn", phrase("A large pawn")),
    Theme("joker", phrase("The Joker")),
    Theme("climbing", phrase("Climbing out")),
    Theme("last-cards", phrase("The last cards")),
)
_LAST = 3


def of_position(view: View) -> Iterator[str]:
    """Yield the themes of a position."""
    seat = view.seat or 0
    if observed_state(view).in_hole(seat):
        yield "climbing"
    elif view.large == seat:
        yield "large-pawn"
    if Card.JOKER in {view.hands[seat][0], view.hands[seat][-1]}:  # C7
        yield "joker"
    if len(view.hands[seat]) < _LAST:
        yield "last-cards"


def of_choice(view: View, action: Any) -> Iterator[str]:
    """Yield the themes of a choice, judging by its certain effects."""
    seat = view.seat or 0
    after, events = certain_step(observed_state(view), seat, action)
    if any(isinstance(event, SentOn) for event in events):
        yield "cheshire-cat"
    moves = [event for event in events if isinstance(event, PawnMoved)]
    kinds = [move.kind for move in moves]
    if Kind.TEA_PARTY in kinds or any(move.passed for move in moves):
        yield "tea-party"
    if Kind.SMALL_COOKIES in kinds:
        yield "small-cookies"
    if Kind.RABBIT_HOLE in kinds and after.in_hole(seat):
        yield "rabbit-hole"
