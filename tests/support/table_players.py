"""People at tables of a house in this process: what tests of tables are written with."""

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

from wonderland.tables import commands as ask
from wonderland.tables.attendants import Attendants
from wonderland.tables.commands import Refusal
from wonderland.tables.deciding import hashed
from wonderland.tables.fairness import ServerKey
from wonderland.tables.house import House
from wonderland.tables.room import Room
from wonderland.tables.sqlite import SqliteStorage
from wonderland.tables.storage import Storage
from wonderland.tables.table import Table

KEY = ServerKey(bytes(range(32)))
_keys = (f"key{number:08}" for number in itertools.count())


class Guest:
    """Somebody with a device."""

    def __init__(self, house: House, name: str) -> None:
        self.house = house
        self.name = name
        self.device = hashed(name)

    async def do(self, table: str, command: type[ask.Command], **fields: Any) -> dict[str, str]:
        """Do something, knowing the table as it is now; gives what only this guest is told."""
        room = await self.house.room(table)
        given = {"at": room.table.version, "key": next(_keys)} | fields
        decision, _ = await self.house.carried_out(room, self.device, command(**given))
        return decision.told

    async def sit(self, table: str, seat: int | None = None, **fields: Any) -> None:
        """Take a seat."""
        given = {"name": self.name, "contribution": self.device[:32], "seat": seat} | fields
        await self.do(table, ask.Sit, **given)

    async def refused(self, table: str, command: type[ask.Command], **fields: Any) -> Refusal:
        """What this guest is told when something is refused; nothing must have changed."""
        before = (await self.house.room(table)).table
        with pytest.raises(Refusal) as refusal:
            await self.do(table, command, **fields)
        assert (await self.house.room(table)).table is before
        assert len(str(refusal.value)) > 10
        assert str(refusal.value).endswith((".", "?")), str(refusal.value)
        return refusal.value


class Home:
    """A house with attendants, in one folder."""

    def __init__(self, house: House, attendants: Attendants) -> None:
        self.house = house
        self.attendants = attendants
        self.alice, self.bill, self.dinah = (Guest(house, name) for name in ("Alice", "Bill", "Dinah"))

    async def table(self, name: str) -> Table:
        return (await self.house.room(name)).table

    async def lay(self, game: str = "parade", seats: int = 2, **wanted: Any) -> str:
        """A table that Alice is the host of."""
        wish = ask.Open(game=game, seats=seats, **wanted)
        name, self.invitation = await self.house.lay(self.alice.device, wish)
        return name

    async def begun(self, game: str = "parade", **wanted: Any) -> str:
        """A table with Alice and Bill at it, whose game has begun."""
        name = await self.lay(game, 2, **({"access": "open"} | wanted))
        await self.alice.sit(name, 0)
        await self.bill.sit(name, 1, invitation=self.invitation)
        await self.alice.do(name, ask.Start)
        return name

    def at(self, seat: int) -> Guest:
        """Who sits there at a table that was begun."""
        return (self.alice, self.bill)[seat]

    async def play_on(self, name: str, moves: int = 10_000, seed: int = 0) -> Table:
        """Let people play at random: so many moves, or to the end."""
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
            await self.at(seat).do(name, ask.Play, seat=seat, action=word)
        return await self.table(name)


@asynccontextmanager
async def home(
    folder: Path, storage: Storage | None = None, *, key: ServerKey = KEY
) -> AsyncIterator[Home]:
    """A house that is open for as long as this lasts."""
    kept = storage or SqliteStorage(folder / "tables.db")
    await kept.open()
    house = House(kept, key)
    await house.open()
    attendants = Attendants(house, 2)
    attendants.start()
    try:
        yield Home(house, attendants)
    finally:
        await attendants.close()
        await house.close()
        await kept.close()


Scene = Callable[[Home], Awaitable[None]]
"""What happens at a house, from opening to closing."""


class Watching:
    """Somebody who watches a table, with all that was sent of it; who is there is told at any moment."""

    def __init__(self, device: str, seat: int | None) -> None:
        self.device = device
        self.seat = seat
        self.form = None
        self.messages: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        told = msgspec.json.decode(message)
        if told["type"] != "present":
            self.messages.append(told)


def watch(home: Home, room: Room, seat: int | None, after: int = 0) -> Watching:
    """Let somebody watch."""
    watching = Watching("", seat)
    home.house.watch(room, watching, after)
    return watching
