"""Count the rows of finished games; compiled with Cython, because kernels finish millions a second.

`wonderland.kernels.kernel` describes a row. Counts are 64-bit integer arrays allocated by the caller.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

COMPILED = cython.compiled

# C versions of the constants of the same names in `kernels.kernel` and `totals`.
_ROW = cython.declare(cython.int, 10)
_WINNERS = cython.declare(cython.int, 0)
_FIRST = cython.declare(cython.int, 1)
_DECISIONS = cython.declare(cython.int, 2)
_ENDING = cython.declare(cython.int, 3)
_SCORES = cython.declare(cython.int, 4)
_MASKS = cython.declare(cython.int, 64)
_WHOLE_WIN = cython.declare(cython.int, 60)


def extremes(rows: cython.int[::1], count: cython.long, seats: cython.int) -> tuple[int, int, int, int]:
    """Return the lowest and highest score, the longest game and the highest ending of the rows."""
    low: cython.int = rows[_SCORES]
    high: cython.int = rows[_SCORES]
    longest: cython.int = 0
    ending: cython.int = 0
    score: cython.int
    seat: cython.int
    i: cython.long
    with cython.nogil:
        for i in range(count):
            longest = max(longest, rows[_ROW * i + _DECISIONS])
            ending = max(ending, rows[_ROW * i + _ENDING])
            for seat in range(seats):
                score = rows[_ROW * i + _SCORES + seat]
                low = min(low, score)
                high = max(high, score)
    return low, high, longest, ending


def count_rows(  # noqa: PLR0913, PLR0917 - one array for each kind of count
    rows: cython.int[::1],
    count: cython.long,
    seats: cython.int,
    low: cython.int,
    outcomes: cython.longlong[::1],
    lengths: cython.longlong[::1],
    endings: cython.longlong[::1],
    scores: cython.longlong[::1],
) -> None:
    """Add the rows to the counts.

    `outcomes` is indexed by starting seat and set of winners, `lengths` and `endings` by their numbers,
    and `scores` by seat and score, counted from `low`.
    """
    span: cython.long = len(scores) // seats
    seat: cython.int
    i: cython.long
    at: cython.long
    with cython.nogil:
        for i in range(count):
            at = _ROW * i
            outcomes[_MASKS * rows[at + _FIRST] + rows[at + _WINNERS]] += 1
            lengths[rows[at + _DECISIONS]] += 1
            endings[rows[at + _ENDING]] += 1
            for seat in range(seats):
                scores[span * seat + rows[at + _SCORES + seat] - low] += 1


def count_differences(  # noqa: PLR0913, PLR0917 - as above
    rows: cython.int[::1],
    others: cython.int[::1],
    count: cython.long,
    seats: cython.int,
    sums: cython.longlong[::1],
    squares: cython.longlong[::1],
) -> None:
    """Add up the differences of `others` from `rows`, game by game, and their squares.

    The quantities, in order: share of the win by seat, and by order of play; score by seat; number of
    decisions; whether the win was shared; then each ending.
    """
    seat: cython.int
    i: cython.long
    at: cython.long
    with cython.nogil:
        for i in range(count):
            at = _ROW * i
            for seat in range(seats):
                _add(sums, squares, seat, _share(others, at, seat) - _share(rows, at, seat))
                _add(
                    sums,
                    squares,
                    seats + seat,
                    _share(others, at, (others[at + _FIRST] + seat) % seats)
                    - _share(rows, at, (rows[at + _FIRST] + seat) % seats),
                )
                _add(
                    sums,
                    squares,
                    2 * seats + seat,
                    others[at + _SCORES + seat] - rows[at + _SCORES + seat],
                )
            _add(sums, squares, 3 * seats, others[at + _DECISIONS] - rows[at + _DECISIONS])
            _add(
                sums,
                squares,
                3 * seats + 1,
                _is_shared(others[at + _WINNERS]) - _is_shared(rows[at + _WINNERS]),
            )
            if others[at + _ENDING] != rows[at + _ENDING]:
                _add(sums, squares, 3 * seats + 2 + others[at + _ENDING], 1)
                _add(sums, squares, 3 * seats + 2 + rows[at + _ENDING], -1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add(
    sums: cython.longlong[::1],
    squares: cython.longlong[::1],
    place: cython.int,
    difference: cython.longlong,
) -> cython.void:
    sums[place] += difference
    squares[place] += difference * difference


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _share(rows: cython.int[::1], at: cython.long, seat: cython.int) -> cython.int:
    """A seat's share of the win."""
    winners: cython.int = rows[at + _WINNERS]
    if not (winners >> seat) & 1:
        return 0
    number: cython.int = 0
    while winners:
        winners &= winners - 1
        number += 1
    return _WHOLE_WIN // number


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_shared(winners: cython.int) -> cython.int:
    return 1 if winners & (winners - 1) else 0
