"""What a bot is: someone who chooses by a view, within a budget, and never sees a state."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from wonderland.engine.values import Value

_MOST_AT_ONCE = 4096
_LONGEST_BATCH = 0.02
"""Seconds."""


class Budget(Value, frozen=True):
    """How much a bot may think about one choice: a number of play-outs, or a time, whichever is given.

    With a number of play-outs a choice is repeatable: the same view and the same random numbers give
    the same choice. With a time it depends on how quick the machine is.
    """

    playouts: int | None = None
    """So many for each thing that it may do."""
    seconds: float | None = None

    def batches(self, usually: int) -> Iterator[int]:
        """How many play-outs to make next, until the budget is spent; `usually` if it names nothing.

        With a time, the batches are small enough that it is not much exceeded; there is one at least.
        """
        if self.seconds is None:
            left = usually if self.playouts is None else max(1, self.playouts)
            while left > 0:
                yield min(left, _MOST_AT_ONCE)
                left -= _MOST_AT_ONCE
            return
        begun = before = perf_counter()
        batch = 1
        while True:
            yield batch
            now = perf_counter()
            left_over = begun + self.seconds - now
            if left_over <= 0:
                return
            each = max(now - before, 1e-9) / batch
            batch = max(1, min(2 * batch, _MOST_AT_ONCE, int(min(left_over, _LONGEST_BATCH) / each)))
            before = now


class Bot(Protocol):
    """Anyone who can choose."""

    name: str

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """One of the legal actions, by what the view shows."""
        ...


@runtime_checkable
class RememberingBot(Protocol):
    """A bot for which the present is not enough: it is told the past before it chooses."""

    def remember(self, witnessed: Sequence[Any]) -> None:
        """All events so far, as its seat has witnessed them."""
        ...


class BotLevels(Protocol):
    """The component `bots.levels` of a game."""

    @property
    def LEVELS(self) -> Sequence[Level]:  # noqa: N802 - a constant of the module
        """The levels of the game, weakest first; below them is the one that every game has."""
        ...


class Level(Value, frozen=True):
    """How well a bot plays, as people choose it: a name, and how much it thinks."""

    name: str
    """Such as `White Rabbit`; `word` is how commands call it."""
    about: str
    make: Callable[[], Bot]
    budget: Budget = Budget()

    @property
    def word(self) -> str:
        """The name in one word, for commands."""
        return self.name.lower().replace(" ", "-")
