"""What the coach has to say of one play: plain values, which are written as JSON and read back.

Chances are shares from 0 to 1. Seats are counted from 0, decisions of seats from 1, moves (of seats and
of luck) from 0, as they stand in the record. What the numbers mean is told in `docs/coach.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Any

import msgspec

from wonderland.components.judge import Evaluation
from wonderland.engine.errors import FileProblem
from wonderland.engine.values import Value

FORMAT = 2
"""Raised whenever a report that was written before can't be read any more, or means something else."""
HALVED_BY = 0.05
"""A decision that gives away so much of the chance to win is half as accurate."""
COSTLIEST = 3
"""So many decisions of each seat are worth another look."""
TURNING_POINTS = 5
_TURNS = 0.1
"""A change of the chance that makes a turning point."""
_DIGITS = 6


class ReviewedChoice(Value, frozen=True):
    """One thing that could be done: as records write it, with the chance to win after it."""

    action: str
    chance: float
    error: float


class ReviewedDecision(Value, frozen=True):
    """One choice that a seat had, and what it made of it."""

    move: int
    """Where in the moves of the record it stands."""
    number: int
    """Which decision of the play it was: `wonderland replay --at` shows what it led to."""
    seat: int
    options: tuple[ReviewedChoice, ...]
    chosen: int
    """Its place among the options."""
    best: int
    """The same of the option with the highest chance."""
    cost: float
    """How much of the chance to win lies between the two."""
    is_clear: bool
    """Whether that is more than chance explains."""

    @property
    def chance(self) -> float:
        """The chance to win after what was chosen."""
        return self.options[self.chosen].chance

    @property
    def lost(self) -> float:
        """What was given away for certain."""
        return self.cost if self.is_clear else 0.0

    @property
    def accuracy(self) -> float:
        """From 0 to 100, which only a decision has that gave nothing away."""
        return float(100 * 0.5 ** (self.lost / HALVED_BY))


class GraphPoint(Value, frozen=True):
    """One point of the graph: the chance of a seat after a decision of its own, or at the end."""

    number: int
    """Of the decision; the end comes one after the last."""
    chance: float


class TurningPoint(Value, frozen=True):
    """Where the chance of a seat changed much, from one decision of its own to the next."""

    seat: int
    since: int
    """The number of the earlier decision."""
    number: int
    """That of the later one; the end comes one after the last."""
    before: float
    after: float
    by: int | None
    """The number of the decision that gave away half of it or more: the seat's own where its chance
    fell, another's where it grew; `None` if it was rather luck, or good play."""

    @property
    def change(self) -> float:
        """How much the chance grew; below 0 if it fell."""
        return self.after - self.before


class Costly(Value, frozen=True):
    """A decision that is worth another look, and why, in English."""

    number: int
    reason: str


class SeatReport(Value, frozen=True):
    """How one seat played."""

    name: str
    judged: int
    """How many of its decisions were judged."""
    accuracy: float | None
    """The mean of their accuracies; none if there was no decision."""
    lost: float
    """What was given away in all of them together."""
    graph: tuple[GraphPoint, ...]
    costliest: tuple[Costly, ...]
    """The decisions that cost most, dearest first; none that cost nothing for certain."""


class Report(Value, frozen=True):
    """All of it."""

    format: int
    judge: str
    """The version of the judge: another one may find otherwise."""
    game: str
    playouts: int | None
    """How often each option was tried, at least; `None` if the clock had a say."""
    is_whole: bool
    """Whether all decisions were judged that could be, and not only the first few."""
    unknown: int
    """Decisions that can't be judged because nobody noted what the seat knew."""
    decisions: tuple[ReviewedDecision, ...]
    turning_points: tuple[TurningPoint, ...]
    """In the order of the play."""
    seats: tuple[SeatReport, ...]

    def decision(self, number: int) -> ReviewedDecision | None:
        """The decision of this number, if it was judged."""
        return next((each for each in self.decisions if each.number == number), None)


def decision_of(
    judgement: Evaluation, chosen: Any, move: int, number: int, write: Any
) -> ReviewedDecision:
    """A decision as it was judged; `write` makes words of actions."""
    options = tuple(
        ReviewedChoice(write(worth.action), round(worth.chance, _DIGITS), round(worth.error, _DIGITS))
        for worth in judgement.worths
    )
    actions = [worth.action for worth in judgement.worths]
    return ReviewedDecision(
        move,
        number,
        judgement.seat,
        options,
        actions.index(chosen),
        actions.index(judgement.best.action),
        round(judgement.cost(chosen), _DIGITS),
        judgement.is_clear(chosen),
    )


def mean_accuracy(decisions: Sequence[ReviewedDecision]) -> float | None:
    """Cut off after one digit, never rounded up: 100 is for those who gave nothing away."""
    if not decisions:
        return None
    return floor(10 * sum(each.accuracy for each in decisions) / len(decisions)) / 10


def costliest(decisions: Sequence[ReviewedDecision]) -> list[ReviewedDecision]:
    """The few that gave away most, dearest first."""
    dear = sorted((each for each in decisions if each.lost), key=lambda each: -each.lost)
    return dear[:COSTLIEST]


def graph_of(decisions: Sequence[ReviewedDecision], end: GraphPoint | None) -> tuple[GraphPoint, ...]:
    """The chances of one seat, by its decisions, and what became of them if the play has ended."""
    points = [GraphPoint(each.number, each.chance) for each in decisions]
    return tuple([*points, end] if points and end is not None else points)


def turning_points(
    decisions: Sequence[ReviewedDecision], graphs: Sequence[Sequence[GraphPoint]]
) -> tuple[TurningPoint, ...]:
    """The largest changes in the graphs of all seats; of several that happened at once, one alone.

    What one seat wins another loses, so that most changes are seen from several seats.
    """
    found: list[TurningPoint] = []
    for turn in sorted(_changes(decisions, graphs), key=lambda turn: -abs(turn.change)):
        apart = all(turn.number <= other.since or other.number <= turn.since for other in found)
        if apart and abs(turn.change) >= _TURNS and len(found) < TURNING_POINTS:
            found.append(turn)
    return tuple(sorted(found, key=lambda turn: turn.number))


def _changes(
    decisions: Sequence[ReviewedDecision], graphs: Sequence[Sequence[GraphPoint]]
) -> Iterator[TurningPoint]:
    for seat, graph in enumerate(graphs):
        for one, other in pairwise(graph):
            change = other.chance - one.chance
            mistakes = [
                each
                for each in decisions
                if one.number < each.number <= other.number
                and (each.seat == seat) == (change < 0)
                and each.lost >= abs(change) / 2 > 0
            ]
            worst = max(mistakes, key=lambda each: each.lost, default=None)
            by = None if worst is None else worst.number
            yield TurningPoint(seat, one.number, other.number, one.chance, other.chance, by)


def as_json(report: Report) -> bytes:
    """The report for a cache or a file."""
    return msgspec.json.encode(report)


def read_report(text: bytes | str) -> Report:
    """The report that a text stands for; `FileProblem` if it is none that this program can read."""
    try:
        found = msgspec.json.decode(text, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileProblem(f"this is not a report of the coach: {error}.") from error
    if found.format != FORMAT:
        raise FileProblem(f"this report has the format {found.format}, and this program knows {FORMAT}.")
    return found
