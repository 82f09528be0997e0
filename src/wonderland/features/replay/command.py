"""The `wonderland replay` command: arguments, and choice of the interface."""

from __future__ import annotations

import argparse
import sys

from wonderland.engine.errors import NotationError
from wonderland.features.replay.model import Replay, find_seat
from wonderland.features.replay.prompt import ReplayPrompt
from wonderland.terminal import record_files
from wonderland.terminal.command import PACES, suits_full_screen


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland replay` to its parser."""
    parser.description = (
        "Look at a recorded game: step through it or jump, through the eyes of any seat or "
        "with all cards open, and play on from any position against bots, which leaves the record as it "
        "is. Where nobody is at a terminal, the whole game is told and checked."
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--at", metavar="N", type=int, help="show the position after N decisions")
    parser.add_argument("--seat", metavar="NAME", help="look through the eyes of this seat")
    parser.add_argument("--plain", action="store_true", help="lines of text, for screen readers")
    parser.add_argument("--light", action="store_true", help="dark on light")
    parser.set_defaults(run=replay)


def replay(options: argparse.Namespace) -> int:
    """Show a record as far as it is readable; then raise `NotationError` if it is damaged."""
    reading = record_files.load(options.file)
    if reading.record is not None:
        seat = None if options.seat is None else find_seat(reading.record, options.seat)
        _show(Replay(reading.record, seat), options, is_whole=reading.fault is None)
    if reading.fault is not None:
        sys.stdout.flush()
        raise NotationError(f"{options.file}, {reading.fault}")
    return 0


def _show(replay: Replay, options: argparse.Namespace, *, is_whole: bool) -> None:
    if options.at is not None:
        sys.stdout.write("".join(f"{line}\n" for line in replay.lines(options.at)))
    elif is_whole and suits_full_screen() and not options.plain:
        _run_full_screen(replay, light=options.light)
    elif is_whole and sys.stdin.isatty() and sys.stdout.isatty():
        ReplayPrompt(replay).walk()
    else:
        sys.stdout.write("".join(f"{line}\n" for line in replay.whole()))


def _run_full_screen(replay: Replay, *, light: bool) -> None:
    from wonderland.features.replay.screen import ReplayApp  # noqa: PLC0415 - slow to import

    app = ReplayApp(replay, pace=PACES["normal"], light=light)
    app.run()
    if app.fault is not None:
        raise app.fault
