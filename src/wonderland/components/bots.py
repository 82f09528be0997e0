"""The bot interface: a bot chooses from a view, within a budget, and never sees the state."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from wonderland.engine.language import Language
from wonderland.engine.values import Value

_MAX_BATCH = 4096
_MAX_BATCH_SECONDS = 0.02


class Budget(Value, frozen=True):
    """The limit on a bot's thinking for one choice: a number of playouts, or a time limit.

    A number of playouts is reproducible: the same view and the same random numbers give the same
    choice. With a time limit the choice depends on the speed of the machine.
    """

    playouts: int | None = None
    """For each legal action."""
    seconds: float | None = None

    def batches(self, usually: int) -> Iterator[int]:
        """Yield batch sizes until the budget is spent: `usually` playouts if it sets no limit.

        With a time limit, batches are sized so that it is barely exceeded; there is at least one.
        """
        if self.seconds is None:
            left = usually if self.playouts is None else max(1, self.playouts)
            while left > 0:
                yield min(left, _MAX_BATCH)
                left -= _MAX_BATCH
            return
        started = before = perf_counter()
        batch = 1
        while True:
            yield batch
            now = perf_counter()
            remaining = started + self.seconds - now
            if remaining <= 0:
                return
            seconds_each = max(now - before, 1e-9) / batch
            affordable = int(min(remaining, _MAX_BATCH_SECONDS) / seconds_each)
            batch = max(1, min(2 * batch, _MAX_BATCH, affordable))
            before = now


class Bot(Protocol):
    """A player that chooses actions."""

    name: str

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """Return one of the legal actions, judging by the view alone."""
        ...


@runtime_checkable
class RememberingBot(Protocol):
    """A bot that needs the history of the game as well as the current view."""

    def remember(self, witnessed: Sequence[Any]) -> None:
        """Receive all events so far as its seat witnessed them; called before `choose`."""
        ...


class BotLevels(Protocol):
    """The component `bots.levels` of a game."""

    @property
    def LEVELS(self) -> Sequence[Level]:  # noqa: N802 - a constant of the module
        """The levels of the game, weakest first, not including the random level of every game."""
        ...


class Level(Value, frozen=True):
    """A difficulty level: a named bot with a budget."""

    name: str
    """The display name, such as `White Rabbit`; commands use `word`."""
    about: str
    make: Callable[[], Bot]
    budget: Budget = Budget()
    answer_time: float = 0.0
    """Seconds after which a server shows its moves, however fast they were found, so that its thinking
    time reveals nothing about its hand; 0, at once, for a bot that doesn't search."""

    @property
    def word(self) -> str:
        """The identifier for commands, such as `white-rabbit`."""
        return self.name.lower().replace(" ", "-")


def translate_bot(name: str, say: Language) -> str:
    """Translate the name of a bot, which may end in a number.

    >>> from wonderland.engine.language import ENGLISH
    >>> translate_bot("White Rabbit 2", ENGLISH)
    'White Rabbit 2'
    """
    title, _, number = name.rpartition(" ")
    return f"{say(title)} {number}" if title and number.isdigit() else say(name)
