"""A site on a real port in this process, and clients that see and send every byte.

    async with site_in(folder) as here:
        http = Http(here.port)
        answer = await http.ask("GET", "/api/games")
        live = await Socket.open(here.port, table, cookie)

The clients share no code with the program under test: they implement both protocols by hand, so that
they can also violate them.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from uvicorn.server import ServerState

from wonderland.features.my_games.service import service_of as my_games_at
from wonderland.features.ratings.service import service_of as ratings_at
from wonderland.features.replay.service import service_of as replays_at
from wonderland.tables.fairness import ServerKey
from wonderland.tables.limits import Limits
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.service import TableService
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.web.app import Site, application

KEY = ServerKey(bytes(range(32)))
TIMEOUT = 60.0
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_writers: dict[asyncio.StreamWriter, asyncio.AbstractEventLoop] = {}
"""The open connections, with their loops: one left open by another test is none of ours."""


async def connect(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect from an address of this machine; the site closes connections left open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    _writers[writer] = asyncio.get_running_loop()
    return reader, writer


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection."""
    _writers.pop(writer, None)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


class RunningSite(NamedTuple):
    """A site that is being served."""

    site: Site
    port: int
    connections: set[Any]


@asynccontextmanager
async def site_in(
    folder: Path, *, limited: bool = True, key: ServerKey = KEY, limits: Limits | None = None
) -> AsyncIterator[RunningSite]:
    """Serve the tables of a folder as `wonderland serve` does; `limited=False` lifts rate limits."""
    site = Site(TableService(SqliteStorage(folder / "tables.db"), key, limits), bots=1)
    if not limited:
        site.requests = site.hints = site.codes = RateLimiter(rate=1e9, burst=1e9)
        site.creation_limiter = site.daily_limiter = RateLimiter(rate=1e9, burst=1e9)
        replays_at(site).uploads = ratings_at(site).names = RateLimiter(rate=1e9, burst=1e9)
        my_games_at(site).imports = RateLimiter(rate=1e9, burst=1e9)
    config = uvicorn.Config(
        application(site),
        http=site.http_protocol,  # type: ignore[arg-type]  # it is called like a class
        ws=site.protocol,  # type: ignore[arg-type]  # it is called like a class
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    config.load()
    state = ServerState()
    await site.open()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: site.http_protocol(config, state, {}),
        "127.0.0.1",
        0,
    )
    try:
        yield RunningSite(site, server.sockets[0].getsockname()[1], state.connections)
    finally:
        server.close()
        for writer in [writer for writer, its_loop in _writers.items() if its_loop is loop]:
            writer.transport.abort()
            await hang_up(writer)
        for connection in list(state.connections):
            (getattr(connection, "transport", None) or connection._transport).abort()
        await asyncio.sleep(0.01)
        await site.close()


class Answer(NamedTuple):
    """An HTTP response."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    @property
    def cookie(self) -> str:
        """The device's secret, if the response set one."""
        text = self.header("set-cookie") or ""
        return text.partition(";")[0].partition("=")[2]


class Http:
    """An HTTP client with one connection and one request at a time."""

    def __init__(self, port: int, cookie: str = "", address: str = "127.0.0.1") -> None:
        self.port, self.cookie, self.address = port, cookie, address
        self._reader: asyncio.StreamReader | None = None

    async def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request; a body that is not bytes is sent as JSON."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Host": "127.0.0.1"}  # pages name their host, which must not depend on the port
        if self.cookie:
            given["Cookie"] = f"wonderland={self.cookie}"
        if body is not None:
            given |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        given |= headers or {}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
        request = "\r\n".join([*lines, "", ""]).encode("latin-1") + data
        if self._reader is not None:  # the server may have closed it meanwhile
            with suppress(OSError, asyncio.IncompleteReadError):
                return await self._exchange(request, method)
            await self.close()
        self._reader, self._writer = await connect(self.port, self.address)
        return await self._exchange(request, method)

    async def _exchange(self, request: bytes, method: str) -> Answer:
        assert self._reader is not None
        async with asyncio.timeout(TIMEOUT):
            self._writer.write(request)
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = [line.partition(": ") for line in head[1:] if line]
            headers = tuple((name.lower(), value) for name, _, value in pairs)
            length = next((int(value) for name, value in headers if name == "content-length"), None)
            if length is None or method == "HEAD":
                body = b"" if method == "HEAD" else await self._reader.read()
            else:
                body = await self._reader.readexactly(length)
        status = int(head[0].split()[1])
        if ("connection", "close") in headers:
            await self.close()
        return Answer(status, headers, body)

    async def close(self) -> None:
        if self._reader is not None:
            self._reader = None
            await hang_up(self._writer)


