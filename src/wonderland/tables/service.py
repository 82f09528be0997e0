"""The table service: loads tables, runs commands, and keeps watchers and other processes up to date.

Each table in use has a `LiveTable` with a queue of commands. One command at a time is decided and
committed, and only then applied, broadcast and answered, so a table in memory is never ahead of its log.
If another process writes the same log entry first, the log is re-read and the command is retried.

Commands run through callbacks rather than one task each: this is the hot path of every move, and it
waits for nothing but the storage. Rare work (reading a log, detecting a duplicate command) uses tasks.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

from wonderland.tables import entries as log
from wonderland.tables.accounts import Account, Accounts
from wonderland.tables.creation import new_id, opening_entry, rematch_of, table_from_request
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import Context, HandlerResult, decide, hash_secret, key_of, rematch_id
from wonderland.tables.live_table import LiveTable, PendingCommand, Reply, Watcher, due_after
from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    Storage,
    StorageError,
    StoredEntry,
)
from wonderland.tables.table import Table, TableRefused
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

logger = logging.getLogger("wonderland.tables")
_MAX_QUEUE_LENGTH = 64
_RETRY_SECONDS = 2.0
"""Delay before retrying to read a log that changed elsewhere but could not be read."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class TableService:
    """All tables served by one process."""

    def __init__(self, storage: Storage, key: ServerKey) -> None:
        self.storage = storage
        self.key = key
        self.people = Accounts(storage, key)
        self.live_tables: dict[str, LiveTable] = {}
        self.on_change: Callable[[LiveTable], None] = lambda _: None
        """Called with every live table that has changed; the bot runner listens."""
        self.committed = 0
        """Number of log entries written by this process."""
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    async def open(self) -> None:
        """Check that the storage belongs to this key, and subscribe to changes by other processes."""
        known = await self.storage.get_or_set_fact("key", self.key.fingerprint)
        if known != self.key.fingerprint:
            raise StorageError(
                f"the tables in this database were laid with another key ({known}), not with this one "
                f"({self.key.fingerprint}): use the key file of the server that laid them."
            )
        self.storage.listen(self._on_changes)

    async def close(self) -> None:
        """Wait for the work in progress to finish."""
        self._is_closing = True
        self.on_change = lambda _: None
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables

    async def create_table(self, device: str, request: ask.CreateTable) -> tuple[str, str]:
        """Create a table for a host; return its id and the secret of its invitation link."""
        invitation, table = secrets.token_urlsafe(18), new_id()
        await self._write_opening(table, table_from_request(request, device, hash_secret(invitation)))
        return table, invitation

    async def create_from_opening(self, opened: log.Opened) -> str:
        """Create a table from a prepared opening entry; return its id."""
        await self._write_opening(table := new_id(), opened)
        return table

    async def _write_opening(self, table: str, opened: log.Opened) -> None:
        """Write the first entry of a log, unless it exists already."""
        answer: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
        self.storage.append(opening_entry(self.key, table, opened, now()), answer.set_result)
        if isinstance(failure := await answer, StorageError):
            raise Refusal("storage", str(failure))

    async def room(self, table: str) -> LiveTable:
        """Return a live table from the cache, or load it from its log; `Refusal` if it doesn't exist."""
        if (live := self.live_tables.get(table)) is not None:
            live.last_used = time.monotonic()
            return live
        if "\0" in table:  # PostgreSQL rejects NUL in a query
            raise Refusal("not found", "There is no such table.")
        if (loading := self._loading.get(table)) is None:
            loading = self._loading[table] = asyncio.ensure_future(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table))
        return await asyncio.shield(loading)

    async def fresh(self, table: str) -> LiveTable:
        """Return a live table, brought up to date with what other processes have written."""
        live = await self.room(table)
        if not live.is_busy:
            live.is_busy = True
            await self._refresh(live)
        return live

    async def _load(self, table: str) -> LiveTable:
        try:
            entries = await self.storage.read(table)
        except StorageError as error:
            raise Refusal("storage", str(error)) from None
        if not entries:
            raise Refusal("not found", "There is no such table.")
        try:
            loaded = Table(entries[0])
            for entry in entries[1:]:
                loaded.follow(entry)
        except TableRefused as error:
            raise Refusal.of("not now", error) from None
        row = loaded.row(loaded.time, due_after(loaded))
        live = self.live_tables[table] = LiveTable(Context(loaded, self.key), row, time.monotonic())
        return live

    def evict_idle(self, seconds: float) -> None:
        """Evict tables from the cache that have been idle for more than `seconds`."""
        limit = time.monotonic() - seconds
        for name, live in list(self.live_tables.items()):
            if (
                not (live.watchers or live.is_busy or live.queue or live.is_thinking)
                and live.last_used < limit
            ):
                del self.live_tables[name]

    # Watching

    def watch(self, live: LiveTable, watcher: Watcher, after: int) -> None:
        """Subscribe a watcher: it gets the table now, and again after every change."""
        live.watchers.append(watcher)
        live.show(watcher, after)
        live.presence_changed()

    def unwatch(self, live: LiveTable, watcher: Watcher) -> None:
        """Unsubscribe a watcher."""
        if watcher in live.watchers:
            live.watchers.remove(watcher)
            live.presence_changed()
        live.last_used = time.monotonic()

    # Commands

    def command(self, live: LiveTable, device: str, command: ask.AnyCommand, reply: Reply) -> None:
        """Queue a command; `reply` is called once it has been committed or refused."""
        key = key_of(device, command.key)
        pending = _pending_command(device, command, key, reply)
        if (refusal := _refuse_early(live, device, command)) is not None:
            reply(refusal, live.table.version)
        elif isinstance(command, ask.Rematch):
            self._spawn(self._create_rematch(live, pending))
        elif live.table.opened.rated and isinstance(command, ask.Sit | ask.Claim):
            self._spawn(self._resolve_account(live, device, command, pending))
        else:
            self.submit(live, pending)

    async def _create_rematch(self, live: LiveTable, pending: PendingCommand) -> None:
        """Create the table of the rematch, then record it in the log of the old table."""
        try:
            if not live.table.next:
                pending.decide(live.context, now())
                await self._write_opening(rematch_id(live.table), rematch_of(live.table))
        except Refusal as refusal:
            pending.reply(refusal, live.table.version)
        else:
            self.submit(live, pending)

    async def _resolve_account(
        self, live: LiveTable, device: str, command: ask.AnyCommand, pending: PendingCommand
    ) -> None:
        """Resolve the sender's account, which rated tables check as well as the device."""
        try:
            account = await self.people.of(device)
        except StorageError as error:
            pending.reply(Refusal.of("storage", error), live.table.version)
        else:
            self.submit(live, _pending_command(device, command, pending.key, pending.reply, account))

    async def execute(
        self, live: LiveTable, device: str, command: ask.AnyCommand
    ) -> tuple[HandlerResult, int]:
        """Run a command and wait for its result; raise the `Refusal` if there is one."""
        answer: asyncio.Future[tuple[HandlerResult, int]] = asyncio.get_running_loop().create_future()

        def reply(outcome: HandlerResult | Refusal, version: int) -> None:
            if answer.cancelled():
                return
            if isinstance(outcome, Refusal):
                answer.set_exception(outcome)
            else:
                answer.set_result((outcome, version))

        self.command(live, device, command, reply)
        return await answer

    def submit(self, live: LiveTable, pending: PendingCommand) -> None:
        """Append a command to a table's queue, which is bounded."""
        if len(live.queue) >= _MAX_QUEUE_LENGTH:
            pending.reply(Refusal("too many", "Too much waits at this table."), live.table.version)
            return
        live.queue.append(pending)
        live.last_used = time.monotonic()
        if not live.is_busy:
            self._run_queue(live)

    def _run_queue(self, live: LiveTable) -> None:
        while live.queue and not live.is_busy:
            pending = live.queue.popleft()
            if pending.at == live.table.version or pending.checked:
                self._decide(live, pending)
            else:
                live.is_busy = True
                self._spawn(self._check_duplicate(live, pending))

    async def _check_duplicate(self, live: LiveTable, pending: PendingCommand) -> None:
        """Find out whether a command sent against another version has been committed already."""
        try:
            await self._catch_up(live)
            answered = await self._answer_duplicate(live.table, pending)
        except StorageError as error:
            pending.reply(Refusal.of("storage", error), live.table.version)
        except Refusal as refusal:
            pending.reply(refusal, live.table.version)
        except Exception:  # the sender must get an answer, whatever happens
            logger.exception("not checked", extra={"table": live.table.id})
            pending.reply(
                Refusal("storage", "It could not be looked up: try again."), live.table.version
            )
        else:
            if not answered:
                pending.checked = True
                live.queue.appendleft(pending)
        self._release(live)

    async def _answer_duplicate(self, table: Table, pending: PendingCommand) -> bool:
        """Answer a duplicate of a command that is in the log already; return whether it was one."""
        if pending.at > table.version:
            raise Refusal(
                "bad request", "The table has come to version {version} only.", version=table.version
            )
        for entry in await self.storage.read(table.id, pending.at):
            logged = log.read_entry(entry.body)
            if pending.key and logged.key == pending.key:
                pending.reply(HandlerResult(logged), entry.n)
                return True
        return False

    def _decide(self, live: LiveTable, pending: PendingCommand) -> None:
        table, time_now = live.table, now()
        try:
            result = pending.decide(live.context, time_now)
        except Refusal as refusal:
            pending.reply(refusal, table.version)
            return
        entry = StoredEntry(table.id, table.version + 1, time_now, log.written(result.entry))
        after = table.after(entry, result.entry, result.played)
        addition = _build_addition(live, after, entry)
        luck = result.luck or live.context.cached_luck
        row = addition.row or live.row
        live.is_busy = True

        def finish(answer: CommitResult) -> None:
            if answer is True:
                live.context, live.row = Context(after, self.key, luck), row
                self._on_committed(live, pending, result)
            else:
                self._on_not_committed(live, pending, answer)

        self.storage.append(addition, finish)

    def _on_committed(self, live: LiveTable, pending: PendingCommand, result: HandlerResult) -> None:
        self.committed += 1
        version = live.table.version
        try:
            pending.reply(result, version)
            live.broadcast(version - 1)
            self.on_change(live)
        except Exception:  # an update that can't be rendered must not stop the table
            logger.exception("not shown", extra={"table": live.table.id})
        self._release(live)

    def _on_not_committed(
        self, live: LiveTable, pending: PendingCommand, answer: Literal[False] | StorageError
    ) -> None:
        if answer is False:  # another process wrote this entry first: catch up, then retry
            pending.checked = False
            pending.at = min(pending.at, live.table.version)
            self._spawn(self._check_duplicate(live, pending))
            return
        logger.error("not committed", extra={"table": live.table.id, "why": str(answer)})
        pending.reply(Refusal("storage", "It could not be stored: try again."), live.table.version)
        self._release(live)

    def _release(self, live: LiveTable) -> None:
        """Continue after the log has been written or read: catch up if needed, else run the queue."""
        live.is_busy = False
        if live.announced_version > live.table.version:
            live.is_busy = True
            self._spawn(self._refresh(live))
        else:
            self._run_queue(live)

    # Other processes

    def _on_changes(self, changes: Sequence[tuple[str, int]]) -> None:
        if self._is_closing:
            return
        for table, version in changes:
            live = self.live_tables.get(table)
            if live is not None and live.announced_version < version:
                live.announced_version = version
                if not live.is_busy:
                    self._release(live)

    async def _refresh(self, live: LiveTable) -> None:
        try:
            await self._catch_up(live)
        except (StorageError, Refusal) as error:
            logger.warning("not followed", extra={"table": live.table.id, "why": str(error)})
            changes, live.announced_version = (live.table.id, live.announced_version), live.table.version
            if isinstance(error, StorageError):
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._on_changes, [changes])
        self._release(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Apply what other processes have written to a table's log, and broadcast it."""
        before = live.table.version
        table = live.table
        try:
            for entry in await self.storage.read(table.id, before):
                table = table.after(entry)
        except TableRefused as error:
            raise Refusal.of("not now", error) from None
        if table.version > before:
            live.context = Context(table, self.key)
            live.row = table.row(table.time, due_after(table))
            live.broadcast(before)
            self.on_change(live)


def _pending_command(
    device: str, command: ask.AnyCommand, key: str, reply: Reply, account: Account | None = None
) -> PendingCommand:
    def handle(context: Context, time_now: int) -> HandlerResult:
        return decide(context, device, command, key, time_now, account=account)

    return PendingCommand(handle, reply, command.at, key)


def _refuse_early(live: LiveTable, device: str, command: ask.AnyCommand) -> Refusal | None:
    """Refuse without queueing, so that strangers can't slow down the seated players."""
    table = live.table
    if device != table.opened.host and not table.seats_of(device):
        if not isinstance(command, ask.Sit | ask.Claim):
            return Refusal("not yours", "You have no seat at this table.")
        if len(live.queue) >= _MAX_QUEUE_LENGTH // 4:
            return Refusal("too many", "Too much waits at this table.")
    if isinstance(command, ask.Propose) and not live.proposal_limit.take():
        return Refusal("too many", "Too many proposals; play on a little.")
    return None


def _build_addition(live: LiveTable, after: Table, entry: StoredEntry) -> Addition:
    """The entry to commit, with the index rows that it changes."""
    row = after.row(entry.time, due_after(after))
    old = live.row
    same = (row.status, row.free, row.due) == (old.status, old.free, old.due)
    if after.places is live.table.places:
        return Addition(entry, None if same else row)
    were, are = live.table.sitters(), after.sitters()
    return Addition(entry, row, tuple(are - were), tuple(were - are))
