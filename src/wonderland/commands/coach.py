"""The command `wonderland coach`: what can be asked of it."""

from __future__ import annotations

import argparse
from typing import Any

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


def add(commands: Any) -> None:
    """Describe the command; `commands` is what `argparse` gives for subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "coach",
        help="judge the decisions of a recorded game, or ask what to play",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="RECORD", nargs="?", help="a record; - is standard input")
    parser.add_argument("--position", metavar="LINE", help="a position in one line instead of a record")
    parser.add_argument("--seat", metavar="NAME", help="only this seat, by its name or number")
    parser.add_argument(
        "--budget", metavar="N", help="how often each option is tried; the usual is shown in the result"
    )
    parser.add_argument("--workers", metavar="N", help="how many think at once (one for each core)")
    parser.add_argument("--json", metavar="FILE", help="all that was found, as JSON; - for no tables")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from wonderland.commands.coaching import coach  # noqa: PLC0415 - only when it is needed

    return coach(options)
