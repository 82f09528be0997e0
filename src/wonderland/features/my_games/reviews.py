"""What the coach's finished reports say about one seat: accuracy, and mistakes by theme.

The coach is another feature. Its service is found by name and used through the Protocols below, so that
nothing here imports it; without a coach there are no reviews.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from wonderland.bots.evaluation import recalled_view
from wonderland.components.heuristics import heuristics_of
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.engine.record_reader import AnyRecord
from wonderland.engine.values import Value
from wonderland.features.my_games.model import Mistake, SeatReview

if TYPE_CHECKING:
    from wonderland.web.app import Site

MISTAKE = 0.05
"""Loss of win probability from which a decision counts as a mistake, as on the coach's page."""


class ReviewedOption(Protocol):
    """A legal action in record notation, with its win probability."""

    @property
    def action(self) -> str: ...
    @property
    def chance(self) -> float: ...
    @property
    def error(self) -> float: ...


class ReviewedMove(Protocol):
    """A decision in a report: its options, the chosen one and the best, and what the choice lost."""

    @property
    def move(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def options(self) -> Sequence[ReviewedOption]: ...
    @property
    def chosen(self) -> int: ...
    @property
    def best(self) -> int: ...
    @property
    def lost(self) -> float: ...


class ReviewedSeat(Protocol):
    """How one seat played."""

    @property
    def accuracy(self) -> float | None: ...


class GameReport(Protocol):
    """The coach's report on a game."""

    @property
    def decisions(self) -> Sequence[ReviewedMove]: ...
    @property
    def seats(self) -> Sequence[ReviewedSeat]: ...


class ReportArchive(Protocol):
    """The service of the coach, as far as it is used here."""

    async def finished_reports(self, games: Iterable[tuple[str, str, int]]) -> Mapping[str, GameReport]:
        """The reports that exist on these replays, by name."""
        ...


def report_archive(site: Site) -> ReportArchive | None:
    """The coach's reports, if this server has a coach."""
    return cast("ReportArchive | None", site.services.get("coach"))


class ReviewedPosition(Value, frozen=True):
    """The position of a decision as its seat knew it, with the coach's verdict on every choice."""

    seat: int
    view: Any
    legal: tuple[Any, ...]
    judgement: Evaluation
    chosen: Any
    """The action that was played."""


def reviewed_position(record: AnyRecord, decision: ReviewedMove) -> ReviewedPosition:
    """Return the position of a decision in a record."""
    game, state = record.game, record.game.start(len(record.names), record.options)
    for move in record.moves[: decision.move]:
        state = game.apply(state, move.actor, move.action).state
    values = tuple(
        ActionValue(game.read(option.action), option.chance, option.error) for option in decision.options
    )
    return ReviewedPosition(
        decision.seat,
        recalled_view(game, state, decision.seat),
        tuple(game.legal(state, decision.seat)),
        Evaluation(decision.seat, values),
        record.moves[decision.move].action,
    )


def is_mistake(decision: ReviewedMove, seat: int) -> bool:
    """Whether a decision was a mistake of this seat."""
    return decision.seat == seat and decision.lost >= MISTAKE


def review_seat(name: str, record: AnyRecord, report: GameReport, seat: int) -> SeatReview:
    """Summarise what a report says about one seat."""
    mistakes = tuple(
        Mistake(name, each.number, each.lost, _theme(record, each))
        for each in report.decisions
        if is_mistake(each, seat)
    )
    return SeatReview(report.seats[seat].accuracy, mistakes)


def _theme(record: AnyRecord, decision: ReviewedMove) -> str:
    """Key of the simplest rule of thumb that suggests the mistake and misses the best move."""
    position = reviewed_position(record, decision)
    best = position.judgement.best.action
    for rule in heuristics_of(record.game.info.name):
        suggested = rule.choices(position.view, position.legal)
        if position.chosen in suggested and best not in suggested:
            return rule.key
    return ""
