"""Commands that a client can send to a table, over HTTP or the WebSocket.

Each carries the version of the table that its sender has seen (`at`), and a unique `key` that makes it
idempotent: retrying a command with the same key, however late, has no further effect.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

LONGEST_TEXT = 200
PHRASES = ("hello", "thanks", "well played", "oops", "thinking", "your turn", "good game", "sorry")

END = r"(?![\s\S])"  # unlike $, doesn't match before a final newline; valid in JSON Schema too
_WORDS = f"^[0-9A-Za-z_-]+{END}"
_HEX = f"^([0-9a-f]{{2}}){{16,32}}{END}"

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Key: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=_WORDS)]
Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100, pattern=_WORDS)]
Contribution: TypeAlias = Annotated[str, Meta(pattern=_HEX)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Seconds: TypeAlias = Annotated[int, Meta(ge=10, le=30 * 24 * 3600)]


class Command(
    msgspec.Struct,
    frozen=True,
    tag_field="do",
    tag=str.lower,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
):
    """The base of all commands."""

    at: Annotated[int, Meta(ge=0)]
    """The version of the table that the sender has seen."""
    key: Key
    """Chosen by the sender; commands with the same key are the same command."""


class Sit(Command, frozen=True):
    """Take a free seat: a given one, or any."""

    name: Word
    contribution: Contribution
    """Random bytes of the sender's device, in hexadecimal, which go into the shuffle."""
    seat: Seat | None = None
    invitation: Secret | None = None
    """The secret of the table's link, if the table requires it."""


class SeatBot(Command, frozen=True):
    """Give a free seat to a bot (host only)."""

    seat: Seat
    level: Word


class Leave(Command, frozen=True):
    """Give up a seat: before the game it becomes free (the host may free any), later a bot plays on."""

    seat: Seat


class Start(Command, frozen=True):
    """Start the game, once all seats are taken."""


class Play(Command, frozen=True):
    """Take one of the legal actions, in the notation of the game's records."""

    seat: Seat
    action: Word


class Propose(Command, frozen=True):
    """Ask the others to undo the sender's last decision, or to let a bot take over another seat."""

    seat: Seat
    what: Literal["undo", "bot"]
    about: Seat | None = None
    """The seat that a bot should take over."""


class Answer(Command, frozen=True):
    """Agree to a proposal, or decline it."""

    seat: Seat
    agree: bool


class TakeBack(Command, frozen=True):
    """Take the sender's seat back from the bot that took it over."""

    seat: Seat


class Say(Command, frozen=True):
    """Send a chat message: one of the phrases, or a short text."""

    seat: Seat
    phrase: Word | None = None
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None


class Silence(Command, frozen=True):
    """Switch chat off or on (host only)."""

    off: bool


class Link(Command, frozen=True):
    """Make a link to a seat that works once: for the sender's other devices, or by the host.

    With `revoke` (host only), the devices that held the seat lose it.
    """

    seat: Seat
    revoke: bool = False


class Claim(Command, frozen=True):
    """Take a seat with the secret of such a link."""

    seat: Seat
    secret: Secret


class Rematch(Command, frozen=True):
    """Open another table for the same players, after the end."""

    seat: Seat


AnyCommand: TypeAlias = (
    Sit
    | SeatBot
    | Leave
    | Start
    | Play
    | Propose
    | Answer
    | TakeBack
    | Say
    | Silence
    | Link
    | Claim
    | Rematch
)

read_command = msgspec.json.Decoder(AnyCommand).decode


class CreateTable(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Create a table; the sender becomes its host."""

    game: Word
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[Word, Annotated[str, Meta(max_length=400)]] = {}
    access: Literal["link", "open", "bots"] = "link"
    bots: dict[Word, Word] = {}
    """Levels of bots by seat, counted from 0."""
    clock: Seconds | None = None
    away: Seconds | None = None
    hints: bool = False
    """Whether players may ask for hints: what the strongest bot would do in their turn."""
    lesson: bool = False
    """Whether this is a tutorial: then only `game` counts, and the tutorial sets the rest."""
    rated: bool = False
    """Whether the result counts in the ratings: for players with an account, by the standard rules."""


def new_key() -> str:
    """Generate a random key for a command."""
    return secrets.token_urlsafe(12)
