"""Two-player Letters solved: the chance to win of whoever is on turn, in every position there can be.

Every turned card is public, so two players who forget nothing have no secrets from each other, and
spaces don't matter: a card never turned is as good as any other. A position is then no more than

- the *side* of the player on turn and that of the other: how many letters they have played, and of each
  letter to come whether it was never turned, lies open, or lies face down again (363 sides; that of the
  player who has just had a turn never has its next letter open, since it would have been played: 242);
- how many letters of unused colours (0 to 10) and how many menaces (0 to 7) were never turned; where the
  Duchess counts (L14), whether she was, and how many of the other six.

Nothing comes back: turning a card for the first time leaves fewer of those, and turning a letter that
lies face down again leaves as many of those and fewer that lie so. So there are no circles. One pass
that takes the positions in this order (menaces, unused letters, letters never turned, letters face
down) finds each value from values that are final; there is nothing to converge.

A value is kept as a 32-bit fraction, wrong by 2**-33 at most, and each turn of a play adds such an error
once at most. A play has fewer than 100 turns, so values are right to 2e-8.
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
"""What a letter to come can be."""
MOST_UNUSED = 10
SIDES = 363
WAITING = 242
COMPLETE = cython.declare(cython.int, -1)
WHOLE = cython.declare(cython.double, 4294967295.0)

_sides = [
    (placed, number)  # the letters to come are the digits of the number, to base 3, the next one lowest
    for placed in range(5)
    for number in range(3 ** (5 - placed))
]
_numbers = {side: number for number, side in enumerate(_sides)}


def side_number(placed: int, letters: Sequence[int]) -> int:
    """The number of a side by the letters that it has played, and what those to come are, in order."""
    return _numbers[placed, sum(what * 3**place for place, what in enumerate(letters))]


def letters_of(side: int) -> list[int]:
    """What the letters of a side are that have not been played."""
    placed, number = _sides[side]
    return [number // 3**place % 3 for place in range(5 - placed)]


def _with(side: int, changes: Sequence[tuple[int, int]]) -> int:
    """The side with some of its letters changed."""
    letters = letters_of(side)
    for place, what in changes:
        letters[place] = what
    return side_number(5 - len(letters), letters)


def _played(side: int) -> int:
    """The side when all letters have been played that can be (L6, L9)."""
    letters = letters_of(side)
    while letters and letters[0] == OPEN:
        letters.pop(0)
    return side_number(5 - len(letters), letters) if letters else -1


PLAYED = cython.declare(cython.int[363])
HIDDEN = cython.declare(cython.int[363])  # when a menace has come (L10)
OPENED = cython.declare(cython.int[1815])  # when one of its letters has been turned
LETTER = cython.declare(cython.int[1815])
ROW = cython.declare(cython.int[363])  # in the table, for the player on turn
COLUMN = cython.declare(cython.int[363])  # in the table, for the other
IN_ORDER = cython.declare(cython.int[363])
GROUP = cython.declare(
    cython.int[37]
)  # where in IN_ORDER those begin with so many untouched, so many down
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
    """A chance as it is kept."""
    chance = chance * WHOLE + 0.5
    return cython.cast(cython.uint, chance) if cython.compiled else int(chance)


@cython.final
@cython.cclass
class Solver:
    """The table of values for one set of options, and how it is filled."""

    values: cython.uint[::1]
    claim_first: cython.int
    duchess: cython.int
    rows: cython.int
    menaces: cython.int
    """How many menaces there are, without the Duchess where she counts."""

    def __init__(self, values: array[int], claim_first: int, duchess: int) -> None:
        self.values = values
        self.claim_first, self.duchess = claim_first, duchess
        self.menaces = 6 if duchess else 7
        self.rows = WAITING if claim_first else SIDES

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _page(self, unused: cython.int, menaces: cython.int, duchess: cython.int) -> cython.int:
        """Where the values begin for these numbers of cards never turned."""
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
        """The chance of the player who has just had a turn."""
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
        """The chance of the player on turn who turns a card never turned; -1 if there is none."""
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
        """The chance of the player on turn who turns the best card."""
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
        """All values for these numbers of cards never turned; those for fewer must be there."""
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
        """The values where the sides have so many letters untouched and so many face down again."""
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

    # For those who want to know: a position is both sides, that of the player on turn first, and the
    # numbers of unused letters, of menaces and of Duchesses that were never turned.

    def best(self, position: Sequence[int]) -> float:
        """The chance of the player on turn who plays as well as can be."""
        mover, other, unused, menaces, duchess = position
        return self.values[self._place(self._page(unused, menaces, duchess), mover, other)] / WHOLE

    def something_new(self, position: Sequence[int]) -> float:
        """The same if they turn a card never turned before; -1 if there is none."""
        mover, other, unused, menaces, duchess = position
        return self._something_new(mover, other, unused, menaces, duchess)

    def own(self, position: Sequence[int], letter: int) -> float:
        """The same if they turn this one of their letters, counted from the next."""
        mover, other, unused, menaces, duchess = position
        return self._after(
            self._page(unused, menaces, duchess), PLAYED[OPENED[5 * mover + letter]], other
        )

    def others(self, position: Sequence[int], letter: int) -> float:
        """The same if they turn this one of the other's letters, counted from the other's next."""
        mover, other, unused, menaces, duchess = position
        return self._after(
            self._page(unused, menaces, duchess), PLAYED[mover], OPENED[5 * other + letter]
        )
