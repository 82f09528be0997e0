"""The command `wonderland arena`."""

from __future__ import annotations

import argparse

from wonderland.arguments import language_of, options_of, read_count, read_seats, read_seed
from wonderland.bots import entrant
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
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
from wonderland.lab.labels import count_deals
from wonderland.lab.standings import standings_of

_ABOUT = """\
Run a tournament between bots and rate them. All bots play the same deals from every seat.

In two-player games, every bot plays every other bot. With --seats N and exactly N bots, they all play
at one table. With any other number of bots, one bot of each kind plays against a table full of each
other kind.

A bot is one of the game's levels, or your own bot given as package.module:Bot. To set how much it
thinks, add @ and a limit: a number of playouts per action, or a number of seconds per decision.

  wonderland arena parade dodo hatter
  wonderland arena parade hatter@100 hatter@1000 --until-clear
  wonderland arena cookies queen@0.1s my_bots.clever:Bot --seats 4 --plot ratings.svg
"""

_DEALS = 100
_DEALS_UNTIL_CLEAR = 1000


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland arena`."""
    parser.description = _ABOUT
    add_game(parser)
    parser.add_argument("bots", metavar="BOT", nargs="+", help="two or more bots")
    parser.add_argument("--seats", metavar="N", help="number of seats at a table (default: 2)")
    parser.add_argument(
        "--deals",
        metavar="N",
        help="number of deals for each pair or table, each played from every seat "
        "(default: 100, or 1000 with --until-clear)",
    )
    parser.add_argument(
        "--until-clear",
        action="store_true",
        help="stop as soon as it's clear which bot of every pair is stronger",
    )
    add_run_options(parser, "deals")
    parser.set_defaults(run=arena)


def arena(options: argparse.Namespace) -> int:
    """Run the tournament, then show and write the results."""
    check_files(json=options.json, plot=options.plot)
    tournament = tournament_of(options)
    by = cluster(options.cluster, options.workers)
    deals = tournament.deals * len(tournament.meetings)
    say = language_of(options)
    with redirect_cluster_output(by), progress(deals, count_deals, say) as tell:
        tournament.play(tell, by)
    deliver(standings_of(tournament), options.json, options.plot, say)
    return INTERRUPTED if tournament.is_interrupted else 0


def tournament_of(options: argparse.Namespace) -> Tournament:
    """Create the tournament from the command line, after validating all of it."""
    the_game = game(options.game)
    name = the_game.info.name
    if len(options.bots) < 2:
        raise UsageError(phrase("a tournament needs two or more bots. Name them after the game."))
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
