"""Geometry of the ring in the browser: a closed centre line, cut into spaces of equal length.

One function lays out any board: a long oval where the stage is wide, a rounded square where it is tall.
Both have their middle at the origin and share one coordinate system, 1120 units wide.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cache
from itertools import pairwise

from wonderland.engine.values import Value

Point = tuple[float, float]

_FINE = 60
"""Number of points on each side and bend of the centre line."""
_SHARPEST = math.radians(12)
"""Largest angle between two straight segments of an edge."""
_SMOOTH = 4.0
"""Distance along the line over which the outward direction is averaged."""


class RingForm(Value, frozen=True):
    """A shape of the ring: its centre line, and the measures of everything across it."""

    name: str
    width: float
    height: float
    radius: float
    """Radius of the bends."""
    bow: float
    """How far a side of 600 units bows outwards."""
    depth: float
    """Depth of the path, from the inner to the outer edge."""
    scale: float
    """Size of gaps, borders and pictures."""
    bends_in_row: bool
    """Whether the spaces in the upper bends belong to the top row."""
    hub: float
    """Height of the middle of the spinner, downwards from the middle of the ring."""
    dial: float
    """Scale of the spinner."""


WIDE = RingForm("wide", 968, 310, 155, 9, 100, 1.0, bends_in_row=False, hub=0, dial=1.046)
TALL = RingForm("tall", 884, 752, 172, 0, 166, 1.44, bends_in_row=True, hub=-112, dial=1.76)
FORMS = (WIDE, TALL)


class Ring:
    """A ring of spaces of equal length; distances along it are measured clockwise."""

    __slots__ = ("_lengths", "_points", "_start", "form", "length", "size", "step")

    def __init__(self, form: RingForm, size: int) -> None:
        self.form, self.size = form, size
        self._points = _centre_line(form)
        self._lengths = [0.0]
        for here, there in pairwise(self._points):
            self._lengths.append(self._lengths[-1] + math.dist(here, there))
        self.length = self._lengths[-1]
        self.step = self.length / size
        side = form.width - 2 * form.radius
        row = side + math.pi * form.radius * form.bends_in_row
        self._start = side / 2 - (max(1, int(row / self.step)) - 1) / 2 * self.step

    def middle(self, space: float) -> float:
        """Distance along the ring to the middle of a space, counted from 0."""
        return self._start + space * self.step

    def at(self, along: float, outwards: float = 0.0) -> Point:
        """The point at a distance along the ring, and off its centre line."""
        x, y = self._on_line(along)
        behind, ahead = self._on_line(along - _SMOOTH), self._on_line(along + _SMOOTH)
        length = math.dist(behind, ahead)
        out_x, out_y = (ahead[1] - behind[1]) / length, (behind[0] - ahead[0]) / length
        return x + out_x * outwards, y + out_y * outwards

    def _on_line(self, along: float) -> Point:
        along %= self.length
        at = min(bisect_right(self._lengths, along) - 1, len(self._points) - 2)
        (x, y), there = self._points[at], self._points[at + 1]
        part = (along - self._lengths[at]) / (self._lengths[at + 1] - self._lengths[at])
        return x + (there[0] - x) * part, y + (there[1] - y) * part

    def outline(self, space: int, gap: float, outer: float, inner: float) -> str:
        """Path of a space without a gap at its ends and borders at its outer and inner edges."""
        begin, end = self.middle(space - 0.5), self.middle(space + 0.5)

        def edge(outwards: float) -> list[Point]:
            shrunk = math.dist(self.at(begin, outwards), self.at(end, outwards))
            shrunk /= math.dist(self.at(begin), self.at(end))
            wide = min(gap / max(shrunk, 0.45), self.step / 3)
            run = end - begin - 2 * wide
            return [self.at(begin + wide + run * bend / bends, outwards) for bend in range(bends + 1)]

        turn = abs(self._direction(end) - self._direction(begin))
        bends = 2 + int(min(turn, 2 * math.pi - turn) / _SHARPEST)
        half = self.form.depth / 2
        points = [*edge(half - outer), *reversed(edge(inner - half))]
        return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) + "Z"

    def _direction(self, along: float) -> float:
        behind, ahead = self._on_line(along - _SMOOTH), self._on_line(along + _SMOOTH)
        return math.atan2(ahead[1] - behind[1], ahead[0] - behind[0])


def round_path(form: RingForm, outwards: float = 0.0) -> str:
    """Closed path parallel to the centre line."""
    right, low = form.width / 2 + outwards, form.height / 2 + outwards
    across, down = form.width / 2 - form.radius, form.height / 2 - form.radius
    bend = f"A{form.radius + outwards:g} {form.radius + outwards:g} 0 0 1"

    def side(along: float, off: float) -> str:
        """A side from the left for a positive half-length, else from the right, bowed outwards."""
        mid, bowed = along / 2, off + math.copysign(form.bow * across / 300, off)
        return f"C{-mid:g} {off:g} {-mid:g} {bowed:g} 0 {bowed:g}S{mid:g} {off:g} {along:g} {off:g}"

    return (
        f"M{-across:g} {-low:g}{side(across, -low)}{bend} {right:g} {-down:g}V{down:g}"
        f"{bend} {across:g} {low:g}{side(-across, low)}{bend} {-right:g} {down:g}V{-down:g}"
        f"{bend} {-across:g} {-low:g}Z"
    )


def _centre_line(form: RingForm) -> list[Point]:
    """Points of the centre line, clockwise from the left end of the upper side, closed."""
    across, down, radius = form.width / 2 - form.radius, form.height / 2 - form.radius, form.radius
    corners = [(across, -down), (across, down), (-across, down), (-across, -down)]
    points: list[Point] = []
    for quarter, (x, y) in enumerate(corners):
        turn = quarter * math.pi / 2
        before = corners[quarter - 1]
        begin = before[0] + radius * math.sin(turn), before[1] - radius * math.cos(turn)
        end = x + radius * math.sin(turn), y - radius * math.cos(turn)
        points += _side(begin, end, form.bow)
        for number in range(_FINE):
            angle = turn + math.pi / 2 * number / _FINE
            points.append((x + radius * math.sin(angle), y - radius * math.cos(angle)))
    return [*points, points[0]]


def _side(begin: Point, end: Point, bow: float) -> list[Point]:
    """Points of a straight side that bows outwards a little; none if it has no length."""
    length = math.dist(begin, end)
    if length < 1:
        return []
    along_x, along_y = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    points = []
    for number in range(_FINE):
        part = number / _FINE
        out = bow * length / 600 * math.sin(math.pi * part) ** 2
        far = length * part
        points.append(
            (begin[0] + along_x * far + along_y * out, begin[1] + along_y * far - along_x * out)
        )
    return points


@cache
def ring_of(form: RingForm, size: int) -> Ring:
    """The ring of a board of this size."""
    return Ring(form, size)
