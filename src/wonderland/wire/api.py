"""Request and response types of the HTTP API, besides commands and messages."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from wonderland.wire.commands import END, Seat


class TableSummary(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    status: str
    free: int
    changed: int
    seat: int | None = None
    """The requesting device's seat."""


class TableLists(msgspec.Struct, frozen=True):
    """The tables that a device can find."""

    open: list[TableSummary]
    """Public tables that are waiting for players."""
    mine: list[TableSummary]
    """Tables where the requesting device has a seat."""


class TableCreated(msgspec.Struct, frozen=True):
    """A new table."""

    table: str
    invitation: str
    """The secret of its link: `/tables/{table}#{invitation}`."""
    commitment: str = ""
    """The hash of the secret of its shuffle; empty if the cards are prepared."""


class OptionInfo(msgspec.Struct, frozen=True):
    """An option of a game."""

    name: str
    meaning: str
    values: str
    usual: str
    labels: dict[str, str] = {}
    """What some of the values mean, in English."""


class LevelInfo(msgspec.Struct, frozen=True):
    """A level of a game's bots."""

    level: str
    name: str
    about: str


class GameDescription(msgspec.Struct, frozen=True):
    """A game with its options and bots."""

    game: str
    title: str
    about: str
    fewest_seats: int
    most_seats: int
    rules: int
    options: list[OptionInfo]
    levels: list[LevelInfo]
    credits: str


class HintRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a hint."""

    seat: Seat
    """The sender's own seat, whose turn it is."""


class HintReply(msgspec.Struct, frozen=True):
    """What the strongest bot would do with what this seat can see."""

    action: str
    """One of `legal`."""
    says: str
    """The same in words, in the requested language."""
    level: str
    """The name of that bot."""
    why: str = ""
    """Why it is better than another choice, or that none is worse, in the requested language."""


class QRCodeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link to be drawn as a QR code."""

    text: Annotated[str, Meta(max_length=400, pattern=f"^https?://[!-~]+{END}")]


class Health(msgspec.Struct, frozen=True):
    """The state of the server."""

    ok: bool
    version: str
    mark: str
    """The same for all servers that share a key and a database."""
    tables: dict[str, int]


class Readiness(msgspec.Struct, frozen=True):
    """The server can save games."""

    ok: bool
