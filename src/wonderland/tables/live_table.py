"""A table in memory: its latest state, its watchers, and its queue of commands."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Raw

from wonderland.engine.serialization import encode
from wonderland.tables.descriptions import build_update, describe_table
from wonderland.tables.handlers import Context, HandlerResult
from wonderland.tables.hints import Hint
from wonderland.tables.rate_limit import TokenBucket
from wonderland.tables.storage.interface import TableIndexRow
from wonderland.tables.table import SeatState, Table
from wonderland.wire.messages import Presence
from wonderland.wire.problems import Refusal

_PRESENCE_SECONDS = 0.1
_BOT_GRACE = 10_000
"""Milliseconds after which another process may play a bot's turn."""


class Watcher(Protocol):
    """A subscriber that gets every change: as a `TableUpdate`, or rendered by its own `form`."""

    device: str
    seat: int | None
    form: Form | None

    def send(self, message: bytes) -> None:
        """Queue a message without blocking; the transport drops a watcher that is too slow."""
        ...


Form = Callable[[Table, int | None, str], bytes]
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


@dataclass(slots=True)
class LiveTable:
    """One table in memory."""

    context: Context
    row: TableIndexRow
    last_used: float
    """When it was last needed, by the monotonic clock; idle tables are evicted."""
    queue: deque[PendingCommand] = field(default_factory=deque)
    is_busy: bool = False
    """Whether an entry is being committed or the log is being read."""
    announced_version: int = 0
    """The latest version that another process has announced."""
    is_thinking: bool = False
    """Whether a bot is choosing its move."""
    watchers: list[Watcher] = field(default_factory=list)
    cached_info: tuple[int, Raw] | None = None
    """The encoded public part of an update, with the version it was built at."""
    checked_places: tuple[SeatState, ...] = ()
    """The seats as they were when the watchers' seats were last checked."""
    is_presence_pending: bool = False
    proposal_limit: TokenBucket = field(default_factory=lambda: TokenBucket(0.5, 10))
    """Rate limit: checking whether a move can be undone is expensive."""
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

    def broadcast(self, after: int) -> None:
        """Send the table to all watchers; those of one seat share an encoded message."""
        if self.checked_places is not self.table.places:
            self._check_seats()
        messages = dict[int | None, bytes]()
        for watcher in self.watchers.copy():
            if watcher.form is not None:
                watcher.send(watcher.form(self.table, watcher.seat, watcher.device))
                continue
            if watcher.seat not in messages:
                messages[watcher.seat] = build_update(
                    self.table, watcher.seat, after, self.public_info()
                )
            watcher.send(messages[watcher.seat])

    def _check_seats(self) -> None:
        """Turn watchers into spectators if they no longer hold their seat."""
        self.checked_places = self.table.places
        for watcher in self.watchers:
            if watcher.seat is not None and not self.table.holds(watcher.device, watcher.seat):
                watcher.seat = None
                self.presence_changed()

    def presence_changed(self) -> None:
        """Schedule a presence message; arrivals and departures in quick succession share one."""
        if not self.is_presence_pending:
            self.is_presence_pending = True
            asyncio.get_running_loop().call_later(_PRESENCE_SECONDS, self._broadcast_presence)

    def _broadcast_presence(self) -> None:
        self.is_presence_pending = False
        spectators = sum(watcher.seat is None for watcher in self.watchers)
        message = encode(Presence(self.present(), spectators))
        for watcher in self.watchers.copy():
            watcher.send(message)

    def show(self, watcher: Watcher, after: int) -> None:
        """Send the table to one watcher, with the events since version `after`."""
        if watcher.form is not None:
            watcher.send(watcher.form(self.table, watcher.seat, watcher.device))
        else:
            known = after if 0 <= after <= self.table.version else self.table.version
            watcher.send(build_update(self.table, watcher.seat, known, self.public_info()))

    def public_info(self) -> Raw:
        """The encoded part of an update that is the same for everyone; cached until it changes."""
        table = self.table
        if self.cached_info is None or self.cached_info[0] != table.info_version:
            self.cached_info = table.info_version, Raw(encode(describe_table(table)))
        return self.cached_info[1]


def due_after(table: Table) -> int | None:
    """When a table next needs attention (a bot's turn, a timeout), if nothing happens before."""
    opened = table.opened
    if opened.rated and table.status == "finished":
        return table.turn_time  # at once, to record the result
    if not table.to_act or not (opened.clock or opened.away or any(p.level for p in table.places)):
        return None
    waits = []
    if any(table.places[seat].level for seat in table.to_act):
        waits.append(_BOT_GRACE)
    if set(table.to_act) & set(table.people()):
        waits += [1000 * wait for wait in (table.opened.clock, table.opened.away) if wait is not None]
    return table.turn_time + min(waits) if waits else None
