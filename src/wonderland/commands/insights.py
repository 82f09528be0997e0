"""The command `wonderland insights`: what can be asked of it."""

from __future__ import annotations

import argparse
from typing import Any

_ABOUT = """\
Say what simulation has found out about a game: whether it matters who begins, scores, lengths and
endings by the number of players, how much skill matters, and what each variant changes, each with
the interval that holds the truth in 95 of 100 cases.

With 'make' it is found out anew, which takes a few minutes for each game: --games says how many a
game's kernel plays with each number of players, and what takes longer is played less often in
proportion. The same seed finds the same. What was found is kept with the game, or in --out FILE.

  wonderland insights parade
  wonderland insights make parade --games 2M --out parade.json
"""


def add(commands: Any) -> None:
    """Describe the command; `commands` is what `argparse` gives for subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "insights",
        help="what simulation says about a game",
        usage="wonderland insights [make] [GAME] [--games N] [--seed SEED] [--workers N] [--out FILE]",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "words", metavar="[make] [GAME]", nargs="*", help="find it out anew; one game, or all"
    )
    parser.add_argument("--games", metavar="N", help="with make: how many (600_000)")
    parser.add_argument("--seed", help="with make: any word (wonderland)")
    parser.add_argument(
        "--workers", metavar="N", help="with make: how many play at once (one for each core)"
    )
    parser.add_argument("--out", metavar="FILE", help="with make: a new file, instead of the game's own")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from wonderland.commands.surveying import insights  # noqa: PLC0415 - only when it is needed

    return insights(options)
