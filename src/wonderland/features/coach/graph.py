"""The graph of a game: how the chance to win of each seat went, as plain values that a template draws.

What goes across is a percentage of the width and what goes down is pixels, as in `plots.py`. Seats
differ by their marks as well as by colour, and all that is to be seen stands beside it as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from wonderland.engine.language import Language
from wonderland.features.coach.model import HALVED_BY, GraphPoint, ReviewedDecision, TurningPoint
from wonderland.web.languages import percent

TOP, TALL, BELOW = 42, 200, 22
"""Pixels: above the graph, the graph, and below it."""
_EDGE = 1.5
"""Percent of the width that is left free on both sides."""
_TICKS = 6
_CLOSE = 7.0
"""Percent of the width: what is nearer stands in another row, so that both can be read."""


def is_mistake(decision: ReviewedDecision) -> bool:
    """Whether a decision gave away so much that it is only half as accurate as it could be."""
    return decision.lost >= HALVED_BY


@dataclass(frozen=True, slots=True)
class Line:
    """From one point of a seat to the next."""

    x1: float
    y1: float
    x2: float
    y2: float
    seat: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A point: after a decision of a seat, or at the end, which can't be chosen."""

    x: float
    y: float
    seat: int
    number: int
    is_mistake: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A number below the graph, or beside it."""

    at: float
    says: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the game turned: a line, and its number in one of two rows above the graph."""

    x: float
    number: int
    row: int


@dataclass(frozen=True, slots=True)
class Graph:
    """All of it."""

    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    turns: tuple[Turn, ...]
    across: tuple[Tick, ...]
    down: tuple[Tick, ...]
    height: int = TOP + TALL + BELOW
    floor: int = TOP + TALL
    top: int = TOP


def _y(chance: float) -> float:
    return round(TOP + TALL * (1 - chance), 1)


def _x(number: int, last: int) -> float:
    share = (number - 1) / max(1, last - 1)
    return round(_EDGE + (100 - 2 * _EDGE) * share, 2)


def _numbered(places: Sequence[float]) -> list[Turn]:
    """Turning points, counted from 1; neighbours don't stand in the same row."""
    found: list[Turn] = []
    for number, x in enumerate(places, start=1):
        beside = bool(found) and x - found[-1].x < _CLOSE
        found.append(Turn(x, number, 1 - found[-1].row if beside else 0))
    return found


def build_graph(
    graphs: Sequence[Sequence[GraphPoint]],
    decisions: Sequence[ReviewedDecision],
    turns: Sequence[TurningPoint],
    last: int,
    say: Language,
) -> Graph:
    """The graph of a game of which `last` is the number of the end."""
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
        tuple(_numbered([_x(turn.number, last) for turn in turns])),
        tuple(Tick(_x(number, last), str(number)) for number in numbers),
        tuple(Tick(_y(share), percent(share, say, 0)) for share in (0.0, 0.5, 1.0)),
    )
