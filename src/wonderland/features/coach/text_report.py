"""The coach's report as text for a terminal: at most 80 columns, no meaning by colour alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from wonderland.bots.evaluation import recalled_view
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.components.reasons import explainer_of
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.protocol import AnyGame
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach.model import (
    GraphPoint,
    Report,
    ReviewedDecision,
    SeatReport,
    TurningPoint,
)
from wonderland.lab.text_tables import WIDTH, count_text, grid, percent

_BLOCKS = "▁▂▃▄▅▆▇█"
_DIGITS = "01234567"
_GRAPH_WIDTH = 48


def show_report(record: AnyRecord, report: Report, on: Console) -> None:
    """Print the report."""
    for block in _blocks_of(record, report, on):
        on.print(block)
        on.print()


def _blocks_of(record: AnyRecord, report: Report, on: Console) -> Iterator[RenderableType]:
    plain = not on.is_terminal
    yield Text("\n".join(_heading(record, report)))
    levels = _BLOCKS if on.encoding.lower().startswith("utf") else _DIGITS
    last = max((point.number for seat in report.seats for point in seat.graph), default=1)
    yield grid(
        "",
        "Player",
        " Accuracy",
        " Given away",
        "Chance to win, decision by decision",
        rows=[
            [
                seat.name,
                f"{seat.accuracy:.1f}",
                f"{100 * seat.lost:.1f}",
                drawn(seat.graph, last, levels),
            ]
            for seat in report.seats
            if seat.judged
        ],
        plain=plain,
    )
    if report.turning_points:
        yield grid(
            "Where the game turned",
            " Decision",
            "Player",
            " Before",
            " After",
            "Because",
            rows=[_turn(report, turn) for turn in report.turning_points],
            plain=plain,
        )
    for seat in report.seats:
        if seat.costliest:
            yield Text("\n".join(_costliest(report, seat)))


def _heading(record: AnyRecord, report: Report) -> Iterator[str]:
    title = record.game.info.title
    if not report.is_whole:
        title = f"{title}, interrupted"
    exact = not any(option.error for decision in report.decisions for option in decision.options)
    how = "exactly" if exact else f"with {report.playouts:,} play-outs of each option, or more"
    yield f"{title}: {count_text(len(report.decisions), 'decision')} judged {how}"
    if report.unknown:
        left_out = count_text(report.unknown, "decision")
        yield f"Without {left_out} of which nobody noted what the player held."


def drawn(graph: Sequence[GraphPoint], last: int, levels: str = _BLOCKS) -> str:
    """Sparkline of win probabilities, one character for one or more decisions; blank before the first.

    >>> drawn([GraphPoint(2, 0.1), GraphPoint(4, 0.5), GraphPoint(6, 1.0)], 6)
    ' ▁▁▅▅█'
    """
    width = min(last, _GRAPH_WIDTH)
    line = ""
    for column in range(1, width + 1):
        chances = [point.chance for point in graph if point.number * width <= column * last]
        line += levels[min(int(chances[-1] * len(levels)), len(levels) - 1)] if chances else " "
    return line


def _turn(report: Report, turn: TurningPoint) -> list[str]:
    here = report.decision(turn.number)
    ended = here is None or here.seat != turn.seat
    by = None if turn.by is None else report.decision(turn.by)
    if by is not None:
        why = _instead(by) if by.seat == turn.seat else f"{report.seats[by.seat].name}: {_instead(by)}"
    else:
        why = "the result" if ended else "luck, or good play"
    number = "the end" if ended else str(turn.number)
    name = report.seats[turn.seat].name
    return [number, name, percent(turn.before, 0), percent(turn.after, 0), why]


def _instead(decision: ReviewedDecision) -> str:
    options = decision.options
    return f"{options[decision.chosen].action} instead of {options[decision.best].action}"


def _costliest(report: Report, seat: SeatReport) -> Iterator[str]:
    yield f"What cost {seat.name} most"
    for each in seat.costliest:
        decision = report.decision(each.number)
        if decision is not None:
            best, chance = decision.options[decision.best].chance, decision.chance
            yield (
                f"  {each.number}. {_instead(decision)}: {percent(chance, 1)} instead of "
                f"{percent(best, 1)}."
            )
            yield from wrap(each.reason, WIDTH, initial_indent="     ", subsequent_indent="     ")


def show_options(
    game: AnyGame, state: Any, judgement: Evaluation, names: Sequence[str], on: Console
) -> None:
    """Print the options of a position, best first, and why the best beats the next."""
    view, words = recalled_view(game, state, judgement.seat), words_of(game.info.name)
    best_first = sorted(judgement.worths, key=lambda value: -value.chance)
    alike = [list(group) for _, group in groupby(best_first, key=lambda each: (each.chance, each.error))]
    rows = [
        [
            percent(group[0].chance, 1),
            f"± {200 * group[0].error:.1f}" if group[0].error else "exact",
            _join_actions([game.write(value.action) for value in group]),
            words.offer(view, group[0].action) if len(group) == 1 else "each as good as the others",
        ]
        for group in alike
    ]
    on.print(
        grid("", " Chance", " 95 % sure", "Play", "What it does", rows=rows, plain=not on.is_terminal)
    )
    if len(alike) > 1:
        on.print()
        on.print(_explain_best(game, view, judgement, alike[1][0], names))


def _explain_best(
    game: AnyGame, view: Any, judgement: Evaluation, second: ActionValue, names: Sequence[str]
) -> str:
    if not judgement.is_clear(second.action):
        return "The first two are equally good, as far as can be told."
    return explainer_of(game.info.name)(view, judgement.best, second, names, ENGLISH)


def _join_actions(words: Sequence[str]) -> str:
    shown = ", ".join(words[:4])
    return shown if len(words) <= 4 else f"{shown} and {len(words) - 4} more"
