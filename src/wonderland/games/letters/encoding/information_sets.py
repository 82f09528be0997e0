"""The histories of Letters: how long they can be. Everyone witnesses everything."""

from __future__ import annotations

from wonderland.components.information_sets import HistoryBounds
from wonderland.games.letters.rules.components import CARDS, SPACES, WORD, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Action


def bounds(seats: int, options: Options) -> HistoryBounds:
    """Every card is turned once, and a letter again each time that a menace has turned it down (L10).

    A menace turns down the letters of one colour, and the Duchess, by that rule, of all (L14).
    """
    down = len(WORD) * len(Menace)
    if options.duchess:
        down += len(WORD) * (seats - 1)
    turns = len(CARDS) + down
    return HistoryBounds(turns, 1 + turns, len(CARDS), len(SPACES))


def is_open(options: Options) -> bool:  # noqa: ARG001 - the same for all
    """All is turned before everyone's eyes; who forgets it had it all the same."""
    return True


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the number says it all
    """The number."""
    return number
