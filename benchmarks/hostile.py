"""Latency of moves before and during attacks on the server.

    PYTHONPATH=src:tests python benchmarks/hostile.py [--seconds 5] [--size 200] [--only stalled]

Runs a real server, `wonderland serve`: two people play Parade from one address, the attack comes from
another. The latency of a move is the time from sending it to its acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Http, Socket, connect, hang_up
from support.server import run_server

HOSTILE = "127.0.0.2"


class Pair:
    """Two clients that play one game after another."""

    def __init__(self, port: int) -> None:
        self.people = [Http(port), Http(port)]
        self.number = 0
        self.table = ""

    async def begin(self) -> None:
        laid = await self.people[0].ask(
            "POST", "/api/tables", {"game": "parade", "seats": 2, "access": "open"}
        )
        self.table, self.version = laid.json()["table"], 0
        self.people[0].cookie = laid.cookie or self.people[0].cookie
        for who, name in enumerate(("Alice", "Bill")):
            sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "seat": who}
            answer = await self.do(who, sit)
            self.people[who].cookie = answer.cookie or self.people[who].cookie
        await self.do(0, {"do": "start"})

    async def do(self, who: int, command: dict[str, Any]) -> Any:
        self.number += 1
        body = {"at": self.version, "key": f"key-{self.number:06}"} | command
        answer = await self.people[who].ask("POST", f"/api/tables/{self.table}/commands", body)
        if answer.status == 200:
            self.version = answer.json()["version"]
        return answer

    async def move(self) -> tuple[float, bool]:
        """Make a move; return how long it took and whether it was accepted."""
        for who in (0, 1):
            answer = await self.people[who].ask("GET", f"/api/tables/{self.table}?seat={who}")
            shown = answer.json()
            if answer.status == 200 and shown["table"]["status"] == "finished":
                await self.begin()
                return await self.move()
            if answer.status == 200 and shown["legal"]:
                begun = time.perf_counter()
                done = await self.do(who, {"do": "play", "seat": who, "action": shown["legal"][0]})
                return time.perf_counter() - begun, done.status == 200
        return 0.0, False


async def measured(pair: Pair, seconds: float) -> str:
    """Play for a number of seconds; return a summary."""
    took, refused, end = [], 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        await asyncio.sleep(0.02)  # as slow as people, and below the rate limits
        each, done = await pair.move()
        took.append(each)
        refused += not done
    took.sort()
    middle, late = took[len(took) // 2], took[min(len(took) - 1, int(len(took) * 0.99))]
    times = f"median {1000 * middle:7.1f} ms, p99 {1000 * late:7.1f} ms"
    return f"{len(took):6} moves, {times}, {refused} refused"


Attack = Callable[[int, Pair, int], Awaitable[None]]
"""Takes the port, the victims (whose table changes over time), and the number of attackers."""


async def stalled(port: int, pair: Pair, size: int) -> None:
    """Open sockets and never read from them."""
    crowd = [await Socket.open(port, pair.table, address=HOSTILE) for _ in range(size)]
    for socket in crowd:
        socket.reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001
    await asyncio.Event().wait()


async def crowd(port: int, pair: Pair, size: int) -> None:
    """Connect and disconnect spectators of one table."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                socket = await Socket.open(port, pair.table, address=HOSTILE)
                await asyncio.sleep(0.2)
                await socket.close()

    await asyncio.gather(*(one() for _ in range(size)))


async def loris(port: int, _pair: Pair, size: int) -> None:
    """Send requests byte by byte (Slowloris)."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                _, writer = await connect(port, HOSTILE)
                for byte in b"GET /api/games HTTP/1.1\r\nX: " + b"x" * 100:
                    writer.write(bytes([byte]))
                    await asyncio.sleep(0.2)
                await hang_up(writer)

    await asyncio.gather(*(one() for _ in range(size)))


async def requests(port: int, pair: Pair, size: int) -> None:
    """Send as many requests as possible over a few connections."""

    async def one() -> None:
        http = Http(port, address=HOSTILE)
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await http.ask("GET", f"/api/tables/{pair.table}?after=0")

    await asyncio.gather(*(one() for _ in range(max(1, size // 20))))


async def jobs(port: int, pair: Pair, size: int) -> None:
    """Send stale commands from strangers, just below the rate limit of each connection."""

    async def one(number: int) -> None:
        while True:
            with suppress(OSError):
                cookie = f"the-cookie-of-stranger-{number}"
                socket = await Socket.open(port, pair.table, cookie, address=HOSTILE)
                for n in range(100):
                    key = f"old-{number}-{n:06}"
                    socket.send({"do": "play", "seat": 0, "action": "R1", "at": 0, "key": key})
                    await asyncio.sleep(0.011)
                await socket.close()

    await asyncio.gather(*(one(n) for n in range(max(1, size // 5))))


async def undos(port: int, pair: Pair, size: int) -> None:  # noqa: ARG001 - one attacker suffices
    """Propose to take a move back again and again, as a seated player, and read the replies."""
    while True:
        table = pair.table
        socket = await Socket.open(port, table, pair.people[0].cookie, address=HOSTILE)
        reading = asyncio.create_task(_read_on(socket))
        while table == pair.table and not reading.done():
            for n in range(50):
                key = f"undo-{time.time_ns()}-{n}"
                socket.send({"do": "propose", "what": "undo", "seat": 0, "at": 0, "key": key})
            await asyncio.sleep(0.55)
        reading.cancel()
        await hang_up(socket.writer)


async def _read_on(socket: Socket) -> None:
    with suppress(OSError):
        while await socket.reader.read(65536):
            pass


ATTACKS: dict[str, Attack] = {
    "stalled": stalled,
    "crowd": crowd,
    "loris": loris,
    "requests": requests,
    "jobs": jobs,
    "undos": undos,
}


async def attacked(port: int, attack: Attack, seconds: float, size: int) -> tuple[str, str]:
    """Measure two players before and during an attack."""
    pair = Pair(port)
    await pair.begin()
    before = await measured(pair, seconds)
    await pair.begin()
    harm = asyncio.ensure_future(attack(port, pair, size))
    await asyncio.sleep(1.0)
    during = await measured(pair, seconds)
    harm.cancel()
    with suppress(asyncio.CancelledError, OSError):
        await harm
    return before, during


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--size", type=int, default=200, help="how many do harm at once")
    parser.add_argument("--only", choices=ATTACKS)
    given = parser.parse_args()
    for name in [given.only] if given.only else ATTACKS:
        with tempfile.TemporaryDirectory() as folder, run_server(Path(folder)) as server:
            try:
                work = attacked(server.port, ATTACKS[name], given.seconds, given.size)
                before, during = asyncio.run(work)
            finally:
                server.kill()
        print(f"{name}\n  before {before}\n  during {during}")


if __name__ == "__main__":
    main()
