"""The command `wonderland arena`."""

from __future__ import annotations

import argparse

from wonderland.arguments import options_of, read_count, read_seats, read_seed
from wonderland.bots import entrant
from wonderland.engine.errors import UsageError
from wonderland.engine.registry import game
from wonderland.lab.arena import Tournament
from wonderland.lab.command_options import (
    INTERRUPTED,
    add_game,
    add_run_options,
    check_files,
    cluster,
    deliver,
    progress,
    read_workers,
    redirect_cluster_output,
)
from wonderland.lab.game_runner import GameSetup
from wonderland.lab.standings import standings_of
from wonderland.lab.text_tables import console, show_standing

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

_DEALS = 100
_DEALS_UNTIL_CLEAR = 1000


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland arena`."""
    parser.description = _ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
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
    add_run_options(parser, "deals")
    parser.set_defaults(run=arena)


def arena(options: argparse.Namespace) -> int:
    """Run the tournament, then show and write the results."""
    check_files(json=options.json, plot=options.plot)
    tournament = tournament_of(options)
    by = cluster(options.cluster, options.workers)
    deals = tournament.deals * len(tournament.meetings)
    with redirect_cluster_output(by), progress("deals", deals) as tell:
        tournament.play(tell, by)
    found = standings_of(tournament)
    deliver(found, lambda: show_standing(found, console()), options.json, options.plot)
    return INTERRUPTED if tournament.is_interrupted else 0


def tournament_of(options: argparse.Namespace) -> Tournament:
    """Create the tournament from the command line, after validating all of it."""
    the_game = game(options.game)
    name = the_game.info.name
    if len(options.bots) < 2:
        raise UsageError("a tournament needs two bots or more.")
    seats = read_seats(options.seats, the_game.info.seats[0])
    texts = options_of(the_game, options.option)
    setting = GameSetup(name, seats, tuple(texts.items()))
    setting.start()
    for bot in options.bots:
        entrant(name, bot)
    usual = _DEALS_UNTIL_CLEAR if options.until_clear else _DEALS
    return Tournament(
        setting,
        tuple(options.bots),
        usual if options.deals is None else read_count("--deals", options.deals),
        read_seed(options.seed),
        read_count("--skip", options.skip, least=0),
        read_workers(options.workers),
        options.until_clear,
    )
