"""What can be asked of a table: the same typed messages over HTTP and over the WebSocket.

Each names the version of the table that whoever sent it had seen (`at`), and a `key` of its own: the
same message sent again changes nothing again, however late it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from wonderland.core.errors import WonderlandError

LONGEST_TEXT = 200
PHRASES = ("hello", "thanks", "well played", "oops", "thinking", "your turn", "good game", "sorry")

END = r"(?![\s\S])"  # unlike $, not before a last line feed; and JSON Schema knows it too
_WORDS = f"^[0-9A-Za-z_-]+{END}"
_HEX = f"^([0-9a-f]{{2}}){{16,32}}{END}"

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Key: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=_WORDS)]
Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100, pattern=_WORDS)]
Contribution: TypeAlias = Annotated[str, Meta(pattern=_HEX)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Seconds: TypeAlias = Annotated[int, Meta(ge=10, le=30 * 24 * 3600)]


class Command(
    msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True, kw_only=True
):
    """The base of all commands."""

    at: Annotated[int, Meta(ge=0)]
    """The version of the table that the sender has seen."""
    key: Key
    """Made up by the sender for this command; sent again, it is the same command."""


class Sit(Command, frozen=True):
    """Take a free seat: this one, or any."""

    name: Word
    contribution: Contribution
    """Random bytes of the sender's device, which its luck is mixed from, in hexadecimal digits."""
    seat: Seat | None = None
    invitation: Secret | None = None
    """The secret of the table's link, if the table asks for it."""


class SeatBot(Command, frozen=True):
    """Give a free seat to a bot; by the host."""

    seat: Seat
    level: Word


class Leave(Command, frozen=True):
    """Give up a seat: before the game it becomes free (the host may free any), later a bot plays on."""

    seat: Seat


class Start(Command, frozen=True):
    """Begin the game, when all seats are taken."""


class Play(Command, frozen=True):
    """Do one of the things that are legal, in the words of the game's records."""

    seat: Seat
    action: Word


class Propose(Command, frozen=True):
    """Ask the others for an undo of one's own last decision, or for a bot in another's seat."""

    seat: Seat
    what: Literal["undo", "bot"]
    about: Seat | None = None
    """The seat that a bot should play for."""


class Answer(Command, frozen=True):
    """Agree to what was proposed, or not."""

    seat: Seat
    agree: bool


class TakeBack(Command, frozen=True):
    """Play on for oneself, where a bot has played."""

    seat: Seat


class Say(Command, frozen=True):
    """Say something at the table: one of the phrases, or a short text."""

    seat: Seat
    phrase: Word | None = None
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None


class Silence(Command, frozen=True):
    """Switch talking off or on; by the host."""

    off: bool


class Link(Command, frozen=True):
    """Make a link to a seat that works once: for another device of one's own, or by the host.

    With `revoke`, which only the host may, the devices that held the seat lose it.
    """

    seat: Seat
    revoke: bool = False


class Claim(Command, frozen=True):
    """Take a seat by the secret of such a link."""

    seat: Seat
    secret: Secret


class Rematch(Command, frozen=True):
    """Lay another table for the same people, after the end."""

    seat: Seat


Any: TypeAlias = (
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

read = msgspec.json.Decoder(Any).decode
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading raises when something is no command: not JSON, not text, nested too deeply."""


class Open(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Lay a table."""

    game: Word
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[Word, Annotated[str, Meta(max_length=400)]] = {}
    access: Literal["link", "open", "bots"] = "link"
    bots: dict[Word, Word] = {}
    """Levels of bots by seat, counted from 0."""
    clock: Seconds | None = None
    away: Seconds | None = None
    hints: bool = False
    """Whether those who are to move may ask what the strongest bot would do."""
    lesson: bool = False
    """Whether it is a first game that is explained: then all but the game is as its lesson has it."""
    rated: bool = False
    """Whether its end counts in the ratings: among people with a name there, by the usual rules."""


class Refusal(WonderlandError):  # noqa: N818 - it states what was said, as a player would
    """A command that was not carried out: what kind of problem, and a sentence that says why."""

    def __init__(self, problem: str, text: str, **fields: object) -> None:
        super().__init__(text, **fields)
        self.problem = problem

    @classmethod
    def of(cls, problem: str, error: WonderlandError) -> Refusal:
        """What an error says, as a sentence of its own."""
        found = cls(problem, error.text, **error.fields)
        found.args = (_capital(str(error)),)
        return found

    def said(self, say: Callable[..., str]) -> str:
        """The same in a language, with a capital letter where English has one."""
        found = super().said(say)
        return _capital(found) if str(self)[:1].isupper() else found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


STATUS = {
    "bad request": 400,
    "not yours": 403,
    "not found": 404,
    "stale": 409,
    "not now": 409,
    "illegal": 422,
    "too many": 429,
    "storage": 503,
}
"""The kinds of problems, with what HTTP calls them."""
