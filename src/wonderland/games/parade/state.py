"""What a play of Parade is made of: states, actions and events."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from wonderland.core.outcome import Result
from wonderland.core.protocol import FaceDown, Seat
from wonderland.core.values import value
from wonderland.games.parade.components import Card

Hand: TypeAlias = tuple[Card | FaceDown, ...]


@value
class Options:
    """Parade has no options: everyone plays it alike."""


class Ending(Enum):
    """What set off the last round (P8)."""

    SIXTH_COLOUR = "sixth colour"
    EMPTY_PILE = "empty pile"
    BOTH = "sixth colour and empty pile"


@value
class Starting:
    """Luck draws who begins."""


@value
class Dealing:
    """Luck deals the hands; `first` will begin."""

    first: Seat


@value
class Forming:
    """Luck lays out the first six cards of the parade."""

    first: Seat


@value
class Playing:
    """A seat is to play a card. In the last round, so many turns are left with this one."""

    seat: Seat
    turns_left: int | None = None
    ending: Ending | None = None


@value
class Drawing:
    """Luck draws a card for the seat that has played, and may have taken the sixth colour."""

    seat: Seat
    ending: Ending | None = None


@value
class Keeping:
    """All seats choose two cards to keep: nothing yet, a choice, or one that this view can't show."""

    ending: Ending
    kept: tuple[KeepCards | FaceDown | None, ...]


@value
class Ended:
    """The points are counted; the hands are what was discarded."""

    ending: Ending
    result: Result


Stage: TypeAlias = Starting | Dealing | Forming | Playing | Drawing | Keeping | Ended


@value
class State:
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


@value
class StartWith:
    """Luck: this seat begins (P2)."""

    seat: Seat


@value
class PlayCard:
    """Lay this card at the end of the parade (P4)."""

    card: Card


@value
class KeepCards:
    """Keep these two cards of the last four (P11); the lower one is named first."""

    first: Card
    second: Card


Action: TypeAlias = StartWith | Card | FaceDown | PlayCard | KeepCards
"""Luck decides `StartWith`, and which `Card` comes off the pile (`FACE_DOWN` where whoever notes the
play can't see it); seats decide the rest."""


@value
class StartChosen:
    """It was settled who begins."""

    seat: Seat


@value
class CardDealt:
    """A card of the deal came into a hand."""

    seat: Seat
    card: Card | FaceDown


@value
class CardDrawn:
    """A player drew a card at the end of a turn."""

    seat: Seat
    card: Card | FaceDown


@value
class CardJoined:
    """One of the first six cards was laid down."""

    card: Card


@value
class CardPlayed:
    """A card was laid at the end of the parade."""

    seat: Seat
    card: Card


@value
class CardsTaken:
    """Cards left the parade and lie in front of the player."""

    seat: Seat
    cards: tuple[Card, ...]


@value
class LastRoundBegan:
    """Everyone has one more turn, this seat last."""

    seat: Seat
    ending: Ending


@value
class CardsKept:
    """A seat chose its two cards; which, only that seat knows."""

    seat: Seat
    choice: KeepCards | FaceDown


@value
class ChoicesShown:
    """All have chosen: what each seat keeps is laid open."""

    choices: tuple[KeepCards, ...]


@value
class GameEnded:
    """The points were counted."""

    result: Result


Event: TypeAlias = (
    StartChosen
    | CardDealt
    | CardDrawn
    | CardJoined
    | CardPlayed
    | CardsTaken
    | LastRoundBegan
    | CardsKept
    | ChoicesShown
    | GameEnded
)
