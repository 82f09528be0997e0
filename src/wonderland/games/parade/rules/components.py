"""The 66 cards of Parade (P1)."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Colour(IntEnum):
    """The six colours, in display order."""

    RED = 0
    BLUE = 1
    PURPLE = 2
    GREEN = 3
    GREY = 4
    ORANGE = 5

    @property
    def letter(self) -> str:
        """The colour's letter in notation; grey is Y because G is green."""
        return "RBPGYO"[self]


class Card(int):
    """A card, represented by its index in the deck so that it compares, sorts and hashes like an int.

    >>> Card.of(Colour.GREEN, 10)
    G10
    >>> Card(43).colour.name, Card(43).value
    ('GREEN', 10)
    """

    colour: Colour
    value: int

    def __new__(cls, number: int) -> Self:
        card = super().__new__(cls, number)
        colour, value = divmod(number, len(VALUES))
        card.__dict__.update(colour=Colour(colour), value=value)
        return card

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"a card can't be changed, so its {name} can't be set")

    @classmethod
    def of(cls, colour: Colour, value: int) -> Card:
        """Return the card with this colour and value."""
        return DECK[colour * len(VALUES) + value]

    @classmethod
    def read(cls, text: str) -> Card:
        """Parse a card from its text; raise `ValueError` if there is no such card."""
        return DECK[_TEXTS.index(text)]

    def __str__(self) -> str:
        return _TEXTS[self]

    __repr__ = __str__


VALUES = range(11)
_TEXTS = tuple(f"{colour.letter}{value}" for colour in Colour for value in VALUES)
DECK = tuple(Card(number) for number in range(len(Colour) * len(VALUES)))
HAND_SIZE = 5
PARADE_SIZE = 6
KEPT = 2
