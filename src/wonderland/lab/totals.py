"""Additive counts over many games: integers, so the result doesn't depend on how work was split."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType

from wonderland.kernels.kernel import ENDING, ROW, import_fastest

SEATS = 6
"""Number of scores in a row."""
MASKS = 1 << SEATS
"""Number of possible sets of winners, as bits."""
WHOLE_WIN = 60
"""Units of a win, divisible by any number of winners up to six."""


@cache
def _tally() -> ModuleType:
    """Load the fastest build of the counting loops that this machine can run."""
    module: ModuleType = import_fastest("wonderland.lab.tally")
    return module


@dataclass(slots=True)
class Rows:
    """Finished games, one row of numbers each, as described in `wonderland.kernels.kernel`."""

    seats: int
    numbers: array[int]
    endings: tuple[str, ...]
    """Names of the endings, by number."""

    def __len__(self) -> int:
        return len(self.numbers) // ROW

    def with_endings(self, endings: Sequence[str]) -> Rows:
        """Return the same games with endings renumbered to match `endings`."""
        if tuple(endings) == self.endings:
            return self
        numbers = self.numbers[:]
        for at in range(ENDING, len(numbers), ROW):
            numbers[at] = endings.index(self.endings[numbers[at]])
        return Rows(self.seats, numbers, tuple(endings))


@dataclass(slots=True)
class Totals:
    """Counts of outcomes, lengths, scores and endings."""

    seats: int
    games: int = 0
    outcomes: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By starting seat and set of winners, as bits."""
    lengths: Counter[int] = field(default_factory=Counter)
    """By the number of decisions."""
    scores: tuple[Counter[int], ...] = ()
    """For each seat, by its score."""
    endings: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = self.scores or tuple(Counter() for _ in range(self.seats))

    @classmethod
    def of(cls, rows: Rows) -> Totals:
        """Count these games."""
        if not len(rows):
            return cls(rows.seats)
        low, high, longest, _ = _tally().extremes(rows.numbers, len(rows), rows.seats)
        span = high - low + 1
        outcomes, lengths = _zeros(SEATS * MASKS), _zeros(longest + 1)
        endings, scores = _zeros(len(rows.endings)), _zeros(span * rows.seats)
        _tally().count_rows(rows.numbers, len(rows), rows.seats, low, outcomes, lengths, endings, scores)
        return cls(
            rows.seats,
            len(rows),
            Counter({divmod(place, MASKS): number for place, number in _nonzero(outcomes)}),
            Counter(dict(_nonzero(lengths))),
            tuple(
                Counter(
                    {low + place: n for place, n in _nonzero(scores[span * seat : span * (seat + 1)])}
                )
                for seat in range(rows.seats)
            ),
            Counter({rows.endings[place]: number for place, number in _nonzero(endings)}),
        )

    def add(self, others: Totals) -> None:
        """Add these counts."""
        self.games += others.games
        self.outcomes.update(others.outcomes)
        self.lengths.update(others.lengths)
        self.endings.update(others.endings)
        for mine, theirs in zip(self.scores, others.scores, strict=True):
            mine.update(theirs)

    def share_of_seats(self, seats: Sequence[int]) -> Moments:
        """Combined share of the win of these seats, in sixtieths."""
        return self._shares(lambda _, seat: seat in seats)

    def share_by_order(self, place: int) -> Moments:
        """Share of the win of the seat that played first (0), second (1) and so on, in sixtieths."""
        return self._shares(lambda first, seat: seat == (first + place) % self.seats)

    def _shares(self, counts: Callable[[int, int], bool]) -> Moments:
        found: Counter[int] = Counter()
        for (first, winners), number in self.outcomes.items():
            won = [seat for seat in range(self.seats) if winners >> seat & 1]
            mine = sum(counts(first, seat) for seat in won)
            found[mine * WHOLE_WIN // len(won)] += number
        return Moments.of(found)

    @property
    def shared(self) -> int:
        """Number of games with more than one winner."""
        return sum(number for (_, won), number in self.outcomes.items() if won & (won - 1))


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, sum and sum of squares of some numbers."""

    number: int
    total: int
    squares: int

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Moments:
        """Moments of a histogram."""
        return cls(
            sum(counts.values()),
            sum(value * number for value, number in counts.items()),
            sum(value * value * number for value, number in counts.items()),
        )


@dataclass(slots=True)
class Differences:
    """Paired differences between two variants, over games with the same number.

    Both games of a pair use the same random numbers, so they are not independent: differences are taken
    within pairs before confidence intervals are computed.
    """

    seats: int
    endings: tuple[str, ...]
    games: int = 0
    sums: array[int] = field(default_factory=lambda: array("q"))
    squares: array[int] = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        places = 3 * self.seats + 2 + len(self.endings)
        self.sums = self.sums or _zeros(places)
        self.squares = self.squares or _zeros(places)

    @classmethod
    def of(cls, one: Rows, other: Rows) -> Differences:
        """Count the differences of the second games from the first."""
        endings = tuple(sorted({*one.endings, *other.endings}))
        found = cls(one.seats, endings, len(one))
        here, there = one.with_endings(endings), other.with_endings(endings)
        _tally().count_differences(
            here.numbers, there.numbers, len(one), one.seats, found.sums, found.squares
        )
        return found

    def add(self, others: Differences) -> None:
        """Add these differences."""
        endings = tuple(sorted({*self.endings, *others.endings}))
        mine, theirs = self._with_endings(endings), others._with_endings(endings)
        self.endings, self.games = endings, self.games + others.games
        self.sums = array("q", map(int.__add__, mine.sums, theirs.sums))
        self.squares = array("q", map(int.__add__, mine.squares, theirs.squares))

    def _with_endings(self, endings: tuple[str, ...]) -> Differences:
        if endings == self.endings:
            return self
        wider = Differences(self.seats, endings, self.games)
        start = 3 * self.seats + 2
        wider.sums[:start], wider.squares[:start] = self.sums[:start], self.squares[:start]
        for place, name in enumerate(self.endings):
            wider.sums[start + endings.index(name)] = self.sums[start + place]
            wider.squares[start + endings.index(name)] = self.squares[start + place]
        return wider

    def _moments_at(self, place: int) -> Moments:
        return Moments(self.games, self.sums[place], self.squares[place])

    def share(self, seat: int) -> Moments:
        """Difference in a seat's share of the win, in sixtieths."""
        return self._moments_at(seat)

    def share_by_order(self, place: int) -> Moments:
        """Difference in the share of the win of the seat that played first (0), second (1) and so on."""
        return self._moments_at(self.seats + place)

    def score(self, seat: int) -> Moments:
        """Difference in a seat's score."""
        return self._moments_at(2 * self.seats + seat)

    @property
    def length(self) -> Moments:
        """Difference in the number of decisions."""
        return self._moments_at(3 * self.seats)

    @property
    def shared(self) -> Moments:
        """Difference in how often the win was shared."""
        return self._moments_at(3 * self.seats + 1)

    def ending(self, name: str) -> Moments:
        """Difference in how often games ended this way."""
        if name not in self.endings:
            return Moments(self.games, 0, 0)
        return self._moments_at(3 * self.seats + 2 + self.endings.index(name))


def _zeros(number: int) -> array[int]:
    return array("q", bytes(8 * number))


def _nonzero(counts: array[int]) -> list[tuple[int, int]]:
    return [(place, number) for place, number in enumerate(counts) if number]
