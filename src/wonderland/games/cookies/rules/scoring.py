"""Scoring of Cookies (C19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDING = "all cards played"
SHARED = phrase("same points, same number of large cookies, same space")


def points(large: Sequence[int], small: int) -> int:
    """Score of these cookies: large ones count their value, small ones 1 each."""
    return sum(large) + small


def result_of(large: Sequence[Sequence[int]], small: Sequence[int], pawns: Sequence[int]) -> Result:
    """Return the result for these cookies and pawns, with the deciding criterion (C19)."""
    scores = tuple(map(points, large, small))
    winners, decided = winners_of(scores, list(map(len, large)), pawns)
    return Result(winners, scores, decided, ENDING)


def winners_of(
    scores: Sequence[int], cookies: Sequence[int], spaces: Sequence[int]
) -> tuple[tuple[int, ...], str]:
    """Return the winning seats and the criterion that decided.

    A shared win can't occur in play, because no two pawns end on one space (C9), but the rules cover it.

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
