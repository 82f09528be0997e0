"""Layout of the win probability graph: how each seat's probability moved, as values for a template.

Horizontal positions are percentages of the width and vertical ones pixels, as in the insights charts.
Seats differ in marker shape as well as colour, and the page repeats everything as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from wonderland.components.formatting import percent
from wonderland.engine.language import Language
from wonderland.features.coach.model import HALVED_BY, GraphPoint, ReviewedDecision, TurningPoint

TOP, TALL, BELOW = 42, 200, 22
"""Heights in pixels: above the graph, the graph itself, and below it."""
_EDGE = 1.5
"""Margin on each side, in percent of the width."""
_TICKS = 6
_CLOSE = 7.0
"""Labels closer than this (percent of the width) go into different rows, to stay legible."""


def is_mistake(decision: ReviewedDecision) -> bool:
    """Whether a decision lost so much that its accuracy is 50 or less."""
    return decision.lost >= HALVED_BY


@dataclass(frozen=True, slots=True)
class Line:
    """Segment between two consecutive points of a seat."""

    x1: float
    y1: float
    x2: float
    y2: float
    seat: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Marker after a seat's decision, or at the end of the game, which can't be selected."""

    x: float
    y: float
    seat: int
    number: int
    is_mistake: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class GraphTick:
    """Axis label, below or beside the graph."""

    at: float
    says: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Turning point: a vertical line, numbered in one of two rows above the graph."""

    x: float
    number: int
    row: int


@dataclass(frozen=True, slots=True)
class Graph:
    """The complete layout."""

    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    turns: tuple[Turn, ...]
    across: tuple[GraphTick, ...]
    down: tuple[GraphTick, ...]
    height: int = TOP + TALL + BELOW
    floor: int = TOP + TALL
    top: int = TOP


def _y(chance: float) -> float:
    return round(TOP + TALL * (1 - chance), 1)


def _x(number: int, last: int) -> float:
    share = (number - 1) / max(1, last - 1)
    return round(_EDGE + (100 - 2 * _EDGE) * share, 2)


def _number_turns(places: Sequence[float]) -> list[Turn]:
    """Number the turning points from 1 and put close neighbours into different rows."""
    found: list[Turn] = []
    for number, x in enumerate(places, start=1):
        is_close = bool(found) and x - found[-1].x < _CLOSE
        found.append(Turn(x, number, 1 - found[-1].row if is_close else 0))
    return found


def build_graph(
    graphs: Sequence[Sequence[GraphPoint]],
    decisions: Sequence[ReviewedDecision],
    turns: Sequence[TurningPoint],
    last: int,
    say: Language,
) -> Graph:
    """Lay out the graph of a game; `last` is the number of its end."""
    mistakes = {each.number for each in decisions if is_mistake(each)}
    lines, marks = [], []
    for seat, graph in enumerate(graphs):
        for one, other in pairwise(graph):
            ends = _x(one.number, last), _y(one.chance), _x(other.number, last), _y(other.chance)
            lines.append(Line(*ends, seat))
        marks += [
            Mark(
                _x(point.number, last),
                _y(point.chance),
                seat,
                point.number,
                point.number in mistakes,
                point.number == last,
            )
            for point in graph
        ]
    every = max(1, round((last - 1) / _TICKS / 5) * 5)
    numbers = [number for number in range(1, last) if number == 1 or number % every == 0]
    return Graph(
        tuple(lines),
        tuple(sorted(marks, key=lambda mark: mark.number)),
        tuple(_number_turns([_x(turn.number, last) for turn in turns])),
        tuple(GraphTick(_x(number, last), str(number)) for number in numbers),
        tuple(GraphTick(_y(share), percent(share, say, 0)) for share in (0.0, 0.5, 1.0)),
    )
