"""The `wonderland join` and `wonderland host` commands: play at a remote table."""

from __future__ import annotations

import argparse
import getpass
import sys

from wonderland.arguments import options_of
from wonderland.client import http
from wonderland.client.arrival import Arrival, SeatRequest, arrive, take_seat
from wonderland.client.credentials import Credentials
from wonderland.client.links import TableLink, read_link, read_server
from wonderland.engine.errors import UsageError
from wonderland.engine.registry import game
from wonderland.terminal.line_io import Screen
from wonderland.terminal.plain_text import QuitGame
from wonderland.terminal.remote.table import RemoteTable
from wonderland.wire.commands import CreateTable

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


def add_join(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland join` to its parser."""
    parser.description = _JOIN
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("link", metavar="URL", help="the link to the table; put it in quotes")
    parser.add_argument("--seat", metavar="N", type=int, help="this seat, counted from 1; or any")
    parser.add_argument("--watch", action="store_true", help="take no seat")
    _add_common(parser)
    parser.set_defaults(run=join)


def add_host(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland host` to its parser."""
    parser.description = _HOST
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", help="a game, as 'wonderland games' lists them")
    parser.add_argument(
        "--server", metavar="URL", default="http://127.0.0.1:8000", help="(this machine)"
    )
    parser.add_argument("--seats", metavar="N", type=int, help="(2, or you and the bots)")
    parser.add_argument(
        "--bots", metavar="LEVEL,…", default="", help="bots for the last seats, such as hatter,queen"
    )
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the game"
    )
    parser.add_argument("--open", action="store_true", help="whoever finds the table may sit down")
    _add_common(parser)
    parser.set_defaults(run=host)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="what you are called at the table")
    parser.add_argument("--plain", action="store_true", help="lines of text, as it is anyway")


def join(options: argparse.Namespace) -> int:
    """Join the table behind a link."""
    if options.seat is not None and options.seat < 1:
        raise UsageError(f"--seat {options.seat} is not possible: seats are counted from 1.")
    seat = None if options.seat is None else options.seat - 1
    return play_at(read_link(options.link), SeatRequest(options.name, seat, options.watch))


def host(options: argparse.Namespace) -> int:
    """Create a table on a server and play there."""
    the_game = game(options.game)
    bots = [level.strip() for level in options.bots.split(",")] if options.bots else []
    seats = max(the_game.info.seats[0], 1 + len(bots)) if options.seats is None else options.seats
    if len(bots) >= seats:
        raise UsageError(f"{len(bots)} bots leave no seat for you: there are {seats} in all.")
    wanted = CreateTable(
        game=the_game.info.name,
        seats=seats,
        options=options_of(the_game, options.option),
        access="open" if options.open else "link",
        bots={str(seats - len(bots) + place): level for place, level in enumerate(bots)},
    )
    return create_and_play(read_server(options.server), wanted, options.name)


def create_and_play(server: str, wanted: CreateTable, name: str) -> int:
    """Create a table, show its link, and take a seat."""
    link = http.create_table(server, Credentials().device(server), wanted)
    Screen().show(f"The link to share: {link.text}")
    return play_at(link, SeatRequest(name, seat=0))


def play_at(link: TableLink, wish: SeatRequest) -> int:
    """Play or watch at a table until the game ends or the user quits; return the exit code."""
    screen, memory = Screen(), Credentials()
    arrival = arrive(link, wish, memory, lambda: _ask_name(screen, memory))

    def follow(old: Arrival, table: str, name: str) -> Arrival:
        link = TableLink(old.link.server, table)
        shown = http.get_table(link, old.device)
        return take_seat(link, old.device, name, old.seat, memory, shown)

    table = RemoteTable(arrival, follow, screen)
    try:
        table.play()
    except (QuitGame, KeyboardInterrupt) as left:
        screen.show(f"Goodbye.{_way_back(table, memory)}")
        if isinstance(left, KeyboardInterrupt):
            raise
    return 0


def _way_back(table: RemoteTable, memory: Credentials) -> str:
    """Instructions for returning to the seat, if it is still held."""
    address, seat = table.arrival.link.address, table.seat
    if seat is None or table.is_over:
        return ""
    if table.has_left and not table.has_begun:
        memory.forget(address, seat)
        return ""
    return f" Your seat is kept: wonderland join {address}"


def _ask_name(screen: Screen, memory: Credentials) -> str:
    usual = memory.name or getpass.getuser()
    if not sys.stdin.isatty():
        if memory.name:
            return memory.name
        raise UsageError("--name says what you are called at the table.")
    screen.prompt(f"Your name ({usual}): ")
    line = sys.stdin.readline()
    screen.entered()
    return " ".join(line.split()) or usual
