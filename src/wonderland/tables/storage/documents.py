"""The shelf: small things kept beside the tables, by kind and key, such as records that were uploaded.

A storage has one, `storage.shelf`, in the same database as its tables:

    await shelf.put("record", "ab12", b"Game: parade …")
    await shelf.get("record", "ab12")

What is kept is never needed to go on with a table. A kind that strangers can fill is bounded by `trim`,
which takes away what nobody has asked for the longest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from wonderland.engine.values import Value
from wonderland.tables.storage.interface import StorageError

LARGEST = 256 * 1024
"""Bytes that one thing may have."""
FRESH = 3_600_000
"""Milliseconds for which it is not noted again that somebody asked: reading need not mean writing."""


class Document(Value, frozen=True):
    """One thing on the shelf."""

    key: str
    time: int
    """When it was put there, in milliseconds since 1970."""
    body: bytes


class DocumentStore(Protocol):
    """What keeps small things. `StorageError` if it can't be reached."""

    async def get(self, kind: str, key: str) -> bytes | None:
        """What lies there; it counts as asked for."""
        ...

    async def put(self, kind: str, key: str, body: bytes) -> None:
        """Lay something there, in place of what there was."""
        ...

    async def swap(self, kind: str, key: str, was: bytes | None, body: bytes) -> bool:
        """The same, but only if `was` lies there, or nothing for `None`; gives whether it was done.

        So of several servers that change the same thing at once, one at a time succeeds.
        """
        ...

    async def remove(self, kind: str, key: str) -> None:
        """Take something away, if it is there."""
        ...

    async def newest(self, kind: str, most: int = 100) -> Sequence[Document]:
        """The things of a kind that were put there last, the newest first."""
        ...

    async def count(self, kind: str) -> int:
        """How many things of a kind there are."""
        ...

    async def trim(self, kind: str, most: int) -> None:
        """Keep so many things of a kind at most: those that nobody asked for the longest go."""
        ...


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def checked(body: bytes) -> bytes:
    """What is to be kept; `StorageError` if it is too large for a shelf."""
    if len(body) > LARGEST:
        raise StorageError(
            f"what has {len(body)} bytes is too large for the shelf, which takes {LARGEST}."
        )
    return body
