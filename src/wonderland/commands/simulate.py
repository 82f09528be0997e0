"""The command `wonderland simulate`: what can be asked of it."""

from __future__ import annotations

import argparse
from typing import Any

_ABOUT = """\
Play many games between bots and say what came of them: who wins from which seat, with which
scores, how long games are and how they end, each with the interval that holds the truth in 95 of
100 cases. The same seed gives the same games, however many workers play them. Ctrl-C ends the
playing and shows the result so far.

  wonderland simulate parade --games 1_000_000 --seats 4
  wonderland simulate letters --bots hatter,dodo --games 200 --plot wins.svg
  wonderland simulate cookies --option hand_size=3 --versus hand_size=2
"""


def add(commands: Any) -> None:
    """Describe the command; `commands` is what `argparse` gives for subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "simulate",
        help="play many games between bots",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game(parser)
    parser.add_argument(
        "--games", metavar="N", default="10_000", help="how many: 10_000, 10k, 2M, 1e6 (10_000)"
    )
    parser.add_argument("--seats", metavar="N", help="how many seats; as many as bots if not given")
    parser.add_argument(
        "--bots", metavar="BOT,…", default="dodo", help="one for each seat, or one for all (dodo)"
    )
    parser.add_argument(
        "--versus",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="compare with this variant, on the same numbers; may be repeated",
    )
    add_running(parser, "games")
    parser.add_argument("--csv", metavar="FILE", help="every game as a line of text")
    parser.add_argument("--parquet", metavar="FILE", help="every game as a row of a Parquet file")
    parser.add_argument(
        "--decisions",
        metavar="FILE",
        help="every decision as a row of a Parquet file: view, legal actions, choice, result",
    )
    parser.set_defaults(run=_run)


def add_game(parser: argparse.ArgumentParser) -> None:
    """The game and its options."""
    parser.add_argument("game", help="a game, as 'wonderland games' lists them")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game, as 'wonderland games' lists them; may be repeated",
    )


def add_running(parser: argparse.ArgumentParser, what: str) -> None:
    """How it is run, and where the result goes."""
    parser.add_argument("--seed", help="any word: the same word gives the same games")
    parser.add_argument(
        "--skip", metavar="N", default="0", help=f"leave out the first N {what} of the seed"
    )
    parser.add_argument("--workers", metavar="N", help="how many play at once (one for each core)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on a Ray cluster: HOST:PORT, auto, or nothing for one that is started here",
    )
    parser.add_argument("--json", metavar="FILE", help="all that was found, as JSON; - for no table")
    parser.add_argument("--plot", metavar="FILE", help="a picture of it: FILE ends in .svg or .png")


def _run(options: argparse.Namespace) -> int:
    from wonderland.commands.simulating import simulate  # noqa: PLC0415 - only when it is needed

    return simulate(options)
