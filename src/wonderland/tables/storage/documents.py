"""The document store: small documents by kind and key, such as uploaded records.

Each storage has one, `storage.documents`, in the same database as its tables:

    await documents.put("record", "ab12", b"Game: parade …")
    await documents.get("record", "ab12")

No table depends on a document. A kind that strangers can fill is bounded by `trim`, which evicts the
least recently used documents.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from wonderland.engine.values import Value
from wonderland.tables.storage.interface import StorageError

MAX_BYTES = 256 * 1024
"""Maximum size of a document in bytes."""
RECORDS = "record"
"""Kind of uploaded records; the key is the name of the replay."""
ANALYSES = "analysis"
"""Kind of shared analyses; a key begins like that of a report."""
REPORTS, REPORT_DRAFTS = "coach", "coaching"
"""Kinds of reports on games; a key begins with the name of the replay, or of the table, and a hyphen."""
IMPORTED_GAMES = "games"
"""Kind of the lists of games that people have imported; the key is the hash of their device."""
USE_PRECISION = 3_600_000
"""Precision of the last-used time in milliseconds, so that most reads don't write."""


class Document(Value, frozen=True):
    """A stored document."""

    key: str
    time: int
    """When it was stored, in milliseconds since 1970."""
    body: bytes


class DocumentStore(Protocol):
    """Stores documents. All methods raise `StorageError` if the database can't be used."""

    async def get(self, kind: str, key: str) -> bytes | None:
        """Return a document, or `None`; this counts as a use."""
        ...

    async def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those of these documents that exist, by key; this does not count as a use."""
        ...

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Store a document, replacing any other."""
        ...

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """Compare and swap: store only if the current body is `was` (`None`: missing).

        Return whether it was stored. Of several servers that change a document at once, one succeeds.
        """
        ...

    async def remove(self, kind: str, key: str) -> None:
        """Delete a document, if it exists."""
        ...

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The most recently stored documents of a kind, newest first."""
        ...

    async def count(self, kind: str) -> int:
        """The number of documents of a kind."""
        ...

    async def trim(self, kind: str, most: int) -> None:
        """Evict the least recently used documents of a kind until at most `most` are left."""
        ...


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def check_size(body: bytes) -> bytes:
    """Return the body; `StorageError` if it is too large."""
    if len(body) > MAX_BYTES:
        raise StorageError(f"the document has {len(body)} bytes, but the limit is {MAX_BYTES}.")
    return body
