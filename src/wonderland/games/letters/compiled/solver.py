"""Exact solver for two-player Letters: win probability of the player to move in every position.

Every turned card is public, so two players with perfect memory have no hidden information, and spaces
don't matter: cards never turned are interchangeable. A position is therefore just

- the *side* of the player to move and of the opponent: the number of letters played, and for each
  remaining letter whether it was never turned, is face up, or is face down again (363 sides; the player
  who has just moved never has the next letter face up, because it would have been played: 242);
- the numbers of letters of unused colours (0 to 10) and of menaces (0 to 7) that were never turned; if
  the Duchess is special (L14), whether she was turned, and how many of the other six.

No position repeats: turning a new card leaves fewer new cards, and turning a letter that is face down
again leaves the same number of new cards and fewer face-down letters. So there are no cycles, and one
pass in this order (menaces, unused letters, letters never turned, letters face down) computes each value
from final values; no iteration to convergence is needed.

A value is stored as a 32-bit fraction, with an error of at most 2**-33, and each turn adds at most one
such error. A game has fewer than 100 turns, so values are accurate to 2e-8.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

COMPILED = cython.compiled

UNTURNED, OPEN, DOWN = 0, 1, 2
"""The possible statuses of a letter that has not been played."""
MOST_UNUSED = 10
SIDES = 363
WAITING = 242
COMPLETE = cython.declare(cython.int, -1)
WHOLE = cython.declare(cython.double, 4294967295.0)

_sides = [
    (placed, number)  # the statuses of the remaining letters as base-3 digits, the next one lowest
    for placed in range(5)
    for number in range(3 ** (5 - placed))
]
_numbers = {side: number for number, side in enumerate(_sides)}


def side_number(placed: int, letters: Sequence[int]) -> int:
    """Return the number of a side, from its letters played and the statuses of the rest, in order."""
    return _numbers[placed, sum(what * 3**place for place, what in enumerate(letters))]


def letters_of(side: int) -> list[int]:
    """Return the statuses of a side's letters that have not been played."""
    placed, number = _sides[side]
    return [number // 3**place % 3 for place in range(5 - placed)]


def _with(side: int, changes: Sequence[tuple[int, int]]) -> int:
    """Return the side with the statuses of some letters changed."""
    letters = letters_of(side)
    for place, what in changes:
        letters[place] = what
    return side_number(5 - len(letters), letters)


def _played(side: int) -> int:
    """Return the side after playing every letter that can be played (L6, L9); -1 if complete."""
    letters = letters_of(side)
    while letters and letters[0] == OPEN:
        letters.pop(0)
    return side_number(5 - len(letters), letters) if letters else -1


PLAYED = cython.declare(cython.int[363])
HIDDEN = cython.declare(cython.int[363])  # the side after a menace (L10)
OPENED = cython.declare(cython.int[1815])  # the side after one of its letters is turned
LETTER = cython.declare(cython.int[1815])
ROW = cython.declare(cython.int[363])  # in the table, for the player to move
COLUMN = cython.declare(cython.int[363])  # in the table, for the opponent
IN_ORDER = cython.declare(cython.int[363])
GROUP = cython.declare(
    cython.int[37]
)  # the start in IN_ORDER of each (letters untouched, letters down) group
if not cython.compiled:
    PLAYED, HIDDEN, ROW, COLUMN, IN_ORDER = [0] * 363, [0] * 363, [0] * 363, [0] * 363, [0] * 363
    OPENED, LETTER, GROUP = [0] * 1815, [0] * 1815, [0] * 37


def _prepare() -> None:
    groups = []
    column = 0
    for side in range(SIDES):
        letters = letters_of(side)
        groups.append((letters.count(UNTURNED) * 6 + letters.count(DOWN), side))
        PLAYED[side] = _played(side)
        HIDDEN[side] = _with(side, [(at, DOWN) for at, what in enumerate(letters) if what == OPEN])
        for place in range(5):
            there = place < len(letters)
            LETTER[5 * side + place] = letters[place] if there else OPEN
            OPENED[5 * side + place] = _with(side, [(place, OPEN)]) if there else side
        COLUMN[side] = column if letters[0] != OPEN else -1
        column += letters[0] != OPEN
    groups.sort()
    for at, (_, side) in enumerate(groups):
        IN_ORDER[at] = side
    for group in range(37):
        GROUP[group] = sum(other < group for other, _ in groups)


_prepare()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fraction(chance: cython.double) -> cython.uint:
    """Convert a probability to its stored form."""
    chance = chance * WHOLE + 0.5
    return cython.cast(cython.uint, chance) if cython.compiled else int(chance)


@cython.final
@cython.cclass
class Solver:
    """The table of values for one set of options."""

    values: cython.uint[::1]
    claim_first: cython.int
    duchess: cython.int
    rows: cython.int
    menaces: cython.int
    """The number of menaces, excluding the Duchess if she is special."""

    def __init__(self, values: array[int], claim_first: int, duchess: int) -> None:
        self.values = values
        self.claim_first, self.duchess = claim_first, duchess
        self.menaces = 6 if duchess else 7
        self.rows = WAITING if claim_first else SIDES

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _page(self, unused: cython.int, menaces: cython.int, duchess: cython.int) -> cython.int:
        """Return the offset of the values for these numbers of cards never turned."""
        return ((duchess * (self.menaces + 1) + menaces) * 11 + unused) * self.rows * 242

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, page: cython.int, mover: cython.int, other: cython.int) -> cython.int:
        return page + (COLUMN[mover] if self.claim_first else mover) * 242 + COLUMN[other]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after(self, page: cython.int, mover: cython.int, other: cython.int) -> cython.double:
        """Win probability of the player who has just moved."""
        if mover == COMPLETE:
            return 1.0  # L12
        if self.claim_first:
            other = PLAYED[other]  # L9
            if other == COMPLETE:
                return 0.0
        return 1.0 - self.values[self._place(page, other, mover)] / WHOLE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _something_new(
        self,
        mover: cython.int,
        other: cython.int,
        unused: cython.int,
        menaces: cython.int,
        duchess: cython.int,
    ) -> cython.double:
        """Win probability of turning a new card; -1 if there is none."""
        page: cython.int = self._page(unused, menaces, duchess)
        cards: cython.int = unused + menaces + duchess
        sum_: cython.double = 0.0
        at: cython.int
        if unused:
            sum_ += unused * self._after(self._page(unused - 1, menaces, duchess), PLAYED[mover], other)
        if menaces:
            sum_ += menaces * self._after(self._page(unused, menaces - 1, duchess), HIDDEN[mover], other)
        if duchess:
            sum_ += self._after(self._page(unused, menaces, 0), HIDDEN[mover], HIDDEN[other])
        for at in range(5):
            if LETTER[5 * mover + at] == 0:
                cards += 1
                sum_ += self._after(page, PLAYED[OPENED[5 * mover + at]], other)
            if LETTER[5 * other + at] == 0:
                cards += 1
                sum_ += self._after(page, PLAYED[mover], OPENED[5 * other + at])
        return sum_ / cards if cards else -1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _best(
        self,
        mover: cython.int,
        other: cython.int,
        unused: cython.int,
        menaces: cython.int,
        duchess: cython.int,
    ) -> cython.double:
        """Win probability of turning the best card."""
        page: cython.int = self._page(unused, menaces, duchess)
        best: cython.double = self._something_new(mover, other, unused, menaces, duchess)
        at: cython.int
        for at in range(5):
            if LETTER[5 * mover + at] == 2:
                best = max(best, self._after(page, PLAYED[OPENED[5 * mover + at]], other))
            if LETTER[5 * other + at] == 2:
                best = max(best, self._after(page, PLAYED[mover], OPENED[5 * other + at]))
        return best

    def fill(self, unused: cython.int, menaces: cython.int, duchess: cython.int) -> None:
        """Compute all values for these numbers of cards never turned; those for fewer must be filled."""
        untouched: cython.int
        down: cython.int
        its: cython.int
        with cython.nogil:
            for untouched in range(11):
                for down in range(11):
                    for its in range(36):
                        if 0 <= untouched - its // 6 < 6 and 0 <= down - its % 6 < 6:
                            self._fill_group(its, 6 * untouched + down - its, unused, menaces, duchess)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill_group(
        self,
        its: cython.int,
        others: cython.int,
        unused: cython.int,
        menaces: cython.int,
        duchess: cython.int,
    ) -> cython.void:
        """Compute the values for two groups of sides with given letters untouched and face down."""
        page: cython.int = self._page(unused, menaces, duchess)
        one: cython.int
        two: cython.int
        mover: cython.int
        other: cython.int
        for one in range(GROUP[its], GROUP[its + 1]):
            mover = IN_ORDER[one]
            if self.claim_first and COLUMN[mover] < 0:
                continue
            for two in range(GROUP[others], GROUP[others + 1]):
                other = IN_ORDER[two]
                if COLUMN[other] >= 0:
                    self.values[self._place(page, mover, other)] = fraction(
                        self._best(mover, other, unused, menaces, duchess)
                    )

    # Queries. A position is both sides, that of the player to move first, and the numbers of unused
    # letters, of menaces and of Duchesses that were never turned.

    def best(self, position: Sequence[int]) -> float:
        """Win probability of the player to move with optimal play."""
        mover, other, unused, menaces, duchess = position
        return self.values[self._place(self._page(unused, menaces, duchess), mover, other)] / WHOLE

    def something_new(self, position: Sequence[int]) -> float:
        """Win probability of turning a new card; -1 if there is none."""
        mover, other, unused, menaces, duchess = position
        return self._something_new(mover, other, unused, menaces, duchess)

    def own(self, position: Sequence[int], letter: int) -> float:
        """Win probability of turning this one of the player's own letters, counted from the next."""
        mover, other, unused, menaces, duchess = position
        return self._after(
            self._page(unused, menaces, duchess), PLAYED[OPENED[5 * mover + letter]], other
        )

    def others(self, position: Sequence[int], letter: int) -> float:
        """Win probability of turning this one of the opponent's letters, counted from their next."""
        mover, other, unused, menaces, duchess = position
        return self._after(
            self._page(unused, menaces, duchess), PLAYED[mover], OPENED[5 * other + letter]
        )
