"""Maintenance of a PostgreSQL database: bulk reads and deletions. Backups are made with `pg_dump`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.storage.maintenance import StorageStatistics, StoredTable
from wonderland.tables.storage.postgres_documents import RunQuery

_ROW = "table_id, status, changed"
_UNTOUCHED = """
    SELECT table_id, status, changed FROM tables WHERE changed < $1 AND status = ANY($2)
        AND NOT EXISTS (SELECT 1 FROM log WHERE log.table_id = tables.table_id AND time >= $1)
        AND NOT EXISTS (SELECT 1 FROM presence WHERE presence.table_id = tables.table_id AND seen >= $1)
    ORDER BY changed LIMIT $3
"""
"""Not every move changes the row of a table, so its log decides."""
_DELETE = """
    WITH logs AS (DELETE FROM log WHERE table_id = ANY($1)),
        seats AS (DELETE FROM sitters WHERE table_id = ANY($1)),
        seen AS (DELETE FROM presence WHERE table_id = ANY($1))
    DELETE FROM tables WHERE table_id = ANY($1)
"""

_MENTIONING = """
    SELECT DISTINCT table_id FROM log
    WHERE EXISTS (SELECT 1 FROM unnest($1::bytea[]) AS word WHERE position(word IN body) > 0)
    ORDER BY table_id
"""
_FIND_DOCUMENTS = """
    SELECT key FROM shelf WHERE kind = $1
        AND EXISTS (SELECT 1 FROM unnest($2::bytea[]) AS word WHERE position(word IN body) > 0)
    ORDER BY key
"""
_DELETE_DOCUMENTS = """
    DELETE FROM shelf WHERE kind = $1
        AND EXISTS (SELECT 1 FROM unnest($2::text[]) AS beginning WHERE starts_with(key, beginning))
"""
_REWRITE = """
    UPDATE log SET body = given.body
    FROM unnest($1::text[], $2::integer[], $3::bytea[]) AS given (table_id, n, body)
    WHERE log.table_id = given.table_id AND log.n = given.n
"""


class PostgresMaintenance:
    """Implements `Maintenance` in PostgreSQL. `run_query` runs a statement and returns its rows."""

    def __init__(self, run_query: RunQuery) -> None:
        self._run_query = run_query

    async def tables(self, after: str = "", most: int = 500) -> Sequence[StoredTable]:
        """Tables of every status whose id is above `after`, by id."""
        query = f"SELECT {_ROW} FROM tables WHERE table_id > $1 ORDER BY table_id LIMIT $2"  # noqa: S608 - our own columns
        return _rows(await self._run_query(query, after, most))

    async def unchanged_since(
        self, time: int, statuses: Sequence[str], most: int = 500
    ) -> Sequence[StoredTable]:
        """Tables in one of these states untouched since `time`, and where nobody was, oldest first."""
        return _rows(await self._run_query(_UNTOUCHED, time, list(statuses), most))

    async def delete(self, tables: Sequence[str]) -> None:
        """Delete tables with their logs, seats and presence, in one statement."""
        await self._run_query(_DELETE, list(tables))

    async def mentioning(self, words: Sequence[str]) -> Sequence[str]:
        """Tables whose logs contain one of these words."""
        found = await self._run_query(_MENTIONING, [word.encode() for word in words])
        return [table for (table,) in found]

    async def rewrite(self, entries: Sequence[StoredEntry]) -> None:
        """Replace the bodies of stored entries, in one statement."""
        tables, numbers = [entry.table for entry in entries], [entry.n for entry in entries]
        await self._run_query(_REWRITE, tables, numbers, [entry.body for entry in entries])

    async def forget_devices(self, devices: Sequence[str]) -> None:
        """Delete the seats of devices from the index."""
        await self._run_query("DELETE FROM sitters WHERE device = ANY($1)", list(devices))

    async def find_documents(self, kind: str, words: Sequence[str]) -> Sequence[str]:
        """Keys of the documents of a kind that contain one of these words."""
        found = await self._run_query(_FIND_DOCUMENTS, kind, [word.encode() for word in words])
        return [key for (key,) in found]

    async def delete_documents(self, kind: str, beginnings: Sequence[str]) -> None:
        """Delete the documents of a kind whose keys begin with one of these."""
        await self._run_query(_DELETE_DOCUMENTS, kind, list(beginnings))

    async def statistics(self) -> StorageStatistics:
        """Count what is stored."""
        statuses = await self._run_query("SELECT status, count(*) FROM tables GROUP BY status")
        ((entries, size),) = await self._run_query(
            "SELECT count(*), coalesce(sum(length(body)), 0)::bigint FROM log"
        )
        kinds = await self._run_query("SELECT kind, count(*) FROM shelf GROUP BY kind ORDER BY kind")
        return StorageStatistics(dict(map(tuple, statuses)), entries, size, dict(map(tuple, kinds)))


def _rows(found: Sequence[Any]) -> list[StoredTable]:
    return [StoredTable(*row) for row in found]
