"""The 27 cards of Letters and their spaces (L1, L2)."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple, TypeAlias

WORD = "ALICE"
SPACES = range(27)


class Colour(IntEnum):
    """The four colours, in the order in which seats get them (L3)."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    GREEN = 3

    @property
    def word(self) -> str:
        """The colour's name in notation."""
        return self.name.lower()


class Letter(NamedTuple):
    """A letter card; a named tuple, because cards are compared and searched for constantly.

    >>> str(Letter(Colour.GREEN, 4))
    'greenE'
    """

    colour: Colour
    place: int
    """Its index in A-L-I-C-E, which is also the number of letters to be played before it."""

    @property
    def letter(self) -> str:
        """The letter itself."""
        return WORD[self.place]

    def __str__(self) -> str:
        return f"{self.colour.word}{self.letter}"


class Menace(Enum):
    """The seven name cards, with their names in notation."""

    DUCHESS = "Duchess"
    MAD_HATTER = "Hatter"
    MARCH_HARE = "Hare"
    MOCK_TURTLE = "Turtle"
    WALRUS = "Walrus"
    CARPENTER = "Carpenter"
    KING_OF_HEARTS = "King"

    def __str__(self) -> str:
        return self.value


Card: TypeAlias = Letter | Menace

LETTERS = tuple(Letter(colour, place) for colour in Colour for place in range(len(WORD)))
CARDS: tuple[Card, ...] = (*LETTERS, *Menace)
