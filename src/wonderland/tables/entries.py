"""What a table's log says: each entry is one thing that happened, and the table is the fold of them all.

One command leads to one entry, so an entry is whole or it is not there. Secrets stand in it only as
hashes, but for the secret of the table's luck, which the entry that ends the game reveals.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

FORMAT = 1
"""The version of this vocabulary; an entry is never changed, only new ones are added."""


class LogEntry(
    msgspec.Struct, frozen=True, tag_field="is", tag=str.lower, omit_defaults=True, kw_only=True
):
    """The base of all entries. `key` says which command it answers, so that none is answered twice."""

    key: str = ""


class Reserved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a rematch: for whom it is kept, or which bot sits there."""

    name: str = ""
    devices: tuple[str, ...] = ()
    level: str = ""


class Made(msgspec.Struct, frozen=True, array_like=True):
    """A move of the play that a table goes on from."""

    seat: int | None
    """Who made it; `None` is luck."""
    word: str

    def __str__(self) -> str:
        return f"{'-' if self.seat is None else self.seat + 1} {self.word}"


class Opened(LogEntry, frozen=True):
    """Somebody laid a table."""

    game: str
    rules: int
    """The version of the game's rules."""
    seats: int
    options: dict[str, str]
    access: Literal["link", "open", "bots"]
    host: str
    """The hash of the host's device."""
    invitation: str
    """The hash of the secret that the link to the table carries."""
    nonce: str = ""
    """What the table's luck is made from, together with the server's key."""
    server: str = ""
    """The fingerprint of that key."""
    commitment: str = ""
    date: str = ""
    clock: int | None = None
    """Seconds for a move, after which a bot takes the seat."""
    away: int | None = None
    """Seconds after which a bot takes the seat of someone who is to move and not there."""
    hints: bool = False
    """Whether one may ask for a hint."""
    lesson: bool = False
    """Whether the first seat is guided through the game."""
    rated: bool = False
    """Whether its end counts in the ratings of those who sit there."""
    given: dict[str, tuple[str, ...]] = {}
    """What luck was given in advance, by stream; then there is no commitment."""
    begun: tuple[Made, ...] = ()
    """What was played, elsewhere, before this table goes on with luck of its own."""
    earlier: str = ""
    """The table that this is a rematch of."""
    reserved: tuple[Reserved, ...] = ()
    form: int = FORMAT


class Sat(LogEntry, frozen=True):
    """A person took a seat."""

    seat: int
    name: str
    device: str
    contribution: str
    """Empty if the device adds nothing to the luck."""
    person: str = ""
    """At a rated table, who that is in the ratings."""


class BotSat(LogEntry, frozen=True):
    """A bot was given a seat."""

    seat: int
    level: str


class Left(LogEntry, frozen=True):
    """A seat became free before the game began."""

    seat: int


class Started(LogEntry, frozen=True):
    """The game began, or went on from what was begun; luck did this until the next decision."""

    luck: tuple[str, ...]
    secret: str = ""


class Played(LogEntry, frozen=True):
    """A seat decided, and luck added to it. The last one reveals the secret of the luck."""

    seat: int
    action: str
    luck: tuple[str, ...] = ()
    secret: str = ""


class Proposed(LogEntry, frozen=True):
    """A seat asked for something that the others must agree to: an undo, or a bot for a seat."""

    seat: int
    what: Literal["undo", "bot"]
    about: int = 0
    """The number of moves to go back to, or the seat for the bot."""
    level: str = ""


class Answered(LogEntry, frozen=True):
    """A seat agreed to what was proposed, or did not."""

    seat: int
    agree: bool


class HandedOver(LogEntry, frozen=True):
    """A bot plays for a seat from now on."""

    seat: int
    level: str
    why: Literal["left", "away", "clock"]


class TakenBack(LogEntry, frozen=True):
    """Whom the seat belongs to plays again."""

    seat: int


class Said(LogEntry, frozen=True):
    """A seat said something: a phrase of the fixed set, or a text of its own."""

    seat: int
    phrase: str = ""
    text: str = ""


class Silenced(LogEntry, frozen=True):
    """The host switched talking off, or on again."""

    off: bool


class Linked(LogEntry, frozen=True):
    """A link to a seat was made, which works once; `revoked`: no other device may act for it now."""

    seat: int
    secret: str
    """Its hash."""
    revoked: bool = False


class Claimed(LogEntry, frozen=True):
    """A device came by such a link."""

    seat: int
    device: str


class Followed(LogEntry, frozen=True):
    """The same people go on at another table."""

    table: str


AnyEntry: TypeAlias = (
    Opened
    | Sat
    | BotSat
    | Left
    | Started
    | Played
    | Proposed
    | Answered
    | HandedOver
    | TakenBack
    | Said
    | Silenced
    | Linked
    | Claimed
    | Followed
)

changed = msgspec.structs.replace
written = msgspec.json.Encoder().encode
read_entry = msgspec.json.Decoder(AnyEntry).decode
