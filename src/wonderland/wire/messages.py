"""Messages from the server: table updates, answers to commands, and presence.

A table update contains nothing that its reader can't see. A hidden card is `?`, wherever it is.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from wonderland.engine.outcome import Result
from wonderland.engine.values import Value


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat as everyone sees it; `level` is the bot that plays it, possibly in place of a person."""

    kind: Literal["free", "reserved", "person", "bot"]
    name: str
    level: str


class ProposalInfo(msgspec.Struct, frozen=True):
    """A proposal that waits for answers."""

    seat: int
    what: Literal["undo", "bot"]
    about: int | None
    """The seat that a bot should take over."""
    agreed: list[int]


class TableInfo(msgspec.Struct, frozen=True):
    """The public part of a table: the same for everyone."""

    id: str
    game: str
    rules: int
    options: dict[str, str]
    access: Literal["link", "open", "bots"]
    clock: int | None
    away: int | None
    hints: bool
    """Whether players may ask for a hint."""
    lesson: bool
    """Whether this is a tutorial with a prepared shuffle; it has no commitment."""
    rated: bool
    """Whether the result counts in the ratings."""
    begun: int
    """The number of moves made elsewhere before this table continued from them."""
    status: Literal["waiting", "playing", "finished"]
    seats: list[SeatInfo]
    proposal: ProposalInfo | None
    silent: bool
    commitment: str
    """The hash of the secret of the shuffle, published before anyone sits down."""
    secret: str
    """That secret, once the game is over."""
    result: Result | None
    earlier: str
    """The table that this is a rematch of."""
    next: str
    """The table of the rematch."""


class ChatMessage(Value, frozen=True, tag="Remark"):
    """What a player said: one of the phrases, or a text."""

    version: int
    seat: int
    time: int
    phrase: str
    text: str


class TableUpdate(msgspec.Struct, frozen=True, tag_field="type", tag="table"):
    """A table as one seat sees it: complete, every time."""

    version: int
    time: int
    """When this version was created, in milliseconds since 1970."""
    table: TableInfo
    seat: int | None
    """The seat that the update is for; `null` for a spectator."""
    view: Any
    """The game as this seat sees it; `null` before it starts."""
    to_act: tuple[int, ...]
    deadline: int | None
    legal: list[str]
    """The legal actions of this seat, in the notation of the game."""
    events: list[Any]
    """The events since the version that the reader knew, as this seat saw them."""
    complete: bool
    """Whether `events` covers everything since then, which it doesn't after an undo."""
    said: list[ChatMessage]


class PageUpdate(msgspec.Struct, frozen=True, tag_field="type", tag="page"):
    """A table as HTML, for the browser."""

    version: int
    html: dict[str, str]
    title: str
    mine: bool
    """Whether it is the reader's turn."""
    moves: int = 0
    """The number of decisions made in the game."""
    pass_to: int | None = None
    """Of several seats that share a screen, the one to act."""
    curtain: str = ""
    """Shown in place of the scene while a shared screen is passed on."""
    release: str = ""
    """The version of the server's scripts; a page of another release should be reloaded."""


class Presence(msgspec.Struct, frozen=True, tag_field="type", tag="present"):
    """Who is connected now."""

    seats: list[int]
    spectators: int


class CommandDone(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """A command was carried out and stored."""

    key: str
    version: int
    """The version of the table that includes it."""
    told: dict[str, str] = {}
    """For the sender only, such as the secret of a link."""


class CommandRefused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """Something was not done; nothing has changed."""

    problem: str
    """Its kind: `bad request`, `not yours`, `not found`, `stale`, `not now`, `illegal`, `too many` or
    `storage`."""
    says: str
    """A sentence that people can read."""
    key: str = ""
    version: int | None = None


AnyMessage: TypeAlias = TableUpdate | CommandDone | CommandRefused | Presence
"""Messages to a program over the WebSocket."""
AnyPageMessage: TypeAlias = PageUpdate | CommandDone | CommandRefused | Presence
"""Messages to a page in the browser, which connects with `form=page`."""

read_message = msgspec.json.Decoder(AnyMessage).decode
