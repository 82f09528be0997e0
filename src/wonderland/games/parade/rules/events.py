"""The events of a game of Parade."""

from __future__ import annotations

from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card
from wonderland.games.parade.rules.state import Ending, KeepCards


class StartChosen(Value, frozen=True):
    """The start player was drawn."""

    seat: Seat


class CardDealt(Value, frozen=True):
    """A card was dealt to a hand during setup."""

    seat: Seat
    card: Card | FaceDown


class CardDrawn(Value, frozen=True):
    """A player drew a card at the end of their turn."""

    seat: Seat
    card: Card | FaceDown


class CardJoined(Value, frozen=True):
    """One of the first six cards joined the parade during setup."""

    card: Card


class CardPlayed(Value, frozen=True):
    """A player added a card to the end of the parade."""

    seat: Seat
    card: Card


class CardsTaken(Value, frozen=True):
    """Cards left the parade for the player's zone."""

    seat: Seat
    cards: tuple[Card, ...]


class LastRoundBegan(Value, frozen=True):
    """The last round began: everyone has one more turn, ending with this seat."""

    seat: Seat
    ending: Ending


class CardsKept(Value, frozen=True):
    """A seat chose the two cards it keeps; only that seat knows which."""

    seat: Seat
    choice: KeepCards | FaceDown


class ChoicesShown(Value, frozen=True):
    """Every seat has chosen, and the choices are revealed."""

    choices: tuple[KeepCards, ...]


class GameEnded(Value, frozen=True):
    """The game was scored."""

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
