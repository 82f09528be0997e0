"""The house: all tables that one process serves, whoever comes by whatever way.

Each table that somebody needs has a `Room`. Commands wait there for their turn; one at a time is
decided, committed, and only then taken for true, shown and answered. So a table is never ahead of its
log. If another process was quicker to write, the log is read on and the command is decided anew.

This is written with callbacks and not with a task for each command: it is the path of every move, and
all that it waits for is the storage. What is rare (reading a log, looking for a command that came twice)
is done by tasks.
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
_LONGEST_QUEUE = 64
_AGAIN_SECONDS = 2.0
"""After which a log that could not be read is read again, if there was news of it."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class TableService:
    """Takes commands, keeps promises, tells those who watch."""

    def __init__(self, storage: Storage, key: ServerKey) -> None:
        self.storage = storage
        self.key = key
        self.people = Accounts(storage, key)
        self.rooms: dict[str, LiveTable] = {}
        self.changed: Callable[[LiveTable], None] = lambda _: None
        """Is told of every room whose table has changed: whoever plays for bots listens."""
        self.committed = 0
        """How many entries this process has written."""
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    async def open(self) -> None:
        """Make sure that it is the right key for this storage, and listen to other processes."""
        known = await self.storage.fact("key", self.key.fingerprint)
        if known != self.key.fingerprint:
            raise StorageError(
                f"the tables in this database were laid with another key ({known}), not with this one "
                f"({self.key.fingerprint}): use the key file of the server that laid them."
            )
        self.storage.listen(self._heard)

    async def close(self) -> None:
        """Finish what was begun."""
        self._is_closing = True
        self.changed = lambda _: None
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables

    async def lay(self, device: str, wanted: ask.CreateTable) -> tuple[str, str]:
        """A new table for a host; gives its name and the secret of its link."""
        invitation, table = secrets.token_urlsafe(18), new_id()
        await self._lay(table, table_from_request(wanted, device, hash_secret(invitation)))
        return table, invitation

    async def lay_as(self, opened: log.Opened) -> str:
        """A new table that is opened in this way; gives its name."""
        await self._lay(table := new_id(), opened)
        return table

    async def _lay(self, table: str, opened: log.Opened) -> None:
        """Begin a log, unless somebody has begun it already."""
        answer: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
        self.storage.append(opening_entry(self.key, table, opened, now()), answer.set_result)
        if isinstance(failure := await answer, StorageError):
            raise Refusal("storage", str(failure))

    async def room(self, table: str) -> LiveTable:
        """The room of a table, from memory or from its log; `Refusal` if there is no such table."""
        if (room := self.rooms.get(table)) is not None:
            room.used = time.monotonic()
            return room
        if "\0" in table:  # which PostgreSQL can't even look for
            raise Refusal("not found", "There is no such table.")
        if (loading := self._loading.get(table)) is None:
            loading = self._loading[table] = asyncio.ensure_future(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table))
        return await asyncio.shield(loading)

    async def fresh(self, table: str) -> LiveTable:
        """The room of a table, after reading what other processes may have written to its log."""
        room = await self.room(table)
        if not room.busy:
            room.busy = True
            await self._follow(room)
        return room

    async def _load(self, table: str) -> LiveTable:
        try:
            entries = await self.storage.read(table)
        except StorageError as error:
            raise Refusal("storage", str(error)) from None
        if not entries:
            raise Refusal("not found", "There is no such table.")
        try:
            found = Table(entries[0])
            for entry in entries[1:]:
                found.follow(entry)
        except TableRefused as error:
            raise Refusal.of("not now", error) from None
        row = found.row(found.time, due_after(found))
        room = self.rooms[table] = LiveTable(Context(found, self.key), row, time.monotonic())
        return room

    def forget(self, older: float) -> None:
        """Let go of tables that nobody has needed for so many seconds."""
        limit = time.monotonic() - older
        for name, room in list(self.rooms.items()):
            if not (room.watchers or room.busy or room.jobs or room.thinking) and room.used < limit:
                del self.rooms[name]

    # Watching

    def watch(self, room: LiveTable, watcher: Watcher, after: int) -> None:
        """Show a table to somebody now and whenever it changes."""
        room.watchers.append(watcher)
        room.show(watcher, after)
        room.presence_changed()

    def unwatch(self, room: LiveTable, watcher: Watcher) -> None:
        """Stop that."""
        if watcher in room.watchers:
            room.watchers.remove(watcher)
            room.presence_changed()
        room.used = time.monotonic()

    # Commands

    def command(self, room: LiveTable, device: str, command: ask.AnyCommand, reply: Reply) -> None:
        """Let somebody do something; `reply` hears of it once that is true for ever."""
        key = key_of(device, command.key)
        job = _job(device, command, key, reply)
        if (refusal := _turned_away(room, device, command)) is not None:
            reply(refusal, room.table.version)
        elif isinstance(command, ask.Rematch):
            self._spawn(self._lay_rematch(room, job))
        elif room.table.opened.rated and isinstance(command, ask.Sit | ask.Claim):
            self._spawn(self._find_person(room, device, command, job))
        else:
            self.submit(room, job)

    async def _lay_rematch(self, room: LiveTable, job: PendingCommand) -> None:
        """Lay the table of the rematch, then say so in the log of the old one."""
        try:
            if not room.table.next:
                job.decide(room.desk, now())
                await self._lay(rematch_id(room.table), rematch_of(room.table))
        except Refusal as refusal:
            job.reply(refusal, room.table.version)
        else:
            self.submit(room, job)

    async def _find_person(
        self, room: LiveTable, device: str, command: ask.AnyCommand, job: PendingCommand
    ) -> None:
        """At a rated table it matters who somebody is, not only with which device they come."""
        try:
            who = await self.people.of(device)
        except StorageError as error:
            job.reply(Refusal.of("storage", error), room.table.version)
        else:
            self.submit(room, _job(device, command, job.key, job.reply, who))

    async def execute(
        self, room: LiveTable, device: str, command: ask.AnyCommand
    ) -> tuple[HandlerResult, int]:
        """The same for those who like to wait; raises the `Refusal`."""
        answer: asyncio.Future[tuple[HandlerResult, int]] = asyncio.get_running_loop().create_future()

        def reply(outcome: HandlerResult | Refusal, version: int) -> None:
            if answer.cancelled():
                return
            if isinstance(outcome, Refusal):
                answer.set_exception(outcome)
            else:
                answer.set_result((outcome, version))

        self.command(room, device, command, reply)
        return await answer

    def submit(self, room: LiveTable, job: PendingCommand) -> None:
        """Put a job into a room's queue."""
        if len(room.jobs) >= _LONGEST_QUEUE:
            job.reply(Refusal("too many", "Too much waits at this table."), room.table.version)
            return
        room.jobs.append(job)
        room.used = time.monotonic()
        if not room.busy:
            self._go_on(room)

    def _go_on(self, room: LiveTable) -> None:
        while room.jobs and not room.busy:
            job = room.jobs.popleft()
            if job.at == room.table.version or job.checked:
                self._decide(room, job)
            else:
                room.busy = True
                self._spawn(self._check(room, job))

    async def _check(self, room: LiveTable, job: PendingCommand) -> None:
        """Find out whether a command has been done already, when its sender knew another version."""
        try:
            await self._catch_up(room)
            answered = await self._answered(room.table, job)
        except StorageError as error:
            job.reply(Refusal.of("storage", error), room.table.version)
        except Refusal as refusal:
            job.reply(refusal, room.table.version)
        except Exception:  # the sender waits for an answer, whatever happens
            logger.exception("not checked", extra={"table": room.table.id})
            job.reply(Refusal("storage", "It could not be looked up: try again."), room.table.version)
        else:
            if not answered:
                job.checked = True
                room.jobs.appendleft(job)
        self._free(room)

    async def _answered(self, table: Table, job: PendingCommand) -> bool:
        """Answer a command that stands in the log already."""
        if job.at > table.version:
            raise Refusal(
                "bad request", "The table has come to version {version} only.", version=table.version
            )
        for entry in await self.storage.read(table.id, job.at):
            happening = log.read_entry(entry.body)
            if job.key and happening.key == job.key:
                job.reply(HandlerResult(happening), entry.n)
                return True
        return False

    def _decide(self, room: LiveTable, job: PendingCommand) -> None:
        table, time_now = room.table, now()
        try:
            decision = job.decide(room.desk, time_now)
        except Refusal as refusal:
            job.reply(refusal, table.version)
            return
        entry = StoredEntry(table.id, table.version + 1, time_now, log.written(decision.happening))
        after = table.after(entry, decision.happening, decision.played)
        addition = _addition(room, after, entry)
        luck = decision.luck or room.desk.known
        row = addition.row or room.row
        room.busy = True

        def committed(answer: CommitResult) -> None:
            if answer is True:
                room.desk, room.row = Context(after, self.key, luck), row
                self._committed(room, job, decision)
            else:
                self._not_committed(room, job, answer)

        self.storage.append(addition, committed)

    def _committed(self, room: LiveTable, job: PendingCommand, decision: HandlerResult) -> None:
        self.committed += 1
        version = room.table.version
        try:
            job.reply(decision, version)
            room.tell(version - 1)
            self.changed(room)
        except Exception:  # what somebody can't be shown must not stop the table
            logger.exception("not shown", extra={"table": room.table.id})
        self._free(room)

    def _not_committed(
        self, room: LiveTable, job: PendingCommand, answer: Literal[False] | StorageError
    ) -> None:
        if answer is False:  # somebody else was quicker: read what they wrote, then decide anew
            job.checked = False
            job.at = min(job.at, room.table.version)
            self._spawn(self._check(room, job))
            return
        logger.error("not committed", extra={"table": room.table.id, "why": str(answer)})
        job.reply(Refusal("storage", "It could not be stored: try again."), room.table.version)
        self._free(room)

    def _free(self, room: LiveTable) -> None:
        """Go on with a room whose log has been written or read."""
        room.busy = False
        if room.heard > room.table.version:
            room.busy = True
            self._spawn(self._follow(room))
        else:
            self._go_on(room)

    # Other processes

    def _heard(self, news: Sequence[tuple[str, int]]) -> None:
        if self._is_closing:
            return
        for table, version in news:
            room = self.rooms.get(table)
            if room is not None and room.heard < version:
                room.heard = version
                if not room.busy:
                    self._free(room)

    async def _follow(self, room: LiveTable) -> None:
        try:
            await self._catch_up(room)
        except (StorageError, Refusal) as error:
            logger.warning("not followed", extra={"table": room.table.id, "why": str(error)})
            news, room.heard = (room.table.id, room.heard), room.table.version
            if isinstance(error, StorageError):
                asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._heard, [news])
        self._free(room)

    async def _catch_up(self, room: LiveTable) -> None:
        """Read what others have written to a room's log."""
        before = room.table.version
        table = room.table
        try:
            for entry in await self.storage.read(table.id, before):
                table = table.after(entry)
        except TableRefused as error:
            raise Refusal.of("not now", error) from None
        if table.version > before:
            room.desk = Context(table, self.key)
            room.row = table.row(table.time, due_after(table))
            room.tell(before)
            self.changed(room)


