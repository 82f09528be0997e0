"""Heuristics for Parade: simple rules that puzzles and hints compare moves with."""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.components.heuristics import Heuristic
from wonderland.engine.language import phrase
from wonderland.games.parade.rules.components import Card
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import points_with
from wonderland.games.parade.rules.state import Action, KeepCards, PlayCard
from wonderland.games.parade.rules.view import View


def fewest_points(view: View, legal: Sequence[Action]) -> list[Action]:
    """Return the actions with the lowest score right now: the cards with the smallest badge."""
    assert view.seat is not None  # noqa: S101 - only seats choose
    points = [points_with(view.zones, view.seat, _taken(view, action)) for action in legal]
    return [action for action, price in zip(legal, points, strict=True) if price == min(points)]


def _taken(view: View, action: Action) -> Sequence[Card]:
    """Return the cards that an action adds to the seat's zone."""
    if isinstance(action, PlayCard):
        return split_parade(view.parade, action.card)[0]
    assert isinstance(action, KeepCards)  # noqa: S101 - seats have no other choices
    return action.first, action.second


def highest_card(_view: View, legal: Sequence[Action]) -> list[Action]:
    """Return the highest cards, which keep most of the parade safe; any pair of cards to keep."""
    values = [action.card.value for action in legal if isinstance(action, PlayCard)]
    return [
        action
        for action in legal
        if not isinstance(action, PlayCard) or action.card.value == max(values)
    ]


RULES = (
    Heuristic("fewest-points", phrase("Take the fewest points right now."), fewest_points),
    Heuristic("highest-card", phrase("Play your highest card."), highest_card),
)
