"""Queries on the index of tables in SQLite: due and open tables, seats of devices, expiry."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from wonderland.tables.storage.interface import TableIndexRow

T = TypeVar("T")

_OPEN_TABLES = """
    SELECT table_id, game, status, listed, free, changed, due, source FROM (
        SELECT *, row_number() OVER (
            PARTITION BY CASE source WHEN '' THEN table_id ELSE source END ORDER BY changed DESC
        ) AS rank
        FROM tables WHERE listed AND status = 'waiting' AND free > 0
    ) ORDER BY rank, changed DESC LIMIT ? OFFSET ?
"""
"""The newest table of each source, newest first, then the second newest of each, and so on."""
_EXPIRED = """
    SELECT table_id FROM tables WHERE status = ?1 AND changed < ?2
        AND (SELECT time FROM log WHERE log.table_id = tables.table_id ORDER BY n DESC LIMIT 1) < ?2
        AND NOT EXISTS (
            SELECT 1 FROM presence WHERE presence.table_id = tables.table_id AND seen >= ?2
        )
        AND table_id <> (SELECT table_id FROM log ORDER BY seq DESC LIMIT 1)
    ORDER BY changed LIMIT ?3
"""
"""Not the table with the newest entry: its number would be given away again, and others not notice."""


class SqliteIndex(ABC):
    """The index part of the SQLite storage."""

    @abstractmethod
    async def _query(self, query: str, *parameters: object) -> list[Any]:
        """Run a statement."""

    @abstractmethod
    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run work in a transaction."""

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` time has come, the most overdue first."""
        query = "SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?"
        return [table for (table,) in await self._query(query, now, most)]

    async def postpone(self, table: str, due: int | None) -> None:
        """Change when a table is due (`None`: never)."""
        await self._query("UPDATE tables SET due = ? WHERE table_id = ?", due, table)

    async def open_tables(self, most: int = 100, skip: int = 0) -> Sequence[TableIndexRow]:
        """Open tables that wait for players: the newest of each source first."""
        return [_row(found) for found in await self._query(_OPEN_TABLES, most, skip)]

    async def count_open(self, source: str) -> int:
        """The number of listed tables of a source that wait for players."""
        query = "SELECT count(*) FROM tables WHERE source = ? AND listed AND status = 'waiting'"
        ((found,),) = await self._query(query, source)
        return int(found)

    async def seats_of_device(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """The tables and seats of a device, most recently changed first."""
        query = (
            "SELECT tables.*, seat FROM sitters JOIN tables USING (table_id) WHERE device = ? "
            "ORDER BY changed DESC, table_id, seat LIMIT ?"
        )
        return [(_row(found[:-1]), found[-1]) for found in await self._query(query, device, most)]

    async def count(self) -> dict[str, int]:
        """The number of unfinished tables by status."""
        unfinished = "SELECT status, count(*) FROM tables WHERE status <> 'finished' GROUP BY status"
        return dict(await self._query(unfinished))

    async def check_writable(self, now: int) -> None:
        """Write something of no consequence; `StorageError` if that fails, as on a full disk."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO facts VALUES ('written', ?)", (str(now),))

        await self._write(write)

    async def expire(
        self, status: str, before: int, keep: Collection[str] = (), most: int = 100
    ) -> Sequence[str]:
        """Delete tables of a status that nothing has happened at since `before`; return their ids."""

        def delete(connection: sqlite3.Connection) -> list[str]:
            found = connection.execute(_EXPIRED, (status, before, most + len(keep))).fetchall()
            names = [name for (name,) in found if name not in keep][:most]
            for relation in ("log", "tables", "sitters", "presence"):
                connection.executemany(
                    f"DELETE FROM {relation} WHERE table_id = ?",  # noqa: S608 - one of these four
                    [(name,) for name in names],
                )
            return names

        return await self._write(delete)


def _row(found: Sequence[Any]) -> TableIndexRow:
    table, game, status, listed, free, changed, due, source = found
    return TableIndexRow(table, game, status, bool(listed), free, changed, due, source)
