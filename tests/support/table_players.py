"""Players at tables of a table service in this process."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from wonderland.tables.automation import Automation
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret
from wonderland.tables.limits import Limits
from wonderland.tables.live_table import LiveTable
from wonderland.tables.release_schedule import Timer
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

KEY = ServerKey(bytes(range(32)))
_keys = (f"key{number:08}" for number in itertools.count())


class TablePlayer:
    """A player, identified by a device."""

    def __init__(self, service: TableService, name: str) -> None:
        self.tables = service
        self.name = name
        self.device = hash_secret(name)

    async def do(self, table: str, command: type[ask.Command], **fields: Any) -> dict[str, str]:
        """Send a command for the current version; return what only this player is told."""
        live = await self.tables.get_live_table(table)
        given = {"at": live.table.version, "key": next(_keys)} | fields
        decision, _ = await self.tables.execute(live, self.device, command(**given))
        return decision.told

    async def sit(self, table: str, seat: int | None = None, **fields: Any) -> None:
        """Take a seat."""
        given = {"name": self.name, "contribution": self.device[:32], "seat": seat} | fields
        await self.do(table, ask.Sit, **given)

    async def expect_refusal(self, table: str, command: type[ask.Command], **fields: Any) -> Refusal:
        """Send a command that must be refused and change nothing; return the refusal."""
        before = (await self.tables.get_live_table(table)).table
        with pytest.raises(Refusal) as refusal:
            await self.do(table, command, **fields)
        assert (await self.tables.get_live_table(table)).table is before
        assert len(str(refusal.value)) > 10
        assert str(refusal.value).endswith((".", "?")), str(refusal.value)
        return refusal.value


class LocalService:
    """A table service with bots and clocks, and three players."""

    def __init__(self, service: TableService, automation: Automation) -> None:
        self.tables = service
        self.automation = automation
        self.alice, self.bill, self.dinah = (
            TablePlayer(service, name) for name in ("Alice", "Bill", "Dinah")
        )

    async def table(self, name: str) -> Table:
        return (await self.tables.get_live_table(name)).table

    async def create_table(self, game: str = "parade", seats: int = 2, **wanted: Any) -> str:
        """Create a table hosted by Alice."""
        wish = ask.CreateTable(game=game, seats=seats, **wanted)
        name, self.invitation = await self.tables.create_table(self.alice.device, wish)
        return name

    async def start_game(self, game: str = "parade", **wanted: Any) -> str:
        """Create a table with Alice and Bill, and start the game."""
        name = await self.create_table(game, 2, **({"access": "open"} | wanted))
        await self.alice.sit(name, 0)
        await self.bill.sit(name, 1, invitation=self.invitation)
        await self.alice.do(name, ask.Start)
        return name

    def player_at(self, seat: int) -> TablePlayer:
        """Return the player in a seat of a table that `start_game` created."""
        return (self.alice, self.bill)[seat]

    async def wait_for_bots(self, name: str) -> Table:
        """Wait until no bot has a turn, so that nothing happens at the table by itself."""
        async with asyncio.timeout(60):
            table = await self.table(name)
            while any(table.places[seat].level for seat in table.to_act):
                await asyncio.sleep(0.01)
                table = await self.table(name)
            return table

    async def play_moves(self, name: str, moves: int = 10_000, seed: int = 0) -> Table:
        """Play at random for a number of moves, or to the end."""
        rng = random.Random(seed)
        for _ in range(moves):
            table = await self.table(name)
            people = [seat for seat in table.to_act if not table.places[seat].level]
            if table.status == "finished":
                break
            if not people:
                await asyncio.sleep(0.01)
                continue
            seat = rng.choice(people)
            assert table.match is not None
            word = table.match.game.write(rng.choice(table.match.legal(seat)))
            await self.player_at(seat).do(name, ask.Play, seat=seat, action=word)
        return await self.table(name)


@asynccontextmanager
async def open_service(  # noqa: PLR0913 - all but the folder are optional
    folder: Path,
    storage: Storage | None = None,
    *,
    key: ServerKey = KEY,
    limits: Limits | None = None,
    threads: int = 2,
    timer: Timer | None = None,
) -> AsyncIterator[LocalService]:
    """Run a table service until the end of the block."""
    kept = storage or SqliteStorage(folder / "tables.db")
    await kept.open()
    service = TableService(kept, key, limits or Limits(bot_tick=0))  # bots answer at once
    await service.open()
    automation = Automation(service, threads, timer)
    automation.start()
    try:
        yield LocalService(service, automation)
    finally:
        await automation.close()
        await service.close()
        await kept.close()


Scenario = Callable[[LocalService], Awaitable[None]]
"""A test's steps, run while the service is open."""


class Watcher:
    """A watcher of a table that keeps all messages except `present`, which may come at any time."""

    def __init__(self, device: str, seat: int | None) -> None:
        self.device = device
        self.seat = seat
        self.form = None
        self.messages: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        told = msgspec.json.decode(message)
        if told["type"] != "present":
            self.messages.append(told)


def watch(home: LocalService, live: LiveTable, seat: int | None, after: int = 0) -> Watcher:
    """Add a watcher to a table."""
    watching = Watcher("", seat)
    home.tables.watch(live, watching, after)
    return watching
