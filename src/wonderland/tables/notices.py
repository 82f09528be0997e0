"""Notices: what everyone at a table is told about its seats, besides the game and the chat.

They follow from the log, like everything else about a table. What a host does to somebody's seat is
among them, and who holds more than one seat, so that nobody looks at a hand unnoticed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.tables import entries as log
from wonderland.tables.seats import bot_name
from wonderland.wire.messages import SeatNotice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wonderland.tables.table import Table

MAX_NOTICES = 50
"""Number of notices that are kept for latecomers."""


def notices_after(before: Table, entry: log.AnyEntry, version: int, time: int) -> Iterator[SeatNotice]:
    """Yield what an entry makes known about the seats of the table as it was before."""
    match entry:
        case log.Left(seat=seat, by_host=True):
            yield SeatNotice(version, time, seat, before.places[seat].name, "removed")
        case log.Linked(seat=seat, revoked=True):
            yield SeatNotice(version, time, seat, before.places[seat].name, "link")
        case log.Claimed(seat=seat, device=device):
            name, others = before.places[seat].name, set(before.seats_of(device)) - {seat}
            yield SeatNotice(version, time, seat, name, "shared" if others else "claimed")
        case log.Sat(seat=seat, name=name, device=device) if before.seats_of(device):
            yield SeatNotice(version, time, seat, name, "shared")
        case log.BotSat(seat=seat, level=level, name=name):
            yield SeatNotice(version, time, seat, name or bot_name(before.places, level), "bot")
        case log.Departed(seat=seat):
            yield SeatNotice(version, time, seat, before.places[seat].name, "departed")
        case log.TakenBack(seat=seat) if before.places[seat].departed is not None:
            yield SeatNotice(version, time, seat, before.places[seat].name, "returned")
        case log.Forfeited(seats=seats):
            for seat in seats:
                yield SeatNotice(version, time, seat, before.places[seat].name, "forfeited")
        case _:
            pass
