"""A table in memory: its latest state, its watchers, and its queue of commands."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Raw

from wonderland.engine.serialization import encode
from wonderland.tables.accounts import Account
from wonderland.tables.descriptions import build_update, describe_table
from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.handlers import Context, HandlerResult, decide, key_of
from wonderland.tables.hints import Hint
from wonderland.tables.households import counts
from wonderland.tables.presence import (
    Attendance,
    concerns_presence,
    describe_absences,
    needs_attendance,
)
from wonderland.tables.rate_limit import TokenBucket
from wonderland.tables.seats import SeatState
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Addition, StoredEntry, TableIndexRow
from wonderland.tables.table import Table
from wonderland.tables.table_loader import CommandKeys
from wonderland.wire import commands as ask
from wonderland.wire.messages import Presence
from wonderland.wire.problems import Refusal

_PRESENCE_SECONDS = 0.1
MAX_QUEUE_LENGTH = 64
_BOT_GRACE = 10_000
"""Milliseconds after which another process may play a bot's turn, or a bot moves with nobody there."""
_ABSENCE_FACTOR = 20
"""A bot's turn takes a twentieth of the time for which nobody has been there, if that is longer."""


class Watcher(Protocol):
    """A subscriber that gets every change: as a `TableUpdate`, or rendered by its own `form`."""

    device: str
    seat: int | None
    form: MessageRenderer | None

    def send(self, message: bytes) -> None:
        """Queue a message without blocking; the transport drops a watcher that is too slow."""
        ...


MessageRenderer = Callable[[Table, int | None, str], bytes]
"""Renders a table for a seat (`None`: a spectator) and a device, for example as a page."""

Reply = Callable[[HandlerResult | Refusal, int], None]
"""Called with the result of a command and the version of the table after it."""


@dataclass(slots=True)
class PendingCommand:
    """A command that waits in a table's queue."""

    decide: Callable[[Context, int], HandlerResult]
    reply: Reply
    at: int
    """The version that the sender has seen."""
    key: str
    """Its key in the log, by which a duplicate is detected."""
    checked: bool = False
    """Whether the log was searched for a duplicate."""
    charge: Callable[[float], None] | None = None
    """Called with the seconds that it took to tell everyone of it."""


@dataclass(slots=True)
class LiveTable:
    """One table in memory."""

    context: Context
    row: TableIndexRow
    last_used: float
    """When it was last needed, by the monotonic clock; idle tables are evicted."""
    attendance: Attendance
    queue: deque[PendingCommand] = field(default_factory=deque)
    is_busy: bool = False
    """Whether an entry is being committed or the log is being read."""
    announced_version: int = 0
    """The latest version that another process has announced."""
    delivered: list[StoredEntry] = field(default_factory=list)
    """Entries that came with announcements and have not been applied yet."""
    is_thinking: bool = False
    """Whether a bot is choosing its move."""
    watchers: list[Watcher] = field(default_factory=list)
    cached_info: tuple[int, Raw] | None = None
    """The encoded public part of an update, with the version it was built at."""
    checked_places: tuple[SeatState, ...] = ()
    """The seats as they were when the watchers' seats were last checked."""
    checked_status: str = ""
    shared_for: Table | None = None
    shared_messages: dict[MessageRenderer, bytes] = field(default_factory=dict)
    """What all spectators of `shared_for` are sent, by form."""
    is_presence_pending: bool = False
    keys: CommandKeys = field(default_factory=CommandKeys)
    """The commands in its log."""
    command_limit: TokenBucket = field(default_factory=lambda: TokenBucket(1e9, 1e9))
    """Rate limit for all commands together."""
    proposal_limit: TokenBucket = field(default_factory=lambda: TokenBucket(1, 30))
    """Rate limit: checking whether a move can be undone is expensive."""
    is_closed: bool = False
    """Whether the operator has closed it, so that nothing may be written any more."""
    announcement: str = ""
    """What the operator tells everyone at the moment."""
    shown_absences: bool = False
    """Whether the last presence message named absent players, so that the next change updates it."""
    hints: dict[int, tuple[int, asyncio.Future[Hint]]] = field(default_factory=dict)
    """For each seat, the version its turn began with, and the hint for it (possibly pending)."""

    @property
    def table(self) -> Table:
        """The current table."""
        return self.context.table

    def present(self) -> list[int]:
        """Seats that are connected to this process; all seats that share a screen count."""
        found = set[int]()
        for watcher in self.watchers:
            if watcher.seat is not None:
                is_program = watcher.form is None
                found |= {watcher.seat} if is_program else set(self.table.seats_of(watcher.device))
        return sorted(found)

    def away(self, now: int) -> dict[int, int]:
        """For how many milliseconds each absent player has been away."""
        return self.attendance.away(self.table, self.present(), now)

    def lease_changes(self, before: Sequence[int], now: int) -> tuple[Sequence[int], Sequence[int]]:
        """The seats whose leases to record: those connected now, and those `before` who have left."""
        here = self.present()
        gone = [seat for seat in before if seat not in here]
        self.attendance.leases |= dict.fromkeys(gone, now)
        return (here, gone) if needs_attendance(self.table) else ((), ())

    def broadcast(self, after: int) -> None:
        """Send the table to all watchers; those of one seat share an encoded message."""
        if self.checked_places is not self.table.places:
            self._check_seats()
            if self.table.opened.rated:  # somebody may have left, or come back
                self.presence_changed()
        if self.shown_absences or self.checked_status != self.table.status:
            self.checked_status = self.table.status
            self.presence_changed()
        messages = dict[int | None, bytes]()
        for watcher in self.watchers.copy():
            if watcher.form is not None:
                watcher.send(self._render(watcher.form, watcher))
                continue
            if watcher.seat not in messages:
                messages[watcher.seat] = build_update(
                    self.table, watcher.seat, after, self.public_info()
                )
            watcher.send(messages[watcher.seat])

    def _check_seats(self) -> None:
        """Turn watchers into spectators if they no longer hold their seat, or any other."""
        self.checked_places = self.table.places
        for watcher in self.watchers:
            if watcher.seat is not None and not self.table.holds(watcher.device, watcher.seat):
                seats = self.table.seats_of(watcher.device)  # seats are renumbered when free ones go
                watcher.seat = seats[0] if seats and self.table.opened.quick else None
                self.presence_changed()

    def presence_changed(self) -> None:
        """Schedule a presence message; arrivals and departures in quick succession share one."""
        if not self.is_presence_pending:
            self.is_presence_pending = True
            asyncio.get_running_loop().call_later(_PRESENCE_SECONDS, self._broadcast_presence)

    def _broadcast_presence(self) -> None:
        self.is_presence_pending = False
        spectators, time_now = sum(watcher.seat is None for watcher in self.watchers), now()
        absent = describe_absences(self.table, self.away(time_now), time_now)
        self.shown_absences = bool(absent)
        here = self.attendance.here(self.present(), time_now)
        message = encode(Presence(here, spectators, absent, self.announcement))
        for watcher in self.watchers.copy():
            watcher.send(message)

    def show(self, watcher: Watcher, after: int) -> None:
        """Send the table to one watcher, with the events since version `after`."""
        if watcher.form is not None:
            watcher.send(self._render(watcher.form, watcher))
        else:
            known = after if 0 <= after <= self.table.version else self.table.version
            watcher.send(build_update(self.table, watcher.seat, known, self.public_info()))

    def _render(self, form: MessageRenderer, watcher: Watcher) -> bytes:
        """Render the table for a watcher; spectators who read the same language share one message."""
        table, device = self.table, watcher.device
        is_known = (
            device == table.opened.host
            or device in table.moved
            or any(device in place.devices for place in table.places)
        )
        if watcher.seat is not None or (device and is_known):
            return form(table, watcher.seat, device)
        if self.shared_for is not table:
            self.shared_for, self.shared_messages = table, {}
        if form not in self.shared_messages:
            self.shared_messages[form] = form(table, None, "")
        return self.shared_messages[form]

    def public_info(self) -> Raw:
        """The encoded part of an update that is the same for everyone; cached until it changes."""
        table = self.table
        if self.cached_info is None or self.cached_info[0] != table.info_version:
            self.cached_info = table.info_version, Raw(encode(describe_table(table)))
        return self.cached_info[1]


