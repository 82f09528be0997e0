"""What a play of Letters is made of: states, actions and events."""

from __future__ import annotations

from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import Card, Letter


class StartChosen(Value, frozen=True):
    """It was settled who begins."""

    seat: Seat


class CardChosen(Value, frozen=True):
    """A player reached for a card."""

    seat: Seat
    space: int


class CardTurned(Value, frozen=True):
    """A card was turned up where it lay."""

    seat: Seat
    space: int
    card: Card


class LettersPlayed(Value, frozen=True):
    """Letters moved from their starred spaces to the player's own, in the order of A-L-I-C-E."""

    seat: Seat
    letters: tuple[Letter, ...]
    spaces: tuple[int, ...]
    """Where each of them lay."""


class LettersTurnedDown(Value, frozen=True):
    """A menace turned exposed letters face down again."""

    letters: tuple[Letter, ...]
    spaces: tuple[int, ...]
    """Where each of them lies."""


class LetterRemoved(Value, frozen=True):
    """A letter of a colour that nobody plays left the game."""

    letter: Letter
    space: int


class GameEnded(Value, frozen=True):
    """Someone completed A-L-I-C-E."""

    result: Result


Event: TypeAlias = (
    StartChosen | CardChosen | CardTurned | LettersPlayed | LettersTurnedDown | LetterRemoved | GameEnded
)
