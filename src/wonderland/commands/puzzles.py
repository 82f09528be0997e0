"""The command `wonderland puzzles`: what can be asked of it."""

from __future__ import annotations

import argparse
from typing import Any

_ABOUT = """\
Show the puzzle of a day: a position in which one choice is clearly best, and a simple rule of thumb
misses it. Choose, and see what each choice is worth, and why. The day is that of Greenwich.

With 'make' new ones are found: bots play, and each position is looked at, first briefly and then
for long. The same seed finds the same. Ctrl-C ends the work and keeps what was found so far. They
are kept with the game, or in --out FILE.

  wonderland puzzles
  wonderland puzzles cookies --date 2026-12-24
  wonderland puzzles make parade --number 60 --seats 2,3,4 --out parade.json
"""
_USAGE = (
    "wonderland puzzles [GAME] [--date DATE]\n"
    "       wonderland puzzles make GAME [--number N] [--seats N,…] [--games N] [--seed SEED] "
    "[--budget N] [--out FILE]"
)


def add(commands: Any) -> None:
    """Describe the command; `commands` is what `argparse` gives for subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "puzzles",
        help="one position a day in which one choice is clearly best",
        usage=_USAGE,
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", metavar="[make] [GAME]", nargs="*", help="find new ones; which game")
    parser.add_argument("--date", metavar="DATE", help="of another day, such as 2026-12-24")
    parser.add_argument("--number", metavar="N", help="with make: how many (60)")
    parser.add_argument(
        "--seats", metavar="N,…", help="with make: for how many players, evenly (2,3,4 if they can)"
    )
    parser.add_argument(
        "--games", metavar="N", help="with make: play so many games at most (20 for each puzzle)"
    )
    parser.add_argument("--seed", help="with make: any word (wonderland)")
    parser.add_argument(
        "--budget", metavar="N", help="with make: how often each choice is tried in the long look"
    )
    parser.add_argument("--out", metavar="FILE", help="with make: a new file, instead of the game's own")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from wonderland.commands.puzzling import puzzles  # noqa: PLC0415 - only when it is needed

    return puzzles(options)
