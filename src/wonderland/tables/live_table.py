"""A table as one process holds it: the latest fold of its log, its watchers, and what is to be done."""

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
"""Milliseconds after which another process may take care of a bot's turn."""


class Watcher(Protocol):
    """Somebody who wants to be told of every change, in words of their own if they have a `form`."""

    device: str
    seat: int | None
    form: Form | None

    def send(self, message: bytes) -> None:
        """Hand over a message; whoever is too slow to take it is dropped by the one who carries it."""
        ...


Form = Callable[[Table, int | None, str], bytes]
"""How a table is put for a seat, and the device of whoever looks: a page in their language, say."""

Reply = Callable[[HandlerResult | Refusal, int], None]
"""Is told what came of a job, and the version of the table after it."""


@dataclass(slots=True)
class PendingCommand:
    """Something to be decided at a table when its turn comes."""

    decide: Callable[[Context, int], HandlerResult]
    reply: Reply
    at: int
    """The version that whoever asks has seen."""
    key: str
    """As the log has it, to find out whether it has been done already."""
    checked: bool = False


@dataclass(slots=True)
class LiveTable:
    """One table in memory."""

    desk: Context
    row: TableIndexRow
    used: float
    """When somebody last needed it, by the monotonic clock."""
    jobs: deque[PendingCommand] = field(default_factory=deque)
    busy: bool = False
    """Whether an entry of it is being committed, or its log is being read."""
    heard: int = 0
    """The latest version that another process is known to have written."""
    thinking: bool = False
    """Whether a bot thinks about its move."""
    watchers: list[Watcher] = field(default_factory=list)
    common: tuple[int, Raw] | None = None
    seated: tuple[SeatState, ...] = ()
    """The seats as they were when it was last checked who looks from where."""
    telling: bool = False
    proposals: TokenBucket = field(default_factory=lambda: TokenBucket(0.5, 10))
    """Whether something can be taken back is dear to find out."""
    hints: dict[int, tuple[int, asyncio.Future[Hint]]] = field(default_factory=dict)
    """For a seat, the hint of the turn that began with that version, maybe still thought about."""

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.desk.table

    def present(self) -> list[int]:
        """The seats that somebody watches from here; those who share a screen are all there."""
        found = set[int]()
        for watcher in self.watchers:
            if watcher.seat is not None:
                alone = watcher.form is None  # a program
                found |= {watcher.seat} if alone else set(self.table.seats_of(watcher.device))
        return sorted(found)

    def tell(self, after: int) -> None:
        """Show the table to all who watch; those of one seat get the same message."""
        if self.seated is not self.table.places:
            self._check_seats()
        messages = dict[int | None, bytes]()
        for watcher in self.watchers.copy():
            if watcher.form is not None:
                watcher.send(watcher.form(self.table, watcher.seat, watcher.device))
                continue
            if watcher.seat not in messages:
                messages[watcher.seat] = build_update(
                    self.table, watcher.seat, after, self.shown_to_all()
                )
            watcher.send(messages[watcher.seat])

    def _check_seats(self) -> None:
        """Make spectators of those who look from a seat that is no longer theirs."""
        self.seated = self.table.places
        for watcher in self.watchers:
            if watcher.seat is not None and not self.table.holds(watcher.device, watcher.seat):
                watcher.seat = None
                self.presence_changed()

    def presence_changed(self) -> None:
        """Tell all who watch, soon, who else is there: once, however many come and go."""
        if not self.telling:
            self.telling = True
            asyncio.get_running_loop().call_later(_PRESENCE_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        self.telling = False
        spectators = sum(watcher.seat is None for watcher in self.watchers)
        message = encode(Presence(self.present(), spectators))
        for watcher in self.watchers.copy():
            watcher.send(message)

    def show(self, watcher: Watcher, after: int) -> None:
        """Show the table to one, who knew it as it was at a version, if there is such a one."""
        if watcher.form is not None:
            watcher.send(watcher.form(self.table, watcher.seat, watcher.device))
        else:
            known = after if 0 <= after <= self.table.version else self.table.version
            watcher.send(build_update(self.table, watcher.seat, known, self.shown_to_all()))

    def shown_to_all(self) -> Raw:
        """The part of a message that all get alike, made anew only when it has changed."""
        table = self.table
        if self.common is None or self.common[0] != table.known_since:
            self.common = table.known_since, Raw(encode(describe_table(table)))
        return self.common[1]


def due_after(table: Table) -> int | None:
    """When somebody should look at a table again, if nothing happens before."""
    opened = table.opened
    if opened.rated and table.status == "finished":
        return table.turn_time  # at once: its end is to be noted
    if not table.to_act or not (opened.clock or opened.away or any(p.level for p in table.places)):
        return None
    waits = []
    if any(table.places[seat].level for seat in table.to_act):
        waits.append(_BOT_GRACE)
    if set(table.to_act) & set(table.people()):
        waits += [1000 * wait for wait in (table.opened.clock, table.opened.away) if wait is not None]
    return table.turn_time + min(waits) if waits else None
