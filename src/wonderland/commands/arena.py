"""The command `wonderland arena`: what can be asked of it."""

from __future__ import annotations

import argparse
from typing import Any

from wonderland.commands.simulate import add_game, add_running

_ABOUT = """\
Let bots play a tournament, on the same deals and in every seat, and rate them.

In games of two every bot meets every other. With --seats N and N bots, all sit at one table;
with another number of bots, one of each meets a table full of each other. A bot is a level of
the game, or your own as package.module:Bot; behind an @ stands how much it may think: a number
of play-outs for each action, or of seconds for each choice.

  wonderland arena parade dodo hatter
  wonderland arena letters hatter@100 hatter@1000 --until-clear
  wonderland arena cookies queen@0.1s my_bots.clever:Bot --seats 4 --plot ratings.svg
"""


def add(commands: Any) -> None:
    """Describe the command; `commands` is what `argparse` gives for subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "arena",
        help="let bots play a tournament",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game(parser)
    parser.add_argument("bots", metavar="BOT", nargs="+", help="two or more")
    parser.add_argument("--seats", metavar="N", help="how many sit at a table (2)")
    parser.add_argument(
        "--deals",
        metavar="N",
        help="how many deals each pair or table plays, in every seat (100; 1000 with --until-clear)",
    )
    parser.add_argument(
        "--until-clear",
        action="store_true",
        help="stop as soon as it is clear of every pair who is better",
    )
    add_running(parser, "deals")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from wonderland.commands.tournament import arena  # noqa: PLC0415 - only when it is needed

    return arena(options)
