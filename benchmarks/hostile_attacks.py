"""The attacks of `hostile.py`. Each runs until it is cancelled; size 100 is as it was reported.

Attackers come from one address, the players from another.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from campaigns.raw_clients import PING, PONG, TEXT, Http, Socket, connect, encode_frame, hang_up
from support.paths import TESTS

HOSTILE = "127.0.0.2"
_UNTIL_TIMEOUT = 10.0
_RECORD = TESTS / "records" / "parade" / "3-players-sixth-colour.record"


class Victims(NamedTuple):
    """What an attack may know: the server's port, and the players whom it disturbs."""

    port: int
    pair: Any
    prepared: list[str]
    """Tables that were prepared for the attack."""


Attack = Callable[[Victims, int], Awaitable[str | None]]
"""Takes the victims and the size in percent; what it returns is printed."""


def scaled(number: int, size: int) -> int:
    """A number at a size in percent, at least 1."""
    return max(1, number * size // 100)


class Attacker(Http):
    """A client at the attackers' address that creates tables."""

    def __init__(self, port: int) -> None:
        super().__init__(port, address=HOSTILE)
        self.number = 0

    async def create(self, **wanted: Any) -> str:
        created = await self.ask("POST", "/api/tables", {"game": "parade", "seats": 2} | wanted)
        if created.status != 201:
            return ""
        self.cookie = created.cookie or self.cookie
        return str(created.json()["table"])

    async def do(self, table: str, at: int, command: dict[str, Any]) -> Any:
        self.number += 1
        body = {"at": at, "key": f"hostile-{self.number:06}"} | command
        return await self.ask("POST", f"/api/tables/{table}/commands", body)


# Bots


async def queens(victims: Victims, size: int) -> str:
    """Create 200 tables with five Queens each, and leave."""
    attacker = Attacker(victims.port)
    for _ in range(scaled(200, size)):
        bots = {str(seat): "queen" for seat in range(1, 6)}
        table = await attacker.create(seats=6, access="bots", bots=bots)
        sit = {"do": "sit", "name": "Mallory", "contribution": "ab" * 16}
        await attacker.do(table, 0, sit)
        await attacker.do(table, 1, {"do": "start"})
        await attacker.do(table, 2, {"do": "leave", "seat": 0})
    return f"{scaled(200, size)} tables created"


# Pages


async def pages(victims: Victims, size: int) -> None:
    """Request a page that is expensive to render over 20 connections."""
    http = Http(victims.port, address=HOSTILE)
    uploaded = await http.ask("POST", "/api/replays", {"text": _RECORD.read_text()})
    paths = ["/position/parade", f"/replay/{uploaded.json()['id']}?at=20"]

    async def one(number: int) -> None:
        client = Http(victims.port, address=HOSTILE)
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await client.ask("GET", paths[number % 2])

    await asyncio.gather(*(one(n) for n in range(scaled(20, size))))


# Long logs


async def flood(victims: Victims, size: int) -> None:
    """Append to one log as fast as the server allows, over 8 connections."""
    attacker = Attacker(victims.port)
    table = await attacker.create()

    async def one(number: int) -> None:
        while True:
            with suppress(OSError):
                socket = await Socket.open(victims.port, table, attacker.cookie, address=HOSTILE)
                reading = asyncio.create_task(read_on(socket))
                n = 0
                while not reading.done():
                    n += 1
                    key = f"flood-{number}-{time.time_ns()}"
                    socket.send({"do": "silence", "off": bool(n % 2), "at": 0, "key": key})
                    await asyncio.sleep(0.011)

    await asyncio.gather(*(one(n) for n in range(scaled(8, size))))


async def long_log(victims: Victims, size: int) -> str:  # noqa: ARG001 - prepared at this size
    """Open tables with 200,000 entries one after another."""
    attacker = Attacker(victims.port)
    opened = 0
    for table in victims.prepared:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            opened += (await attacker.ask("GET", f"/api/tables/{table}")).status == 200
    return f"{opened} tables opened"


async def prepare_long_logs(port: int, database: Path, size: int) -> list[str]:
    """Create tables with long logs, written as another process could."""
    attacker = Attacker(port)
    tables = [await attacker.create() for _ in range(3)]
    bodies = [json.dumps({"is": "silenced", "off": off}) for off in (False, True)]
    with sqlite3.connect(database, timeout=30) as connection:
        for table in tables:
            connection.executemany(
                "INSERT INTO log (table_id, n, time, body) VALUES (?, ?, ?, ?)",
                [(table, n, 0, bodies[n % 2]) for n in range(1, scaled(200_000, size))],
            )
    return tables


# Spectators


async def spectators(victims: Victims, size: int) -> str:
    """Watch the players' table over 300 connections, as pages; then see whether a player gets in."""
    table = victims.pair.table
    crowd = [
        await Socket.open(victims.port, table, query="?form=page", address=HOSTILE)
        for _ in range(scaled(300, size))
    ]
    reading = [asyncio.create_task(read_on(socket)) for socket in crowd]
    await asyncio.sleep(0.5)
    seated = await Socket.open(victims.port, table, victims.pair.people[0].cookie, address=HOSTILE)
    try:
        await seated.message("table")
        says = "a seated player got in"
    except Exception as error:  # noqa: BLE001 - whatever turned them away
        says = f"a seated player was locked out: {error!r}"
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*reading)
    return says


