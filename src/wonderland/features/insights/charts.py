"""Plots as plain values, which a template draws: lines, dots and bars as SVG, words beside them as HTML.

What goes across is a percentage of the width and what goes down is pixels, so that a plot is as wide as
its place and its words are of one size, on a phone and on a wide screen. Two kinds of dots differ by
their shape, and every number stands beside its dot: no meaning hangs on colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

TRACK, TALL = 20, 84
"""Pixels: one dot, and a histogram."""
_MOST_BARS = 60
_RARE = 0.0005
"""What comes less often is not drawn at the ends of a histogram; the table says how far they go."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What numbers a plot goes from and to."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Where a number stands, in percent of the width."""
        inside = min(max(value, self.low), self.high)
        return round(100 * (inside - self.low) / (self.high - self.low), 2)

    def steps(self, most: int = 4) -> list[float]:
        """A few round numbers on it."""
        step = _round_up((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]


def _round_up(number: float) -> float:
    """The next number that begins with 1, 2 or 5 and goes on with noughts.

    >>> [_round_up(number) for number in (0.03, 3, 7, 11)]
    [0.05, 5.0, 10.0, 20.0]
    """
    power: float = 10.0 ** floor(log10(number))
    return next(round(times * power, 12) for times in (1, 2, 5, 10) if times * power >= number)


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across a plot, with its number below."""

    x: float
    says: str

    @property
    def anchor(self) -> str:
        """How the number stands to its line: inside, at the ends."""
        return "start" if self.x < 6 else "end" if self.x > 94 else "middle"


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A figure to be drawn as a dot with its interval, and how it is said."""

    value: float
    low: float
    high: float
    kind: int
    says: str


@dataclass(frozen=True, slots=True)
class Dot:
    """The same in its place."""

    x: float
    low: float
    high: float
    y: int
    kind: int
    says: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: from where, how wide, how high."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ChartRow:
    """What stands below one name: dots, each with its number, or one bar."""

    name: str
    height: int
    dots: tuple[Dot, ...] = ()
    bar: float | None = None
    says: str = ""
    """The number of the bar."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture with its title."""

    title: str
    says: str = ""
    """What belongs to the title."""
    rows: tuple[ChartRow, ...] = ()
    bars: tuple[Bar, ...] = ()
    """Of a histogram."""
    ticks: tuple[Tick, ...] = ()
    even: float | None = None
    """Where a dashed line stands."""
    notes: tuple[str, ...] = ()
    """What else there is to say below it."""


def around(points: Iterable[ChartPoint], even: float, least: float) -> Scale:
    """A scale with room for all, the even one in its middle; it is at least so far to each side."""
    far = max(max(even - each.low, each.high - even) for each in points)
    reach = max(far * 1.05, least)
    return Scale(even - reach, even + reach)


def dots(
    title: str,
    rows: Sequence[tuple[str, Sequence[ChartPoint]]],
    scale: Scale,
    ticks: Iterable[tuple[float, str]],
    even: float,
) -> Plot:
    """A row for each name, with a dot for each figure."""
    found = []
    for name, points in rows:
        placed = [
            Dot(
                scale.x(point.value),
                scale.x(point.low),
                scale.x(point.high),
                TRACK * place + TRACK // 2,
                point.kind,
                point.says,
            )
            for place, point in enumerate(points)
        ]
        found.append(ChartRow(name, TRACK * len(points), tuple(placed)))
    below = tuple(Tick(scale.x(value), says) for value, says in ticks)
    return Plot(title, rows=tuple(found), ticks=below, even=scale.x(even))


def bars(title: str, rows: Iterable[tuple[str, float, str]]) -> Plot:
    """A bar for each name, as long as its share of the width."""
    found = [ChartRow(name, 12, bar=round(100 * share, 2), says=says) for name, share, says in rows]
    return Plot(title, rows=tuple(found))


def frequent(counts: Iterable[Mapping[int, int]]) -> tuple[int, int]:
    """From where to where histograms go that are to be compared."""
    ends = []
    for each in counts:
        total = sum(each.values())
        often = [value for value, number in each.items() if number >= _RARE * total]
        ends += [min(often or each), max(often or each)]
    return min(ends), max(ends)


def histogram(
    title: str, says: str, counts: Mapping[int, int], ends: tuple[int, int], middle: float
) -> Plot:
    """How often each number came, as bars from the ground, and a line at the mean."""
    low, high = ends
    wide = ceil((high - low + 1) / _MOST_BARS)
    first_of = range(low, high + 1, wide)
    scale = Scale(low - 0.5, low + wide * len(first_of) - 0.5)
    heights = [sum(counts.get(first + n, 0) for n in range(wide)) for first in first_of]
    most, width = max(heights), scale.x(scale.low + wide)
    found = []
    for first, number in zip(first_of, heights, strict=True):
        tall = round(TALL * number / most, 1)
        found.append(Bar(scale.x(first - 0.5), round(TALL - tall, 1), width, tall))
    ticks = (Tick(scale.x(step), f"{int(step)}") for step in scale.steps(7) if step == int(step))
    return Plot(title, says, bars=tuple(found), ticks=tuple(ticks), even=scale.x(middle))
