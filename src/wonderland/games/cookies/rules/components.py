"""The cards and cookies in the box (C1, C2)."""

from __future__ import annotations

from enum import IntEnum


class Card(IntEnum):
    """One of the cards 1 to 5, or the Joker. An `IntEnum`, because cards are often sorted and indexed.

    >>> [card.mark for card in Card]
    ['1', '2', '3', '4', '5', 'J']
    """

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    JOKER = 6

    @property
    def mark(self) -> str:
        """The symbol printed on the card, also used in notation."""
        return "J" if self is Card.JOKER else str(self.value)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers the card may be played as; a Joker is any number, declared on playing it (C8)."""
        return (1, 2, 3, 4, 5) if self is Card.JOKER else (self.value,)


DECK = (*(card for card in Card for _ in range(2) if card is not Card.JOKER), Card.JOKER)
"""The 11 cards of each player, sorted."""

SEATS = range(2, 5)  # C2
COOKIE_VALUES = range(2, 6)
SMALL_COOKIES = 20


def large_cookies(seats: int) -> tuple[int, ...]:
    """Large cookies in play, sorted: six of each value, less one for each seat short of four (C1).

    >>> [len(large_cookies(seats)) for seats in SEATS]
    [16, 20, 24]
    """
    of_each = 6 - (SEATS[-1] - seats)
    return tuple(cookie for cookie in COOKIE_VALUES for _ in range(of_each))
