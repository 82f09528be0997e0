"""A table update, decoded into the game's own values."""

from __future__ import annotations

from typing import Any

from wonderland.engine.errors import GameFailed
from wonderland.engine.language import phrase
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import game
from wonderland.engine.serialization import from_plain
from wonderland.engine.values import Value
from wonderland.wire.messages import TableInfo, TableUpdate


class RemoteView(Value, frozen=True):
    """A decoded update: table, view (`None` before the game), legal actions, and new events."""

    version: int
    table: TableInfo
    game: AnyGame
    seat: int | None
    view: Any
    legal: tuple[Any, ...]
    events: tuple[Any, ...]

    @property
    def names(self) -> list[str]:
        """The players' names by seat; a free seat is named by its number."""
        return [place.name or f"seat {n}" for n, place in enumerate(self.table.seats, start=1)]


def read_update(shown: TableUpdate) -> RemoteView:
    """Decode an update; `WonderlandError` if this program has another version of the rules."""
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
    """Return the game of a table; `GameFailed` if this program has another version of its rules."""
    rules = game(table.game)
    if rules.info.rules_version != table.rules:
        raise GameFailed(
            phrase(
                "this table uses version {theirs} of the rules of {title}, but this program plays "
                "version {ours}. Update the older one."
            ),
            theirs=table.rules,
            title=rules.info.title,
            ours=rules.info.rules_version,
        )
    return rules
