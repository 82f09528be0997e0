"""Loading tables from their logs, in slices, so that a long log delays nobody else.

A log is read in pages and folded for a few milliseconds at a time. Between slices the event loop handles
everything else that is waiting, and of several long logs one at a time is folded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from wonderland.tables.storage.interface import Storage, StoredEntry
from wonderland.tables.stored_log import read_stored_entry
from wonderland.tables.table import Table

_PAGE = 1000
"""Entries that are read at once."""
_SLICE_SECONDS = 0.002
"""Time to fold entries before others get their turn."""


class CommandKeys:
    """Index of the commands in a table's log by key, to detect duplicates without reading the log."""

    __slots__ = ("_versions",)

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def add(self, key: str, version: int) -> None:
        """Note the key of an entry; those of bots and clocks have none."""
        if key:
            self._versions.setdefault(key, version)

    def find(self, key: str) -> int | None:
        """Return the version at which a command was committed, if it was."""
        return self._versions.get(key) if key else None


class TableLoader:
    """Reads and folds logs for a table service."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._turn = asyncio.Lock()
        """Held while a long log is folded."""

    async def load(self, name: str) -> tuple[Table, CommandKeys] | None:
        """Load a table and the keys of its commands; `None` if it doesn't exist."""
        page = await self._storage.read(name, most=_PAGE)
        if not page:
            return None
        table, keys = Table(page[0]), CommandKeys()
        await self._fold(table, page[1:], keys)
        if len(page) == _PAGE:
            await self._follow(table, keys)
        return table, keys

    async def catch_up(self, table: Table, keys: CommandKeys) -> Table:
        """Return the table with what has been added to its log since; the same if that is nothing."""
        page = await self._storage.read(table.id, table.version, most=_PAGE)
        if not page:
            return table
        first = read_stored_entry(page[0])
        newer = table.after(page[0], first)
        keys.add(first.key, newer.version)
        await self._fold(newer, page[1:], keys)
        if len(page) == _PAGE:
            await self._follow(newer, keys)
        return newer

    async def _follow(self, table: Table, keys: CommandKeys) -> None:
        """Fold the remaining pages of a long log."""
        while page := await self._storage.read(table.id, table.version, most=_PAGE):
            await self._fold(table, page, keys)
            if len(page) < _PAGE:
                return

    async def _fold(self, table: Table, page: Sequence[StoredEntry], keys: CommandKeys) -> None:
        done = _fold_slice(table, page, 0, keys)
        while done < len(page):
            async with self._turn:
                await asyncio.sleep(0)
                done = _fold_slice(table, page, done, keys)


def _fold_slice(table: Table, page: Sequence[StoredEntry], done: int, keys: CommandKeys) -> int:
    """Fold entries from `done` on until the time is up; return how many of the page are done."""
    end = time.perf_counter() + _SLICE_SECONDS
    for number in range(done, len(page)):
        entry = read_stored_entry(page[number])
        table.follow(page[number], entry)
        keys.add(entry.key, table.version)
        if time.perf_counter() > end:
            return number + 1
    return len(page)
