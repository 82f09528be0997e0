"""The events of a game of Letters."""

from __future__ import annotations

from typing import TypeAlias

from wonderland.engine.outcome import Result
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import Card, Letter


class StartChosen(Value, frozen=True):
    """The start player was drawn."""

    seat: Seat


class CardChosen(Value, frozen=True):
    """A player chose a card to turn."""

    seat: Seat
    space: int


class CardTurned(Value, frozen=True):
    """A card was turned face up on its space."""

    seat: Seat
    space: int
    card: Card


class LettersPlayed(Value, frozen=True):
    """Letters moved from their spaces to the player's rail, in the order of A-L-I-C-E."""

    seat: Seat
    letters: tuple[Letter, ...]
    spaces: tuple[int, ...]
    """The space each of them came from."""


class LettersTurnedDown(Value, frozen=True):
    """A menace turned exposed letters face down again."""

    letters: tuple[Letter, ...]
    spaces: tuple[int, ...]
    """The space of each of them."""


class LetterRemoved(Value, frozen=True):
    """A letter of an unused colour was removed from the game."""

    letter: Letter
    space: int


class GameEnded(Value, frozen=True):
    """Someone completed A-L-I-C-E."""

    result: Result


Event: TypeAlias = (
    StartChosen | CardChosen | CardTurned | LettersPlayed | LettersTurnedDown | LetterRemoved | GameEnded
)
