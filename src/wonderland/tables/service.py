"""The table service: loads tables, runs commands, and keeps watchers and other processes up to date.

Each table in use has a `LiveTable` with a queue of commands. One command at a time is decided and
committed, and only then applied, broadcast and answered, so a table in memory is never ahead of its log.
If another process writes the same log entry first, the log is re-read and the command is retried.

Commands run through callbacks rather than one task each: this is the hot path of every move, and waits
for nothing but the storage. Rare work (reading a log, detecting a duplicate) uses tasks.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

import msgspec

from wonderland.tables import entries as log
from wonderland.tables.accounts import Accounts
from wonderland.tables.creation import new_id, opening_entry, table_from_request
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import Context, HandlerResult, hash_secret
from wonderland.tables.households import source_hash
from wonderland.tables.limits import Limits
from wonderland.tables.live_table import (
    LiveTable,
    PendingCommand,
    Reply,
    Watcher,
    build_addition,
    needs_lookup,
    pending_command,
)
from wonderland.tables.presence import LeaseWriter
from wonderland.tables.rematch import rematch_of
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import CommitResult, Storage, StorageError, StoredEntry
from wonderland.tables.table_cache import TableCache, check_server_key, closed_refusal, storage_refusal
from wonderland.tables.table_limits import MAX_QUEUE_LENGTH, check_listing, refuse_early
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

logger = logging.getLogger("wonderland.tables")
_RETRY_SECONDS = 2.0  # before a log that changed elsewhere but could not be read is read again


class TableService:
    """All tables served by one process."""

    def __init__(self, storage: Storage, key: ServerKey, limits: Limits | None = None) -> None:
        self.storage, self.key, self.limits = storage, key, limits or Limits()
        self.people = Accounts(storage, key)
        self.cache = TableCache(storage, key, self.limits)
        self.live_tables = self.cache.live
        self.set_closed, self.announce = self.cache.set_closed, self.cache.announce
        self.on_change: Callable[[LiveTable], None] = lambda _: None
        """Called with every live table that has changed; the bot runner listens."""
        self.committed = 0
        """Number of log entries written by this process."""
        self._leases = LeaseWriter(storage)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    async def open(self) -> None:
        """Check that the storage belongs to this key, and subscribe to changes by other processes."""
        await check_server_key(self.storage, self.key)
        await self.people.reserve_looks()
        key = self.key.keyed_hash("notifications", "")
        self.storage.listen(self._on_changes, self.cache.deliver, key)

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

    async def create_table(
        self, device: str, request: ask.CreateTable, network: str = ""
    ) -> tuple[str, str]:
        """Create a table for a host; return its id and the secret of its invitation link."""
        invitation = secrets.token_urlsafe(18)
        opened = table_from_request(request, device, hash_secret(invitation))
        return await self.create_from_opening(opened, network), invitation

    async def create_from_opening(self, opened: log.Opened, network: str = "") -> str:
        """Create a table from a prepared opening entry; return its id."""
        source = source_hash(self.key, network)
        if source and opened.access == "open":
            await check_listing(self.storage, source, self.limits)
        household = self.limits.rated_seats_per_address if opened.rated else opened.household
        created = log.changed(opened, source=source, household=household)
        await self._write_opening(table := new_id(), created)
        return table

    async def _write_opening(self, table: str, opened: log.Opened) -> None:
        """Write the first entry of a log, unless it exists already."""
        answer: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
        self.storage.append(opening_entry(self.key, table, opened, now()), answer.set_result)
        if isinstance(failure := await answer, StorageError):
            raise storage_refusal(failure)

    async def get_live_table(self, table: str) -> LiveTable:
        """Return a live table from memory, or load it from its log; `Refusal` if it doesn't exist."""
        return await self.cache.get(table)

    async def fresh(self, table: str) -> LiveTable:
        """Return a live table, brought up to date with what other processes have written."""
        live = await self.get_live_table(table)
        if not live.is_busy:
            live.is_busy = True
            await self._refresh(live)
        return live

    def evict_idle(self, seconds: float) -> None:
        """Evict tables idle for more than `seconds`, and the oldest if there are too many."""
        self.cache.evict_idle(seconds)

    # Watching

    def watch(self, live: LiveTable, watcher: Watcher, after: int) -> None:
        """Subscribe a watcher: it gets the table now, and again after every change."""
        live.watchers.append(watcher)
        live.show(watcher, after)
        self._on_presence(live)
        self.on_change(live)  # bots that waited for somebody to come play on

    def unwatch(self, live: LiveTable, watcher: Watcher) -> None:
        """Unsubscribe a watcher."""
        if watcher in live.watchers:
            before = live.present()
            live.watchers.remove(watcher)
            self._on_presence(live, before)
        live.last_used = time.monotonic()

    def _on_presence(self, live: LiveTable, before: Sequence[int] = ()) -> None:
        """Tell the watchers, and other processes, who has come or, of those here before, gone."""
        live.presence_changed()
        here, gone = live.lease_changes(before, now())
        if not self._is_closing and self._leases.add(live.table.id, here, gone):
            self._spawn(self._leases.write())

    async def read_presence(self, live: LiveTable) -> None:
        """Learn from the storage who is connected to other processes."""
        leases = await self.storage.last_seen(live.table.id)
        if live.attendance.update(leases, live.present(), now()):
            live.presence_changed()

    # Commands

    def command(  # noqa: PLR0913 - the last two say who pays, and where the sender is
        self,
        live: LiveTable,
        device: str,
        command: ask.AnyCommand,
        reply: Reply,
        charge: Callable[[float], None] | None = None,
        *,
        source: str = "",
    ) -> None:
        """Queue a command; `reply` is called once it has been committed or refused.

        `charge` is called with the seconds that it took to send the change to everyone at the table;
        `source` is the hash of the sender's network, if known.
        """
        pending = pending_command(live, device, command, reply, charge)
        if (refusal := refuse_early(live, device, command, pending.key, self.limits)) is not None:
            reply(refusal, live.table.version)
        elif isinstance(command, ask.Rematch):
            self._spawn(self._rematch(live, device, command, pending))
        elif needs_lookup(live.table, command):
            self._spawn(self._resolve(live, device, command, pending, source))
        else:
            self.submit(live, pending)

    async def _rematch(
        self, live: LiveTable, device: str, command: ask.Rematch, pending: PendingCommand
    ) -> None:
        """Create the table of the rematch, then record it in the log of the old table."""
        try:
            done = pending.decide(live.context, now())
            if live.table.next:
                return pending.reply(done, live.table.version)
            following, opened = rematch_of(live.table, self.key, command)
            await self._write_opening(following, opened)
            opened = (await self.get_live_table(following)).table.opened  # of the first request
        except Refusal as refusal:
            pending.reply(refusal, live.table.version)
        else:
            known = msgspec.structs.replace(command, game=opened.game)
            self.submit(live, pending_command(live, device, known, pending.reply, pending.charge))

    async def _resolve(
        self, live: LiveTable, device: str, command: ask.AnyCommand, pending: PendingCommand, source: str
    ) -> None:
        """Look up what the command depends on: the sender's account, or who is away."""
        account = None
        try:
            if isinstance(command, ask.Sit | ask.Claim):
                account = await self.people.find_by_device(device)
            else:
                await self.read_presence(live)
        except StorageError as error:
            pending.reply(storage_refusal(error), live.table.version)
        else:
            known = pending_command(live, device, command, pending.reply, account=account, source=source)
            known.charge = pending.charge
            self.submit(live, known)

    async def execute(
        self,
        live: LiveTable,
        device: str,
        command: ask.AnyCommand,
        charge: Callable[[float], None] | None = None,
        *,
        source: str = "",
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

        self.command(live, device, command, reply, charge, source=source)
        return await answer

    def submit(self, live: LiveTable, pending: PendingCommand) -> None:
        """Append a command to a table's queue, which is bounded."""
        if len(live.queue) >= MAX_QUEUE_LENGTH:
            busy = Refusal(Code.TABLE_BUSY, "This table is too busy right now. Try again in a moment.")
            pending.reply(busy, live.table.version)
            return
        live.queue.append(pending)
        live.last_used = time.monotonic()
        if not live.is_busy:
            self._run_queue(live)

    def _run_queue(self, live: LiveTable) -> None:
        while live.queue and not live.is_busy:
            pending = live.queue.popleft()
            if live.is_closed:
                pending.reply(closed_refusal(), live.table.version)
            elif pending.at == live.table.version or pending.checked:
                self._decide(live, pending)
            else:
                live.is_busy = True
                self._spawn(self._check_duplicate(live, pending))

    async def _check_duplicate(self, live: LiveTable, pending: PendingCommand) -> None:
        """Find out whether a command sent against another version has been committed already."""
        try:
            await self._catch_up(live)
            answered = await self._answer_duplicate(live, pending)
        except StorageError as error:
            pending.reply(storage_refusal(error), live.table.version)
        except Refusal as refusal:
            pending.reply(refusal, live.table.version)
        except Exception:  # the sender must get an answer, whatever happens
            logger.exception("check failed", extra={"table": live.table.id})
            failure = Refusal(Code.STORAGE_FAILED, "That couldn't be checked. Please try again.")
            pending.reply(failure, live.table.version)
        else:
            if not answered:
                pending.checked = True
                live.queue.appendleft(pending)
        self._release(live)

    async def _answer_duplicate(self, live: LiveTable, pending: PendingCommand) -> bool:
        """Answer a duplicate of a command that is in the log already; return whether it was one."""
        table = live.table
        if pending.at > table.version:
            raise Refusal(
                Code.NO_SUCH_VERSION, "This table is only at version {version}.", version=table.version
            )
        version = live.keys.find(pending.key)
        if version is None or version <= pending.at:
            return False
        (entry,) = await self.storage.read(table.id, version - 1, most=1)
        pending.reply(HandlerResult(log.read_entry(entry.body)), version)
        return True

    def _decide(self, live: LiveTable, pending: PendingCommand) -> None:
        table, time_now = live.table, now()
        try:
            result = pending.decide(live.context, time_now)
        except Refusal as refusal:
            pending.reply(refusal, table.version)
            return
        if result.done_at is not None:
            pending.reply(result, result.done_at)
            return
        entry = StoredEntry(table.id, table.version + 1, time_now, log.written(result.entry))
        after = table.after(entry, result.entry, result.played)
        addition = build_addition(live, after, entry)
        chance = result.chance or live.context.cached_chance
        row = addition.row or live.row
        live.is_busy = True

        def finish(answer: CommitResult) -> None:
            if answer is True:
                live.context, live.row = Context(after, self.key, chance), row
                live.keys.add(result.entry.key, after.version)
                self._on_committed(live, pending, result)
            else:
                self._on_not_committed(live, pending, answer)

        self.storage.append(addition, finish)

    def _on_committed(self, live: LiveTable, pending: PendingCommand, result: HandlerResult) -> None:
        self.committed += 1
        version = live.table.version
        try:
            pending.reply(result, version)
            started = time.thread_time() if pending.charge is not None else 0.0
            live.broadcast(version - 1)
            if pending.charge is not None:
                pending.charge(time.thread_time() - started)
            self.on_change(live)
        except Exception:  # an update that can't be rendered must not stop the table
            logger.exception("update not sent", extra={"table": live.table.id})
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
        failure = Refusal(Code.STORAGE_FAILED, "That couldn't be saved. Please try again.")
        pending.reply(failure, live.table.version)
        self._release(live)

    def _release(self, live: LiveTable) -> None:
        """Continue after the log has been written or read: catch up if needed, else run the queue."""
        live.is_busy = False
        before = live.table.version
        if live.delivered and self.cache.apply_delivered(live):
            self._on_news(live, before)
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
            logger.warning("refresh failed", extra={"table": live.table.id, "why": str(error)})
            changes, live.announced_version = (live.table.id, live.announced_version), live.table.version
            if isinstance(error, StorageError):
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._on_changes, [changes])
        self._release(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Apply what other processes have written to a table's log, and broadcast it."""
        before = live.table.version
        if await self.cache.catch_up(live):
            self._on_news(live, before)

    def _on_news(self, live: LiveTable, before: int) -> None:
        """Tell everyone here what other processes have written since version `before`."""
        try:
            live.broadcast(before)
            self.on_change(live)
        except Exception:  # an update that can't be rendered must not stop the table
            logger.exception("update not sent", extra={"table": live.table.id})
