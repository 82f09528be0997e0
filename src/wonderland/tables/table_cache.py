"""The tables in memory: loaded when they are needed, evicted when they are idle or too many."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence

from wonderland.engine.language import phrase
from wonderland.tables import entries as log
from wonderland.tables.fairness import FairChance, ServerKey
from wonderland.tables.handlers import Context
from wonderland.tables.limits import Limits
from wonderland.tables.live_table import LiveTable, due_after
from wonderland.tables.presence import Attendance
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Storage, StorageError, StoredEntry
from wonderland.tables.stored_log import TableRefused, read_stored_entry
from wonderland.tables.table import Table
from wonderland.tables.table_limits import command_bucket
from wonderland.tables.table_loader import TableLoader
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

logger = logging.getLogger("wonderland.tables")
_CHANGING = phrase("This table is being changed. Please try again in a moment.")


def storage_refusal(error: StorageError) -> Refusal:
    """Log what is wrong with the storage, and say what players may know: no path, no address."""
    logger.error("storage", extra={"why": str(error)})
    return Refusal(Code.STORAGE_FAILED, "The server can't reach its saved games. Please try again.")


class TableClosed(Refusal):
    """The operator is changing a table at the moment."""


def closed_refusal(*, erased: bool = False) -> Refusal:
    """The refusal of a table that is erased, or that the operator is changing at the moment."""
    if erased:
        return Refusal(Code.NO_SUCH_TABLE, "This table doesn't exist.")
    return TableClosed(Code.TABLE_MOVING, _CHANGING)


class TableCache:
    """Live tables by id; a table that is loaded by several at once is loaded once."""

    def __init__(self, storage: Storage, key: ServerKey, limits: Limits) -> None:
        self.live: dict[str, LiveTable] = {}
        self._key = key
        self._limits = limits
        self._loader = TableLoader(storage)
        self.closed: Mapping[str, bool] = {}
        """Tables that may not be opened; `True` for those that are erased for good."""
        self.closings = 0
        """How often tables have been closed so far: what is remembered of tables may be out of date."""
        self.announcement = ""
        """What everyone at a table is told at the moment."""
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}

    async def get(self, table: str) -> LiveTable:
        """Return a live table from memory, or load it from its log; `Refusal` if it doesn't exist."""
        self._check_open(table)
        if (live := self.live.get(table)) is not None:
            live.last_used = time.monotonic()
            return live
        if "\0" in table:  # PostgreSQL rejects NUL in a query
            raise Refusal(Code.NO_SUCH_TABLE, "This table doesn't exist.")
        if (loading := self._loading.get(table)) is None:
            loading = self._loading[table] = asyncio.ensure_future(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> LiveTable:
        try:
            found = await self._loader.load(table)
        except StorageError as error:
            raise storage_refusal(error) from None
        except TableRefused as error:
            raise Refusal.of(Code.UNREADABLE_TABLE, error) from None
        if found is None:
            raise Refusal(Code.NO_SUCH_TABLE, "This table doesn't exist.")
        self._check_open(table)  # it may have been closed meanwhile
        loaded, keys = found
        row = loaded.row(loaded.time, due_after(loaded))
        live = self.live[table] = LiveTable(
            Context(loaded, self._key),
            row,
            time.monotonic(),
            Attendance(now()),
            keys=keys,
            command_limit=command_bucket(self._limits),
            announcement=self.announcement,
        )
        return live

    def set_closed(self, closed: Mapping[str, bool]) -> set[str]:
        """Close these tables and no others, `True` for good; return those that were in memory."""
        self.closings += bool(set(closed) - set(self.closed))
        self.closed = closed
        gone = {name: live for name in closed if (live := self.live.pop(name, None)) is not None}
        for live in gone.values():
            live.is_closed = True
            for pending in live.queue:
                pending.reply(closed_refusal(), live.table.version)
            live.queue.clear()
        return set(gone)

    def announce(self, text: str) -> None:
        """Tell everyone at a table something from now on; an empty text withdraws it."""
        if text != self.announcement:
            self.announcement = text
            for live in self.live.values():
                live.announcement = text
                live.presence_changed()

    def _check_open(self, table: str) -> None:
        if (is_erased := self.closed.get(table)) is not None:
            raise closed_refusal(erased=is_erased)

    async def catch_up(self, live: LiveTable) -> bool:
        """Apply what other processes have written to a table's log; return whether that was anything."""
        before = live.table
        try:
            table = await self._loader.catch_up(before, live.keys)
        except TableRefused as error:
            raise Refusal.of(Code.UNREADABLE_TABLE, error) from None
        if table is before:
            return False
        self._replace(live, table)
        return True

    def deliver(self, entries: Sequence[StoredEntry]) -> None:
        """Keep entries of other processes for `apply_delivered`, if their tables are in memory."""
        for entry in entries:
            if (live := self.live.get(entry.table)) is not None:
                live.delivered.append(entry)

    def apply_delivered(self, live: LiveTable) -> bool:
        """Apply delivered entries that come next, without reading the log; return whether any did."""
        delivered, live.delivered = live.delivered, []
        before = table = live.table
        chance = live.context.cached_chance
        try:
            for stored in delivered:
                if stored.n == table.version + 1:
                    entry = read_stored_entry(stored)
                    chance = _chance_after(chance, table, entry)
                    table = table.after(stored, entry)
                    live.keys.add(entry.key, table.version)
        except TableRefused:  # the log will be read, and the error reported
            pass
        if table is before:
            return False
        self._replace(live, table, chance)
        return True

    def _replace(self, live: LiveTable, table: Table, chance: FairChance | None = None) -> None:
        live.context = Context(table, self._key, chance)
        live.row = table.row(table.time, due_after(table))

    def evict_idle(self, seconds: float) -> None:
        """Evict tables idle for more than `seconds`, and the oldest if there are too many."""
        limit = time.monotonic() - seconds
        idle = [
            (live.last_used, name)
            for name, live in self.live.items()
            if not (live.watchers or live.is_busy or live.queue or live.is_thinking)
        ]
        idle.sort()
        superfluous = len(idle) - self._limits.of("tables_in_memory")
        for rank, (last_used, name) in enumerate(idle):
            if last_used < limit or rank < superfluous:
                del self.live[name]


def _chance_after(chance: FairChance | None, table: Table, entry: log.AnyEntry) -> FairChance | None:
    """The chance source after an entry, without replaying the game; `None` if that isn't possible."""
    if chance is None or isinstance(entry, log.Started):
        return None
    if isinstance(entry, log.Played):
        chance = chance.fork()
        for label, limit in table.new_draws(entry):
            chance.below(limit, label)
    return chance


async def check_server_key(storage: Storage, key: ServerKey) -> None:
    """Raise `StorageError` if the tables of a storage were created with another key."""
    known = await storage.get_or_set_fact("key", key.fingerprint)
    if known != key.fingerprint:
        raise StorageError(
            phrase(
                "the tables in this database were created with a different server key ({known}, not "
                "{own}). Use the original key file."
            ),
            known=known,
            own=key.fingerprint,
        )
