"""Those who mean harm, and two people who want to go on playing meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Here, Http, site_in
from wonderland.web import live

HOSTILE = "127.0.0.2"
"""Where harm comes from; people play from another address."""


def where(name: str) -> Any:
    """The module in which a WebSocket finds a limit."""
    modules = [sys.modules[kind.__module__] for kind in live.Live.__mro__]
    return next(module for module in modules if hasattr(module, name))


class Game:
    """Two people who play Parade over HTTP and look on live."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.version = self.number = 0
        self.people: list[Http] = []

    async def begin(self) -> None:
        first = Http(self.here.port)
        laid = await first.ask("POST", "/api/tables", {"game": "parade", "seats": 2, "access": "open"})
        self.table, first.cookie = laid.json()["table"], laid.cookie
        self.people = [first, Http(self.here.port)]
        for who, name in enumerate(("Alice", "Bill")):
            sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "seat": who}
            answer = await self.do(who, sit)
            self.people[who].cookie = answer.cookie or self.people[who].cookie
        await self.do(0, {"do": "start"})

    async def do(self, who: int, command: dict[str, Any]) -> Any:
        self.number += 1
        body = {"at": self.version, "key": f"key-{self.number:06}"} | command
        answer = await self.people[who].ask("POST", f"/api/tables/{self.table}/commands", body)
        assert answer.status == 200, answer
        self.version = answer.json()["version"]
        return answer

    async def move(self) -> None:
        """Whoever is to play, plays."""
        look = (await self.people[0].ask("GET", f"/api/tables/{self.table}")).json()
        seat = look["to_act"][0]
        mine = (await self.people[seat].ask("GET", f"/api/tables/{self.table}?seat={seat}")).json()
        await self.do(seat, {"do": "play", "seat": seat, "action": mine["legal"][0]})


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[tuple[Here, Game]]:
    async with site_in(folder) as here:
        game = Game(here)
        await game.begin()
        yield here, game
        await game.move()  # whatever has happened, they go on


def run(folder: Path, attack: Callable[[Here, Game], Awaitable[None]]) -> None:
    """Attack a site, and play on."""

    async def attacked() -> None:
        async with playing(folder) as (here, game):
            await attack(here, game)

    asyncio.run(attacked())


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something that must come."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.01)
