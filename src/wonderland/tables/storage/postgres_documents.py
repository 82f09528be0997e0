"""The document store in PostgreSQL, over the connections of its storage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from wonderland.tables.storage.documents import USE_PRECISION, Document, check_size, now

_PUT = """
    INSERT INTO shelf (kind, key, time, used, body) VALUES ($1, $2, $3, $3, $4)
    ON CONFLICT (kind, key) DO UPDATE SET
        time = excluded.time, used = excluded.used, body = excluded.body
"""
_ADD = """
    INSERT INTO shelf (kind, key, time, used, body) VALUES ($1, $2, $3, $3, $4)
    ON CONFLICT DO NOTHING RETURNING key
"""
_SWAP = """
    UPDATE shelf SET time = $3, used = $3, body = $4 WHERE kind = $1 AND key = $2 AND body = $5
    RETURNING key
"""
_TRIM = """
    DELETE FROM shelf WHERE kind = $1 AND key IN (
        SELECT key FROM shelf WHERE kind = $1 ORDER BY used DESC, time DESC OFFSET $2
    )
"""
RunQuery = Callable[..., Awaitable[Sequence[Any]]]


class PostgresDocumentStore:
    """The document store in PostgreSQL. `run_query` runs a statement and returns its rows.

    A statement is retried after a lost connection, so `swap` may report failure although it succeeded: a
    caller that then finds its own value stored is done.
    """

    def __init__(self, run_query: RunQuery) -> None:
        self._run_query = run_query

    async def get(self, kind: str, key: str) -> bytes | None:
        """Return a document, or `None`; this counts as a use."""
        found = await self._run_query(
            "SELECT body, used FROM shelf WHERE kind = $1 AND key = $2", kind, key
        )
        if not found:
            return None
        ((body, used),) = found
        if used < (time := now()) - USE_PRECISION:
            await self._run_query(
                "UPDATE shelf SET used = $3 WHERE kind = $1 AND key = $2", kind, key, time
            )
        return bytes(body)

    async def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those of these documents that exist, by key; this does not count as a use."""
        found = await self._run_query(
            "SELECT key, body FROM shelf WHERE kind = $1 AND key = ANY($2)", kind, list(keys)
        )
        return {key: bytes(body) for key, body in found}

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Store a document, replacing any other."""
        await self._run_query(_PUT, kind, key, now(), check_size(body))

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """Store only if the current body is `was` (`None`: missing); return whether it was stored."""
        if was is None:
            return bool(await self._run_query(_ADD, kind, key, now(), check_size(body)))
        return bool(await self._run_query(_SWAP, kind, key, now(), check_size(body), was))

    async def remove(self, kind: str, key: str) -> None:
        """Delete a document, if it exists."""
        await self._run_query("DELETE FROM shelf WHERE kind = $1 AND key = $2", kind, key)

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The most recently stored documents of a kind, newest first."""
        sql = "SELECT key, time, body FROM shelf WHERE kind = $1 ORDER BY time DESC, n DESC LIMIT $2"
        return [Document(*found) for found in await self._run_query(sql, kind, most)]

    async def count(self, kind: str) -> int:
        """The number of documents of a kind."""
        ((number,),) = await self._run_query("SELECT count(*) FROM shelf WHERE kind = $1", kind)
        return int(number)

    async def trim(self, kind: str, most: int) -> None:
        """Evict the least recently used documents of a kind until at most `most` are left."""
        if await self.count(kind) > most:
            await self._run_query(_TRIM, kind, most)
