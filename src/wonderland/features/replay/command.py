"""The `wonderland replay` command: arguments, and choice of the interface."""

from __future__ import annotations

import argparse
import sys

from wonderland.arguments import language_of
from wonderland.features.replay.model import Replay, find_seat
from wonderland.features.replay.prompt import ReplayPrompt
from wonderland.terminal import record_files
from wonderland.terminal.command import PACES, suits_full_screen


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland replay` to its parser."""
    parser.description = (
        "Step through a recorded game, from any seat's point of view or with all cards face up. You can "
        "play on against bots from any position; the record itself doesn't change. If the output isn't "
        "a terminal, print the whole game and check it."
    )
    parser.add_argument("file", metavar="FILE", help="the record of a game")
    parser.add_argument("--at", metavar="N", type=int, help="show only the position after N moves")
    parser.add_argument("--seat", metavar="NAME", help="show the game from this seat's point of view")
    parser.add_argument("--plain", action="store_true", help="use plain text, for screen readers")
    parser.add_argument("--light", action="store_true", help="use dark text on a light background")
    parser.set_defaults(run=replay)


def replay(options: argparse.Namespace) -> int:
    """Show a record as far as it is readable; then raise `NotationError` if it is damaged."""
    reading = record_files.load(options.file)
    if reading.record is not None:
        seat = None if options.seat is None else find_seat(reading.record, options.seat)
        _show(
            Replay(reading.record, seat, language_of(options)), options, is_whole=reading.fault is None
        )
    if reading.fault is not None:
        sys.stdout.flush()
        raise reading.fault.in_file(options.file)
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
