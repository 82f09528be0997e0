"""The entries of a table's log: each is one thing that happened, and the table is the fold of them all.

One command produces one entry, so a command is committed atomically. Entries hold secrets only as
hashes, except for the secret of the shuffle, which the entry that ends the game reveals.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

FORMAT = 1
"""The version of this format; existing entries never change, only new ones are added."""


class LogEntry(
    msgspec.Struct, frozen=True, tag_field="is", tag=str.lower, omit_defaults=True, kw_only=True
):
    """The base of all entries; `key` identifies the command, so that a duplicate is detected."""

    key: str = ""


class Reserved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that is reserved for devices, or played by a bot, from the start."""

    name: str = ""
    devices: tuple[str, ...] = ()
    level: str = ""


class Made(msgspec.Struct, frozen=True, array_like=True):
    """A move made elsewhere, before the table continues from it."""

    seat: int | None
    """The seat that made it; `None` for a chance outcome."""
    word: str

    def __str__(self) -> str:
        return f"{'-' if self.seat is None else self.seat + 1} {self.word}"


class Opened(LogEntry, frozen=True):
    """A table was created."""

    game: str
    rules: int
    """The version of the game's rules."""
    seats: int
    options: dict[str, str]
    access: Literal["link", "open", "bots"]
    host: str
    """The hash of the host's device."""
    invitation: str
    """The hash of the secret in the table's invitation link."""
    nonce: str = ""
    """With the server key, determines the secret of the shuffle."""
    server: str = ""
    """The fingerprint of that key."""
    commitment: str = ""
    date: str = ""
    clock: int | None = None
    """Move timeout in seconds, after which a bot takes over the seat."""
    away: int | None = None
    """Absence timeout in seconds, after which a bot takes over a disconnected player's seat."""
    hints: bool = False
    """Whether players may ask for hints."""
    lesson: bool = False
    """Whether this is a tutorial that guides the first seat through the game."""
    rated: bool = False
    """Whether the result counts in the players' ratings."""
    given: dict[str, tuple[str, ...]] = {}
    """Prepared chance outcomes by stream; such a table has no commitment."""
    begun: tuple[Made, ...] = ()
    """The moves made elsewhere before this table continues with its own shuffle."""
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
    """Random bytes for the shuffle, in hexadecimal; empty if the device adds none."""
    person: str = ""
    """At a rated table, the player's account id."""


class BotSat(LogEntry, frozen=True):
    """A bot was given a seat."""

    seat: int
    level: str


class Left(LogEntry, frozen=True):
    """A seat became free before the game started."""

    seat: int


class Started(LogEntry, frozen=True):
    """The game started, or continued; `luck` holds the chance outcomes up to the first decision."""

    luck: tuple[str, ...]
    secret: str = ""


class Played(LogEntry, frozen=True):
    """A seat acted, and chance outcomes followed. The last one reveals the secret of the shuffle."""

    seat: int
    action: str
    luck: tuple[str, ...] = ()
    secret: str = ""


class Proposed(LogEntry, frozen=True):
    """A seat proposed something that the others must agree to: an undo, or a bot for a seat."""

    seat: int
    what: Literal["undo", "bot"]
    about: int = 0
    """The number of moves to go back to, or the seat for the bot."""
    level: str = ""


class Answered(LogEntry, frozen=True):
    """A seat agreed to the proposal, or declined it."""

    seat: int
    agree: bool


class HandedOver(LogEntry, frozen=True):
    """A bot took over a seat."""

    seat: int
    level: str
    why: Literal["left", "away", "clock"]


class TakenBack(LogEntry, frozen=True):
    """A player took their seat back from a bot."""

    seat: int


class Said(LogEntry, frozen=True):
    """A seat sent a chat message: one of the fixed phrases, or a text."""

    seat: int
    phrase: str = ""
    text: str = ""


class Silenced(LogEntry, frozen=True):
    """The host switched chat off or on."""

    off: bool


class Linked(LogEntry, frozen=True):
    """A single-use link to a seat was made; if `revoked`, the devices that held the seat lost it."""

    seat: int
    secret: str
    """Its hash."""
    revoked: bool = False


class Claimed(LogEntry, frozen=True):
    """A device took a seat with such a link."""

    seat: int
    device: str


class Followed(LogEntry, frozen=True):
    """A rematch was opened at another table."""

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