def pending_command(  # noqa: PLR0913 - the last two are for rated tables
    live: LiveTable,
    device: str,
    command: ask.AnyCommand,
    reply: Reply,
    charge: Callable[[float], None] | None = None,
    *,
    account: Account | None = None,
    source: str = "",
) -> PendingCommand:
    """A command, ready to be queued; `account` and `source` are the sender's, for rated tables."""
    key = key_of(device, command.key)

    def handle(context: Context, time_now: int) -> HandlerResult:
        away = live.away(time_now) if concerns_presence(context.table, command) else None
        return decide(context, device, command, key, time_now, account=account, away=away, source=source)

    return PendingCommand(handle, reply, command.at, key, charge=charge)


def due_after(table: Table) -> int | None:
    """When a table next needs attention (a bot's turn, a timeout), if nothing happens before."""
    opened = table.opened
    if counts(table) and table.status == "finished":
        return table.turn_time  # at once, to record the result
    if not table.to_act or not (opened.clock or opened.away or any(p.level for p in table.places)):
        return None
    departures = [forfeits_at(table, seat) for seat in range(len(table.places))] * opened.rated
    waits = [time - table.turn_time for time in departures if time is not None]
    if any(table.places[seat].level for seat in table.to_act):
        waits.append(max(_BOT_GRACE, (table.turn_time - table.attended_time) // _ABSENCE_FACTOR))
    if set(table.to_act) & set(table.people()):
        waits += [1000 * wait for wait in (table.opened.clock, table.opened.away) if wait is not None]
    return table.turn_time + min(waits) if waits else None


def needs_lookup(table: Table, command: ask.AnyCommand) -> bool:
    """Whether a command depends on more than the table: the sender's account, or who is away."""
    needs_account = table.opened.rated and isinstance(command, ask.Sit | ask.Claim)
    return needs_account or concerns_presence(table, command)


def build_addition(live: LiveTable, after: Table, entry: StoredEntry) -> Addition:
    """The entry to commit, with the index rows that it changes."""
    row = after.row(entry.time, due_after(after))
    old = live.row
    same = (row.status, row.free, row.due) == (old.status, old.free, old.due)
    starts_or_ends = after.opened.rated and row.status != old.status
    if after.places is live.table.places and not starts_or_ends:
        return Addition(entry, None if same else row)
    were, are = live.table.sitters(), after.sitters()
    return Addition(entry, row, tuple(are - were), tuple(were - are))
