"""What a play of Cookies is made of: states and actions. What happens is in `events.py`."""

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
"""From left to right, as it is held."""


class Side(IntEnum):
    """The end of the hand that a card is played from (C7); the only card of a hand is the left one."""

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
        """How many spaces to move, or spins to make."""
        return self.number + self.plus


class TakeCookie(Enum):
    """Take a large cookie at the Hatter's Tea Party (C13)."""

    FACE_UP = "up"
    FACE_DOWN = "down"


class Answer(Enum):
    """What to do about a spin that could be accepted (C18)."""

    ACCEPT = "accept"
    AGAIN = "again"


class StartWith(Value, frozen=True):
    """Luck: this seat begins (C6)."""

    seat: Seat


class Cookie(Value, frozen=True):
    """Luck: this large cookie lay on top of the stack (C5, C10, C13)."""

    value: int


class Spin(Value, frozen=True):
    """Luck: the spinner points at this space (C3)."""

    space: int


Action: TypeAlias = PlayCard | TakeCookie | Answer | StartWith | Card | FaceDown | Cookie | Spin
"""Luck decides `StartWith`, which `Card` comes off a pile (`FACE_DOWN` where whoever notes the play
can't see it), `Cookie` and `Spin`; seats decide the rest."""


class Starting(Value, frozen=True):
    """Luck draws who begins."""


class Dealing(Value, frozen=True):
    """Luck deals the hands: `seat` gets the next card, and `first` will begin."""

    first: Seat
    seat: Seat


class TurningFirst(Value, frozen=True):
    """Luck turns up the first large cookie; `first` will begin."""

    first: Seat


class Playing(Value, frozen=True):
    """A seat is to play a card."""

    seat: Seat


class Climbing(Value, frozen=True):
    """Luck spins for a seat that climbs out of the Rabbit Hole; so many spins are left with this one."""

    seat: Seat
    spins: int


class Deciding(Value, frozen=True):
    """A seat is to accept where the spinner points, or to spin again; so many spins are left."""

    seat: Seat
    spins: int


class Spinning(Value, frozen=True):
    """Luck spins for how many small cookies a seat takes."""

    seat: Seat


class Taking(Value, frozen=True):
    """A seat stands on the Hatter's Tea Party and is to choose a large cookie."""

    seat: Seat


class TakingDown(Value, frozen=True):
    """Luck shows which cookie a seat takes that chose the top one of the stack."""

    seat: Seat


class TurningUp(Value, frozen=True):
    """Luck turns up the next large cookie, for a seat that has taken the last one.

    A pawn that has passed the Hatter's Tea Party then does what its space says; `cats` are the
    Cheshire Cat spaces that it has used in this turn (C16).
    """

    seat: Seat
    cats: tuple[int, ...] = ()


class Drawing(Value, frozen=True):
    """Luck draws the card that a seat gets at the end of its turn."""

    seat: Seat


class Ended(Value, frozen=True):
    """All cards are played and the points are counted."""

    result: Result


InTurn: TypeAlias = Climbing | Deciding | Spinning | Taking | TakingDown | TurningUp | Drawing
"""The stages between a card and the end of the turn that it was played in."""
BeforeTheEnd: TypeAlias = Starting | Dealing | TurningFirst | Playing | InTurn
Stage: TypeAlias = BeforeTheEnd | Ended


class Larder(Value, frozen=True):
    """All the cookies: what each seat has taken, and what is left."""

    large: tuple[tuple[int, ...], ...]
    """The large cookies that each seat has taken, sorted."""
    small: tuple[int, ...]
    """How many small ones each seat has taken."""
    stack: tuple[int, ...]
    """The large cookies that lie face down, sorted: it tells nothing of what comes next."""
    face_up: int | None
    small_left: int


class State(Value, frozen=True):
    """A position. Seats and spaces are counted from 0; space 0 is the Hatter's Tea Party.

    A hand may hold `FACE_DOWN` cards in a play that is noted from one seat's side.
    """

    options: Options
    stage: Stage
    hands: tuple[Hand, ...]
    unseen: tuple[tuple[Card, ...], ...]
    """For each seat the cards whose place is not known, those of the pile and those face down in the
    hand, sorted for the same reason. All others have been played."""
    pawns: tuple[int, ...]
    """The space on which each pawn stands."""
    large: Seat | None
    """Whose pawn is large, if any is (C15)."""
    stuck: tuple[bool, ...]
    """Who failed to climb out in their last turn (C22)."""
    larder: Larder
    spinner: int | None
    """The space at which the spinner points, once it has been spun."""
    last: PlayCard | None
    """The card that was played last, which everyone saw; in a turn, the one it is about."""

    @property
    def piles(self) -> tuple[int, ...]:
        """How many cards each draw pile has."""
        return tuple(map(pile_size, self.hands, self.unseen))

    def in_hole(self, seat: Seat) -> bool:
        """Whether this seat's pawn is down the Rabbit Hole: a large one stands on it (C17)."""
        return self.large != seat and self.options.board.spaces[self.pawns[seat]].kind is RABBIT_HOLE


def pile_size(hand: Hand, unseen: tuple[Card, ...]) -> int:
    """How many of a seat's unseen cards are in its pile: those that are not in its hand."""
    return len(unseen) - hand.count(FACE_DOWN)


def cards_played(hand: Iterable[Card | FaceDown], unseen: Iterable[Card]) -> tuple[Card, ...]:
    """What a seat has played, sorted: the cards of its eleven that are nowhere else."""
    cards = list(DECK)
    for card in (*hand, *unseen):
        if card is not FACE_DOWN:
            cards.remove(card)
    return tuple(cards)
