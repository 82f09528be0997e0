"""Geometry of the ring in the browser: a rounded square with the first space at the top."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

from wonderland.engine.values import Value

_HALF, _ROUND = 160.0, 3.0
"""Half-width of the ring's middle line, and its superellipse exponent (2 would be a circle)."""
_OUTER, _INNER = 36.0, -36.0
"""Distance of the edges from the middle line, outwards."""
_RESOLUTION = 1440
_GAP = 1.6


class RingPoint(Value, frozen=True):
    """A point of the ring's middle line, with the outward direction there."""

    x: float
    y: float
    out_x: float
    out_y: float

    def at(self, outwards: float, along: float = 0.0) -> tuple[float, float]:
        """The point offset by these distances outwards and clockwise."""
        x = self.x + outwards * self.out_x - along * self.out_y
        return round(x, 1), round(self.y + outwards * self.out_y + along * self.out_x, 1)


def _point_at(angle: float) -> RingPoint:
    """Point where a ray from the centre meets the ring; angle 0 is up, and angles go clockwise."""
    x, y = math.sin(angle), -math.cos(angle)
    far = _HALF / (abs(x) ** _ROUND + abs(y) ** _ROUND) ** (1 / _ROUND)
    out_x, out_y = (math.copysign(abs(part) ** (_ROUND - 1), part) for part in (x, y))
    length = math.hypot(out_x, out_y)
    return RingPoint(x * far, y * far, out_x / length, out_y / length)


@cache
def _divide_ring(parts: int) -> tuple[RingPoint, ...]:
    """Points that divide the ring into `parts` of equal length."""
    fine = [_point_at(2 * math.pi * number / _RESOLUTION) for number in range(_RESOLUTION + 1)]
    lengths = [math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(fine)]
    step, gone = sum(lengths) / parts, 0.0
    points: list[RingPoint] = []
    for place, length in zip(fine, lengths, strict=False):
        if gone >= len(points) * step - length / 2 and len(points) < parts:
            points.append(place)
        gone += length
    return tuple(points)


class Cell(Value, frozen=True):
    """A space of the ring: its outline and its middle."""

    path: str
    middle: RingPoint
    width: float


_BENDS = 8
"""Number of straight segments in the edge of a space; must be even."""


@cache
def ring_of(size: int) -> tuple[Cell, ...]:
    """The spaces of a ring of this size, clockwise from the top."""
    points_round = _divide_ring(size * _BENDS)
    width = 8 * _HALF * 0.87 / size
    cells = []
    for number in range(size):
        first = number * _BENDS - _BENDS // 2
        edge = [points_round[(first + bend) % len(points_round)] for bend in range(_BENDS + 1)]
        shifts = (_GAP, *[0.0] * (_BENDS - 1), -_GAP)
        across = list(zip(edge, shifts, strict=True))
        outline = [place.at(_OUTER, shift) for place, shift in across]
        outline += [place.at(_INNER, shift) for place, shift in reversed(across)]
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in outline) + "z"
        cells.append(Cell(path, points_round[number * _BENDS], width))
    return tuple(cells)
