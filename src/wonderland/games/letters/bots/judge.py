"""Win probability of each card to turn in Letters, for a player with perfect memory.

The two-player game is solved, so its win probabilities are exact. With more players, or if the solution
isn't available, they are estimated by a tree search in which every seat remembers everything and looks
for its own best card. Against the solved game, its estimates are off by a little more than sampling
explains; the standard errors include that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import hypot, sqrt

from msgspec.structs import replace

from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, value_from_wins
from wonderland.engine.protocol import Seat
from wonderland.games.letters.bots import search, solution
from wonderland.games.letters.bots.memory import believed_state
from wonderland.games.letters.rules.state import State, TurnCard
from wonderland.games.letters.rules.view import View, reveal

VERSION = 2
_SEARCH_ERROR = 0.012
"""Relative to the standard deviation of a single game's result."""


def known(state: State, seat: Seat) -> View:
    """Return the view of a seat with perfect recall: letters turned down again stay known."""
    return replace(reveal(state), seat=seat)


def action_values(
    view: View, legal: Sequence[TurnCard], rng: random.Random, budget: Budget
) -> list[ActionValue]:
    """Return the win probability of each legal action, in the order of `legal`."""
    state = believed_state(view, {})
    if len(view.rails) == 2 and (solved := solution.cached_solution(view.options)):
        probabilities = solved.win_probabilities(state)
        return [ActionValue(action, probabilities[action], 0.0) for action in legal]
    wins, played = search.count_wins(state, rng, budget, default=playouts(len(view.rails)))
    return [_searched_value(action, wins[action], played) for action in legal]


def _searched_value(action: TurnCard, wins: int, played: int) -> ActionValue:
    """Return the value of an action, with an error that covers sampling and an imperfect search."""
    value = value_from_wins(action, wins, played)
    return replace(value, error=hypot(value.error, _SEARCH_ERROR * value.error * sqrt(played)))


def playouts(seats: int) -> int:  # noqa: ARG001 - the same for any number of seats
    """Return the default number of playouts per card if the game isn't solved; the Queen makes 4000."""
    return 50_000 if search.COMPILED else 200
