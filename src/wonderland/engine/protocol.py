"""The protocol that every game implements, and its vocabulary: seat, turn, chance, step, view.

A game is pure: it maps a state and an action to a new state and the events in between. Chance outcomes
are actions too, taken by `CHANCE` from weighted alternatives, so a state never contains future draws
that could leak.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from wonderland.engine.values import Value

if TYPE_CHECKING:
    import random
    from collections.abc import Container, Iterator, Mapping, Sequence

    from wonderland.engine.options import Option
    from wonderland.engine.outcome import Result

Seat: TypeAlias = int
"""A player's position, counted from 0; the UI shows names, or numbers from 1."""


class ChancePlayer(Enum):
    """The chance player: the actor wherever no seat decides."""

    CHANCE = "chance"


class FaceDown(Enum):
    """A card as it appears to a viewer who can't see its face."""

    FACE_DOWN = "?"


CHANCE = ChancePlayer.CHANCE
START = "start"
"""The label of the chance node that draws the seat that goes first, in games that draw one."""
FACE_DOWN = FaceDown.FACE_DOWN
Actor: TypeAlias = Seat | ChancePlayer

O = TypeVar("O")  # noqa: E741 - options: the five type parameters of a game have one letter each
S = TypeVar("S")  # state
A = TypeVar("A")  # action, of a seat or of chance
E = TypeVar("E")  # event
V = TypeVar("V")  # view


class Acting(Value, frozen=True):
    """These seats may act now; if there are several, in any order."""

    seats: tuple[Seat, ...]


class Chance(Value, Generic[A], frozen=True):
    """A chance node: one of these outcomes happens next.

    `label` names the stream that the outcome is drawn from (a pile, a spinner, a hidden card), so that
    its outcomes can be fixed in advance. Streams that draw from the same pool, where an outcome in one
    rules it out in the others, share the part of the label before the dot: `card`, `card.parade`.
    `seat` is the seat on whose behalf the draw is made, if any. Without `weights` all outcomes are
    equally likely.
    """

    outcomes: tuple[A, ...]
    label: str
    seat: Seat | None = None
    weights: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the weights: the exclusive upper bound for `pick`."""
        return sum(self.weights) if self.weights else len(self.outcomes)

    def weighted(self) -> Iterator[tuple[A, int]]:
        """Iterate over the outcomes with their weights."""
        return zip(self.outcomes, self.weights or (1,) * len(self.outcomes), strict=True)

    @property
    def pool(self) -> str:
        """The pool that this stream draws from: the label up to the dot."""
        return self.label.partition(".")[0]

    def without(self, outcomes: Container[A]) -> Chance[A]:
        """Return the same chance node without these outcomes."""
        left = [pair for pair in self.weighted() if pair[0] not in outcomes]
        weights = tuple([weight for _, weight in left]) if self.weights else ()
        return Chance(tuple([outcome for outcome, _ in left]), self.label, self.seat, weights)

    def pick(self, number: int) -> A:
        """Return the outcome for a number in `range(total)`."""
        if not self.weights:
            return self.outcomes[number]
        for outcome, weight in self.weighted():
            if number < weight:
                return outcome
            number -= weight
        raise IndexError(f"the number must be below {self.total}")


class Over(Value, frozen=True):
    """The game has ended."""

    result: Result


Turn: TypeAlias = Acting | Chance[A] | Over


class Step(Value, Generic[S, E], frozen=True):
    """The state after an action, and the events on the way there."""

    state: S
    events: tuple[E, ...]


class GameInfo(Value, frozen=True):
    """Static facts about a game."""

    name: str
    """The identifier in commands and records."""
    title: str
    about: str
    seats: range
    options: tuple[Option, ...]
    credits: str
    streams: tuple[str, ...]
    """Every label that a `Chance` of this game can have."""
    rules_version: int
    """Raised whenever an old record would no longer replay to the same states."""
    rank: int = 100
    """Where to show the game among others: by rank, then by name."""
    goal: str = ""
    """How to win, in one short sentence to a player who is about to make their first move."""


class Game(Protocol[O, S, A, E, V]):
    """The rules of one game. Every method is a pure function of its arguments."""

    info: GameInfo
    options_type: type[O]
    view_type: type[V]
    """A `Value` with a field `seat`: the viewer, `None` for a spectator."""
    event_type: Any
    """The type of an event, usually a union."""

    def start(self, seats: int, options: O) -> S:
        """Return the state before the deal; `UsageError` for an unsupported number of seats."""
        ...

    def turn(self, state: S) -> Turn[A]:
        """Return what comes next: seats to act, a chance node, or the end."""
        ...

    def legal(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat; empty when it isn't its turn."""
        ...

    def apply(self, state: S, actor: Actor, action: A) -> Step[S, E]:
        """Apply an action; `IllegalAction` or `GameOver` if the rules don't allow it."""
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """Return everything that a seat may know now; `None` is a spectator."""
        ...

    def reveal(self, state: S) -> V:
        """Return a view with nothing hidden, for replays and analysis."""
        ...

    def witness(self, event: E, seat: Seat | None) -> E | None:
        """Return the event as this seat saw it; `None` if it saw nothing."""
        ...

    def sample_state(self, view: V, rng: random.Random) -> S:
        """Sample a determinization: a full state consistent with this view."""
        ...

    def pieces(self, state: S) -> Mapping[str, int]:
        """Count every card, cookie and pawn; the counts are invariant throughout a game."""
        ...

    def write(self, action: A) -> str:
        """Return the notation of an action: one word of a record."""
        ...

    def read(self, text: str) -> A:
        """Parse the notation of an action; `NotationError` if it isn't one."""
        ...

    def write_position(self, state: S) -> str:
        """Return the state as one line of text."""
        ...

    def read_position(self, text: str) -> S:
        """Parse such a line; `NotationError` if it describes no possible state."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
