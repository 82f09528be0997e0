"""The limits of a server: what one visitor, one table and all of them together may use.

Each can be set with `wonderland serve --limit NAME=NUMBER`; 0 lifts a limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

_MAX = 10**9


class Limits(Value, frozen=True):
    """All limits, with defaults for a small machine that serves strangers."""

    spectators_per_address: int = 100
    spectators_per_table: int = 300
    sockets_per_seat: int = 8
    connections_per_address: int = 300
    work_per_address: int = 400
    work_per_person: int = 200
    pages_waiting: int = 200
    pages_waiting_per_address: int = 20
    bots_waiting: int = 1000
    bots_waiting_per_owner: int = 50
    bot_tick: int = 250
    commands_per_minute: int = 600
    entries_per_table: int = 5000
    open_tables_per_address: int = 20
    tables_per_day: int = 1000
    rated_seats_per_address: int = 1
    tables_in_memory: int = 2000
    days_until_started: int = 30
    days_without_move: int = 365

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Limits:
        """Read limits given as `name=number`; `UsageError` if one is unknown or invalid."""
        given: dict[str, Any] = {}
        for text in texts:
            name, _, number = text.partition("=")
            field = name.strip().replace("-", "_")
            if field not in ABOUT:
                known = ", ".join(each.replace("_", "-") for each in ABOUT)
                raise UsageError(
                    phrase("there is no limit called {name}. The limits are {known}."),
                    name=quote(name),
                    known=known,
                )
            if not (number.isascii() and number.isdecimal() and int(number) <= _MAX):
                raise UsageError(
                    phrase("--limit {name} must be a number from 0 to {most}, not {text}."),
                    name=name,
                    most=_MAX,
                    text=quote(number),
                )
            given[field] = int(number)
        return cls(**given)

    def texts(self) -> list[str]:
        """The limits that differ from the defaults, as `from_texts` reads them."""
        usual = Limits()
        return [
            f"{name.replace('_', '-')}={getattr(self, name)}"
            for name in ABOUT
            if getattr(self, name) != getattr(usual, name)
        ]

    def of(self, name: str) -> float:
        """Return a limit as a number to compare with; infinite if it is lifted."""
        return getattr(self, name) or float("inf")


ABOUT = {
    "spectators_per_address": "spectators from one address, at all tables",
    "spectators_per_table": "spectators of one table",
    "sockets_per_seat": "connections of one device to its table",
    "connections_per_address": "HTTP connections from one address",
    "work_per_address": "ms of work per second for one address",
    "work_per_person": "ms of work per second for one device",
    "pages_waiting": "pages waiting to be rendered",
    "pages_waiting_per_address": "pages waiting to be rendered for one address",
    "bots_waiting": "bots waiting for their turn to think",
    "bots_waiting_per_owner": "bots waiting, per device or address",
    "bot_tick": "ms between releases of bots' moves",
    "commands_per_minute": "commands per minute at one table",
    "entries_per_table": "entries in the log of one table",
    "open_tables_per_address": "open tables of one address, not yet full",
    "tables_per_day": "new tables per day from one address",
    "rated_seats_per_address": "seats of one address in one rated game",
    "tables_in_memory": "tables in memory with nobody connected",
    "days_until_started": "days before an unstarted table is deleted",
    "days_without_move": "days before an abandoned game is deleted",
}
"""What each limit means, in the order of the fields."""
