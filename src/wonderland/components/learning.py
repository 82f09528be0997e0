"""Observation and action spaces for learning agents, with a documented meaning for every number.

A game's component `encoding.learning` numbers the actions and encodes observations as int8. Both are
derived only from the seat's view, so an agent knows what a player in its seat would know, and nothing
else. All environments (vector, PettingZoo, OpenSpiel) share these encodings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias, cast

from wonderland.engine.protocol import Seat
from wonderland.engine.registry import component, component_module, game
from wonderland.engine.values import Value
from wonderland.kernels.kernel import import_fastest, packing

Buffer: TypeAlias = Any
"""Any object that supports the buffer protocol, such as `array.array` or a NumPy array."""
LARGEST = 127
"""The largest number in an observation: the maximum of an int8."""


class Feature(Value, frozen=True):
    """A run of adjacent numbers of an observation with the same kind of meaning."""

    name: str
    size: int
    low: int
    high: int
    """The inclusive bounds of each number."""
    meaning: str


class Learning(Protocol):
    """The component `encoding.learning` of a game; `options` are the game's own."""

    def actions(self, seats: int, options: Any) -> int:
        """Return the size of the action space, which is the same in all states of a game."""
        ...

    def action_names(self, seats: int, options: Any) -> Sequence[str]:
        """Return a short readable name for each action, by its number."""
        ...

    def number(self, view: Any, action: Any) -> int:
        """Return the number of an action of the view's seat."""
        ...

    def action(self, view: Any, number: int) -> Any:
        """Return the action with this number in this view; `UsageError` if there is none."""
        ...

    def features(self, seats: int, options: Any) -> tuple[Feature, ...]:
        """Describe the numbers of an observation, in order."""
        ...

    def observe(self, view: Any) -> bytes:
        """Encode a view as an observation, a sequence of int8.

        Per-seat numbers start with the observing seat, followed by the others in playing order.
        """
        ...


def learning(name: str) -> Learning | None:
    """Return the component `encoding.learning` of a game, if it has one."""
    return cast("Learning | None", component(name, "encoding.learning"))


def length(features: Iterable[Feature]) -> int:
    """Return the size of an observation."""
    return sum(feature.size for feature in features)


def mask(numbers: Learning, view: Any, legal: Iterable[Any], actions: int) -> bytearray:
    """Return the action mask: for each action, by its number, 1 if it is legal and 0 if not."""
    allowed = bytearray(actions)
    for action in legal:
        allowed[numbers.number(view, action)] = 1
    return allowed


def rewards(winners: Sequence[Seat], seats: int) -> tuple[float, ...]:
    """Return the zero-sum rewards of a finished game: each loser gets -1, winners share the rest.

    >>> rewards((1,), 2), rewards((0, 2), 3)
    ((-1.0, 1.0), (0.5, -1.0, 0.5))
    """
    return tuple(seats / len(winners) - 1 if seat in winners else -1.0 for seat in range(seats))


def from_oneself(items: Sequence[Any], seat: Seat) -> list[Any]:
    """Rotate per-seat items so that this seat comes first.

    >>> from_oneself("abc", 1)
    ['b', 'c', 'a']
    """
    return [*items[seat:], *items[:seat]]


class BatchEnvironment(Protocol):
    """Many concurrent games of one kind; implemented by `kernels/batch.py`.

    All arrays belong to the caller and support the buffer protocol. Each is contiguous, with one row per
    game. Several threads may call `reset` and `step` at once, if their rows don't overlap.
    """

    plays: int
    seats: int
    actions: int
    features: int

    def attach(  # noqa: PLR0913, PLR0917 - one parameter per array
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

        `chosen` (C integers) is the input: the number of an action, or -1 - n to let the n-th of the
        kernel's `POLICIES` decide. The others are outputs: the seat to act (int8), the rewards of all
        seats (float), whether a game has ended and the next one has begun, whether the chosen action was
        illegal (both uint8), and, unless these arrays are empty, the observation and the action mask of
        the seat to act (int8).
        """
        ...

    def reset(self, seed: int, first: int, last: int) -> None:
        """Start new games in the rows of `range(first, last)`."""
        ...

    def step(self, first: int, last: int) -> None:
        """Apply the chosen actions in these rows; a finished game is replaced by a new one.

        An illegal action is flagged, and replaced by the legal action with the lowest number.
        """
        ...

    def sample(self, seed: int, stream: int, first: int, last: int) -> None:
        """Choose one of the legal actions in each of these rows, all equally likely, by the masks."""
        ...

    def words(self, at: int) -> list[int]:
        """Return the state of a row as words of the game's kernel."""
        ...


class BatchFactory(Protocol):
    """The component `compiled.batch` of a game."""

    @property
    def COMPILED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the module is compiled, rather than interpreted by Python."""
        ...

    def batch(
        self, words: Sequence[int], plays: int, seats: int, actions: int, features: int
    ) -> BatchEnvironment:
        """Create a batch of games that all start from the state in these words."""
        ...


def batch(name: str, seats: int, options: Any, plays: int) -> BatchEnvironment | None:
    """Create a batch of games on the fastest kernel available; `None` if the game has none."""
    numbers, module = learning(name), component_module(name, "compiled.batch")
    if numbers is None or module is None:
        return None
    words = packing(name).pack(game(name).start(seats, options))
    actions, features = numbers.actions(seats, options), length(numbers.features(seats, options))
    own = cast("BatchFactory", import_fastest(module))
    return own.batch(words, plays, seats, actions, features)
