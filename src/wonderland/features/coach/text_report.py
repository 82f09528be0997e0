"""The coach's report as text for a terminal: at most 80 columns, no meaning by colour alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from wonderland.bots.evaluation import recalled_view
from wonderland.components.formatting import number, percent
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.components.reasons import explainer_of
from wonderland.components.text_layout import wrap_text
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.protocol import AnyGame
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach.model import (
    TWO_PLAYERS,
    GraphPoint,
    Report,
    ReviewedDecision,
    SeatReport,
    TurningPoint,
)
from wonderland.features.coach.review import causes_of, reason_of
from wonderland.features.replay.model import Replay
from wonderland.lab.text_tables import WIDTH, grid

_BLOCKS = "▁▂▃▄▅▆▇█"
_DIGITS = "01234567"
_GRAPH_WIDTH = 48
_GAPS = 9
"""Columns between those of the first table, on a terminal."""
_MOST_ACTIONS = 4
"""How many equally good choices are listed."""


def show_report(record: AnyRecord, report: Report, on: Console, say: Language = ENGLISH) -> None:
    """Print the report."""
    for block in _blocks_of(record, report, on, say):
        on.print(block)
        on.print()


def _blocks_of(
    record: AnyRecord, report: Report, on: Console, say: Language
) -> Iterator[RenderableType]:
    plain, replay = not on.is_terminal, Replay(record, say=say)
    yield Text("\n".join(_heading(replay, report)))
    levels = _BLOCKS if on.encoding.lower().startswith("utf") else _DIGITS
    last = max((point.number for seat in report.seats for point in seat.graph), default=1)
    heads = (say("Player"), f" {say('Accuracy')}", f" {say('Given away')}")
    widest = WIDTH - max(map(cell_len, replay.names)) - sum(map(cell_len, heads[1:])) - _GAPS
    yield grid(
        "",
        *heads,
        say("Win chance, move by move"),
        rows=[
            [
                replay.names[place],
                number(seat.accuracy or 0, say, 1),
                percent(seat.lost, say),
                drawn(seat.graph, last, levels, min(widest, _GRAPH_WIDTH)),
            ]
            for place, seat in enumerate(report.seats)
            if seat.judged
        ],
        plain=plain,
    )
    if len(report.seats) == 2 and len(report.decisions) > 1:
        yield Text("\n".join(wrap_text(say(TWO_PLAYERS), WIDTH)))
    if report.turning_points:
        yield grid(
            say("Turning points"),
            f" {say('Move')}",
            say("Player"),
            f" {say('Before')}",
            f" {say('After')}",
            say("Reason"),
            rows=[_turn(report, turn, replay) for turn in report.turning_points],
            plain=plain,
        )
    for place, seat in enumerate(report.seats):
        if seat.costliest:
            yield Text("\n".join(_costliest(report, seat, replay, replay.names[place])))


def _heading(replay: Replay, report: Report) -> Iterator[str]:
    say = replay.say
    title = say(replay.record.game.info.title)
    count = say.plural("{number} move analysed", "{number} moves analysed", len(report.decisions))
    interrupted = [] if report.is_whole else [say("interrupted")]
    yield say.label(title, say.join_list([count, *interrupted]))
    exact = not any(option.error for decision in report.decisions for option in decision.options)
    how = say("Every move is analysed exactly, from what the player knew at the time.")
    if not exact:
        how = say(
            "Every move is analysed from what the player knew at the time, with at least {number} "
            "simulated games for each choice.",
            number=number(report.playouts or 0, say),
        )
    yield from wrap_text(how, WIDTH)
    if report.unknown:
        left_out = say.plural(
            "{number} move is left out, because the player's hand wasn't recorded.",
            "{number} moves are left out, because the players' hands weren't recorded.",
            report.unknown,
        )
        yield from wrap_text(left_out, WIDTH)


def drawn(
    graph: Sequence[GraphPoint], last: int, levels: str = _BLOCKS, widest: int = _GRAPH_WIDTH
) -> str:
    """Sparkline of win probabilities, one character for one or more decisions; blank before the first.

    >>> drawn([GraphPoint(2, 0.1), GraphPoint(4, 0.5), GraphPoint(6, 1.0)], 6)
    ' ▁▁▅▅█'
    """
    width = min(last, widest)
    line = ""
    for column in range(1, width + 1):
        chances = [point.chance for point in graph if point.number * width <= column * last]
        line += levels[min(int(chances[-1] * len(levels)), len(levels) - 1)] if chances else " "
    return line


def _turn(report: Report, turn: TurningPoint, replay: Replay) -> list[str]:
    say, names = replay.say, replay.names
    here = report.decision(turn.number)
    ended = here is None or here.seat != turn.seat
    by = None if turn.by is None else report.decision(turn.by)
    if by is not None:
        why = _instead(by, say)
        if by.seat != turn.seat:
            why = say.label(names[by.seat], why)
    else:
        causes = say.sentences(causes_of(replay.record, turn, say))
        why = causes or (say("the result") if ended else say("the draw, or good play"))
    when = say("the end") if ended else str(turn.number)
    return [when, names[turn.seat], percent(turn.before, say, 0), percent(turn.after, say, 0), why]


def _instead(decision: ReviewedDecision, say: Language) -> str:
    options = decision.options
    chosen, best = options[decision.chosen].action, options[decision.best].action
    return say("{choice} instead of {best}", choice=chosen, best=best)


def _costliest(report: Report, seat: SeatReport, replay: Replay, name: str) -> Iterator[str]:
    say = replay.say
    yield say("{name}'s costliest moves", name=name)
    for each in seat.costliest:
        decision = report.decision(each.number)
        if decision is not None:
            best = percent(decision.options[decision.best].chance, say)
            change = f"{best} → {percent(decision.chance, say)}"
            yield f"  {each.number}. {_instead(decision, say)}: {change}"
            reason = each.reason if say == ENGLISH else reason_of(replay.record, decision, say)
            yield from wrap_text(f"     {reason}", WIDTH, " " * 5)


def show_options(  # noqa: PLR0913, PLR0917 - everything that is shown
    game: AnyGame,
    state: Any,
    judgement: Evaluation,
    names: Sequence[str],
    on: Console,
    say: Language = ENGLISH,
) -> None:
    """Print the options of a position, best first, and why the best beats the next."""
    view, words = recalled_view(game, state, judgement.seat), words_of(game.info.name)
    best_first = sorted(judgement.action_values, key=lambda value: -value.chance)
    alike = [list(group) for _, group in groupby(best_first, key=lambda each: (each.chance, each.error))]
    rows = [
        [
            percent(group[0].chance, say),
            f"± {number(200 * group[0].error, say, 1)}" if group[0].error else say("exact"),
            _join_actions([game.write(value.action) for value in group], say),
            words.describe_action(view, group[0].action, say)
            if len(group) == 1
            else say("all equally good"),
        ]
        for group in alike
    ]
    columns = (f" {say('Win chance')}", f" {say('95% interval')}", say("Move"), say("What it does"))
    on.print(grid("", *columns, rows=rows, plain=not on.is_terminal))
    if len(alike) > 1:
        on.print()
        on.print(_explain_best(game, view, judgement, alike[1][0], names, say))


def _explain_best(  # noqa: PLR0913, PLR0917 - everything that an explanation depends on
    game: AnyGame,
    view: Any,
    judgement: Evaluation,
    second: ActionValue,
    names: Sequence[str],
    say: Language,
) -> str:
    if not judgement.is_clear(second.action):
        return say("The first two are equally good, as far as the coach can tell.")
    return explainer_of(game.info.name)(view, judgement.best, second, names, say)


def _join_actions(words: Sequence[str], say: Language) -> str:
    more = len(words) - _MOST_ACTIONS
    shown = say.join_list(words[:_MOST_ACTIONS])
    if more <= 0:
        return shown
    return say("{choices} and {number} more", choices=shown, number=more)
