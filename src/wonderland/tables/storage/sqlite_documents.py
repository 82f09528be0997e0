"""The shelf in an SQLite file: a thread and a connection of its own, so that no table waits for it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from wonderland.tables.storage.documents import FRESH, Document, checked, now
from wonderland.tables.storage.interface import StorageError

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


class SqliteShelf:
    """The document store in SQLite; nobody else writes while `alone` lasts."""

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        alone: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connect, self._alone = connect, alone
        self._working = ThreadPoolExecutor(1, thread_name_prefix="sqlite-shelf")
        self._connection: sqlite3.Connection | None = None
        self._closed = False

    async def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        self._closed = True
        await asyncio.to_thread(self._working.shutdown)
        if self._connection is not None:
            self._connection.close()

    async def get(self, kind: str, key: str) -> bytes | None:
        """What lies there; it counts as asked for."""
        found = await self._all("SELECT body, used FROM shelf WHERE kind = ? AND key = ?", kind, key)
        if not found:
            return None
        ((body, used),) = found
        if used < (time := now()) - FRESH:
            await self._write("UPDATE shelf SET used = ? WHERE kind = ? AND key = ?", time, kind, key)
        return bytes(body)

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Lay something there, in place of what there was."""
        await self._write(_PUT, kind, key, time := now(), time, checked(body))

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """The same, but only if `was` lies there, or nothing for `None`; gives whether it was done."""
        time = now()
        if was is None:
            return await self._write(_ADD, kind, key, time, time, checked(body)) == 1
        return await self._write(_SWAP, time, time, checked(body), kind, key, was) == 1

    async def remove(self, kind: str, key: str) -> None:
        """Take something away, if it is there."""
        await self._write("DELETE FROM shelf WHERE kind = ? AND key = ?", kind, key)

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The things of a kind that were put there last, the newest first."""
        query = "SELECT key, time, body FROM shelf WHERE kind = ? ORDER BY time DESC, rowid DESC LIMIT ?"
        return [Document(*found) for found in await self._all(query, kind, most)]

    async def count(self, kind: str) -> int:
        """How many things of a kind there are."""
        ((number,),) = await self._all("SELECT count(*) FROM shelf WHERE kind = ?", kind)
        return int(number)

    async def trim(self, kind: str, most: int) -> None:
        """Keep so many things of a kind at most: those that nobody asked for the longest go."""
        if await self.count(kind) > most:
            await self._write(_TRIM, kind, most)

    async def _all(self, query: str, *given: object) -> list[Any]:
        return await self._done(lambda use: use.execute(query, given).fetchall(), "read")

    async def _write(self, query: str, *given: object) -> int:
        def write(use: sqlite3.Connection) -> int:
            with self._alone():
                return use.execute(query, given).rowcount

        return await self._done(write, "written")

    async def _done(self, work: Callable[[sqlite3.Connection], T], what: str) -> T:
        def doing() -> T:
            if self._connection is None:
                self._connection = self._connect()
            return work(self._connection)

        if self._closed:
            raise StorageError("the shelf has been closed.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._working, doing)
        except sqlite3.Error as error:
            raise StorageError(f"the shelf could not be {what}: {error}.") from error
