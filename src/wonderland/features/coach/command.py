"""The command `wonderland coach`: its arguments, and how it runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Any

from wonderland.arguments import read_count
from wonderland.bots.evaluation import evaluate
from wonderland.components.bots import Budget
from wonderland.engine.errors import NotationError, UsageError, quote
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
from wonderland.lab.text_tables import console
from wonderland.terminal.record_files import load

_ABOUT = """\
Go through a recorded game and judge each decision from what the player knew when making it: how
accurate each player was, how the chances to win went up and down, where the game turned, and which
decisions cost most, with the reason. The same game is always judged alike. Ctrl-C ends the work and
shows what was found so far.

A record that was noted from one seat is judged for that seat. With --position there is no record:
the options of one position are shown, with the chance to win after each, best first.

  wonderland coach tonight.record
  wonderland coach tonight.record --seat Alice --json alice.json
  wonderland coach --position "parade stage=play turn=1 hands=…" --seat 1
"""

STANDARD_INPUT = "-"


def add_coach(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland coach`."""
    parser.description = _ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", metavar="RECORD", nargs="?", help="a record; - is standard input")
    parser.add_argument("--position", metavar="LINE", help="a position in one line instead of a record")
    parser.add_argument("--seat", metavar="NAME", help="only this seat, by its name or number")
    parser.add_argument(
        "--budget", metavar="N", help="how often each option is tried; the usual is shown in the result"
    )
    parser.add_argument("--workers", metavar="N", help="how many think at once (one for each core)")
    parser.add_argument("--json", metavar="FILE", help="all that was found, as JSON; - for no tables")
    parser.set_defaults(run=coach)


def coach(options: argparse.Namespace) -> int:
    """Judge a record or a position, show what was found, and write what was asked for."""
    if (options.file is None) == (options.position is None):
        raise UsageError("wonderland coach takes either a RECORD or a --position.")
    check_files(json=options.json)
    playouts = None if options.budget is None else read_count("--budget", options.budget)
    budget = None if playouts is None else Budget(playouts=playouts)
    if options.position is not None:
        return _judge_position(options, budget)
    record = _record(options.file)
    seats = None if options.seat is None else {find_seat(record, options.seat)}
    work = Coach(record, seats, budget)
    if not work.questions:
        raise UsageError(_nothing(work))
    report = _worked(work, read_workers(options.workers))
    _deliver(report, lambda: show_report(record, report, console()), options.json)
    return 0 if report.is_whole else INTERRUPTED


def _record(name: str) -> AnyRecord:
    reading = read_record(sys.stdin.buffer.read()) if name == STANDARD_INPUT else load(name)
    if reading.record is None or reading.fault is not None:
        shown = "standard input" if name == STANDARD_INPUT else name
        raise NotationError(f"{shown}, {reading.fault}")
    return reading.record


def _nothing(work: Coach) -> str:
    if work.unknown:
        return "Nothing can be judged here: the record does not say what the player held."
    return "There is nothing to judge here: nobody has had a choice yet."


def _worked(work: Coach, workers: int) -> Report:
    """The report; what there is of it, if it is interrupted."""
    decisions: list[ReviewedDecision] = []
    interrupts = Interrupts()
    by = executor(workers, threads=True)  # the kernels let go of Python's lock
    try:
        with (
            progress("decisions", len(work.questions)) as tell,
            interrupts.guard(),
            closing(_answers(work, by)) as answers,
        ):
            for decision in answers:
                with interrupts.put_off():
                    decisions.append(decision)
                tell(len(decisions))
    except KeyboardInterrupt:
        pass
    return work.report(decisions)


def _answers(work: Coach, by: Any) -> Any:
    yield from by.run(work.answer, work.questions)


def _deliver(found: Any, show: Callable[[], None], json: str | None) -> None:
    if json == output_files.STANDARD_OUTPUT:
        sys.stdout.write(as_json(found))
        return
    show()
    if json is not None:
        output_files.write_text(json, as_json(found))


def _judge_position(options: argparse.Namespace, budget: Budget | None) -> int:
    """What to play in a position, for the seat on turn or another that may choose."""
    if options.json is not None:
        raise UsageError("--json is for a record: a position is only shown.")
    line = options.position.strip()
    the_game = game(line.partition(" ")[0])
    state = the_game.read_position(line)
    choosing = seats_to_act(the_game.turn(state))
    if not choosing:
        raise UsageError("Nobody has anything to choose in this position.")
    seat = choosing[0] if options.seat is None else _numbered(options.seat)
    names = [f"Player {number + 1}" for number in range(_seats_in(line, the_game))]
    show_options(the_game, state, evaluate(the_game, state, seat, budget), names, console())
    return 0


def _seats_in(line: str, the_game: AnyGame) -> int:
    """How many play: a position has something for each of them, with slashes between."""
    slashes = max(word.count("/") for word in line.split())
    return min(slashes + 1, the_game.info.seats[-1])


def _numbered(text: str) -> int:
    number = small_number(text)
    if not number:
        raise UsageError(
            f"--seat {quote(text)} is not possible: in a position seats have numbers, from 1 on."
        )
    return number - 1
