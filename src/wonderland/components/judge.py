"""What a choice is worth: the chance to win after it, and how sure that is.

A game's component `bots.judge` gives the worth of everything that a seat may do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any, Protocol, runtime_checkable

from wonderland.components.bots import Budget
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value

_SURE = 3.0
"""So many standard errors are more than chance explains."""
_SAME = 1e-6
"""Chances that are nearer to each other than this are the same, however exactly they are known."""


class ActionValue(Value, frozen=True):
    """What one choice is worth."""

    action: Any
    chance: float
    """Of winning after it, from 0 to 1; a win that is shared counts in parts."""
    error: float
    """The standard error of the chance: 0 where it is exact."""


class Evaluation(Value, frozen=True):
    """What everything is worth that a seat may do, by what this seat knows."""

    seat: int
    worths: tuple[ActionValue, ...]
    """In the order of the game's `legal`."""

    @property
    def best(self) -> ActionValue:
        """The highest chance; among equals, the first."""
        return max(self.worths, key=lambda worth: worth.chance)

    def of(self, action: Any) -> ActionValue:
        """The worth of one action; `ValueError` if it was not among the choices."""
        for worth in self.worths:
            if worth.action == action:
                return worth
        raise ValueError(f"{action} was not among the choices")

    def cost(self, action: Any) -> float:
        """How much of the chance to win is given away by an action: nothing by the best."""
        return self.best.chance - self.of(action).chance

    def is_clear(self, action: Any) -> bool:
        """Whether the best beats this action by more than chance explains."""
        return self.cost(action) > max(_SAME, _SURE * hypot(self.best.error, self.of(action).error))


class Judge(Protocol):
    """The component `bots.judge` of a game."""

    @property
    def VERSION(self) -> int:  # noqa: N802 - a constant of the module
        """Raised whenever the same positions would be judged otherwise."""
        ...

    def worths(self, view: Any, legal: Sequence[Any], rng: Any, budget: Budget) -> Sequence[ActionValue]:
        """What each legal action is worth, by what the view shows; in the order of `legal`."""
        ...

    def playouts(self, seats: int) -> int:
        """How often each action is tried where nothing else is asked for, with so many seats."""
        ...


@runtime_checkable
class PerfectRecall(Protocol):
    """Optional part of a game's judge, where views leave out what can only be remembered."""

    def known(self, state: Any, seat: Seat) -> Any:
        """The view of a seat that has forgotten nothing."""
        ...


def value_from_wins(action: Any, wins: float, tries: int) -> ActionValue:
    """The worth of an action that won so often.

    That all of a few tries went the same way does not make it certain: the error is that of one win and
    one loss more.

    >>> value_from_wins("either", 50, 100)
    ActionValue(action='either', chance=0.5, error=0.05)
    """
    likely = (wins + 1) / (tries + 2)
    return ActionValue(action, wins / tries, sqrt(likely * (1 - likely) / tries))