async def listing(victims: Victims, size: int) -> str:
    """Create 13 open tables, and see whether a table of somebody else is still on the first page."""
    other = Http(victims.port, address="127.0.0.5")
    wish = {"game": "parade", "seats": 2, "access": "open"}
    modest = (await other.ask("POST", "/api/tables", wish)).json()["table"]
    for _ in range(scaled(13, size)):
        attacker = Attacker(victims.port)  # a new device each time
        await attacker.create(access="open")
        await attacker.close()
    home = await other.ask("GET", "/")
    return "listed" if modest.encode() in home.body else "pushed out of the list"


# Connections and messages


async def stalled(victims: Victims, size: int) -> None:
    """Open 200 sockets and never read from them."""
    crowd = [
        await Socket.open(victims.port, victims.pair.table, address=HOSTILE)
        for _ in range(scaled(200, size))
    ]
    for socket in crowd:
        socket.reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001
    await asyncio.Event().wait()


async def crowd(victims: Victims, size: int) -> None:
    """Connect and disconnect 200 spectators of one table."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                socket = await Socket.open(victims.port, victims.pair.table, address=HOSTILE)
                await asyncio.sleep(0.2)
                await socket.close()

    await asyncio.gather(*(one() for _ in range(scaled(200, size))))


async def loris(victims: Victims, size: int) -> None:
    """Send 200 requests byte by byte (Slowloris)."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                _, writer = await connect(victims.port, HOSTILE)
                for byte in b"GET /api/games HTTP/1.1\r\nX: " + b"x" * 100:
                    writer.write(bytes([byte]))
                    await asyncio.sleep(0.2)
                await hang_up(writer)

    await asyncio.gather(*(one() for _ in range(scaled(200, size))))


async def requests(victims: Victims, size: int) -> None:
    """Send as many requests as possible over 10 connections."""

    async def one() -> None:
        http = Http(victims.port, address=HOSTILE)
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await http.ask("GET", f"/api/tables/{victims.pair.table}?after=0")

    await asyncio.gather(*(one() for _ in range(scaled(10, size))))


async def jobs(victims: Victims, size: int) -> None:
    """Send stale commands from 40 strangers, just below the rate limit of each connection."""

    async def one(number: int) -> None:
        while True:
            with suppress(OSError):
                cookie = f"the-cookie-of-stranger-{number}"
                socket = await Socket.open(victims.port, victims.pair.table, cookie, address=HOSTILE)
                for n in range(100):
                    key = f"old-{number}-{n:06}"
                    socket.send({"do": "play", "seat": 0, "action": "R1", "at": 0, "key": key})
                    await asyncio.sleep(0.011)
                await socket.close()

    await asyncio.gather(*(one(n) for n in range(scaled(40, size))))


async def undos(victims: Victims, size: int) -> None:
    """Propose to take a move back 50 times at once, as a seated player, and read the replies."""
    pair = victims.pair
    while True:
        table = pair.table
        socket = await Socket.open(victims.port, table, pair.people[0].cookie, address=HOSTILE)
        reading = asyncio.create_task(read_on(socket))
        while table == pair.table and not reading.done():
            for n in range(scaled(50, size)):
                key = f"undo-{time.time_ns()}-{n}"
                socket.send({"do": "propose", "what": "undo", "seat": 0, "at": 0, "key": key})
            await asyncio.sleep(0.55)
        reading.cancel()
        await hang_up(socket.writer)


async def read_on(socket: Socket) -> None:
    """Read and ignore everything that comes."""
    with suppress(OSError):
        while await socket.reader.read(65536):
            pass


async def pings(victims: Victims, size: int) -> None:
    """Flood the server with pings, pongs and empty fragments over 20 sockets."""
    opcodes = (PING, PONG, 0)

    async def one(number: int) -> None:
        opcode = opcodes[number % 3]
        frames = encode_frame(opcode, b"", last=bool(opcode)) * 2000
        while True:
            with suppress(OSError):
                socket = await Socket.open(victims.port, victims.pair.table, address=HOSTILE)
                reading = asyncio.create_task(read_on(socket))
                if not opcode:
                    socket.send_frame(TEXT, b"", last=False)
                while not reading.done():
                    socket.writer.write(frames)
                    await socket.writer.drain()
                    await asyncio.sleep(0)
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one(n) for n in range(scaled(20, size))))


async def half_open(victims: Victims, size: int) -> str:
    """Open 2,000 connections and send nothing, again every 10 seconds, when they time out."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, min(most, 8192)), most))

    number, tried = scaled(2000, size), 0

    async def one() -> None:
        nonlocal tried
        while True:
            with suppress(OSError):
                reader, writer = await connect(victims.port, HOSTILE)
                tried += 1
                await reader.read()
                await hang_up(writer)
            await asyncio.sleep(_UNTIL_TIMEOUT)

    crowd = asyncio.gather(*(one() for _ in range(number)))
    while tried < number:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.05)
    says = "a newcomer was turned away"
    with suppress(OSError, asyncio.IncompleteReadError):
        newcomer = await Http(victims.port, address="127.0.0.5").ask("GET", "/api/games")
        says = "a newcomer got in" if newcomer.status == 200 else says
    with suppress(asyncio.CancelledError):
        await crowd
    return says


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        queens,
        pages,
        flood,
        long_log,
        spectators,
        listing,
        stalled,
        crowd,
        loris,
        requests,
        jobs,
        undos,
        pings,
        half_open,
    )
}
