"""Cards and zones as numbers, and scores; compiled to C if there is a compiler.

A zone is one word: in ten bits per colour, four count the cards and six add up their values. So a card
is added with one addition, and all colours are compared at once.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.kernels.bits import first
else:
    from wonderland.games.parade.encoding.layout import (  # noqa: I001
        ABOVE, ANY, COLOURS, COUNTS, EIGHT, FIELD, MASK, NINE, ODD, ONE_IN_EACH, SETS, SUMS, TWOS,
    )  # fmt: skip
    from wonderland.kernels.bits import first

    VALUE, COLOUR, LOWER, ADDED, MARKS = [0] * 66, [0] * 66, [0] * 66, [0] * 67, [0] * (66 * SETS)

COMPILED = cython.compiled


def _prepare() -> None:
    card: cython.int
    value: cython.int
    limit: cython.int
    for card in range(66):
        value = card % 11
        VALUE[card], COLOUR[card], LOWER[card] = value, COLOURS + card // 11, _at_most(value)
        ADDED[card] = cython.cast(cython.ulonglong, 1 + 16 * value) << (FIELD * (card // 11))
        for limit in range(value, 11):
            MARKS[SETS * card + _at_most(limit)] = MASK
        MARKS[SETS * card + COLOUR[card]] = MASK
        MARKS[SETS * card + ODD] = MASK if value & 1 else 0
        MARKS[SETS * card + TWOS] = MASK if value & 2 else 0


def _at_most(value: int) -> int:
    """Return the index of the slot set of the values up to this one."""
    return (*range(COLOURS), EIGHT, NINE, ANY)[value]


_prepare()


def joined(zone: cython.ulonglong, cards: cython.p_uchar, slots: cython.ulonglong) -> cython.ulonglong:
    """Return a zone with the cards of these slots added."""
    for _ in range(3):  # unrolled: the number that leave is unpredictable; `NO_SLOT` adds nothing
        zone, slots = zone + ADDED[cards[first(slots)]], slots & (slots - 1)
    while slots:
        zone, slots = zone + ADDED[cards[first(slots)]], slots & (slots - 1)
    return zone


def larger(one: cython.ulonglong, other: cython.ulonglong) -> cython.ulonglong:
    """Return the larger of two zones' counts in each colour."""
    is_larger: cython.ulonglong = (one + ABOVE - other) & ABOVE
    mine: cython.ulonglong = is_larger - (is_larger >> 4)
    return (one & mine) | (other & COUNTS & ~mine)


def points_in(zone: cython.ulonglong, needed: cython.ulonglong) -> cython.int:
    """P12, P14: return a zone's score, given the cards needed for the majority of each colour."""
    majorities: cython.ulonglong = ((zone & COUNTS) + ABOVE - needed) & ABOVE
    counted: cython.ulonglong = zone & (majorities - (majorities >> 4))
    printed: cython.ulonglong = (zone >> 4) & SUMS & ~((majorities << 2) - (majorities >> 4))
    return ((counted + printed) * ONE_IN_EACH) >> 50 & 1023


def needed_by(zones: cython.p_ulonglong, seats: cython.int, seat: cython.int) -> cython.ulonglong:
    """P12, P13: return the number of cards of each colour this seat needs for the majority."""
    other: cython.int
    most: cython.ulonglong = ONE_IN_EACH
    if seats == 2:
        return (zones[1 - seat] & COUNTS) + 2 * ONE_IN_EACH
    for other in range(seats):
        if other != seat:
            most = larger(most, zones[other] & COUNTS)
    return most


def best_two(zone: cython.ulonglong, hand: cython.ulonglong, needed: cython.ulonglong) -> cython.int:
    """Return a zone's score with the cheapest two of four cards, and those two in the low bytes."""
    one: cython.int
    other: cython.int
    best: cython.int = 1 << 14
    choice: cython.int = 0
    for one in range(3):
        with_one: cython.ulonglong = zone + ADDED[hand >> (8 * one) & 0xFF]
        for other in range(one + 1, 4):
            cost: cython.int = points_in(with_one + ADDED[hand >> (8 * other) & 0xFF], needed)
            if cost < best:
                best, choice = cost, (hand >> (8 * one) & 0xFF) << 8 | (hand >> (8 * other) & 0xFF)
    return best << 16 | choice


def score(zones: cython.p_ulonglong, seats: cython.int, points: cython.p_int) -> cython.void:
    """P12 to P14: compute the score of each seat."""
    seat: cython.int
    needed: cython.ulonglong = ONE_IN_EACH
    for seat in range(
        seats
    ):  # with three or more, the most that anyone has, oneself included, is enough
        needed = larger(needed, zones[seat] & COUNTS)
    for seat in range(seats):
        points[seat] = points_in(zones[seat], needed_by(zones, 2, seat) if seats == 2 else needed)


def lowest_scores(zones: cython.p_ulonglong, seats: cython.int, points: cython.p_int) -> cython.int:
    """P15: return the winners as bits: fewest points, then fewest cards, shared if still tied."""
    seat: cython.int
    best: cython.int = 1 << 30
    winners: cython.int = 0
    for seat in range(seats):
        cards: cython.int = ((zones[seat] & COUNTS) * ONE_IN_EACH) >> 50 & 63
        rank: cython.int = 64 * points[seat] + cards
        if rank < best:
            best, winners = rank, 0
        if rank == best:
            winners |= 1 << seat
    return winners
