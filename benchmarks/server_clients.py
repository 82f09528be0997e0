"""The load generator of `server.py` and `nodes.py`.

One lightweight client implementation plays at all servers, so that only the servers differ.

A client implements WebSocket by hand (with zero masks, which the protocol allows) and doesn't parse
JSON: it searches for the few bytes it needs. At each table two clients take turns as fast as they
receive each other's moves; when their game is over, another pair that is already connected starts.
Where both are to act at once, the first seat goes first.
"""

from __future__ import annotations

import asyncio
import random
import resource
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, cast

UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)

_CONNECTING = 20
"""Tables to connect to concurrently."""
_TIMEOUT = 120.0

Address: TypeAlias = tuple[str, int]


class Client(asyncio.Protocol, ABC):
    """Minimal WebSocket client; subclasses implement the server's protocol."""

    path = ""
    more = ""

    def __init__(self, board: Board, seat: int) -> None:
        self.board, self.seat = board, seat
        self._open = self._closing = False
        self._buffer = b""

    def opened(self) -> None: ...

    @abstractmethod
    def heard(self, message: bytes) -> None: ...

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        request = UPGRADE.format(path=self.path, host=self.board.host(self.seat), more=self.more)
        self._transport.write(request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._closing:
            self.board.load.fail(f"a connection was lost: {exc or self._buffer[:200]!r}")

    def data_received(self, data: bytes) -> None:
        if self._buffer:
            data = self._buffer + data
        if not self._open:
            head, end, rest = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = data
                return
            if b" 101 " not in head[:16]:
                self.board.load.fail(head.decode())
                return
            self._open, data = True, rest
            self.opened()
        begin, size = 0, len(data)
        while size - begin >= 2:
            length, body = data[begin + 1], begin + 2
            if length == 126:
                length, body = int.from_bytes(data[begin + 2 : begin + 4]), begin + 4
            elif length == 127:
                length, body = int.from_bytes(data[begin + 2 : begin + 10]), begin + 10
            if size < body + length:
                break
            if data[begin] == 0x81:
                self.board.load.received += length
                self.heard(data[body : body + length])
            elif data[begin] == 0x89:  # a ping
                self._write(0x8A, data[body : body + length])
            else:
                self.board.load.fail(f"an unexpected frame: {data[begin : begin + 80]!r}")
            begin = body + length
        self._buffer = data[begin:]

    def send(self, message: bytes) -> None:
        self._write(0x81, message)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._write(0x88, b"\x03\xe8")
            self._transport.close()

    def _write(self, kind: int, body: bytes) -> None:
        if len(body) < 126:
            head = bytes((kind, 0x80 | len(body)))
        else:
            head = struct.pack("!BBH", kind, 0xFE, len(body))
        self._transport.write(head + b"\0\0\0\0" + body)


class WonderlandClient(Client):
    """Player at one of our tables."""

    def __init__(self, board: Board, seat: int) -> None:
        super().__init__(board, seat)
        prepared = board.table
        self.path = f"/api/tables/{prepared.table}/live?seat={seat}"
        self.more = f"Cookie: wonderland={prepared.devices[seat]}\r\n"
        self._digit = b"%d" % seat

    def heard(self, message: bytes) -> None:
        if message.startswith(b'{"type":"table"'):
            if self.board.waits(self, message):
                return
            acting = message.index(b'"to_act":[') + 10
            who = message[acting : acting + 1]
            version = message[26 : message.index(b",", 26)]
            self.board.shown(self.seat, int(version))
            if who == self._digit:
                begin = message.index(b'"legal":[', acting) + 9
                words = message[begin : message.index(b"]", begin)].split(b",")
                word = words[int(self.board.load.next_random() * len(words))]
                self.board.moving(self.seat, int(version) + 1)
                self.send(
                    b'{"do":"play","at":%b,"key":"%b-%016d","seat":%b,"action":%b}'
                    % (version, self._digit, int(version), self._digit, word)
                )
            elif who == b"]":
                self.board.over()
        elif message.startswith(b'{"type":"refused"'):
            self.board.load.fail(message.decode())


class BoardgameClient(Client):
    """Player at boardgame.io's server, over socket.io, where `42` marks a message."""

    path = "/socket.io/?EIO=4&transport=websocket"

    def __init__(self, board: Board, seat: int) -> None:
        super().__init__(board, seat)
        self._mine = b'"currentPlayer":"%d"' % seat
        self._match, credentials = board.table
        self._credentials = credentials[seat]

    def heard(self, message: bytes) -> None:
        if message.startswith(b"42/parade,["):
            kind = message[12:16]
            if kind in (b"upda", b"sync") and not self.board.waits(self, message):
                self._inspect(message)
        elif message == b"2":  # socket.io's own ping
            self.send(b"3")
        elif message.startswith(b"0{"):
            self.send(b"40/parade,")
        elif message.startswith(b"40/parade,{"):
            sync = '42/parade,["sync","{}","{}","{}",2]'
            self.send(sync.format(self._match, self.seat, self._credentials).encode())
        else:
            self.board.load.fail(message.decode())

    def _inspect(self, message: bytes) -> None:
        begin = message.index(b'"_stateID":') + 11
        end = begin + 1
        while message[end] in b"0123456789":
            end += 1
        version = message[begin:end]
        self.board.shown(self.seat, int(version))
        if b'"gameover":' in message:
            self.board.over()
        elif self._mine in message:
            hand = message.index(b'"hand":[') + 8
            cards = message.count(b",", hand, message.index(b"]", hand)) + 1
            card = int(self.board.load.next_random() * cards)
            self.board.moving(self.seat, int(version) + 1)
            action = (
                '42/parade,["update",{{"type":"MAKE_MOVE","payload":{{"type":"play","args":[{}],'
                '"playerID":"{}","credentials":"{}"}}}},{},"{}","{}"]'
            )
            self.send(
                action.format(
                    card, self.seat, self._credentials, int(version), self._match, self.seat
                ).encode()
            )


class Board:
    """One game between two clients, which connect before it starts."""

    def __init__(self, load: Load, table: Any, addresses: tuple[Address, Address]) -> None:
        self.load, self.table = load, table
        self._addresses = addresses
        self._first: list[tuple[Client, bytes]] = []
        self._ready = asyncio.get_running_loop().create_future()
        self._begun = self._over = False
        self._mover = self._version = -1
        self._sent = 0.0

    def host(self, seat: int) -> str:
        """The server that a seat is connected to."""
        host, port = self._addresses[seat]
        return f"{host}:{port}"

    async def connect(self) -> None:
        """Connect both clients and wait until they have received the table."""
        loop, load = asyncio.get_running_loop(), self.load
        for seat in (0, 1):
            client = load.kind(self, seat)
            await loop.create_connection(partial(_same, client), *self._addresses[seat])
            load.clients.append(client)
        await self._ready

    def waits(self, client: Client, message: bytes) -> bool:
        """Keep a client's first message until the game starts; return whether it was kept."""
        if self._begun:
            return False
        self._first.append((client, message))
        if len(self._first) == 2:
            self._ready.set_result(None)
        return True

    def begin(self) -> None:
        """Start the game."""
        self._begun = True
        for client, message in self._first:
            client.heard(message)

    def moving(self, seat: int, version: int) -> None:
        """Note that a client sends a move, which will create this version."""
        self._mover, self._version, self._sent = seat, version, time.perf_counter()

    def shown(self, seat: int, version: int) -> None:
        """Note that a client received a version; if it is the other's move, record its latency."""
        if seat != self._mover and version == self._version:
            self._version = -1
            self.load.latencies.append(time.perf_counter() - self._sent)

    def over(self) -> None:
        """Start another game once both clients have seen the end."""
        if self._over:
            self.load.next()
        self._over = True


@dataclass
class Measured:
    """Result of a run."""

    moves: int
    seconds: float
    latencies: list[float]
    """Seconds from sending each move until the other player received it."""
    received: int
    """Bytes of messages to both players."""
    clients: float
    """Cores used by the clients."""
    server: float
    """Cores used by the server."""


@dataclass
class Load:
    """Plays a number of games concurrently, as fast as the server allows."""

    kind: Callable[[Board, int], Client]
    addresses: Sequence[Address]
    """Addresses of servers with the same tables, which are assigned round robin."""
    apart: bool = False
    """Whether the two players of a table connect to different servers."""
    next_random: Callable[[], float] = field(default_factory=lambda: random.Random(1).random)
    latencies: list[float] = field(default_factory=list)
    received: int = 0
    clients: list[Client] = field(default_factory=list)

    def fail(self, why: str) -> None:
        if not self._done.done():
            self._done.set_exception(SystemExit(why))

    def next(self) -> None:
        """Start the next game, or finish the measurement if there is none left."""
        if self._boards:
            self._boards.pop().begin()
        elif not self._done.done():
            self._done.set_result(None)
        if len(self._boards) == self._warm and not self._warmed.done():
            self._warmed.set_result(None)

    async def run(
        self, tables: Sequence[Any], at_once: int, seconds: float, spent: Callable[[], float]
    ) -> Measured:
        """Play until the last game starts, for at most `seconds`.

        Measurement starts once the first `at_once` games have been replaced by others. `spent` returns
        the server's CPU time.
        """
        loop = asyncio.get_running_loop()
        self._done, self._warmed = loop.create_future(), loop.create_future()
        self._boards = [Board(self, table, self._where(n)) for n, table in enumerate(tables)]
        self._warm = len(tables) - 2 * at_once
        for begin in range(0, len(tables), _CONNECTING):
            await self._until(asyncio.gather(*[b.connect() for b in self._boards[begin:][:_CONNECTING]]))
        for _ in range(at_once):
            self.next()
        await self._until(self._warmed)
        self.latencies, self.received = [], 0
        begun, own, its = time.perf_counter(), _own_time(), spent()
        await asyncio.wait([self._done], timeout=seconds)
        took = time.perf_counter() - begun
        own, its = _own_time() - own, spent() - its
        measured = self.latencies
        if self._done.done():
            await self._done  # raises if it has failed
        for client in self.clients:
            client.close()
        return Measured(len(measured), took, measured, self.received, own / took, its / took)

    def _where(self, number: int) -> tuple[Address, Address]:
        count = len(self.addresses)
        return self.addresses[number % count], self.addresses[(number + self.apart) % count]

    async def _until(self, what: asyncio.Future[Any]) -> None:
        await asyncio.wait([what, self._done], timeout=_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        if self._done.done():
            await self._done
        if not what.done():
            raise SystemExit("the server does not answer")
        await what


def _same(client: Client) -> Client:
    return client


def _own_time() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def quantile(numbers: Sequence[float], part: float) -> float:
    """Quantile of a list of numbers."""
    return sorted(numbers)[min(len(numbers) - 1, int(part * len(numbers)))]
