"""The coach's report on one game: plain values that round-trip through JSON.

A `chance` is a win probability from 0 to 1. Seats count from 0, decisions from 1, and moves (decisions
and chance outcomes) from 0, as in the record. `docs/coach.md` explains the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Any

import msgspec

from wonderland.components.judge import Evaluation
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

FORMAT = 2
"""Incremented whenever older reports become unreadable or change their meaning."""
HALVED_BY = 0.05
"""Loss of win probability that halves the accuracy of a decision."""
COSTLIEST = 3
"""Number of decisions of each seat to look at again."""
TURNING_POINTS = 5
TWO_PLAYERS = phrase(
    "Each point shows a player's win chance right after their own move, based on what they "
    "knew then. They move at different times and know different things, so "
    "the two don't add up to 100%, and both can be above 50%."
)
"""Explanation of the graph of a two-player game."""
_TURNING_CHANGE = 0.1
"""Smallest change of win probability that counts as a turning point."""
_DIGITS = 6


class ReviewedChoice(Value, frozen=True):
    """One legal action in record notation, with its win probability."""

    action: str
    chance: float
    error: float


class ReviewedDecision(Value, frozen=True):
    """One decision of a seat: its options, the chosen one, and what that cost."""

    move: int
    """Index into the record's moves."""
    number: int
    """Number of the decision in the game: `wonderland replay --at` shows the position after it."""
    seat: int
    options: tuple[ReviewedChoice, ...]
    chosen: int
    """Index into `options`."""
    best: int
    """Index of the option with the highest win probability."""
    cost: float
    """Difference in win probability between the two."""
    is_clear: bool
    """Whether that is more than sampling error explains."""

    @property
    def chance(self) -> float:
        """Win probability after the chosen option."""
        return self.options[self.chosen].chance

    @property
    def lost(self) -> float:
        """Win probability given away; 0 unless the loss is statistically clear."""
        return self.cost if self.is_clear else 0.0

    @property
    def accuracy(self) -> float:
        """Accuracy from 0 to 100; 100 only if nothing was given away."""
        return float(100 * 0.5 ** (self.lost / HALVED_BY))


class GraphPoint(Value, frozen=True):
    """Point of the graph: a seat's win probability after one of its decisions, or at the end."""

    number: int
    """Number of the decision; the end is one after the last."""
    chance: float


class TurningPoint(Value, frozen=True):
    """A large change of a seat's win probability between two consecutive decisions of its own."""

    seat: int
    since: int
    """Number of the earlier decision."""
    number: int
    """Number of the later decision; the end is one after the last."""
    before: float
    after: float
    by: int | None
    """Number of the decision that accounts for at least half of the change: the seat's own if it lost,
    another's if it gained. `None` if the change came from chance outcomes or good play."""

    @property
    def change(self) -> float:
        """Change of the win probability; negative if it fell."""
        return self.after - self.before


class Costly(Value, frozen=True):
    """A costly decision and the reason, in English."""

    number: int
    reason: str


class SeatReport(Value, frozen=True):
    """How one seat played."""

    name: str
    judged: int
    """Number of decisions that were evaluated."""
    accuracy: float | None
    """Mean accuracy; `None` without decisions."""
    lost: float
    """Total win probability given away."""
    graph: tuple[GraphPoint, ...]
    costliest: tuple[Costly, ...]
    """The costliest decisions, worst first; only clear losses."""


class Report(Value, frozen=True):
    """The whole review of a game."""

    format: int
    judge: str
    """Version of the evaluation; another version may come to other results."""
    game: str
    playouts: int | None
    """Minimum number of playouts per option; `None` if a time budget applied."""
    is_whole: bool
    """Whether every decision that can be evaluated was, rather than only the first few."""
    unknown: int
    """Decisions that can't be evaluated because the record doesn't say what the seat knew."""
    decisions: tuple[ReviewedDecision, ...]
    turning_points: tuple[TurningPoint, ...]
    """In game order."""
    seats: tuple[SeatReport, ...]

    def decision(self, number: int) -> ReviewedDecision | None:
        """Return the decision with this number, or `None` if it wasn't evaluated."""
        return next((each for each in self.decisions if each.number == number), None)


def decision_of(
    judgement: Evaluation, chosen: Any, move: int, number: int, write: Any
) -> ReviewedDecision:
    """Build the reviewed decision from its evaluation; `write` is the game's action notation."""
    options = tuple(
        ReviewedChoice(write(value.action), round(value.chance, _DIGITS), round(value.error, _DIGITS))
        for value in judgement.action_values
    )
    actions = [value.action for value in judgement.action_values]
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
    """Mean accuracy, truncated to one digit so that 100 means that nothing was given away."""
    if not decisions:
        return None
    return floor(10 * sum(each.accuracy for each in decisions) / len(decisions)) / 10


def costliest(decisions: Sequence[ReviewedDecision]) -> list[ReviewedDecision]:
    """Return the decisions that lost most, worst first."""
    losses = sorted((each for each in decisions if each.lost), key=lambda each: -each.lost)
    return losses[:COSTLIEST]


def graph_of(decisions: Sequence[ReviewedDecision], end: GraphPoint | None) -> tuple[GraphPoint, ...]:
    """Graph of one seat: a point for each of its decisions, then the result if the game is over."""
    points = [GraphPoint(each.number, each.chance) for each in decisions]
    return tuple([*points, end] if points and end is not None else points)


def turning_points(
    decisions: Sequence[ReviewedDecision], graphs: Sequence[Sequence[GraphPoint]]
) -> tuple[TurningPoint, ...]:
    """The largest changes in the graphs of all seats, at most one for any stretch of the game.

    One seat's gain is another's loss, so most changes show up in several graphs.
    """
    found: list[TurningPoint] = []
    for turn in sorted(_changes(decisions, graphs), key=lambda turn: -abs(turn.change)):
        is_separate = all(turn.number <= other.since or other.number <= turn.since for other in found)
        if is_separate and abs(turn.change) >= _TURNING_CHANGE and len(found) < TURNING_POINTS:
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
    """Encode a report for a cache or a file."""
    return msgspec.json.encode(report)


def read_report(text: bytes | str) -> Report:
    """Decode a report; raise `FileProblem` if it isn't one in the current format."""
    try:
        found = msgspec.json.decode(text, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileProblem(phrase("this isn't a report by the coach: {reason}."), reason=error) from error
    if found.format != FORMAT:
        raise FileProblem(
            phrase("this report has format {format}, but this program knows format {known}."),
            format=found.format,
            known=FORMAT,
        )
    return found
