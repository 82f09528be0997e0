"""A table as a seat sees it, in the game's own values."""

from __future__ import annotations

from typing import Any

from wonderland.engine.errors import GameFailed
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import game
from wonderland.engine.serialization import from_plain
from wonderland.engine.values import Value
from wonderland.wire.messages import TableInfo, TableUpdate


class RemoteView(Value, frozen=True):
    """What was shown: the table, the view (`None` before the game), what is legal, what has happened."""

    version: int
    table: TableInfo
    game: AnyGame
    seat: int | None
    view: Any
    legal: tuple[Any, ...]
    events: tuple[Any, ...]

    @property
    def names(self) -> list[str]:
        """Who sits where; a free seat has a number."""
        return [place.name or f"seat {n}" for n, place in enumerate(self.table.seats, start=1)]


def read_update(shown: TableUpdate) -> RemoteView:
    """Read what a server has shown; `WonderlandError` if this program plays other rules."""
    rules = game_of(shown.table)
    return RemoteView(
        shown.version,
        shown.table,
        rules,
        shown.seat,
        None if shown.view is None else from_plain(rules.view_type, shown.view),
        tuple(rules.read(word) for word in shown.legal),
        tuple(from_plain(rules.event_type, event) for event in shown.events),
    )


def game_of(table: TableInfo) -> AnyGame:
    """The game of a table, if its rules are those that this program knows."""
    rules = game(table.game)
    if rules.info.rules_version != table.rules:
        raise GameFailed(
            f"this table plays version {table.rules} of the rules of {rules.info.title}, and this "
            f"program knows version {rules.info.rules_version}: bring the older one up to date."
        )
    return rules
