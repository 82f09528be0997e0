"""Storages that several nodes can open, sample entries, and a faulty network."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg  # type: ignore[import-untyped]

from support.postgres import execute
from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    Sitter,
    Storage,
    StoredEntry,
    TableIndexRow,
)
from wonderland.tables.storage.postgres import PostgresStorage
from wonderland.tables.storage.sqlite import SqliteStorage

TIMEOUT = 30.0
"""Seconds to wait for something that must happen."""


def is_one_sentence(error: BaseException) -> bool:
    """Whether a message is one sentence, perhaps with a second one that says what to do."""
    text = str(error)
    return text.endswith(".") and "\n" not in text and text.count(". ") <= 1 and len(text) < 300


class InSqlite:
    """A storage in an SQLite file."""

    name = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path

    def storage(self) -> SqliteStorage:
        return SqliteStorage(self.path)

    async def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Execute SQL as another program would; several statements return no rows."""
        with contextlib.closing(sqlite3.connect(self.path)) as connection, connection:
            if ";" in sql:
                connection.executescript(sql)
                return []
            return connection.execute(sql).fetchall()


class InPostgres:
    """A storage in a PostgreSQL database."""

    name = "postgres"

    def __init__(self, url: str) -> None:
        self.url = url

    def storage(self, **options: float) -> PostgresStorage:
        return PostgresStorage(self.url, **{"poll_interval": 0.2} | options)  # type: ignore[arg-type]

    async def execute(self, sql: str) -> list[tuple[Any, ...]]:
        if ";" not in sql:
            return await execute(self.url, sql)
        connection = await asyncpg.connect(self.url)
        await connection.execute(sql)
        await connection.close()
        return []

    @contextlib.asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[None]:
        """Lock a database table until the end of the block, so that queries on it wait."""
        connection = await asyncpg.connect(self.url)
        try:
            async with connection.transaction():
                await connection.execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
                yield
        finally:
            await connection.close()


Backend = InSqlite | InPostgres


@contextlib.asynccontextmanager
async def open_storages(*storages: Storage) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        for storage in storages:
            await storage.open()
            stack.push_async_callback(storage.close)
        yield


def addition(
    table: str, n: int, body: bytes = b"tea", *, row: TableIndexRow | None = None, **sitters: Any
) -> Addition:
    return Addition(StoredEntry(table, n, 1_000 + n, body), row, **sitters)


def row(table: str, **other: Any) -> TableIndexRow:
    usual: dict[str, Any] = {
        "game": "croquet",
        "status": "waiting",
        "listed": True,
        "free": 1,
        "changed": 0,
        "due": None,
    }
    return TableIndexRow(table=table, **usual | other)


def sitter(device: str, table: str, seat: int = 0) -> Sitter:
    return Sitter(device, table, seat)


async def append(storage: Storage, what: Addition) -> CommitResult:
    """Append an entry, and wait for the outcome."""
    answer: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
    storage.append(what, answer.set_result)
    return await answer


class FaultyNetwork:
    """A proxy between a storage and its server that fails in the ways networks do.

    `swallow` names what is lost next on the victim's connection, which then breaks: a "question" or an
    "answer".
    """

    def __init__(self, url: str, victim: str = "writer") -> None:
        self._victim = f"wonderland {victim}".encode()
        parts = urlsplit(url)
        self._server = (parts.hostname, parts.port)
        self._parts = parts
        self._open: set[asyncio.StreamWriter] = set()
        self.swallow: str | None = None
        self.swallowed = 0
        self.is_down = False

    @contextlib.asynccontextmanager
    async def url(self) -> AsyncIterator[str]:
        listener = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        credentials = self._parts.netloc.rpartition("@")[0]
        try:
            yield urlunsplit(self._parts._replace(netloc=f"{credentials}@127.0.0.1:{port}"))
        finally:
            listener.close()
            self.cut()
            await listener.wait_closed()

    def cut(self) -> None:
        """Break all connections."""
        for end in self._open:
            end.close()
        self._open.clear()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_down:
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection(*self._server)
        ends = {writer, far_writer}
        self._open |= ends
        is_victim = asyncio.Event()  # set once it has sent its application name
        await asyncio.gather(
            self._pump(reader, far_writer, ends, is_victim, "question"),
            self._pump(far_reader, writer, ends, is_victim, "answer"),
        )
        self._open -= ends

    async def _pump(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        ends: set[asyncio.StreamWriter],
        is_victim: asyncio.Event,
        kind: str,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 20):
                if self._victim in data:
                    is_victim.set()
                elif is_victim.is_set() and self.swallow == kind:
                    self.swallow = None
                    self.swallowed += 1
                    break
                target.write(data)
                await target.drain()
        for end in ends:
            end.close()
