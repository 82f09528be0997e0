"""A proxy that drops, repeats, delays and reorders commands: none is executed twice.

python -m campaigns.faulty_proxy --games 200
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import WebSocketException

from campaigns.crash_recovery import GAMES, check_stored_logs
from campaigns.players import Person, start_game
from support.server import run_server
from wonderland.tables.storage.location import storage_at

_TIMEOUT = 600.0


class Proxy:
    """A faulty WebSocket proxy between players and a server."""

    def __init__(self, server: str, rng: random.Random) -> None:
        self.server = server.replace("http", "ws", 1)
        self.rng = rng
        self.faults: Counter[str] = Counter()

    async def __call__(self, person: Any) -> None:
        """Relay one connection."""
        cookie = person.request.headers.get("Cookie", "")
        url = self.server + person.request.path
        with suppress(OSError, WebSocketException):
            async with connect(
                url, additional_headers={"Cookie": cookie}, compression=None, close_timeout=0.1
            ) as server:
                await asyncio.wait(
                    [
                        asyncio.create_task(self._up(person, server)),
                        asyncio.create_task(self._down(server, person)),
                    ],
                    return_when=asyncio.FIRST_COMPLETED,
                )

    async def _up(self, person: Any, server: Any) -> None:
        with suppress(WebSocketException):
            async for message in person:
                if self.rng.random() < 0.1:
                    self.faults["dropped"] += 1
                    continue
                for _ in range(self.rng.choice((1, 1, 2, 3))):
                    self.faults["sent on"] += 1
                    delay = self.rng.choice(
                        (0, 0, 0.005, 0.05, 0.3)
                    )  # so that later ones may overtake it
                    asyncio.get_running_loop().call_later(delay, _send, server, message)

    async def _down(self, server: Any, person: Any) -> None:
        with suppress(WebSocketException):
            async for message in server:
                if self.rng.random() < 0.02:
                    self.faults["cut off"] += 1
                    return
                await person.send(message)


def _send(server: Any, message: str) -> None:
    async def sending() -> None:
        with suppress(WebSocketException):
            await server.send(message)

    task = asyncio.ensure_future(sending())
    _sending.add(task)
    task.add_done_callback(_sending.discard)


_sending: set[asyncio.Future[None]] = set()


async def campaign(folder: Path, games: int, seed: int) -> dict[str, int]:
    """Play games through the proxy; return counts of its faults and of what was compared."""
    rng = random.Random(seed)
    people: list[Person] = []
    with run_server(folder) as server:
        proxy = Proxy(server.address, rng)
        async with serve(proxy, "127.0.0.1", 0, compression=None) as behind:
            port = behind.sockets[0].getsockname()[1]
            for _ in range(games):
                sat = await asyncio.to_thread(start_game, server.address, rng.choice(GAMES), rng)
                for person in sat:
                    person.address, person.resend_after = f"http://127.0.0.1:{port}", 0.2
                people += sat
            async with asyncio.timeout(_TIMEOUT):
                await asyncio.gather(*(person.play() for person in people))
    found = await check_stored_logs(storage_at(str(server.database)), people)
    return found | dict(proxy.faults)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(campaign(Path(folder), options.games, options.seed))
    print(", ".join(f"{value} {name}" for name, value in found.items()))


if __name__ == "__main__":
    main()
