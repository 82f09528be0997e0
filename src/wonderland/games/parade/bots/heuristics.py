"""Heuristics for Parade: simple rules that puzzles and hints compare moves with."""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.components.heuristics import Heuristic
from wonderland.engine.language import phrase
from wonderland.games.parade.bots.levels import cost
from wonderland.games.parade.rules.state import Action, PlayCard
from wonderland.games.parade.rules.view import View


def fewest_points(view: View, legal: Sequence[Action]) -> list[Action]:
    """Return the actions that cost the fewest points right now, whatever number of cards they take."""
    points = [cost(view, action)[0] for action in legal]
    return [action for action, price in zip(legal, points, strict=True) if price == min(points)]


def highest_card(_view: View, legal: Sequence[Action]) -> list[Action]:
    """Return the highest cards, which keep most of the parade safe; any pair of cards to keep."""
    values = [action.card.value for action in legal if isinstance(action, PlayCard)]
    return [
        action
        for action in legal
        if not isinstance(action, PlayCard) or action.card.value == max(values)
    ]


RULES = (
    Heuristic("fewest-points", phrase("Take the fewest points now."), fewest_points),
    Heuristic("highest-card", phrase("Play your highest card."), highest_card),
)
