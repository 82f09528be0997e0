"""The `wonderland coach` command: arguments and execution."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Any

from wonderland.arguments import language_of, read_count
from wonderland.bots.evaluation import evaluate
from wonderland.components.bots import Budget
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import Language, Message, phrase
from wonderland.engine.match import seats_to_act
from wonderland.engine.position import small_number
from wonderland.engine.protocol import AnyGame
from wonderland.engine.record_reader import AnyRecord, read_record
from wonderland.engine.registry import game
from wonderland.features.coach.model import Report, ReviewedDecision
from wonderland.features.coach.review import Coach
from wonderland.features.coach.text_report import show_options, show_report
from wonderland.features.replay.model import find_seat
from wonderland.lab import output_files
from wonderland.lab.command_options import INTERRUPTED, check_files, progress, read_workers
from wonderland.lab.executors import executor
from wonderland.lab.exports import as_json
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.labels import count_moves
from wonderland.lab.text_tables import console
from wonderland.terminal.record_files import load

_ABOUT = """\
Analyse a recorded game. Every move is judged by what the player knew at the time. The report shows each
player's accuracy, how the win chances developed, the turning points, and the costliest moves with the
reasons. The same game always gets the same analysis. Press Ctrl-C to stop and see the results so far.

If a record was written down from one seat, only that seat is analysed. With --position, no record is
needed: all choices in that position are listed with their win chances, best first.

  wonderland coach tonight.record
  wonderland coach tonight.record --seat Alice --json alice.json
  wonderland coach --position "parade stage=play turn=1 hands=…" --seat 1
"""

STANDARD_INPUT = "-"


def add_coach(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland coach` to its parser."""
    parser.description = _ABOUT
    parser.add_argument(
        "file", metavar="RECORD", nargs="?", help="the record of a game; - reads standard input"
    )
    parser.add_argument(
        "--position",
        metavar="LINE",
        help="analyse this position, written on one line, instead of a record",
    )
    parser.add_argument("--seat", metavar="NAME", help="analyse only this seat, given by name or number")
    parser.add_argument(
        "--budget", metavar="N", help="simulated games per choice (the report shows the default)"
    )
    parser.add_argument(
        "--workers", metavar="N", help="number of parallel workers (default: one per core)"
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write all results as JSON; - writes JSON to standard output instead of tables",
    )
    parser.set_defaults(run=coach)


def coach(options: argparse.Namespace) -> int:
    """Review a record or a position, print the result, and write the JSON file if requested."""
    if (options.file is None) == (options.position is None):
        raise UsageError(phrase("coach needs either a RECORD or a --position, but not both."))
    check_files(json=options.json)
    playouts = None if options.budget is None else read_count("--budget", options.budget)
    budget = None if playouts is None else Budget(playouts=playouts)
    if options.position is not None:
        return _judge_position(options, budget)
    record = _load_record(options.file)
    seats = None if options.seat is None else {find_seat(record, options.seat)}
    work = Coach(record, seats, budget)
    if not work.questions:
        raise UsageError(_explain_empty_review(work))
    report = _run_review(work, read_workers(options.workers), language_of(options))
    _deliver(report, lambda: show_report(record, report, console(), language_of(options)), options.json)
    return 0 if report.is_whole else INTERRUPTED


def _load_record(name: str) -> AnyRecord:
    reading = read_record(sys.stdin.buffer.read()) if name == STANDARD_INPUT else load(name)
    if reading.fault is not None:
        shown = Message(phrase("standard input")) if name == STANDARD_INPUT else name
        raise reading.fault.in_file(shown)
    return reading.whole


def _explain_empty_review(work: Coach) -> str:
    if work.unknown:
        return phrase("There's nothing to analyse here, because the hands weren't recorded.")
    return phrase("There's nothing to analyse here, because nobody had a choice.")


def _run_review(work: Coach, workers: int, say: Language) -> Report:
    """Review all decisions in parallel; after Ctrl-C, report on those finished so far."""
    decisions: list[ReviewedDecision] = []
    interrupts = Interrupts()
    pool = executor(workers, threads=True)  # the kernels release the GIL
    try:
        with (
            progress(len(work.questions), count_moves, say) as tell,
            interrupts.guard(),
            closing(_run_in_pool(work, pool)) as answers,
        ):
            for decision in answers:
                with interrupts.defer():
                    decisions.append(decision)
                tell(len(decisions))
    except KeyboardInterrupt:
        pass
    return work.report(decisions)


def _run_in_pool(work: Coach, pool: Any) -> Any:
    yield from pool.run(work.answer, work.questions)


def _deliver(found: Any, show: Callable[[], None], json: str | None) -> None:
    if json == output_files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
        return
    show()
    if json is not None:
        output_files.write_text(json, as_json(found))


def _judge_position(options: argparse.Namespace, budget: Budget | None) -> int:
    """Print the win probability of each choice, for the seat to act or the one given by `--seat`."""
    if options.json is not None:
        raise UsageError(phrase("--json works only with a RECORD, not with --position."))
    line = options.position.strip()
    the_game = game(line.partition(" ")[0])
    state = the_game.read_position(line)
    choosing = seats_to_act(the_game.turn(state))
    if not choosing:
        raise UsageError(phrase("Nobody has a choice to make in this position."))
    seat = choosing[0] if options.seat is None else _parse_seat_number(options.seat)
    say = language_of(options)
    seats = _count_seats(line, the_game)
    names = [say("Player {number}", number=number) for number in range(1, seats + 1)]
    show_options(the_game, state, evaluate(the_game, state, seat, budget), names, console(), say)
    return 0


def _count_seats(line: str, the_game: AnyGame) -> int:
    """Number of players: a position separates the entries of the seats by slashes."""
    slashes = max(word.count("/") for word in line.split())
    return min(slashes + 1, the_game.info.seats[-1])


def _parse_seat_number(text: str) -> int:
    number = small_number(text)
    if not number:
        raise UsageError(
            phrase("with --position, --seat must be a number, 1 or more, not {text}."), text=quote(text)
        )
    return number - 1
