"""What learning agents get of a game: numbers in, a number out, each with a documented meaning.

A game's `learning.py` counts what a seat may do and lays out what it may know as small numbers (int8).
Both are made from the seat's view alone, so an agent knows what a player in its seat would know, and
nothing else. All environments (vector, PettingZoo, OpenSpiel) use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias, cast

from wonderland.engine.protocol import Seat
from wonderland.engine.registry import component, component_module, game
from wonderland.engine.values import Value
from wonderland.kernels.kernel import packing, quickest

Buffer: TypeAlias = Any
"""Anything that offers its memory: an `array` of Python's or of NumPy's."""
LARGEST = 127
"""The largest number of an observation: what an int8 can hold."""


class Feature(Value, frozen=True):
    """Some numbers of an observation that stand side by side and mean the same kind of thing."""

    name: str
    size: int
    low: int
    high: int
    """The smallest and the largest that each of the numbers can be."""
    meaning: str


class Learning(Protocol):
    """The module `learning` of a game; `options` are the game's own."""

    def actions(self, seats: int, options: Any) -> int:
        """How many different decisions there are: the same in all states of such a play."""
        ...

    def action_names(self, seats: int, options: Any) -> Sequence[str]:
        """Each decision in a word or two, for people, by its number."""
        ...

    def number(self, view: Any, action: Any) -> int:
        """The number of a decision of the seat whose view it is."""
        ...

    def action(self, view: Any, number: int) -> Any:
        """The decision that a number stands for in this view; `UsageError` if it is none."""
        ...

    def features(self, seats: int, options: Any) -> tuple[Feature, ...]:
        """What the numbers of an observation mean, in their order."""
        ...

    def observe(self, view: Any) -> bytes:
        """The observation of a seat: what its view shows, one int8 after the other.

        Where numbers stand for seats, the first is oneself, and then come the others in playing order.
        """
        ...


def learning(name: str) -> Learning | None:
    """What learning agents get of the game of this name, if it offers that."""
    return cast("Learning | None", component(name, "encoding.learning"))


def length(features: Iterable[Feature]) -> int:
    """How many numbers an observation has."""
    return sum(feature.size for feature in features)


def mask(numbers: Learning, view: Any, legal: Iterable[Any], actions: int) -> bytearray:
    """For each decision, by its number, 1 if it is among the legal ones and 0 if it is not."""
    allowed = bytearray(actions)
    for action in legal:
        allowed[numbers.number(view, action)] = 1
    return allowed


def rewards(winners: Sequence[Seat], seats: int) -> tuple[float, ...]:
    """What a finished play was worth to each seat: the sum is 0, and 1 is lost by who wins nothing.

    >>> rewards((1,), 2), rewards((0, 2), 3)
    ((-1.0, 1.0), (0.5, -1.0, 0.5))
    """
    return tuple(seats / len(winners) - 1 if seat in winners else -1.0 for seat in range(seats))


def from_oneself(items: Sequence[Any], seat: Seat) -> list[Any]:
    """What there is for each seat, oneself first and then the others in playing order.

    >>> from_oneself("abc", 1)
    ['b', 'c', 'a']
    """
    return [*items[seat:], *items[:seat]]


class BatchEnvironment(Protocol):
    """Many plays of one game that are played at the same time; `kernels/batch.py` has it.

    All arrays are the caller's: anything that offers its memory as Python's `array` does. Each has one
    row of numbers for each play, one row after the other. Several threads may call `reset` and `step`
    at once if their rows are not the same.
    """

    plays: int
    seats: int
    actions: int
    features: int

    def attach(  # noqa: PLR0913, PLR0917 - each is one kind of thing to be told
        self,
        chosen: Buffer,
        turns: Buffer,
        rewards: Buffer,
        done: Buffer,
        wrong: Buffer,
        observations: Buffer,
        masks: Buffer,
    ) -> None:
        """Use these arrays from now on.

        `chosen` (C integers) is read: the number of a decision, or below 0 one of the kernel's simple
        players who is to decide, -1 - n for the n-th of its `POLICIES`. The others are written: who is
        on turn (int8), the rewards of all seats (float), whether a play has ended and the next one has
        begun, whether what was chosen was not legal (uint8 both), and, unless these arrays are empty,
        the observation of the seat on turn and what it may do (int8).
        """
        ...

    def reset(self, seed: int, first: int, last: int) -> None:
        """Begin anew in the rows from the first up to but not including the last."""
        ...

    def step(self, first: int, last: int) -> None:
        """Carry out what was chosen in these rows; where a play is over, the next one begins.

        What is not legal is marked, and counts as the legal decision with the lowest number.
        """
        ...

    def words(self, at: int) -> list[int]:
        """The state of the play in a row, in the words of the game's kernel."""
        ...


class BatchFactory(Protocol):
    """The module `batch` of a game."""

    @property
    def COMPILED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether this is machine code, and not the same source run by Python."""
        ...

    def batch(
        self, words: Sequence[int], plays: int, seats: int, actions: int, features: int
    ) -> BatchEnvironment:
        """A given number of plays, all beginning from the state that these words stand for."""
        ...


def batch(name: str, seats: int, options: Any, plays: int) -> BatchEnvironment | None:
    """So many plays of the game of this name, on the quickest kernel there is; `None` if it has none."""
    numbers, module = learning(name), component_module(name, "compiled.batch")
    if numbers is None or module is None:
        return None
    words = packing(name).pack(game(name).start(seats, options))
    actions, features = numbers.actions(seats, options), length(numbers.features(seats, options))
    own = cast("BatchFactory", quickest(module))
    return own.batch(words, plays, seats, actions, features)
