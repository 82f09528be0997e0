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
    alike: bool = False
    """Whether the name looks like that of another seat, or can't be seen, so that a number is needed."""
    like_bot: bool = False
    """Whether a person is called like a bot."""
    forfeits_at: int | None = None
    """At a rated table: when a player who has left forfeits the game, in milliseconds since 1970."""


class ProposalInfo(msgspec.Struct, frozen=True):
    """A request that waits for answers."""

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
    is_tutorial: bool = msgspec.field(name="lesson")
    """Whether this is a tutorial with a prepared shuffle; it has no commitment."""
    rated: bool
    """Whether the result counts in the ratings."""
    begun: int
    """The number of moves taken over from another game."""
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
    taken_back: int = 0
    """How often moves were taken back."""
    forfeited: tuple[int, ...] = ()
    """The seats that forfeited the game, if it ended that way."""
    household: tuple[int, ...] = ()
    """At a rated table, the seats of one household: the result doesn't count because of them."""
    next_game: str = ""
    """The game at `next`, if it is another one."""


class SeatNotice(Value, frozen=True):
    """Something that happened to a seat, which everyone at the table is told."""

    version: int
    time: int
    seat: int
    name: str
    """The name of the player or bot concerned."""
    what: Literal["removed", "link", "claimed", "shared", "bot", "departed", "returned", "forfeited"]
    """`removed`, `link`: the host removed the player, or took the seat away by making a new link to it;
    `claimed`: a device came by a link; `shared`: the player shares a device with another seat; `bot`: a
    bot was given the seat; `departed`, `returned`, `forfeited`: the player left a rated game, came back,
    or lost it by that."""


class ChatMessage(Value, frozen=True, tag="Remark"):
    """A chat message: one of the phrases, or a text."""

    version: int
    seat: int
    time: int
    phrase: str
    text: str
    name: str = ""
    """The sender's name, if the message is from an earlier game, where others may have played."""


class TableUpdate(msgspec.Struct, frozen=True, tag_field="type", tag="table"):
    """The complete table as one seat sees it."""

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
    """The events since the version given as `after`, as this seat saw them."""
    complete: bool
    """Whether `events` covers everything since then, which it doesn't after an undo."""
    said: list[ChatMessage]
    can_undo: bool = False
    """Whether this seat can take back its last decision: at once if it is alone with bots, otherwise if
    the others agree."""
    notices: list[SeatNotice] = []
    """What happened to seats since then."""


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


class AbsentPlayer(msgspec.Struct, frozen=True):
    """A player who isn't connected while a game with other people is going on.

    In a rated game, also a connected player who is to move, if their clock runs out within an hour.
    """

    seat: int
    wait: int | None
    """Milliseconds until a bot may play for them, 0 if it may now; `null` if nothing is due."""
    automatic: bool
    """Whether the bot then steps in by itself, because the table has a clock; otherwise any player may
    ask for it with `propose`."""
    forfeits: bool = False
    """Whether the player forfeits the game then instead, because it is rated."""
    here: bool = False
    """Whether the player is connected, and only their clock is running."""


class Presence(msgspec.Struct, frozen=True, tag_field="type", tag="present"):
    """Who is connected now, to any server of this database."""

    seats: list[int]
    spectators: int
    """Spectators connected to this server."""
    absent: list[AbsentPlayer] = []
    announcement: str = ""
    """What the operator of the server tells everyone at the moment; empty for nothing."""


class CommandDone(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """A command was executed and saved."""

    key: str
    version: int
    """The version of the table that includes it."""
    told: dict[str, str] = {}
    """Data for the sender only, such as the secret of a link."""


class CommandRefused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """A command was refused; nothing has changed."""

    code: str
    """A stable name of the reason, such as `not-your-turn`."""
    problem: str
    """The kind of problem: `bad request`, `not yours`, `not found`, `stale`, `not now`, `illegal`,
    `too many`, `failed` or `storage`."""
    says: str
    """An explanation for people."""
    key: str = ""
    version: int | None = None
    rule: str = ""
    """The path of the broken rule in the rulebook, such as `/rules/parade#P4`, if there is one."""
    reason: str = ""
    """The game's own code of what its rules refuse, such as `not-in-hand`, if there is one."""


AnyMessage: TypeAlias = TableUpdate | CommandDone | CommandRefused | Presence
"""Messages to a program over the WebSocket."""
AnyPageMessage: TypeAlias = PageUpdate | CommandDone | CommandRefused | Presence
"""Messages to a page in the browser, which connects with `form=page`."""

read_message = msgspec.json.Decoder(AnyMessage).decode