class Closed(Exception):  # noqa: N818 - a state, not an error
    """The connection was closed, with the server's close code, if any."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """A WebSocket client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.head = b""
        self.frames: list[tuple[int, bytes]] = []
        """All frames received, except pongs."""

    @classmethod
    async def open(  # noqa: PLR0913, PLR0917 - the parts of a handshake
        cls,
        port: int,
        table: str,
        cookie: str = "",
        query: str = "",
        headers: str = "",
        address: str = "127.0.0.1",
    ) -> Socket:
        """Open a WebSocket; `head` is the server's response."""
        reader, writer = await connect(port, address)
        said = f"Cookie: wonderland={cookie}\r\n" if cookie else ""
        writer.write(
            f"GET /api/tables/{table}/live{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: d29uZGVybGFuZHdvbmRlcg==\r\n{said}{headers}\r\n".encode("latin-1")
        )
        found = cls(reader, writer)
        async with asyncio.timeout(TIMEOUT):
            with suppress(asyncio.IncompleteReadError, OSError):
                found.head = await reader.readuntil(b"\r\n\r\n")
        return found

    @property
    def accepted(self) -> bool:
        return self.head.startswith(b"HTTP/1.1 101")

    def send(self, message: Any) -> None:
        """Send a message; other than bytes or text, it is sent as JSON."""
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        self.send_frame(TEXT, text if isinstance(text, bytes) else text.encode())

    def send_frame(self, opcode: int, data: bytes, *, last: bool = True) -> None:
        """Send one raw frame."""
        self.writer.write(encode_frame(opcode, data, last=last))

    async def next_frame(self) -> tuple[int, bytes]:
        """Return the next frame except pings; raise `Closed` at the end."""
        try:
            async with asyncio.timeout(TIMEOUT):
                while True:
                    first, second = await self.reader.readexactly(2)
                    length = second & 127
                    if length == 126:
                        (length,) = struct.unpack("!H", await self.reader.readexactly(2))
                    elif length == 127:
                        (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
                    data = await self.reader.readexactly(length)
                    if first & 15 == PING:
                        self.send_frame(PONG, data)
                        continue
                    break
        except (asyncio.IncompleteReadError, OSError):
            raise Closed(None) from None
        if first & 15 != PONG:
            self.frames.append((first & 15, data))
        if first & 15 == CLOSE:
            raise Closed(struct.unpack("!H", data[:2])[0] if data else None)
        return first & 15, data

    async def message(self, *kinds: str) -> Any:
        """Return the next message of one of these types."""
        while True:
            opcode, data = await self.next_frame()
            if opcode == TEXT:
                found = json.loads(data)
                if not kinds or found["type"] in kinds:
                    return found

    async def answer(self, key: str) -> Any:
        """Return the answer to the command with this key."""
        while True:
            found = await self.message("done", "refused")
            if found["key"] == key:
                return found

    async def end(self) -> int | None:
        """Read to the end; return the server's close code, if any."""
        try:
            while True:
                await self.next_frame()
        except Closed as closed:
            return closed.code

    async def receive_pending(self) -> list[Any]:
        """Return the messages received since the last call, up to now."""
        mark = os.urandom(8)
        self.send_frame(PING, mark)
        begin = getattr(self, "_received", 0)
        while await self.next_frame() != (PONG, mark):
            pass
        self._received = len(self.frames)
        return [json.loads(data) for _, data in self.frames[begin:]]

    async def close(self) -> None:
        """Close the connection."""
        await hang_up(self.writer)


def encode_frame(opcode: int, data: bytes, *, last: bool = True) -> bytes:
    """Encode one frame as a client sends it: masked, here with zeros."""
    length = len(data)
    if length < 126:
        head = struct.pack("!BB", opcode | 128 * last, 128 | length)
    elif length < 2**16:
        head = struct.pack("!BBH", opcode | 128 * last, 128 | 126, length)
    else:
        head = struct.pack("!BBQ", opcode | 128 * last, 128 | 127, length)
    return head + bytes(4) + data
