"""What the command `wonderland arena` does."""

from __future__ import annotations

import argparse

from wonderland.bots import entrant
from wonderland.commands import asking
from wonderland.core.errors import UsageError
from wonderland.core.registry import game
from wonderland.lab.arena import Tournament
from wonderland.lab.playing import Setting
from wonderland.lab.standing import standing
from wonderland.lab.tables import console, show_standing

_DEALS = 100
_DEALS_UNTIL_CLEAR = 1000


def arena(options: argparse.Namespace) -> int:
    """Play, show, and write what was asked for."""
    asking.check_files(json=options.json, plot=options.plot)
    tournament = tournament_of(options)
    by = asking.cluster(options.cluster, options.workers)
    deals = tournament.deals * len(tournament.meetings)
    with asking.nothing_else_said(by), asking.progress("deals", deals) as tell:
        tournament.play(tell, by)
    found = standing(tournament)
    asking.deliver(found, lambda: show_standing(found, console()), options.json, options.plot)
    return asking.INTERRUPTED if tournament.is_interrupted else 0


def tournament_of(options: argparse.Namespace) -> Tournament:
    """What was asked for; everything about it is checked here."""
    the_game = game(options.game)
    name = the_game.info.name
    if len(options.bots) < 2:
        raise UsageError("a tournament needs two bots or more.")
    seats = asking.read_seats(options.seats, the_game.info.seats[0])
    texts = asking.options_of(the_game, options.option)
    setting = Setting(name, seats, tuple(texts.items()))
    setting.start()
    for bot in options.bots:
        entrant(name, bot)
    usual = _DEALS_UNTIL_CLEAR if options.until_clear else _DEALS
    return Tournament(
        setting,
        tuple(options.bots),
        usual if options.deals is None else asking.read_count("--deals", options.deals),
        asking.read_seed(options.seed),
        asking.read_count("--skip", options.skip, least=0),
        asking.read_workers(options.workers),
        options.until_clear,
    )