def _job(
    device: str, command: ask.AnyCommand, key: str, reply: Reply, who: Account | None = None
) -> PendingCommand:
    def decided(desk: Context, time_now: int) -> HandlerResult:
        return decide(desk, device, command, key, time_now, who=who)

    return PendingCommand(decided, reply, command.at, key)


def _turned_away(room: LiveTable, device: str, command: ask.AnyCommand) -> Refusal | None:
    """Why somebody need not even wait for an answer: strangers must not keep those waiting who play."""
    table = room.table
    if device != table.opened.host and not table.seats_of(device):
        if not isinstance(command, ask.Sit | ask.Claim):
            return Refusal("not yours", "You have no seat at this table.")
        if len(room.jobs) >= _LONGEST_QUEUE // 4:
            return Refusal("too many", "Too much waits at this table.")
    if isinstance(command, ask.Propose) and not room.proposals.take():
        return Refusal("too many", "Too many proposals; play on a little.")
    return None


def _addition(room: LiveTable, after: Table, entry: StoredEntry) -> Addition:
    """What is to be committed: the entry, and what it changes in the indexes."""
    row = after.row(entry.time, due_after(after))
    old = room.row
    same = (row.status, row.free, row.due) == (old.status, old.free, old.due)
    if after.places is room.table.places:
        return Addition(entry, None if same else row)
    were, are = room.table.sitters(), after.sitters()
    return Addition(entry, row, tuple(are - were), tuple(were - are))
