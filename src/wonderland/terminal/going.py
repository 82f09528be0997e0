"""Going to a distant table: who asks, what is printed, and how one leaves."""

from __future__ import annotations

import getpass
import sys

from wonderland.client import calls
from wonderland.client.arriving import Arrival, Wish, arrive, take_seat
from wonderland.client.links import TableLink
from wonderland.client.memory import Memory
from wonderland.core.errors import NotationError
from wonderland.terminal.distant import DistantTable
from wonderland.terminal.plain import Left
from wonderland.terminal.screen import Screen
from wonderland.wire.commands import CreateTable


def lay_and_play(server: str, wanted: CreateTable, name: str) -> int:
    """Create a table, show its link, and sit down there."""
    link = calls.lay(server, Memory().device(server), wanted)
    Screen().show(f"The link to share: {link.text}")
    return play_at(link, Wish(name, seat=0))


def play_at(link: TableLink, wish: Wish) -> int:
    """Come to a table and play, or watch, until the end or until one leaves; gives the exit code."""
    screen, memory = Screen(), Memory()
    arrival = arrive(link, wish, memory, lambda: _ask_name(screen, memory))

    def follow(old: Arrival, table: str, name: str) -> Arrival:
        link = TableLink(old.link.server, table)
        shown = calls.look(link, old.device)
        return take_seat(link, old.device, name, old.seat, memory, shown)

    table = DistantTable(arrival, follow, screen)
    try:
        table.play()
    except (Left, KeyboardInterrupt) as left:
        screen.show(f"Goodbye.{_way_back(table, memory)}")
        if isinstance(left, KeyboardInterrupt):
            raise
    return 0


def _way_back(table: DistantTable, memory: Memory) -> str:
    """How one comes back to one's seat, if one still has one."""
    address, seat = table.arrival.link.address, table.seat
    if seat is None or table.is_over:
        return ""
    if table.has_left and not table.has_begun:
        memory.forget(address, seat)
        return ""
    return f" Your seat is kept: wonderland join {address}"


def _ask_name(screen: Screen, memory: Memory) -> str:
    usual = memory.name or getpass.getuser()
    if not sys.stdin.isatty():
        if memory.name:
            return memory.name
        raise NotationError("--name says what you are called at the table.")
    screen.prompt(f"Your name ({usual}): ")
    line = sys.stdin.readline()
    screen.entered()
    return " ".join(line.split()) or usual
