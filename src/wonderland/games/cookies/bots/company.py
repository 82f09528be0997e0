"""Remarkable moments of Cookies: a fall down the Rabbit Hole, and a rich catch of cookies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wonderland.components.company import Moment
from wonderland.games.cookies.rules.events import (
    CookieTaken,
    FellIntoHole,
    SmallCookiesTaken,
    StayedInHole,
)

_RICH_COOKIE, _RICH_SPIN = 4, 3
"""The value of a large cookie, and the number of small ones, that deserve a remark."""
PIECES = ("Alice", "Hatter", "Queen", "White Rabbit")
"""The players' pawns: a bot called Hatter might be the one who moves the Queen."""


def moments(events: Sequence[Any | None]) -> Iterator[Moment]:
    """Find the moments that a player may remark on."""
    for number, event in enumerate(events):
        match event:
            case FellIntoHole(seat) | StayedInHole(seat):
                yield Moment(number, seat, "setback")
            case CookieTaken(seat, cookie) if cookie >= _RICH_COOKIE:
                yield Moment(number, seat, "success")
            case SmallCookiesTaken(seat, taken) if taken >= _RICH_SPIN:
                yield Moment(number, seat, "success")
            case _:
                pass
