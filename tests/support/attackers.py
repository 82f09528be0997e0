"""Attacks on a site, and two players whose game must continue meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Http, RunningSite, site_in
from wonderland.web import table_socket

ATTACKER_ADDRESS = "127.0.0.2"
"""Where attacks come from; the players use another address."""


def module_with_limit(name: str) -> Any:
    """Return the module that defines a limit of WebSocket connections."""
    modules = [sys.modules[kind.__module__] for kind in table_socket.TableSocket.__mro__]
    return next(module for module in modules if hasattr(module, name))


class HonestGame:
    """Two players of Parade over HTTP."""

    def __init__(self, here: RunningSite) -> None:
        self.here = here
        self.version = self.number = 0
        self.people: list[Http] = []

    async def start(self) -> None:
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
        """Make one legal move for the player whose turn it is."""
        look = (await self.people[0].ask("GET", f"/api/tables/{self.table}")).json()
        seat = look["to_act"][0]
        mine = (await self.people[seat].ask("GET", f"/api/tables/{self.table}?seat={seat}")).json()
        await self.do(seat, {"do": "play", "seat": seat, "action": mine["legal"][0]})


@asynccontextmanager
async def game_under_attack(folder: Path) -> AsyncIterator[tuple[RunningSite, HonestGame]]:
    async with site_in(folder) as here:
        game = HonestGame(here)
        await game.start()
        yield here, game
        await game.move()  # the game must continue after the attack


def run_attack(folder: Path, attack: Callable[[RunningSite, HonestGame], Awaitable[None]]) -> None:
    """Run an attack against a site where a game is in progress."""

    async def attacked() -> None:
        async with game_under_attack(folder) as (here, game):
            await attack(here, game)

    asyncio.run(attacked())


async def wait_until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Poll until a condition holds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
