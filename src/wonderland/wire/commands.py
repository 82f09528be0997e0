"""Commands that a client can send to a table, over HTTP or the WebSocket.

Each carries the version of the table that its sender has seen (`at`), and a unique `key` that makes it
idempotent: retrying a command with the same key, however late, has no further effect.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from wonderland.engine.language import phrase

LONGEST_TEXT = 200
PHRASES = {
    "hello": phrase("Hello!"),
    "thanks": phrase("Thanks!"),
    "well played": phrase("Well played!"),
    "oops": phrase("Oops!"),
    "thinking": phrase("Thinking…"),
    "your turn": phrase("Your turn!"),
    "good game": phrase("Good game!"),
    "sorry": phrase("Sorry!"),
}

END = r"(?![\s\S])"  # unlike $, doesn't match before a final newline; valid in JSON Schema too
_WORDS = f"^[0-9A-Za-z_-]+{END}"
_HEX = f"^([0-9a-f]{{2}}){{16,32}}{END}"

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Key: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=_WORDS)]
Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100, pattern=_WORDS)]
Contribution: TypeAlias = Annotated[str, Meta(pattern=_HEX)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Portrait: TypeAlias = Annotated[str, Meta(max_length=40, pattern=f"^[a-z-]*{END}")]
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


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a player of a quick match wants."""

    fewest: Annotated[int, Meta(ge=2, le=16)]
    """The fewest players."""
    most: Annotated[int, Meta(ge=2, le=16)]
    """The most players."""
    bots: bool = False
    """Whether bots may join if nobody else does for a while."""


class Sit(Command, frozen=True):
    """Take a free seat: a given one, or any."""

    name: Word
    contribution: Contribution
    """Random bytes from the sender's device, in hexadecimal, which are mixed into the shuffle."""
    seat: Seat | None = None
    invitation: Secret | None = None
    """The secret of the table's link, if the table requires it."""
    portrait: Portrait = ""
    """The character that the player chose to be seen as; if it is unknown, their name decides."""
    wish: Wish | None = None
    """At a quick match: what the player wants; by default, anything."""


class SeatBot(Command, frozen=True):
    """Give a free seat to a bot (host only).

    Before a rematch, any seated player may do so; a bot then stands in for a player who hasn't come.
    """

    seat: Seat
    level: Word


class Leave(Command, frozen=True):
    """Leave a seat. Before the game it becomes free (the host may clear any); later a bot takes over.

    A free seat goes away if the game can be played without it: the host can remove one, and before a
    rematch every seated player. The seats after it are renumbered, so `at` must not be older than the
    last change of the seats.
    """

    seat: Seat


class Start(Command, frozen=True):
    """Start the game, once all seats are taken."""


class Play(Command, frozen=True):
    """Take one of the legal actions, in the notation of the game's records."""

    seat: Seat
    action: Word


class Propose(Command, frozen=True):
    """Take back the sender's last decision, or let a bot play for a player who has been away.

    Taking back happens at once at a table with one person, and otherwise when the others have agreed.
    """

    seat: Seat
    what: Literal["undo", "bot"]
    about: Seat | None = None
    """The seat of the absent player."""


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
    """Create a single-use link to a seat: one's own, for another device, or any as the host.

    With `revoke` (host only), the devices that held the seat lose it.
    """

    seat: Seat
    revoke: bool = False


class Claim(Command, frozen=True):
    """Take a seat with the secret of a single-use link.

    At a rated table, a device that is signed in to the account of the seat needs no link: any secret
    will do.
    """

    seat: Seat
    secret: Secret


class Rematch(Command, frozen=True):
    """Open another table for the same players, once the game is over.

    The answer tells the sender its id (`table`) and the secret of its link (`invitation`). If there is a
    rematch already, the answer is the same, and the other fields have no effect.
    """

    seat: Seat
    more: bool = False
    """Whether there should be a free seat for one more player."""
    level: Word | None = None
    """The level of the bots, if not the same again."""
    game: Word | None = None
    """Another game for the same people, with its standard rules; by default the same game again."""


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
    avoid: Annotated[tuple[Word, ...], Meta(max_length=32)] = ()
    """Names and portraits of players who are about to sit down, so that no bot is given one of them."""
    clock: Seconds | None = None
    away: Seconds | None = None
    hints: bool = False
    """Whether players may ask for hints: what the strongest bot would do in their place."""
    is_tutorial: bool = msgspec.field(default=False, name="lesson")
    """Whether this is a tutorial; if so, only `game` is used, and the tutorial sets the rest."""
    topic: Annotated[str, Meta(max_length=40)] = ""
    """Which of the tutorial's short lessons; empty for the first game."""
    rated: bool = False
    """Whether the result counts in the ratings: for players with an account, by the standard rules."""


def new_key() -> str:
    """Generate a random key for a command."""
    return secrets.token_urlsafe(12)
