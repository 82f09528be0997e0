"""Layout of charts as plain values for a template: lines, dots and bars in SVG, labels in HTML.

Horizontal positions are percentages of the width and vertical ones pixels, so that a chart fills its
container while its text keeps one size, on a phone and on a wide screen. Kinds of dots differ in shape,
and every dot has its number next to it: nothing depends on colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

TRACK, TALL = 20, 84
"""Heights in pixels: of one dot's row, and of a histogram."""
_MOST_BARS = 60
_RARE = 0.0005
"""Rarer values are cut off at the ends of a histogram; the table gives the full range."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Range of numbers on the horizontal axis."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Position of a number in percent of the width, clamped to the range."""
        inside = min(max(value, self.low), self.high)
        return round(100 * (inside - self.low) / (self.high - self.low), 2)

    def steps(self, most: int = 4) -> list[float]:
        """Round numbers for axis labels, about `most` of them."""
        step = _round_up((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]


def _round_up(number: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten.

    >>> [_round_up(number) for number in (0.03, 3, 7, 11)]
    [0.05, 5.0, 10.0, 20.0]
    """
    power: float = 10.0 ** floor(log10(number))
    return next(round(times * power, 12) for times in (1, 2, 5, 10) if times * power >= number)


@dataclass(frozen=True, slots=True)
class ChartTick:
    """Grid line with its label below."""

    x: float
    says: str

    @property
    def anchor(self) -> str:
        """Text alignment of the label, kept inside the chart at both ends."""
        return "start" if self.x < 6 else "end" if self.x > 94 else "middle"


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """Value to plot as a dot, with its interval and label."""

    value: float
    low: float
    high: float
    kind: int
    says: str


@dataclass(frozen=True, slots=True)
class Dot:
    """Dot with its final coordinates."""

    x: float
    low: float
    high: float
    y: int
    kind: int
    says: str


@dataclass(frozen=True, slots=True)
class Bar:
    """Bar of a histogram."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Row of a chart below its name: labelled dots, or one bar."""

    name: str
    height: int
    dots: tuple[Dot, ...] = ()
    bar: float | None = None
    says: str = ""
    """Label of the bar."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Chart with its title."""

    title: str
    says: str = ""
    """Subtitle."""
    rows: tuple[ChartRow, ...] = ()
    bars: tuple[Bar, ...] = ()
    """The bars of a histogram."""
    ticks: tuple[ChartTick, ...] = ()
    even: float | None = None
    """Position of the dashed reference line."""
    notes: tuple[str, ...] = ()
    """Remarks below the chart."""


def around(points: Iterable[ChartPoint], even: float, least: float) -> Scale:
    """Scale centred on `even` that fits all intervals and extends at least `least` to each side."""
    furthest = max(max(even - each.low, each.high - even) for each in points)
    reach = max(furthest * 1.05, least)
    return Scale(even - reach, even + reach)


def dots(
    title: str,
    rows: Sequence[tuple[str, Sequence[ChartPoint]]],
    scale: Scale,
    ticks: Iterable[tuple[float, str]],
    even: float,
) -> Plot:
    """Dot chart: a row for each name, with a dot for each value."""
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
    below = tuple(ChartTick(scale.x(value), says) for value, says in ticks)
    return Plot(title, rows=tuple(found), ticks=below, even=scale.x(even))


def bars(title: str, rows: Iterable[tuple[str, float, str]]) -> Plot:
    """Bar chart: each bar's length is its share of the width."""
    found = [ChartRow(name, 12, bar=round(100 * share, 2), says=says) for name, share, says in rows]
    return Plot(title, rows=tuple(found))


def frequent(counts: Iterable[Mapping[int, int]]) -> tuple[int, int]:
    """Common range for histograms to be compared, without rare values at the ends."""
    ends = []
    for each in counts:
        total = sum(each.values())
        often = [value for value, number in each.items() if number >= _RARE * total]
        ends += [min(often or each), max(often or each)]
    return min(ends), max(ends)


def histogram(
    title: str, says: str, counts: Mapping[int, int], ends: tuple[int, int], middle: float
) -> Plot:
    """Histogram with a line at the mean."""
    low, high = ends
    bin_width = ceil((high - low + 1) / _MOST_BARS)
    first_of = range(low, high + 1, bin_width)
    scale = Scale(low - 0.5, low + bin_width * len(first_of) - 0.5)
    heights = [sum(counts.get(first + n, 0) for n in range(bin_width)) for first in first_of]
    most, width = max(heights), scale.x(scale.low + bin_width)
    found = []
    for first, number in zip(first_of, heights, strict=True):
        bar_height = round(TALL * number / most, 1)
        found.append(Bar(scale.x(first - 0.5), round(TALL - bar_height, 1), width, bar_height))
    ticks = (ChartTick(scale.x(step), f"{int(step)}") for step in scale.steps(7) if step == int(step))
    return Plot(title, says, bars=tuple(found), ticks=tuple(ticks), even=scale.x(middle))
