"""The state of a game of Parade, its stages, and the actions that change it."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card

Hand: TypeAlias = tuple[Card | FaceDown, ...]


class Options(Value, frozen=True):
    """The options of Parade: it has none."""


class Ending(Enum):
    """What set off the last round (P8)."""

    SIXTH_COLOUR = "sixth colour"
    EMPTY_PILE = "empty pile"
    BOTH = "sixth colour and empty pile"


class Starting(Value, frozen=True):
    """Chance picks the start player."""


class Dealing(Value, frozen=True):
    """Chance deals the hands: `seat` gets the next card, and `first` is the start player."""

    first: Seat
    seat: Seat


class Forming(Value, frozen=True):
    """Chance deals the first six cards of the parade."""

    first: Seat


class Playing(Value, frozen=True):
    """A seat has to play a card."""

    seat: Seat
    turns_left: int | None = None
    """Turns left in the last round, including this one; `None` before it."""
    ending: Ending | None = None


class Drawing(Value, frozen=True):
    """Chance draws a card for the seat that has just played, and may have taken the sixth colour."""

    seat: Seat
    ending: Ending | None = None


class Keeping(Value, frozen=True):
    """All seats choose two cards to keep."""

    ending: Ending
    kept: tuple[KeepCards | FaceDown | None, ...]
    """Each seat's choice: `None` if still open, `FACE_DOWN` if hidden from this view."""


class Ended(Value, frozen=True):
    """The game is over and scored; the hands now hold the discards."""

    ending: Ending
    result: Result


Stage: TypeAlias = Starting | Dealing | Forming | Playing | Drawing | Keeping | Ended


class State(Value, frozen=True):
    """A position.

    A hand may hold `FACE_DOWN` cards in a game recorded from one seat's point of view. `unseen` is the
    set of all cards whose location is unknown: those in the pile and those face down in hands.
    """

    stage: Stage
    hands: tuple[Hand, ...]
    """Each sorted, with face-down cards last."""
    parade: tuple[Card, ...]
    """From the front to the end."""
    zones: tuple[tuple[Card, ...], ...]
    """The cards in front of each player, sorted."""
    unseen: tuple[Card, ...]
    """Sorted, so that the order reveals nothing about the next draw."""
    pile: int
    """The number of cards in the draw pile."""


class StartWith(Value, frozen=True):
    """Chance outcome: this seat is the start player (P2)."""

    seat: Seat


class PlayCard(Value, frozen=True):
    """Add this card to the end of the parade (P4)."""

    card: Card


class KeepCards(Value, frozen=True):
    """Keep these two of the last four cards (P11), the lower one first."""

    first: Card
    second: Card


Action: TypeAlias = StartWith | Card | FaceDown | PlayCard | KeepCards
"""Chance outcomes are `StartWith` and the `Card` drawn from the pile (`FACE_DOWN` if hidden from the
seat that records the game); the rest are decisions of seats."""
