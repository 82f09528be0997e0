"""Counting the points of Cookies: C19."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDING = "all cards played"
SHARED = phrase("same points, same number of large cookies, same space")


def points(large: Sequence[int], small: int) -> int:
    """What these cookies count: the large ones their value, each small one 1."""
    return sum(large) + small


def result_of(large: Sequence[Sequence[int]], small: Sequence[int], pawns: Sequence[int]) -> Result:
    """Who wins with these cookies and with the pawns on these spaces, and what decides it (C19)."""
    scores = tuple(map(points, large, small))
    winners, decided = winners_of(scores, list(map(len, large)), pawns)
    return Result(winners, scores, decided, ENDING)


def winners_of(
    scores: Sequence[int], cookies: Sequence[int], spaces: Sequence[int]
) -> tuple[tuple[int, ...], str]:
    """The seats that win with these points, numbers of large cookies and spaces; and by what.

    No play reaches a shared win, since no two pawns end on one space (C9): it is ruled all the same.

    >>> winners_of([9, 9, 4], [3, 2, 1], [0, 5, 7])
    ((0,), 'most large cookies')
    """
    winners = tuple(range(len(scores)))
    for decided, numbers in (
        (phrase("most points"), scores),
        (phrase("most large cookies"), cookies),
        (phrase("farthest pawn"), spaces),
    ):
        most = max(numbers[seat] for seat in winners)
        winners = tuple(seat for seat in winners if numbers[seat] == most)
        if len(winners) == 1:
            return winners, decided
    return winners, SHARED
