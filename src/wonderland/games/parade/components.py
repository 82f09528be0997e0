"""The 66 cards of Parade (P1)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Colour(IntEnum):
    """The six colours, in the order in which they are laid out."""

    RED = 0
    BLUE = 1
    PURPLE = 2
    GREEN = 3
    GREY = 4
    ORANGE = 5

    @property
    def letter(self) -> str:
        """The letter that stands for the colour in notation; grey is Y, as green is G."""
        return "RBPGYO"[self]


class Card(NamedTuple):
    """One card: a named tuple, since cards are compared, sorted and looked up all the time.

    >>> str(Card(Colour.GREEN, 10))
    'G10'
    """

    colour: Colour
    value: int

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.value}"


VALUES = range(11)
DECK = tuple(Card(colour, value) for colour in Colour for value in VALUES)
HAND_SIZE = 5
PARADE_SIZE = 6
KEPT = 2
