"""Review a game: evaluate each decision from what the seat knew when making it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from wonderland.bots.characters import display_names
from wonderland.bots.evaluation import (
    can_evaluate,
    default_budget,
    evaluate,
    evaluation_version,
    recalled_view,
)
from wonderland.components import reasons
from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue
from wonderland.components.words import describe_events, words_of
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.protocol import CHANCE, AnyGame, Over, Seat
from wonderland.engine.record_reader import AnyRecord
from wonderland.engine.values import Value
from wonderland.features.coach.model import (
    FORMAT,
    Costly,
    GraphPoint,
    Report,
    ReviewedChoice,
    ReviewedDecision,
    SeatReport,
    TurningPoint,
    costliest,
    decision_of,
    graph_of,
    mean_accuracy,
    turning_points,
)

_MOST_CAUSES = 4
"""How many events explain a turning point."""

Progress = Callable[[int, int], object]
"""Callback with the number of evaluated decisions and the total; an exception aborts the review."""


class PendingDecision(Value, frozen=True):
    """A decision still to be evaluated; the fields are those of `ReviewedDecision`."""

    move: int
    number: int
    seat: Seat


class Coach:
    """Reviews one record.

    Questions are independent: they can be answered in any order and from several threads at once.
    """

    def __init__(
        self,
        record: AnyRecord,
        seats: Collection[Seat] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.record = record
        self.budget = budget
        self.states = [state for state, _ in record.states()]
        self.seats = range(len(record.names)) if seats is None else seats
        self.questions: list[PendingDecision] = []
        self.unknown = 0
        self._find_questions()

    def _find_questions(self) -> None:
        game, number = self.record.game, 0
        for move, made in enumerate(self.record.moves):
            if made.actor is CHANCE:
                continue
            number += 1
            state = self.states[move]
            if made.actor not in self.seats or len(game.legal(state, made.actor)) < 2:
                continue
            if can_evaluate(game, state, made.actor):
                self.questions.append(PendingDecision(move, number, made.actor))
            else:
                self.unknown += 1

    def answer(self, question: PendingDecision) -> ReviewedDecision:
        """Evaluate one decision."""
        game, move = self.record.game, question.move
        judgement = evaluate(game, self.states[move], question.seat, self.budget)
        chosen = self.record.moves[move].action
        return decision_of(judgement, chosen, move, question.number, game.write)

    def report(self, decisions: Sequence[ReviewedDecision]) -> Report:
        """Summarise the answers, which may be only the first few."""
        game, names = self.record.game.info.name, self.record.names
        by_seat = [[each for each in decisions if each.seat == seat] for seat in range(len(names))]
        is_whole = len(decisions) == len(self.questions)
        graphs = [
            graph_of(made, self._end(seat) if is_whole else None) for seat, made in enumerate(by_seat)
        ]
        seats = [
            SeatReport(
                name,
                len(made),
                mean_accuracy(made),
                round(sum(each.lost for each in made), 6),
                graph,
                tuple([Costly(each.number, reason_of(self.record, each)) for each in costliest(made)]),
            )
            for name, made, graph in zip(names, by_seat, graphs, strict=True)
        ]
        budget = default_budget(game, len(names)) if self.budget is None else self.budget
        return Report(
            FORMAT,
            evaluation_version(game),
            game,
            budget.playouts,
            is_whole,
            self.unknown,
            tuple(decisions),
            turning_points(decisions, graphs),
            tuple(seats),
        )

    def _end(self, seat: Seat) -> GraphPoint | None:
        """Last point of a seat's graph, the actual result; `None` if the game isn't over."""
        turn = self.record.game.turn(self.states[-1])
        if not isinstance(turn, Over):
            return None
        winners = turn.result.winners
        made = sum(move.actor is not CHANCE for move in self.record.moves)
        return GraphPoint(made + 1, 1 / len(winners) if seat in winners else 0.0)


def review(
    record: AnyRecord,
    *,
    seats: Collection[Seat] | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Report:
    """Review all decisions of a game, or only those of the given seats."""
    coach = Coach(record, seats, budget)
    decisions: list[ReviewedDecision] = []
    for question in coach.questions:
        if progress is not None:
            progress(len(decisions), len(coach.questions))
        decisions.append(coach.answer(question))
    if progress is not None:
        progress(len(decisions), len(coach.questions))
    return coach.report(decisions)


def reason_of(record: AnyRecord, decision: ReviewedDecision, say: Language = ENGLISH) -> str:
    """Explain in a sentence or two why the best option beats the chosen one."""
    state = record.game.start(len(record.names), record.options)
    for move in record.moves[: decision.move]:
        state = record.game.apply(state, move.actor, move.action).state
    best, chosen = decision.options[decision.best], decision.options[decision.chosen]
    view, tell = (
        recalled_view(record.game, state, decision.seat),
        reasons.explainer_of(record.game.info.name),
    )
    names = display_names(record.game.info.name, record.names, say)
    return tell(view, _action_value(record.game, best), _action_value(record.game, chosen), names, say)


def causes_of(record: AnyRecord, turn: TurningPoint, say: Language = ENGLISH) -> list[str]:
    """Describe what happened between the two decisions of a turning point, as far as its seat saw it.

    If that was a lot, draws come before the moves of others.
    """
    game, made = record.game, 0
    drawn, played = list[tuple[int, Any]](), list[tuple[int, Any]]()
    state = game.start(len(record.names), record.options)
    for place, move in enumerate(record.moves):
        made += move.actor is not CHANCE
        if made == turn.number:
            break
        step = game.apply(state, move.actor, move.action)
        state = step.state
        seen = [(place, event) for event in step.events if game.witness(event, turn.seat) == event]
        if move.actor is CHANCE and made >= turn.since:
            drawn += seen
        elif made > turn.since:
            played += seen
    chosen = (drawn + played)[:_MOST_CAUSES]
    events = [event for _, event in sorted(chosen, key=lambda each: each[0])]
    names = display_names(game.info.name, record.names, say)
    return describe_events(words_of(game.info.name), events, names, say)


def _action_value(game: AnyGame, option: ReviewedChoice) -> ActionValue:
    return ActionValue(game.read(option.action), option.chance, option.error)
