"""What a play of Parade is made of: states, actions and events."""

from __future__ import annotations

from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import FaceDown, Seat
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card
from wonderland.games.parade.rules.state import Ending, KeepCards


class StartChosen(Value, frozen=True):
    """It was settled who begins."""

    seat: Seat


class CardDealt(Value, frozen=True):
    """A card of the deal came into a hand."""

    seat: Seat
    card: Card | FaceDown


class CardDrawn(Value, frozen=True):
    """A player drew a card at the end of a turn."""

    seat: Seat
    card: Card | FaceDown


class CardJoined(Value, frozen=True):
    """One of the first six cards was laid down."""

    card: Card


class CardPlayed(Value, frozen=True):
    """A card was laid at the end of the parade."""

    seat: Seat
    card: Card


class CardsTaken(Value, frozen=True):
    """Cards left the parade and lie in front of the player."""

    seat: Seat
    cards: tuple[Card, ...]


class LastRoundBegan(Value, frozen=True):
    """Everyone has one more turn, this seat last."""

    seat: Seat
    ending: Ending


class CardsKept(Value, frozen=True):
    """A seat chose its two cards; which, only that seat knows."""

    seat: Seat
    choice: KeepCards | FaceDown


class ChoicesShown(Value, frozen=True):
    """All have chosen: what each seat keeps is laid open."""

    choices: tuple[KeepCards, ...]


class GameEnded(Value, frozen=True):
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
