"""Queries on the index of tables in PostgreSQL: due and open tables, seats of devices, expiry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from wonderland.tables.storage.interface import TableIndexRow

_ROW = "table_id, game, status, listed, free, changed, due, source"
_OPEN_TABLES = f"""
    SELECT {_ROW} FROM (
        SELECT *, row_number() OVER (
            PARTITION BY CASE source WHEN '' THEN table_id ELSE source END ORDER BY changed DESC
        ) AS rank
        FROM tables WHERE listed AND status = 'waiting' AND free > 0
    ) AS ranked ORDER BY rank, changed DESC LIMIT $1 OFFSET $2
"""  # noqa: S608 - constants only
"""The newest table of each source, newest first, then the second newest of each, and so on."""
_EXPIRE = """
    WITH old AS (
        SELECT table_id FROM tables
        WHERE status = $1 AND changed < $2 AND NOT table_id = ANY ($3::text[])
            AND (SELECT time FROM log WHERE log.table_id = tables.table_id ORDER BY n DESC LIMIT 1) < $2
            AND NOT EXISTS (
                SELECT 1 FROM presence WHERE presence.table_id = tables.table_id AND seen >= $2
            )
        ORDER BY changed LIMIT $4 FOR UPDATE SKIP LOCKED
    ), entries AS (
        DELETE FROM log USING old WHERE log.table_id = old.table_id
    ), seats AS (
        DELETE FROM sitters USING old WHERE sitters.table_id = old.table_id
    ), seen AS (
        DELETE FROM presence USING old WHERE presence.table_id = old.table_id
    )
    DELETE FROM tables USING old WHERE tables.table_id = old.table_id RETURNING tables.table_id
"""


class PostgresIndex(ABC):
    """The index part of the PostgreSQL storage."""

    @abstractmethod
    async def _query(self, sql: str, *parameters: object) -> Sequence[Any]:
        """Run a statement."""

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` time has come, the most overdue first."""
        sql = "SELECT table_id FROM tables WHERE due <= $1 ORDER BY due LIMIT $2"
        return [table for (table,) in await self._query(sql, now, most)]

    async def postpone(self, table: str, due: int | None) -> None:
        """Change when a table is due (`None`: never), without writing to its log."""
        await self._query("UPDATE tables SET due = $2 WHERE table_id = $1", table, due)

    async def open_tables(self, most: int = 100, skip: int = 0) -> Sequence[TableIndexRow]:
        """Open tables that wait for players: the newest of each source first."""
        return [TableIndexRow(*found) for found in await self._query(_OPEN_TABLES, most, skip)]

    async def count_open(self, source: str) -> int:
        """The number of listed tables of a source that wait for players."""
        sql = "SELECT count(*) FROM tables WHERE source = $1 AND listed AND status = 'waiting'"
        ((found,),) = await self._query(sql, source)
        return int(found)

    async def seats_of_device(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """The tables and seats of a device, most recently changed first."""
        where = "device = $1 ORDER BY changed DESC, table_id, seat LIMIT $2"
        sql = f"SELECT {_ROW}, seat FROM sitters JOIN tables USING (table_id) WHERE {where}"  # noqa: S608 - constants only
        return [(TableIndexRow(*row), seat) for *row, seat in await self._query(sql, device, most)]

    async def count(self) -> dict[str, int]:
        """The number of unfinished tables by status."""
        unfinished = "SELECT status, count(*) FROM tables WHERE status <> 'finished' GROUP BY status"
        return dict(await self._query(unfinished))

    async def check_writable(self, now: int) -> None:
        """Write something of no consequence; `StorageError` if that fails, as on a full disk."""
        sql = (
            "INSERT INTO facts VALUES ('written', $1) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        await self._query(sql, str(now))

    async def expire(
        self, status: str, before: int, keep: Collection[str] = (), most: int = 100
    ) -> Sequence[str]:
        """Delete tables of a status that nothing has happened at since `before`; return their ids."""
        gone = await self._query(_EXPIRE, status, before, list(keep), most)
        return [table for (table,) in gone]
