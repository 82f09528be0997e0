"""Maintenance of a storage: what an operator does to all tables at once, beside the running server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from wonderland.engine.values import Value
from wonderland.tables.storage.interface import StoredEntry


class StoredTable(Value, frozen=True):
    """A table as the index knows it."""

    table: str
    status: str
    """`waiting`, `playing` or `finished`."""
    changed: int
    """When it last changed, in milliseconds since 1970."""


class StorageStatistics(Value, frozen=True):
    """How much a storage holds."""

    tables: dict[str, int]
    """The number of tables by status."""
    entries: int
    """The number of log entries."""
    bytes: int
    """The size of all log entries, without indexes."""
    documents: dict[str, int]
    """The number of documents by kind."""


class Maintenance(Protocol):
    """Reads and deletes tables in bulk; raises `StorageError` if the database can't be used."""

    async def tables(self, after: str = "", most: int = 500) -> Sequence[StoredTable]:
        """Tables of every status whose id is above `after`, by id; a page of at most `most`."""
        ...

    async def unchanged_since(
        self, time: int, statuses: Sequence[str], most: int = 500
    ) -> Sequence[StoredTable]:
        """Tables in one of these states untouched since `time`, and where nobody was, oldest first."""
        ...

    async def delete(self, tables: Sequence[str]) -> None:
        """Delete tables with their logs, seats and presence, in one transaction."""
        ...

    async def mentioning(self, words: Sequence[str]) -> Sequence[str]:
        """Tables whose logs contain one of these words, such as the hash of a device; reads all logs."""
        ...

    async def rewrite(self, entries: Sequence[StoredEntry]) -> None:
        """Replace the bodies of stored entries of tables that no server has open."""
        ...

    async def forget_devices(self, devices: Sequence[str]) -> None:
        """Delete the seats of devices from the index."""
        ...

    async def find_documents(self, kind: str, words: Sequence[str]) -> Sequence[str]:
        """Keys of the documents of a kind that contain one of these words; reads all of that kind."""
        ...

    async def delete_documents(self, kind: str, beginnings: Sequence[str]) -> None:
        """Delete the documents of a kind whose keys begin with one of these."""
        ...

    async def statistics(self) -> StorageStatistics:
        """Count what is stored; this reads whole indexes."""
        ...
