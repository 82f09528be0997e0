"""Reading stored logs: decoding an entry, and refusing a table that this program can't replay."""

from __future__ import annotations

import msgspec

from wonderland.engine.errors import GameFailed, UsageError, WonderlandError
from wonderland.engine.language import phrase
from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.storage.interface import StoredEntry


class TableRefused(WonderlandError):  # noqa: N818 - named for what happened
    """A log that this program can't replay: other rules, or unknown or inconsistent entries."""


def read_stored_entry(stored: StoredEntry) -> log.AnyEntry:
    """Decode an entry; `TableRefused` if it was written by a newer version of the program."""
    try:
        entry: log.AnyEntry = log.read_entry(stored.body)
    except msgspec.MsgspecError:
        raise TableRefused(
            phrase("entry {number} of table {table} was written by a newer release of Wonderland."),
            number=stored.n,
            table=stored.table,
        ) from None
    return entry


def check_rules(opened: log.Opened, table: str) -> None:
    """Refuse a table with another rules version: replaying it would silently change the game."""
    try:
        rules = game(opened.game).info
    except (GameFailed, UsageError) as error:
        raise TableRefused(
            phrase("table {table} can't be played here: {reason}"), table=table, reason=error.message
        ) from None
    if rules.rules_version != opened.rules:
        raise TableRefused(
            phrase(
                "table {table} uses version {old} of the rules of {title}, but this program plays "
                "version {new}. Finish the game with the older program."
            ),
            table=table,
            old=opened.rules,
            title=rules.title,
            new=rules.rules_version,
        )
