"""Free seats that nobody is waited for any longer: a table becomes smaller before its game starts."""

from __future__ import annotations

from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.start_player import start_with
from wonderland.tables.table import Table


def may_remove_seat(table: Table, device: str, seat: int) -> bool:
    """Whether a device can remove a free seat that the game doesn't need.

    The host can, and before a rematch every seated player.
    """
    opened = table.opened
    is_allowed = device == opened.host or bool(opened.earlier and table.seats_of(device))
    is_spare = seat < len(table.places) and table.places[seat].kind == "free"
    fits = len(table.places) - 1 in game(opened.game).info.seats
    return is_allowed and is_spare and fits and table.status == "waiting" and not opened.quick


def without_seat(table: Table, seat: int, key: str) -> log.Trimmed:
    """The entry that removes a seat."""
    seats = tuple(number for number in range(len(table.places)) if number != seat)
    return log.Trimmed(seats, start_with(table, seats), key=key)
