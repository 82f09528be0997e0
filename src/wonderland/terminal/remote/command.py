"""The `wonderland join` and `wonderland host` commands: play at a remote table."""

from __future__ import annotations

import argparse
import getpass
import sys

from wonderland.arguments import add_game_name, language_of, options_of
from wonderland.client import http
from wonderland.client.arrival import Arrival, SeatRequest, arrive, take_seat
from wonderland.client.credentials import Credentials
from wonderland.client.links import TableLink, read_link, read_server
from wonderland.engine.errors import UsageError
from wonderland.engine.language import Language, phrase
from wonderland.engine.registry import game
from wonderland.terminal.line_io import Screen
from wonderland.terminal.plain_text import QuitGame
from wonderland.terminal.remote.table import RemoteTable
from wonderland.wire.commands import CreateTable

_JOIN = """\
Join a table by its link and play in plain text. If you leave, your seat is kept: run the same command
again to return.

  wonderland join 'http://host:8000/tables/abc#secret' --name Alice
  wonderland join http://host:8000/tables/abc --watch
"""
_HOST = """\
Open a table on a server, show the link to share, and take a seat.

  wonderland host parade --seats 3
  wonderland host letters --bots queen --server https://example.org
"""


def add_join(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland join` to its parser."""
    parser.description = _JOIN
    parser.add_argument("link", metavar="URL", help="the link to the table (put it in quotes)")
    parser.add_argument(
        "--seat",
        metavar="N",
        type=int,
        help="the seat to take, counting from 1 (default: any free seat)",
    )
    parser.add_argument("--watch", action="store_true", help="watch without taking a seat")
    _add_common(parser)
    parser.set_defaults(run=join)


def add_host(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland host` to its parser."""
    parser.description = _HOST
    add_game_name(parser)
    parser.add_argument(
        "--server",
        metavar="URL",
        default="http://127.0.0.1:8000",
        help="the server to use (default: this computer)",
    )
    parser.add_argument(
        "--seats", metavar="N", type=int, help="number of seats (default: 2, or you and the bots)"
    )
    parser.add_argument(
        "--bots", metavar="LEVEL,…", default="", help="bots for the last seats, such as hatter,queen"
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set a game option; can be repeated",
    )
    parser.add_argument(
        "--open", action="store_true", help="list the table publicly, so that anyone can sit down"
    )
    _add_common(parser)
    parser.set_defaults(run=host)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="your name at the table")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="accepted for consistency; this command always uses plain text",
    )


def join(options: argparse.Namespace) -> int:
    """Join the table behind a link."""
    if options.seat is not None and options.seat < 1:
        raise UsageError(phrase("--seat must be 1 or more, not {number}."), number=options.seat)
    seat = None if options.seat is None else options.seat - 1
    wish = SeatRequest(options.name, seat, options.watch)
    return play_at(read_link(options.link), wish, language_of(options))


def host(options: argparse.Namespace) -> int:
    """Create a table on a server and play there."""
    the_game = game(options.game)
    bots = [level.strip() for level in options.bots.split(",")] if options.bots else []
    seats = max(the_game.info.seats[0], 1 + len(bots)) if options.seats is None else options.seats
    if len(bots) >= seats:
        raise UsageError(
            phrase(
                "{bots} bots leave no seat for you at a table for {seats}. Use more --seats or fewer "
                "--bots."
            ),
            bots=len(bots),
            seats=seats,
        )
    wanted = CreateTable(
        game=the_game.info.name,
        seats=seats,
        options=options_of(the_game, options.option),
        access="open" if options.open else "link",
        bots={str(seats - len(bots) + place): level for place, level in enumerate(bots)},
    )
    return create_and_play(read_server(options.server), wanted, options.name, language_of(options))


def create_and_play(server: str, wanted: CreateTable, name: str, say: Language) -> int:
    """Create a table, show its link, and take a seat."""
    link = http.create_table(server, Credentials().device(server), wanted, say.code)
    Screen().show(f"{say('Send this link to your friends:')} {link.text}")
    return play_at(link, SeatRequest(name, seat=0), say)


def play_at(link: TableLink, wish: SeatRequest, say: Language) -> int:
    """Play or watch at a table until the game ends or the user quits; return the exit code."""
    screen, memory = Screen(), Credentials()
    arrival = arrive(link, wish, memory, lambda: _ask_name(screen, memory, say), say)

    def follow(old: Arrival, table: str, name: str) -> Arrival:
        link = TableLink(old.link.server, table)
        shown = http.get_table(link, old.device, language=say.code)
        return take_seat(link, old.device, name, old.seat, memory, shown, say)

    table = RemoteTable(arrival, follow, screen, say)
    try:
        table.play()
    except (QuitGame, KeyboardInterrupt) as left:
        screen.show(say.sentences([say("Goodbye."), *_way_back(table, memory, say)]))
        if isinstance(left, KeyboardInterrupt):
            raise
    return 0


def _way_back(table: RemoteTable, memory: Credentials, say: Language) -> list[str]:
    """Instructions for returning to the seat, if it is still held."""
    address, seat = table.arrival.link.address, table.seat
    if seat is None or table.is_over:
        return []
    if table.has_left and not table.has_begun:
        memory.forget(address, seat)
        return []
    command = f"wonderland join {address}"
    return [say("We'll keep your seat. To come back, run: {command}", command=command)]


def _ask_name(screen: Screen, memory: Credentials, say: Language) -> str:
    usual = memory.name or getpass.getuser()
    if not sys.stdin.isatty():
        if memory.name:
            return memory.name
        raise UsageError(phrase("your name at the table is missing. Set it with --name."))
    screen.prompt(f"{say('Your name')} ({usual}): ")
    line = sys.stdin.readline()
    screen.entered()
    return " ".join(line.split()) or usual
