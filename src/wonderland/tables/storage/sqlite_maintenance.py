"""Maintenance of a SQLite file: bulk reads and deletions, online backup, and the lock of its servers."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, TypeVar

from wonderland.tables.storage.interface import NOT_READ, NOT_WRITTEN, StorageError, StoredEntry
from wonderland.tables.storage.maintenance import StorageStatistics, StoredTable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")
_PAGES_PER_STEP = 256
"""Pages that a backup copies before it lets writers continue."""
_UNTOUCHED = """
    SELECT table_id, status, changed FROM tables WHERE changed < ? AND status IN ({statuses})
        AND NOT EXISTS (SELECT 1 FROM log WHERE log.table_id = tables.table_id AND time >= ?)
        AND NOT EXISTS (SELECT 1 FROM presence WHERE presence.table_id = tables.table_id AND seen >= ?)
    ORDER BY changed LIMIT ?
"""
"""Not every move changes the row of a table, so its log decides."""
_TABLES = ("log", "tables", "sitters", "presence")
_NEWEST = "SELECT coalesce(max(seq), 0) FROM log"
"""If the newest entry is deleted, an empty one of no table takes its number, which would otherwise be
given away again, so that other processes would miss that entry."""


class SqliteMaintenance:
    """Implements `Maintenance` in SQLite; deletions hold the lock `write_lock`."""

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        write_lock: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connect, self._write_lock = connect, write_lock

    async def tables(self, after: str = "", most: int = 500) -> Sequence[StoredTable]:
        """Tables of every status whose id is above `after`, by id."""
        query = (
            "SELECT table_id, status, changed FROM tables WHERE table_id > ? ORDER BY table_id LIMIT ?"
        )
        return [StoredTable(*found) for found in await self._query(query, after, most)]

    async def unchanged_since(
        self, time: int, statuses: Sequence[str], most: int = 500
    ) -> Sequence[StoredTable]:
        """Tables in one of these states untouched since `time`, and where nobody was, oldest first."""
        places = ", ".join("?" * len(statuses))
        query, values = _UNTOUCHED.format(statuses=places), (time, *statuses, time, time, most)
        return [StoredTable(*found) for found in await self._query(query, *values)]

    async def delete(self, tables: Sequence[str]) -> None:
        """Delete tables with their logs, seats and presence, in one transaction."""
        names = [(table,) for table in tables]

        def delete(connection: sqlite3.Connection) -> None:
            (newest,) = connection.execute(_NEWEST).fetchone()
            for name in _TABLES:
                statement = f"DELETE FROM {name} WHERE table_id = ?"  # noqa: S608 - our own names
                connection.executemany(statement, names)
            connection.execute("DELETE FROM log WHERE table_id = '' AND seq < ?", (newest,))
            if newest and connection.execute(_NEWEST).fetchone() != (newest,):
                connection.execute("INSERT INTO log VALUES (?, '', ?, 0, '')", (newest, newest))

        await self._write(delete)

    async def mentioning(self, words: Sequence[str]) -> Sequence[str]:
        """Tables whose logs contain one of these words."""
        found = set[str]()
        for word in words:
            query = "SELECT DISTINCT table_id FROM log WHERE instr(body, ?) > 0"
            found |= {table for (table,) in await self._query(query, word.encode())}
        return sorted(found)

    async def rewrite(self, entries: Sequence[StoredEntry]) -> None:
        """Replace the bodies of stored entries, in one transaction."""
        values = [(entry.body, entry.table, entry.n) for entry in entries]

        def rewrite(connection: sqlite3.Connection) -> None:
            connection.executemany("UPDATE log SET body = ? WHERE table_id = ? AND n = ?", values)

        await self._write(rewrite)

    async def forget_devices(self, devices: Sequence[str]) -> None:
        """Delete the seats of devices from the index."""
        names = [(device,) for device in devices]

        def delete(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM sitters WHERE device = ?", names)

        await self._write(delete)

    async def find_documents(self, kind: str, words: Sequence[str]) -> Sequence[str]:
        """Keys of the documents of a kind that contain one of these words."""
        found = set[str]()
        for word in words:
            query = "SELECT key FROM shelf WHERE kind = ? AND instr(body, ?) > 0"
            found |= {key for (key,) in await self._query(query, kind, word.encode())}
        return sorted(found)

    async def delete_documents(self, kind: str, beginnings: Sequence[str]) -> None:
        """Delete the documents of a kind whose keys begin with one of these."""
        values = [(kind, len(each), each) for each in beginnings]

        def delete(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM shelf WHERE kind = ? AND substr(key, 1, ?) = ?", values)

        await self._write(delete)

    async def statistics(self) -> StorageStatistics:
        """Count what is stored."""
        statuses = await self._query("SELECT status, count(*) FROM tables GROUP BY status")
        ((entries, size),) = await self._query(
            "SELECT count(*), coalesce(sum(length(body)), 0) FROM log"
        )
        kinds = await self._query("SELECT kind, count(*) FROM shelf GROUP BY kind ORDER BY kind")
        return StorageStatistics(dict(statuses), entries, size, dict(kinds))

    async def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Run work in a transaction that overwrites what it deletes, in the file and in its log."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("PRAGMA secure_delete = ON")
            with self._write_lock(), connection:
                connection.execute("BEGIN IMMEDIATE")
                work(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else the old pages stay in it

        await self._run(write, NOT_WRITTEN)

    async def _query(self, query: str, *parameters: object) -> list[Any]:
        def fetch(connection: sqlite3.Connection) -> list[Any]:
            return connection.execute(query, parameters).fetchall()

        return await self._run(fetch, NOT_READ)

    async def _run(self, work: Callable[[sqlite3.Connection], T], failure: str) -> T:
        def run() -> T:
            with closing(self._connect()) as connection:
                return work(connection)

        try:
            return await asyncio.to_thread(run)
        except sqlite3.Error as error:
            raise StorageError(failure, reason=error) from error


def back_up(source: Path, target: Path) -> None:
    """Copy a database while others use it: the copy is complete and consistent.

    A plain copy of the file would miss what is still in the write-ahead log.
    """
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        os.chmod(target, 0o600)  # noqa: PTH101 - it contains secrets of running games
        reading.backup(writing, pages=_PAGES_PER_STEP)


def find_damage(path: Path) -> str:
    """Return what SQLite finds wrong with a file; empty if it is sound."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else str(found)


def mark_in_use(path: Path) -> int | None:
    """Hold a shared lock that tells other programs that a server uses this database.

    Return the descriptor that holds it; the system releases it when the process ends. `None` on systems
    without such locks.
    """
    if fcntl is None:
        return None
    descriptor = os.open(f"{path}-open", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def is_in_use(path: Path) -> bool:
    """Whether a server uses this database right now."""
    if fcntl is None or not Path(f"{path}-open").exists():
        return False
    descriptor = os.open(f"{path}-open", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
