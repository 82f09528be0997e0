"""The protocol that every game keeps, and the few words it is spoken in.

A game is pure: it turns a state and an action into a new state and the events that happened on the
way. Whatever luck decides is an action too, taken by `LUCK` among weighted outcomes, so a state never
holds a future that could leak.
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
"""A place in the game, counted from 0; people are shown names, or numbers from 1."""


class Luck(Enum):
    """The actor that decides where no seat does."""

    LUCK = "luck"


class FaceDown(Enum):
    """What a card is to those who can't see its face."""

    FACE_DOWN = "?"


LUCK = Luck.LUCK
FACE_DOWN = FaceDown.FACE_DOWN
Actor: TypeAlias = Seat | Luck

O = TypeVar("O")  # noqa: E741 - options: one letter each for the five types of a game
S = TypeVar("S")  # state
A = TypeVar("A")  # action, of a seat or of luck
E = TypeVar("E")  # event
V = TypeVar("V")  # view


class Acting(Value, frozen=True):
    """These seats may act now; each in its own time where there are several."""

    seats: tuple[Seat, ...]


class Chance(Value, Generic[A], frozen=True):
    """Luck decides now, between these outcomes.

    `label` names the stream that the outcome comes from (one pile, one spinner, one hidden card), so
    that a stream can be given in advance. Streams that share what they draw from, so that what comes
    in one can't come in another, share the part of the label before the dot: `card`, `card.parade`.
    `seat` is the seat on whose behalf luck acts, if any. Without `weights` each outcome is as likely
    as any other.
    """

    outcomes: tuple[A, ...]
    label: str
    seat: Seat | None = None
    weights: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the weights: what `pick` takes a number below."""
        return sum(self.weights) if self.weights else len(self.outcomes)

    def weighted(self) -> Iterator[tuple[A, int]]:
        """Each outcome with its weight."""
        return zip(self.outcomes, self.weights or (1,) * len(self.outcomes), strict=True)

    @property
    def pool(self) -> str:
        """What the streams have in common that draw from the same things."""
        return self.label.partition(".")[0]

    def without(self, outcomes: Container[A]) -> Chance[A]:
        """The same chance, less these outcomes."""
        left = [pair for pair in self.weighted() if pair[0] not in outcomes]
        weights = tuple([weight for _, weight in left]) if self.weights else ()
        return Chance(tuple([outcome for outcome, _ in left]), self.label, self.seat, weights)

    def pick(self, number: int) -> A:
        """The outcome that `number`, from 0 up to but not including `total`, stands for."""
        if not self.weights:
            return self.outcomes[number]
        for outcome, weight in self.weighted():
            if number < weight:
                return outcome
            number -= weight
        raise IndexError(f"the number must be below {self.total}")


class Over(Value, frozen=True):
    """Nobody acts any more."""

    result: Result


Turn: TypeAlias = Acting | Chance[A] | Over


class Step(Value, Generic[S, E], frozen=True):
    """What an action led to."""

    state: S
    events: tuple[E, ...]


class GameInfo(Value, frozen=True):
    """What a game says of itself before anyone has sat down."""

    name: str
    """The word that commands and records use."""
    title: str
    about: str
    seats: range
    options: tuple[Option, ...]
    credits: str
    streams: tuple[str, ...]
    """The labels that luck's decisions can have."""
    rules_version: int
    """Raised whenever an old record would no longer replay to the same states."""


class Game(Protocol[O, S, A, E, V]):
    """The rules of one game. Every method is a pure function of its arguments."""

    info: GameInfo
    options_type: type[O]
    view_type: type[V]
    """A `Value` with a field `seat`: whose view it is, `None` for a spectator."""
    event_type: Any
    """The type of an event: a union, mostly."""

    def start(self, seats: int, options: O) -> S:
        """The state before anything has been dealt; `UsageError` for a number that can't sit."""
        ...

    def turn(self, state: S) -> Turn[A]:
        """Who or what decides next."""
        ...

    def legal(self, state: S, seat: Seat) -> Sequence[A]:
        """What this seat may do now; empty when it is not its turn."""
        ...

    def apply(self, state: S, actor: Actor, action: A) -> Step[S, E]:
        """Carry out an action; `IllegalAction` or `GameOver` if the rules don't allow it."""
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """What this seat may know now; `None` is a spectator."""
        ...

    def reveal(self, state: S) -> V:
        """The same with everything laid open, for replays and analysis."""
        ...

    def witness(self, event: E, seat: Seat | None) -> E | None:
        """The event as this seat saw it happen; `None` if it saw nothing."""
        ...

    def imagine(self, view: V, rng: random.Random) -> S:
        """Some full state that this view could come from."""
        ...

    def pieces(self, state: S) -> Mapping[str, int]:
        """Every card, cookie and pawn with how often it is there: the same throughout a play."""
        ...

    def write(self, action: A) -> str:
        """The action as one word of a record."""
        ...

    def read(self, text: str) -> A:
        """The action that a word stands for; `NotationError` if it is none."""
        ...

    def write_position(self, state: S) -> str:
        """The state in one line."""
        ...

    def read_position(self, text: str) -> S:
        """The state that a line stands for; `NotationError` if there is no such state."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
