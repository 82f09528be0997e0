"""Forfeits: how a rated game ends if a player leaves it, is away, or runs out of time.

No bot plays for anyone in a rated game. A player who leaves has a grace period in which to come back,
which everyone sees counting down; the clock and the table's limit for absences are such countdowns too.
When it has run out, the game is over: the player has lost, and everyone else shares the win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.tables.table import Table

GRACE_MILLISECONDS = 60_000
"""How long a player who has left a rated game may come back."""
FORFEIT = "forfeit"
"""The ending of such a game."""


def forfeit_result(seats: int, lost: Sequence[int]) -> Result:
    """Return the result of a game that some seats forfeited; if all did, nobody is better than another.

    >>> forfeit_result(3, [1]).winners
    (0, 2)
    """
    winners = tuple(seat for seat in range(seats) if seat not in lost) or tuple(range(seats))
    scores = tuple(int(seat in winners) for seat in range(seats))
    return Result(winners, scores, phrase("a player forfeited"), FORFEIT)


def forfeits_at(table: Table, seat: int) -> int | None:
    """When a player who has left a rated game forfeits it, in milliseconds; `None` for anyone else."""
    departed = table.places[seat].departed
    return None if departed is None or table.status != "playing" else departed + GRACE_MILLISECONDS


def overdue_departures(table: Table, now: int) -> list[int]:
    """The seats whose players left a rated game and have not come back in time."""
    times = ((seat, forfeits_at(table, seat)) for seat in range(len(table.places)))
    return [seat for seat, time in times if time is not None and now >= time]
