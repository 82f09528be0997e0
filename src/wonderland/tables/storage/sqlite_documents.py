"""The document store in SQLite, on its own thread and connection so that no table waits for it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import msgspec

from wonderland.tables.storage.documents import USE_PRECISION, Document, check_size, now
from wonderland.tables.storage.interface import NOT_READ, NOT_WRITTEN, StorageError

T = TypeVar("T")

_PUT = """
    INSERT INTO shelf (kind, key, time, used, body) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET
        time = excluded.time, used = excluded.used, body = excluded.body
"""
_ADD = "INSERT OR IGNORE INTO shelf (kind, key, time, used, body) VALUES (?, ?, ?, ?, ?)"
_SWAP = "UPDATE shelf SET time = ?, used = ?, body = ? WHERE kind = ? AND key = ? AND body = ?"
_TRIM = """
    DELETE FROM shelf WHERE rowid IN (
        SELECT rowid FROM shelf WHERE kind = ? ORDER BY used DESC, time DESC LIMIT -1 OFFSET ?
    )
"""


class SqliteDocumentStore:
    """The document store in SQLite; writes hold the lock `write_lock`."""

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        write_lock: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connect, self._write_lock = connect, write_lock
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="sqlite-documents")
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    async def close(self) -> None:
        """Finish the work in progress and close the file."""
        self._closed = True
        await asyncio.to_thread(self._executor.shutdown)
        if self._connection is not None:
            self._connection.close()

    async def get(self, kind: str, key: str) -> bytes | None:
        """Return a document, or `None`; this counts as a use."""
        found = await self._query("SELECT body, used FROM shelf WHERE kind = ? AND key = ?", kind, key)
        if not found:
            return None
        ((body, used),) = found
        if used < (time := now()) - USE_PRECISION:
            await self._write("UPDATE shelf SET used = ? WHERE kind = ? AND key = ?", time, kind, key)
        return bytes(body)

    async def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those of these documents that exist, by key; this does not count as a use."""
        query = "SELECT shelf.key, body FROM json_each(?) JOIN shelf ON kind = ? AND shelf.key = value"
        found = await self._query(query, msgspec.json.encode(keys).decode(), kind)
        return {key: bytes(body) for key, body in found}

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Store a document, replacing any other."""
        await self._write(_PUT, kind, key, time := now(), time, check_size(body))

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """Store only if the current body is `was` (`None`: missing); return whether it was stored."""
        time = now()
        if was is None:
            return await self._write(_ADD, kind, key, time, time, check_size(body)) == 1
        return await self._write(_SWAP, time, time, check_size(body), kind, key, was) == 1

    async def remove(self, kind: str, key: str) -> None:
        """Delete a document, if it exists."""
        await self._write("DELETE FROM shelf WHERE kind = ? AND key = ?", kind, key)

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The most recently stored documents of a kind, newest first."""
        query = "SELECT key, time, body FROM shelf WHERE kind = ? ORDER BY time DESC, rowid DESC LIMIT ?"
        return [Document(*found) for found in await self._query(query, kind, most)]

    async def count(self, kind: str) -> int:
        """The number of documents of a kind."""
        ((number,),) = await self._query("SELECT count(*) FROM shelf WHERE kind = ?", kind)
        return int(number)

    async def trim(self, kind: str, most: int) -> None:
        """Evict the least recently used documents of a kind until at most `most` are left."""
        if await self.count(kind) > most:
            await self._write(_TRIM, kind, most)

    async def _query(self, query: str, *parameters: object) -> list[Any]:
        return await self._run(
            lambda connection: connection.execute(query, parameters).fetchall(), NOT_READ
        )

    async def _write(self, query: str, *parameters: object) -> int:
        def write(connection: sqlite3.Connection) -> int:
            with self._write_lock():
                return connection.execute(query, parameters).rowcount

        return await self._run(write, NOT_WRITTEN)

    async def _run(self, work: Callable[[sqlite3.Connection], T], failure: str) -> T:
        def run() -> T:
            if self._connection is None:
                self._connection = self._connect()
            return work(self._connection)

        if self._closed:
            raise StorageError("the document store is closed.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, run)
        except sqlite3.Error as error:
            raise StorageError(failure, reason=error) from error
