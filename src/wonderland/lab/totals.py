"""Counts of many plays that add up: whole numbers, so that it never matters how the work was cut."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType

from wonderland.kernels.kernel import ENDING, ROW, quickest

SEATS = 6
"""As many as a row has scores for."""
MASKS = 1 << SEATS
"""How many sets of winners there can be, a bit for each seat."""
WHOLE_WIN = 60
"""A win in parts that two to six winners can share without a remainder."""


@cache
def _tally() -> ModuleType:
    """The counting loops, the quickest that this machine can run."""
    module: ModuleType = quickest("wonderland.lab.tally")
    return module


@dataclass(slots=True)
class Rows:
    """Finished plays: for each the numbers that `wonderland.kernels.kernel` describes."""

    seats: int
    numbers: array[int]
    endings: tuple[str, ...]
    """What the numbers of the endings mean."""

    def __len__(self) -> int:
        return len(self.numbers) // ROW

    def with_endings(self, endings: Sequence[str]) -> Rows:
        """The same plays, with the endings numbered as they are here."""
        if tuple(endings) == self.endings:
            return self
        numbers = self.numbers[:]
        for at in range(ENDING, len(numbers), ROW):
            numbers[at] = endings.index(self.endings[numbers[at]])
        return Rows(self.seats, numbers, tuple(endings))


@dataclass(slots=True)
class Totals:
    """How often everything happened."""

    seats: int
    games: int = 0
    outcomes: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By the seat that began and the set of winners, a bit for each seat."""
    lengths: Counter[int] = field(default_factory=Counter)
    """By the number of decisions."""
    scores: tuple[Counter[int], ...] = ()
    """For each seat, by its score."""
    endings: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = self.scores or tuple(Counter() for _ in range(self.seats))

    @classmethod
    def of(cls, rows: Rows) -> Totals:
        """Count these plays."""
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
            Counter({divmod(place, MASKS): number for place, number in _found(outcomes)}),
            Counter(dict(_found(lengths))),
            tuple(
                Counter({low + place: n for place, n in _found(scores[span * seat : span * (seat + 1)])})
                for seat in range(rows.seats)
            ),
            Counter({rows.endings[place]: number for place, number in _found(endings)}),
        )

    def add(self, others: Totals) -> None:
        """Count these as well."""
        self.games += others.games
        self.outcomes.update(others.outcomes)
        self.lengths.update(others.lengths)
        self.endings.update(others.endings)
        for mine, theirs in zip(self.scores, others.scores, strict=True):
            mine.update(theirs)

    def share_of_seats(self, seats: Sequence[int]) -> Moments:
        """The part of the win that these seats had together, in sixtieths."""
        return self._shares(lambda _, seat: seat in seats)

    def share_by_order(self, place: int) -> Moments:
        """The part of the win that whoever was first to play (0), second (1) or later had."""
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
        """In how many plays more than one seat won."""
        return sum(number for (_, won), number in self.outcomes.items() if won & (won - 1))


@dataclass(frozen=True, slots=True)
class Moments:
    """How many numbers there were, their sum, and the sum of their squares."""

    number: int
    total: int
    squares: int

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Moments:
        """Those of numbers of which it is known how often each came."""
        return cls(
            sum(counts.values()),
            sum(value * number for value, number in counts.items()),
            sum(value * value * number for value, number in counts.items()),
        )


@dataclass(slots=True)
class Differences:
    """By how much one variant differs from another, game by game with the same number.

    Both were played with the same random numbers, so they are not independent: the difference is taken
    within each pair before anything is said about how sure it is.
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
        """How the plays of the second differ from those of the first."""
        endings = tuple(sorted({*one.endings, *other.endings}))
        found = cls(one.seats, endings, len(one))
        here, there = one.with_endings(endings), other.with_endings(endings)
        _tally().count_differences(
            here.numbers, there.numbers, len(one), one.seats, found.sums, found.squares
        )
        return found

    def add(self, others: Differences) -> None:
        """Count these as well."""
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

    def _at(self, place: int) -> Moments:
        return Moments(self.games, self.sums[place], self.squares[place])

    def share(self, seat: int) -> Moments:
        """Of the share of the win of a seat, in sixtieths."""
        return self._at(seat)

    def share_by_order(self, place: int) -> Moments:
        """Of the share of the win of whoever was first to play (0), second (1) or later."""
        return self._at(self.seats + place)

    def score(self, seat: int) -> Moments:
        """Of the score of a seat."""
        return self._at(2 * self.seats + seat)

    @property
    def length(self) -> Moments:
        """Of the number of decisions."""
        return self._at(3 * self.seats)

    @property
    def shared(self) -> Moments:
        """Of whether the win was shared."""
        return self._at(3 * self.seats + 1)

    def ending(self, name: str) -> Moments:
        """Of whether a play ended in this way."""
        if name not in self.endings:
            return Moments(self.games, 0, 0)
        return self._at(3 * self.seats + 2 + self.endings.index(name))


def _zeros(number: int) -> array[int]:
    return array("q", bytes(8 * number))


def _found(counts: array[int]) -> list[tuple[int, int]]:
    return [(place, number) for place, number in enumerate(counts) if number]
