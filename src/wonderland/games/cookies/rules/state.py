"""States and actions of Cookies; the events are in `events.py`."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FACE_DOWN, FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import RABBIT_HOLE
from wonderland.games.cookies.rules.components import DECK, Card
from wonderland.games.cookies.rules.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterable

Hand: TypeAlias = tuple[Card | FaceDown, ...]
"""Cards from left to right, as held."""


class Side(IntEnum):
    """End of the hand a card is played from (C7); a single card counts as the left one."""

    LEFT = 0
    RIGHT = 1


LEFT, RIGHT = Side


class PlayCard(Value, frozen=True):
    """Play the card at one end of the hand (C7) as this number (C8)."""

    side: Side
    card: Card
    number: int
    plus: bool = False
    """Whether a large pawn adds 1 (C8)."""
    walk: bool = False
    """Whether to treat the Rabbit Hole as a plain space (C22)."""

    @property
    def steps(self) -> int:
        """Number of spaces to move, or of spins."""
        return self.number + self.plus


class TakeCookie(Enum):
    """Take a large cookie at the Hatter's Tea Party (C13)."""

    FACE_UP = "up"
    FACE_DOWN = "down"


class Answer(Enum):
    """Accept an acceptable spin, or spin again (C18)."""

    ACCEPT = "accept"
    AGAIN = "again"


class StartWith(Value, frozen=True):
    """Chance outcome: this seat starts (C6)."""

    seat: Seat


class Cookie(Value, frozen=True):
    """Chance outcome: this large cookie was on top of the stack (C5, C10, C13)."""

    value: int


class Spin(Value, frozen=True):
    """Chance outcome: the spinner points at this space (C3)."""

    space: int


Action: TypeAlias = PlayCard | TakeCookie | Answer | StartWith | Card | FaceDown | Cookie | Spin
"""Chance outcomes are `StartWith`, the `Card` drawn (`FACE_DOWN` if the observer can't see it), `Cookie`
and `Spin`; seats decide the rest."""


class Starting(Value, frozen=True):
    """Waiting for chance to draw the start player."""


class Dealing(Value, frozen=True):
    """Waiting for chance to deal the next card, to `seat`; `first` will start."""

    first: Seat
    seat: Seat


class TurningFirst(Value, frozen=True):
    """Waiting for chance to turn up the first large cookie; `first` will start."""

    first: Seat


class Playing(Value, frozen=True):
    """Waiting for a seat to play a card."""

    seat: Seat


class Climbing(Value, frozen=True):
    """Waiting for chance to spin for a seat in the Rabbit Hole; `spins` counts this one too."""

    seat: Seat
    spins: int


class Deciding(Value, frozen=True):
    """Waiting for a seat to accept the spin or spin again, with `spins` left."""

    seat: Seat
    spins: int


class Spinning(Value, frozen=True):
    """Waiting for chance to spin for the number of small cookies a seat takes."""

    seat: Seat


class Taking(Value, frozen=True):
    """Waiting for a seat on the Hatter's Tea Party to choose a large cookie."""

    seat: Seat


class TakingDown(Value, frozen=True):
    """Waiting for chance to reveal the top cookie of the stack, which a seat chose to take."""

    seat: Seat


class TurningUp(Value, frozen=True):
    """Waiting for chance to turn up the next large cookie, after a seat took the face-up one.

    A pawn that passed the Hatter's Tea Party then carries out the effect of its space; `cats` are the
    Cheshire Cat spaces it has used this turn (C16).
    """

    seat: Seat
    cats: tuple[int, ...] = ()


class Drawing(Value, frozen=True):
    """Waiting for chance to draw the card for a seat at the end of its turn."""

    seat: Seat


class Ended(Value, frozen=True):
    """All cards have been played and the points counted."""

    result: Result


InTurn: TypeAlias = Climbing | Deciding | Spinning | Taking | TakingDown | TurningUp | Drawing
"""Stages between playing a card and the end of that turn."""
BeforeTheEnd: TypeAlias = Starting | Dealing | TurningFirst | Playing | InTurn
Stage: TypeAlias = BeforeTheEnd | Ended


class Larder(Value, frozen=True):
    """All the cookies: those taken by each seat, and those left."""

    large: tuple[tuple[int, ...], ...]
    """Large cookies taken by each seat, sorted."""
    small: tuple[int, ...]
    """Number of small cookies taken by each seat."""
    stack: tuple[int, ...]
    """Large cookies in the face-down stack, sorted so that the order reveals nothing."""
    face_up: int | None
    small_left: int


class State(Value, frozen=True):
    """A position. Seats and spaces count from 0; space 0 is the Hatter's Tea Party.

    Hands may hold `FACE_DOWN` cards if the game was recorded from one seat's point of view.
    """

    options: Options
    stage: Stage
    hands: tuple[Hand, ...]
    unseen: tuple[tuple[Card, ...], ...]
    """For each seat, the cards in its pile or face down in its hand, sorted so that the order reveals
    nothing. Cards neither here nor in hand have been played."""
    pawns: tuple[int, ...]
    """The space of each pawn."""
    large: Seat | None
    """The seat whose pawn is large, if any (C15)."""
    stuck: tuple[bool, ...]
    """Whether each seat failed to climb out on its last turn (C22)."""
    larder: Larder
    spinner: int | None
    """The space the spinner points at, once spun."""
    last: PlayCard | None
    """The last card played, which everyone saw; during a turn, the card of that turn."""

    @property
    def piles(self) -> tuple[int, ...]:
        """Number of cards in each draw pile."""
        return tuple(map(pile_size, self.hands, self.unseen))

    def in_hole(self, seat: Seat) -> bool:
        """Whether this seat's pawn is down a Rabbit Hole; a large pawn only stands on it (C17)."""
        return self.large != seat and self.options.board.spaces[self.pawns[seat]].kind is RABBIT_HOLE


def pile_size(hand: Hand, unseen: tuple[Card, ...]) -> int:
    """Number of a seat's unseen cards that are in its pile rather than its hand."""
    return len(unseen) - hand.count(FACE_DOWN)


def cards_played(hand: Iterable[Card | FaceDown], unseen: Iterable[Card]) -> tuple[Card, ...]:
    """Cards a seat has played, sorted: those of its eleven that are nowhere else."""
    cards = list(DECK)
    for card in (*hand, *unseen):
        if card is not FACE_DOWN:
            cards.remove(card)
    return tuple(cards)
