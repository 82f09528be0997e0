"""The shelf in a PostgreSQL database, over the connections of its storage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from wonderland.tables.storage.documents import FRESH, Document, checked, now

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
Ask = Callable[..., Awaitable[Sequence[Any]]]


class PostgresShelf:
    """The document store in PostgreSQL. `ask` runs a statement and returns its rows.

    A statement is retried after a lost connection, so `swap` may report failure although it succeeded: a
    caller that then finds its own value stored is done.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def get(self, kind: str, key: str) -> bytes | None:
        """What lies there; it counts as asked for."""
        found = await self._ask("SELECT body, used FROM shelf WHERE kind = $1 AND key = $2", kind, key)
        if not found:
            return None
        ((body, used),) = found
        if used < (time := now()) - FRESH:
            await self._ask("UPDATE shelf SET used = $3 WHERE kind = $1 AND key = $2", kind, key, time)
        return bytes(body)

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Lay something there, in place of what there was."""
        await self._ask(_PUT, kind, key, now(), checked(body))

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """The same, but only if `was` lies there, or nothing for `None`; gives whether it was done."""
        if was is None:
            return bool(await self._ask(_ADD, kind, key, now(), checked(body)))
        return bool(await self._ask(_SWAP, kind, key, now(), checked(body), was))

    async def remove(self, kind: str, key: str) -> None:
        """Take something away, if it is there."""
        await self._ask("DELETE FROM shelf WHERE kind = $1 AND key = $2", kind, key)

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The things of a kind that were put there last, the newest first."""
        sql = "SELECT key, time, body FROM shelf WHERE kind = $1 ORDER BY time DESC, n DESC LIMIT $2"
        return [Document(*found) for found in await self._ask(sql, kind, most)]

    async def count(self, kind: str) -> int:
        """How many things of a kind there are."""
        ((number,),) = await self._ask("SELECT count(*) FROM shelf WHERE kind = $1", kind)
        return int(number)

    async def trim(self, kind: str, most: int) -> None:
        """Keep so many things of a kind at most: those that nobody asked for the longest go."""
        if await self.count(kind) > most:
            await self._ask(_TRIM, kind, most)
