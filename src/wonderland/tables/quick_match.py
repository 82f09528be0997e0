"""Quick matches: who may sit down together, and when a match starts by itself.

A quick match is an open table without a host. Sitting down is one entry of its log, so of several people
who want the last seat exactly one gets it, on whichever server. Everyone says how many players they
accept. The match starts soon after the number that everyone accepts has been reached, or with bots if
everyone wants them after a while. Seats that are still free then are removed.
"""

from __future__ import annotations

from wonderland.engine.values import Value
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.commands import Wish
from wonderland.wire.problems import Refusal

NO_HOST = "-"
"""In place of the host's device; no hash of a device looks like this."""
COUNTDOWN = 5_000
"""Milliseconds from the last arrival to the start, if no more players are wanted."""
GATHERING = 10_000
"""Milliseconds from the last arrival to the start, if more players may come."""
BOTS_AFTER = 30_000
"""Milliseconds after which bots join."""


class Plan(Value, frozen=True):
    """When a quick match starts, if nobody comes or goes until then."""

    at: int
    """In milliseconds since 1970."""
    bots: int
    """The number of bots that join then."""


def start_plan(table: Table) -> Plan | None:
    """Return when a quick match starts by itself; `None` while it waits for people."""
    people = [place for place in table.places if place.kind == "person"]
    numbers = table.accepted_numbers()
    if not table.opened.quick or table.status != "waiting" or not people or not numbers:
        return None
    count = sum(place.kind != "free" for place in table.places)
    latest = max(place.since for place in people)
    if count >= numbers[-1]:
        return Plan(latest + COUNTDOWN, 0)
    if count in numbers:
        return Plan(latest + GATHERING, 0)
    if not table.opened.rated and all(place.wish is None or place.wish.bots for place in people):
        first = min(place.since for place in people)
        return Plan(max(first + BOTS_AFTER, latest + COUNTDOWN), numbers[0] - count)
    return None


def accepts(table: Table, wish: Wish | None) -> bool:
    """Whether a player with a wish can join a quick match."""
    numbers = table.accepted_numbers(*([] if wish is None else [wish]))
    count = sum(place.kind != "free" for place in table.places)
    return bool(numbers) and count + 1 <= numbers[-1]


def check_wish(table: Table, device: str, wish: Wish | None) -> None:
    """Refuse a seat at a quick match to a player who doesn't fit, or has one."""
    if table.seats_of(device):
        raise Refusal(Code.ALREADY_SEATED, "You already have a seat at this table.")
    if not accepts(table, wish):
        raise Refusal(Code.SEATS_TAKEN, "All seats are taken.")
