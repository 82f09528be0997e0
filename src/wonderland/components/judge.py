"""Evaluation of choices: the win probability after each legal action, with its standard error.

A game's component `bots.judge` computes them; `wonderland.bots.evaluation` is the way to ask for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any, Protocol, runtime_checkable

from wonderland.components.bots import Budget
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value

_SIGNIFICANT_ERRORS = 3.0
"""A difference of this many standard errors is statistically significant."""
_EQUAL_WITHIN = 1e-6
"""Win probabilities closer than this are equal, however precisely they are known."""


class ActionValue(Value, frozen=True):
    """The estimated win probability of one action."""

    action: Any
    chance: float
    """The win probability, from 0 to 1; a shared win counts as a fraction."""
    error: float
    """The standard error of the win probability: 0 if it is exact."""


class Evaluation(Value, frozen=True):
    """The values of all legal actions of a seat, given what this seat knows."""

    seat: int
    action_values: tuple[ActionValue, ...]
    """In the order of the game's `legal`."""

    @property
    def best(self) -> ActionValue:
        """The action with the highest win probability; the first of equals."""
        return max(self.action_values, key=lambda value: value.chance)

    def of(self, action: Any) -> ActionValue:
        """Return the value of one action; `ValueError` if it was not among the choices."""
        for value in self.action_values:
            if value.action == action:
                return value
        raise ValueError(f"{action} was not among the choices")

    def cost(self, action: Any) -> float:
        """Return the win probability that an action gives away compared with the best."""
        return self.best.chance - self.of(action).chance

    def is_clear(self, action: Any) -> bool:
        """Whether the best action is better than this one by a statistically significant margin."""
        return self.cost(action) > max(
            _EQUAL_WITHIN, _SIGNIFICANT_ERRORS * hypot(self.best.error, self.of(action).error)
        )


class Judge(Protocol):
    """The component `bots.judge` of a game."""

    @property
    def VERSION(self) -> int:  # noqa: N802 - a constant of the module
        """Increased whenever the evaluation of a position changes."""
        ...

    def action_values(
        self, view: Any, legal: Sequence[Any], rng: Any, budget: Budget
    ) -> Sequence[ActionValue]:
        """Estimate the win probability of each legal action from the view, in the order of `legal`."""
        ...

    def playouts(self, seats: int) -> int:
        """Return the default number of playouts per action, for this number of seats."""
        ...


@runtime_checkable
class PerfectRecall(Protocol):
    """Optional extra of `bots.judge`, for games whose views omit what players have to remember."""

    def known(self, state: Any, seat: Seat) -> Any:
        """Return the view of a seat with perfect memory."""
        ...


def value_from_wins(action: Any, wins: float, tries: int) -> ActionValue:
    """Estimate the value of an action from its wins in a number of playouts.

    The standard error counts one more win and one more loss, so that a few playouts with the same
    outcome don't look certain.

    >>> value_from_wins("either", 50, 100)
    ActionValue(action='either', chance=0.5, error=0.05)
    """
    likely = (wins + 1) / (tries + 2)
    return ActionValue(action, wins / tries, sqrt(likely * (1 - likely) / tries))
