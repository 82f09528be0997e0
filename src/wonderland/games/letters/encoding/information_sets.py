"""Histories of Letters: their maximum size. All information is public."""

from __future__ import annotations

from wonderland.components.information_sets import HistoryBounds
from wonderland.games.letters.rules.components import CARDS, SPACES, WORD, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Action


def bounds(seats: int, options: Options) -> HistoryBounds:
    """Bound the history: each card is turned once, and letters again after menaces turned them down.

    A menace turns down the letters of one colour (L10), and the Duchess optionally those of all (L14).
    """
    down = len(WORD) * len(Menace)
    if options.duchess:
        down += len(WORD) * (seats - 1)
    turns = len(CARDS) + down
    return HistoryBounds(turns, 1 + turns, len(CARDS), len(SPACES))


def is_open(options: Options) -> bool:  # noqa: ARG001 - the same for all
    """Whether all information is public: yes, everyone sees every card turned, if only to forget it."""
    return True


def mark(number: int, action: Action) -> int:  # noqa: ARG001 - the number identifies the move
    """Return the public mark of a move, which is its number."""
    return number
