"""What goes over the wire, in types: what a server sends, and what can be asked of it.

A newer server may send more than these have; that is passed over.
"""

from __future__ import annotations

import secrets
from typing import Any, Literal, TypeAlias

import msgspec

from wonderland.core.errors import WonderlandError


class Gone(WonderlandError):  # noqa: N818 - it states what is the case
    """The server can't be reached, or what answers is none; trying again later may help."""


class Denied(WonderlandError):  # noqa: N818 - it states what was said
    """The server has refused something: what kind of problem, and a sentence that says why."""

    def __init__(self, problem: str, says: str) -> None:
        super().__init__(says)
        self.problem = problem


# What a server sends


class SeatShown(msgspec.Struct, frozen=True):
    """A seat; `level` is the bot that plays it, maybe in a person's stead."""

    kind: Literal["free", "reserved", "person", "bot"]
    name: str
    level: str


class ProposalShown(msgspec.Struct, frozen=True):
    """What waits for an answer."""

    seat: int
    what: Literal["undo", "bot"]
    about: int | None
    agreed: tuple[int, ...]


class TableShown(msgspec.Struct, frozen=True):
    """The table as everybody knows it."""

    id: str
    game: str
    rules: int
    options: dict[str, str]
    access: Literal["link", "open", "bots"]
    clock: int | None
    away: int | None
    status: Literal["waiting", "playing", "finished"]
    seats: tuple[SeatShown, ...]
    proposal: ProposalShown | None
    silent: bool
    next: str


class Remark(msgspec.Struct, frozen=True):
    """What somebody said."""

    version: int
    seat: int
    phrase: str
    text: str


class Shown(msgspec.Struct, frozen=True, tag_field="type", tag="table"):
    """All that somebody is shown of a table; `seen.py` makes the game's own values of it."""

    version: int
    table: TableShown
    seat: int | None
    view: Any
    to_act: tuple[int, ...]
    legal: tuple[str, ...]
    events: tuple[Any, ...]
    complete: bool
    said: tuple[Remark, ...]


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """A command was carried out, and that is stored."""

    key: str
    version: int
    told: dict[str, str] = {}


class Refused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """Something was not done; nothing has changed."""

    problem: str
    says: str
    key: str = ""


class Present(msgspec.Struct, frozen=True, tag_field="type", tag="present"):
    """Who is connected now."""

    seats: tuple[int, ...]
    spectators: int


class Laid(msgspec.Struct, frozen=True):
    """A table that has been laid."""

    table: str
    invitation: str


Message: TypeAlias = Shown | Done | Refused | Present
read_message = msgspec.json.Decoder(Message).decode


# What can be asked of it


class Command(
    msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, omit_defaults=True, kw_only=True
):
    """The base of what can be done at a table."""


class Sit(Command, frozen=True):
    """Take a free seat: this one, or any."""

    name: str
    contribution: str
    """Random bytes of this machine, which luck is mixed from."""
    seat: int | None = None
    invitation: str | None = None


class SeatBot(Command, frozen=True):
    """Give a free seat to a bot."""

    seat: int
    level: str


class Leave(Command, frozen=True):
    """Give up a seat."""

    seat: int


class Start(Command, frozen=True):
    """Begin the game."""


class Play(Command, frozen=True):
    """Do one of the things that are legal."""

    seat: int
    action: str


class Propose(Command, frozen=True):
    """Ask the others for an undo, or for a bot in another's seat."""

    seat: int
    what: Literal["undo", "bot"]
    about: int | None = None


class Answer(Command, frozen=True):
    """Agree to what was proposed, or not."""

    seat: int
    agree: bool


class TakeBack(Command, frozen=True):
    """Play on for oneself, where a bot has played."""

    seat: int


class Say(Command, frozen=True):
    """Say something at the table."""

    seat: int
    text: str


class Link(Command, frozen=True):
    """Make a link to a seat, for another device."""

    seat: int


class Claim(Command, frozen=True):
    """Take a seat by the secret of such a link."""

    seat: int
    secret: str


class Rematch(Command, frozen=True):
    """Lay another table for the same people."""

    seat: int


def new_key() -> str:
    """A key for a command: sent again with it, it is the same command."""
    return secrets.token_urlsafe(12)


def as_sent(command: Command, at: int, key: str) -> bytes:
    """A command of somebody who has seen the table at version `at`."""
    return msgspec.json.encode(msgspec.to_builtins(command) | {"at": at, "key": key})
