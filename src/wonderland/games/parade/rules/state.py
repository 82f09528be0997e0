"""What a play of Parade is made of: states, actions and events."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card

Hand: TypeAlias = tuple[Card | FaceDown, ...]


class Options(Value, frozen=True):
    """Parade has no options: everyone plays it alike."""


class Ending(Enum):
    """What set off the last round (P8)."""

    SIXTH_COLOUR = "sixth colour"
    EMPTY_PILE = "empty pile"
    BOTH = "sixth colour and empty pile"


class Starting(Value, frozen=True):
    """Luck draws who begins."""


class Dealing(Value, frozen=True):
    """Luck deals the hands: `seat` gets the next card, and `first` will begin."""

    first: Seat
    seat: Seat


class Forming(Value, frozen=True):
    """Luck lays out the first six cards of the parade."""

    first: Seat


class Playing(Value, frozen=True):
    """A seat is to play a card. In the last round, so many turns are left with this one."""

    seat: Seat
    turns_left: int | None = None
    ending: Ending | None = None


class Drawing(Value, frozen=True):
    """Luck draws a card for the seat that has played, and may have taken the sixth colour."""

    seat: Seat
    ending: Ending | None = None


class Keeping(Value, frozen=True):
    """All seats choose two cards to keep: nothing yet, a choice, or one that this view can't show."""

    ending: Ending
    kept: tuple[KeepCards | FaceDown | None, ...]


class Ended(Value, frozen=True):
    """The points are counted; the hands are what was discarded."""

    ending: Ending
    result: Result


Stage: TypeAlias = Starting | Dealing | Forming | Playing | Drawing | Keeping | Ended


class State(Value, frozen=True):
    """A position.

    A hand may hold `FACE_DOWN` cards in a play that is noted from one seat's side; `unseen` is the
    set of all cards whose place is not known: those in the pile and those face down in hands.
    """

    stage: Stage
    hands: tuple[Hand, ...]
    """Each sorted, with those face down behind the others."""
    parade: tuple[Card, ...]
    """From the front to the end."""
    zones: tuple[tuple[Card, ...], ...]
    """What lies in front of each player, sorted."""
    unseen: tuple[Card, ...]
    """Sorted: a set, so that it tells nothing of what comes next."""
    pile: int
    """How many cards the draw pile has."""


class StartWith(Value, frozen=True):
    """Luck: this seat begins (P2)."""

    seat: Seat


class PlayCard(Value, frozen=True):
    """Lay this card at the end of the parade (P4)."""

    card: Card


class KeepCards(Value, frozen=True):
    """Keep these two cards of the last four (P11); the lower one is named first."""

    first: Card
    second: Card


Action: TypeAlias = StartWith | Card | FaceDown | PlayCard | KeepCards
"""Luck decides `StartWith`, and which `Card` comes off the pile (`FACE_DOWN` where whoever notes the
play can't see it); seats decide the rest."""
