"""The commands `wonderland join` and `wonderland host`: what can be asked of them."""

from __future__ import annotations

import argparse
from typing import Any

_JOIN = """\
Come to a table by its link, as people share it, and play there in lines of text. You keep your seat when
you go: the same command brings you back to it.

  wonderland join 'http://host:8000/tables/abc#secret' --name Alice
  wonderland join http://host:8000/tables/abc --watch
"""
_HOST = """\
Lay a table on a server, show the link to share, and sit down there.

  wonderland host parade --seats 3
  wonderland host letters --bots queen --server https://example.org
"""


def add(commands: Any) -> None:
    """Describe the commands; `commands` is what `argparse` gives for subcommands."""
    join: argparse.ArgumentParser = commands.add_parser(
        "join",
        help="play at somebody's table, over the net",
        description=_JOIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    join.add_argument("link", metavar="URL", help="the link to the table; put it in quotes")
    join.add_argument("--seat", metavar="N", type=int, help="this seat, counted from 1; or any")
    join.add_argument("--watch", action="store_true", help="take no seat")
    _add_common(join)
    join.set_defaults(run=_join)

    host: argparse.ArgumentParser = commands.add_parser(
        "host",
        help="lay a table on a server, and play there",
        description=_HOST,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    host.add_argument("game", help="a game, as 'wonderland games' lists them")
    host.add_argument("--server", metavar="URL", default="http://127.0.0.1:8000", help="(this machine)")
    host.add_argument("--seats", metavar="N", type=int, help="(2, or you and the bots)")
    host.add_argument(
        "--bots", metavar="LEVEL,…", default="", help="bots for the last seats, such as hatter,queen"
    )
    host.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game"
    )
    host.add_argument("--open", action="store_true", help="whoever finds the table may sit down")
    _add_common(host)
    host.set_defaults(run=_host)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="what you are called at the table")
    parser.add_argument("--plain", action="store_true", help="lines of text, as it is anyway")


def _join(options: argparse.Namespace) -> int:
    from wonderland.client.arriving import Wish  # noqa: PLC0415 - only what a command needs
    from wonderland.client.links import read_link  # noqa: PLC0415 - the same
    from wonderland.core.errors import NotationError  # noqa: PLC0415 - the same
    from wonderland.terminal.going import play_at  # noqa: PLC0415 - the same

    if options.seat is not None and options.seat < 1:
        raise NotationError(f"--seat {options.seat} is not possible: seats are counted from 1.")
    seat = None if options.seat is None else options.seat - 1
    return play_at(read_link(options.link), Wish(options.name, seat, options.watch))


def _host(options: argparse.Namespace) -> int:
    from wonderland.client.links import read_server  # noqa: PLC0415 - only what a command needs
    from wonderland.commands.asking import options_of  # noqa: PLC0415 - the same
    from wonderland.core.errors import NotationError  # noqa: PLC0415 - the same
    from wonderland.core.registry import game  # noqa: PLC0415 - the same
    from wonderland.terminal.going import lay_and_play  # noqa: PLC0415 - the same
    from wonderland.wire.commands import CreateTable  # noqa: PLC0415 - the same

    the_game = game(options.game)
    bots = [level.strip() for level in options.bots.split(",")] if options.bots else []
    seats = max(the_game.info.seats[0], 1 + len(bots)) if options.seats is None else options.seats
    if len(bots) >= seats:
        raise NotationError(f"{len(bots)} bots leave no seat for you: there are {seats} in all.")
    wanted = CreateTable(
        game=the_game.info.name,
        seats=seats,
        options=options_of(the_game, options.option),
        access="open" if options.open else "link",
        bots={str(seats - len(bots) + place): level for place, level in enumerate(bots)},
    )
    return lay_and_play(read_server(options.server), wanted, options.name)
