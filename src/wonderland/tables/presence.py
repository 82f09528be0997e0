"""Presence: who is at a table, for how long others have been away, and when a bot may play for them.

Each process knows its own connections. For the others it writes leases to the storage: until when a seat
counts as connected. A lease is renewed while the connection lasts and cut short when it ends, so every
process knows who is here, and nobody stays "here" after a process has died.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping

from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.rated_games import check_unrated
from wonderland.tables.storage.documents import now
from wonderland.tables.storage.interface import Storage, StorageError
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.messages import AbsentPlayer
from wonderland.wire.problems import Refusal

logger = logging.getLogger("wonderland.tables")
LEASE_MILLISECONDS = 40_000
RENEWAL_MILLISECONDS = 15_000
_GATHERING_SECONDS = 0.2
"""How long leases are gathered before they are written."""
_GRACE_SECONDS = 60
"""How long a player may be away before a bot may play for them, unless the table says otherwise."""
_LONGEST_COUNTDOWN = 3_600_000
"""Milliseconds; with a clock of hours or days, players come and go between moves."""


class Attendance:
    """What one process knows about the players at a table who aren't connected to it."""

    __slots__ = ("leases", "since")

    def __init__(self, since: int) -> None:
        self.since = since
        """When this process loaded the table: it knows of no absence before."""
        self.leases: dict[int, int] = {}
        """By seat, until when it counts as connected, or when it was last connected."""

    def here(self, connected: Collection[int], now: int) -> list[int]:
        """The seats that are connected to this process or, by their lease, to another."""
        return sorted({*connected, *(seat for seat, until in self.leases.items() if until > now)})

    def update(self, leases: Mapping[int, int], connected: Collection[int], now: int) -> bool:
        """Take over leases from the storage; return whether other seats are here now."""
        before = self.here(connected, now)
        self.leases |= {
            seat: until for seat, until in leases.items() if seat >= 0 and seat not in connected
        }
        return self.here(connected, now) != before

    def away(self, table: Table, connected: Collection[int], now: int) -> dict[int, int]:
        """For how many milliseconds each absent player has been away."""
        here, found = self.here(connected, now), dict[int, int]()
        for seat in set(table.people()) - set(here):
            last = table.last_actions.get(seat)
            acted = 0 if last is None else last.time  # programs may play without a connection
            found[seat] = max(0, now - max(self.since, self.leases.get(seat, 0), acted))
        return found


class LeaseWriter:
    """Writes leases to the storage, those of a moment together.

    Each write waits for the lock that moves need as well, so it must not be one per connection.
    """

    __slots__ = ("_pending", "_storage")

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._pending: dict[tuple[str, int], int | None] = {}
        """By table and seat, when the player left; `None` if the player is connected."""

    def add(self, table: str, arrived: Iterable[int], departed: Iterable[int]) -> bool:
        """Note who has come and gone; return `True` if `write` has to be scheduled for it."""
        was_empty = not self._pending
        self._pending |= {(table, seat): now() for seat in departed}
        self._pending |= {(table, seat): None for seat in arrived}
        return was_empty and bool(self._pending)

    async def write(self) -> None:
        """Wait a moment for others, then tell other processes until when seats count as connected."""
        await asyncio.sleep(_GATHERING_SECONDS)
        pending, self._pending = self._pending, {}
        departed = {seat: left for seat, left in pending.items() if left is not None}
        connected = [seat for seat, left in pending.items() if left is None]
        try:
            if departed:
                await self._storage.record_presence(list(departed), min(departed.values()))
            if connected:
                await self._storage.record_presence(connected, now() + LEASE_MILLISECONDS)
        except StorageError as error:  # the next renewal may succeed
            logger.warning("presence not recorded", extra={"seats": len(pending), "why": str(error)})


def concerns_presence(table: Table, command: ask.AnyCommand) -> bool:
    """Whether a command is about a bot for somebody who is away."""
    if isinstance(command, ask.Propose):
        return command.what == "bot"
    return (
        isinstance(command, ask.Answer) and table.proposal is not None and table.proposal.what == "bot"
    )


def needs_attendance(table: Table) -> bool:
    """Whether it matters who is at a table: several people are playing."""
    return table.status == "playing" and sum(place.kind == "person" for place in table.places) > 1


def grace(table: Table) -> int:
    """How many milliseconds a player may be away at a table without a clock."""
    return 1000 * (table.opened.away or _GRACE_SECONDS)


def check_stand_in(table: Table, seat: int, away: int | None) -> None:
    """Refuse a bot for a player who is present or was until a moment ago; `away` in milliseconds."""
    check_unrated(table)
    name = table.places[seat].name
    if table.status != "playing":
        raise Refusal(Code.NOT_PLAYING, "You can only do that during a game.")
    if away is None:
        raise Refusal(Code.PLAYER_PRESENT, "{name} is here, so no bot can play for them.", name=name)
    if table.opened.clock is not None:
        raise Refusal(
            Code.CLOCK_DECIDES, "A bot steps in for {name} when their time runs out.", name=name
        )
    if (missing := grace(table) - away) > 0:
        raise Refusal(
            Code.PLAYER_MAY_RETURN,
            "{name} may be back in a moment. In {seconds} s, you can let a bot play.",
            name=name,
            seconds=-(-missing // 1000),
        )


def describe_absences(table: Table, away: dict[int, int], now: int) -> list[AbsentPlayer]:
    """The absent players, and when a bot may or will play for them, or they forfeit a rated game."""
    if not needs_attendance(table):
        return []
    rated = table.opened.rated
    departed = [seat for seat, place in enumerate(table.places) if place.departed is not None]
    gone = {*away, *departed}
    timed = set(table.to_act) if rated else set()
    found = [
        AbsentPlayer(
            seat,
            _wait(table, seat, away.get(seat, 0), now),
            _is_automatic(table),
            rated,
            here=seat not in gone,
        )
        for seat in sorted(gone | timed)
    ]
    return [player for player in found if not player.here or player.wait is not None]


def _is_automatic(table: Table) -> bool:
    return table.opened.clock is not None


def _wait(table: Table, seat: int, away: int, now: int) -> int | None:
    """How many milliseconds are left until a bot steps in or, in a rated game, the player forfeits."""
    opened, ends = table.opened, forfeits_at(table, seat)
    if opened.clock is None:
        return max(0, grace(table) - away)
    times = [] if ends is None else [ends]
    if seat in table.to_act:
        times += [table.turn_time + 1000 * wait for wait in (opened.clock, opened.away) if wait]
    left = max(0, min(times) - now) if times else None
    return left if left is not None and left <= _LONGEST_COUNTDOWN else None
