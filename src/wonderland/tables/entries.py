"""The entries of a table's log: each is one thing that happened, and the table is the fold of them all.

One command produces one entry, so a command is committed atomically. Entries hold secrets only as
hashes, except for the secret of the shuffle, which the entry that ends the game reveals.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from wonderland.wire.commands import Wish

FORMAT = 1
"""The version of this format; existing entries never change, only new ones are added."""


Reason: TypeAlias = Literal["left", "away", "clock"]
"""Why a player doesn't play on: they left, were away on their turn, or ran out of time."""


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
    portrait: str = ""


class Heard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chat message of an earlier table, with its sender's name, who may not be here."""

    seat: int
    name: str
    time: int
    phrase: str = ""
    text: str = ""


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
    source: str = ""
    """A keyed hash of the network that it was created from, so that no network can crowd out others."""
    commitment: str = ""
    date: str = ""
    clock: int | None = None
    """Move timeout in seconds, after which a bot takes over the seat."""
    away: int | None = None
    """Absence timeout in seconds, after which a bot takes over a disconnected player's seat."""
    hints: bool = False
    """Whether players may ask for hints."""
    is_tutorial: bool = msgspec.field(default=False, name="lesson")
    """Whether this is a tutorial that guides the first seat through the game."""
    topic: str = ""
    """Which of the tutorial's lessons; empty for the first game."""
    rated: bool = False
    """Whether the result counts in the players' ratings."""
    household: int = 1
    """At a rated table, how many players of one network may play if the result is to count; 0: any."""
    given: dict[str, tuple[str, ...]] = {}
    """Prepared chance outcomes by stream; such a table has no commitment."""
    begun: tuple[Made, ...] = ()
    """The moves made elsewhere before this table continues with its own shuffle."""
    earlier: str = ""
    """The table where the same people played before, of which this is a rematch."""
    invited: tuple[str, ...] = ()
    """The hashes of the secrets in the links to earlier tables, which may be used here, too."""
    reserved: tuple[Reserved, ...] = ()
    heard: tuple[Heard, ...] = ()
    """The chat of that table."""
    silent: bool = False
    """Whether chat was switched off there."""
    quick: bool = False
    """Whether this is a quick match: strangers sit down, and it starts by itself."""
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
    portrait: str = ""
    """The character that the player chose to be seen as."""
    wish: Wish | None = None
    """At a quick match, what the player wants."""
    source: str = ""
    """At a rated table, a keyed hash of the player's network that is different at every table."""


class BotSat(LogEntry, frozen=True):
    """A bot was given a seat."""

    seat: int
    level: str
    name: str = ""
    """The character; without one, the bot is called after its level."""


class Left(LogEntry, frozen=True):
    """A seat became free before the game started."""

    seat: int
    by_host: bool = False
    """Whether the host removed the player."""


class Trimmed(LogEntry, frozen=True):
    """The table goes on with these seats; the others were free."""

    seats: tuple[int, ...]
    begun: tuple[Made, ...] = ()
    """The first moves with these seats: who starts a rematch."""


class Moved(LogEntry, frozen=True):
    """A player who was alone at a quick match went on to another one."""

    seat: int
    table: str


class Started(LogEntry, frozen=True):
    """The game started, or continued; `outcomes` are those of chance up to the first decision."""

    outcomes: tuple[str, ...] = msgspec.field(name="luck")
    secret: str = ""


class Played(LogEntry, frozen=True):
    """A seat acted, and chance outcomes followed. The last one reveals the secret of the shuffle."""

    seat: int
    action: str
    outcomes: tuple[str, ...] = msgspec.field(default=(), name="luck")
    secret: str = ""


class Proposed(LogEntry, frozen=True):
    """A seat proposed something that the others must agree to: an undo.

    Older logs also propose a bot for a seat, which is `HandedOver` today.
    """

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
    """A bot took over a seat; before a rematch, one that is still reserved for its player."""

    seat: int
    level: str
    why: Reason
    by: int | None = None
    """The seat that asked for it because the player was away; `None` if nobody did."""


class TakenBack(LogEntry, frozen=True):
    """A player took their seat back from a bot."""

    seat: int


class Departed(LogEntry, frozen=True):
    """A player left a rated game, which they forfeit unless they take their seat back in time."""

    seat: int


class Forfeited(LogEntry, frozen=True):
    """A rated game ended because players left, were away or ran out of time; everyone else has won."""

    seats: tuple[int, ...]
    why: Reason
    secret: str = ""
    """The secret of the shuffle."""


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
    """A rematch, or another game for the same people, was opened at another table."""

    table: str
    seat: int | None = None
    """The seat that asked for it; unknown in older logs."""
    game: str = ""
    """The game, if it is another one."""


AnyEntry: TypeAlias = (
    Opened
    | Sat
    | BotSat
    | Left
    | Trimmed
    | Moved
    | Started
    | Played
    | Proposed
    | Answered
    | HandedOver
    | TakenBack
    | Departed
    | Forfeited
    | Said
    | Silenced
    | Linked
    | Claimed
    | Followed
)

changed = msgspec.structs.replace
written = msgspec.json.Encoder().encode
read_entry = msgspec.json.Decoder(AnyEntry).decode
