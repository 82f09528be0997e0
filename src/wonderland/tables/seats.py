"""The seats of a table: who sits there, and what they did last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wonderland.engine.values import Value
from wonderland.tables import entries as log
from wonderland.wire.commands import Wish


class SeatState(Value, frozen=True):
    """A seat and its occupant; `level` is the bot that plays it, possibly in place of a person."""

    kind: Literal["free", "reserved", "person", "bot"] = "free"
    name: str = ""
    level: str = ""
    devices: tuple[str, ...] = ()
    contribution: str | None = None
    link: str = ""
    """The hash of the secret of an unused link to the seat."""
    person: str = ""
    """At a rated table, the player's account id."""
    portrait: str = ""
    """The character that the player chose to be seen as."""
    wish: Wish | None = None
    """At a quick match, what the player wants; `None` for anything."""
    since: int = 0
    """When the player sat down, in milliseconds."""
    why: Literal["", "left", "away", "clock"] = ""
    """Why a bot plays for the person."""
    by: int | None = None
    """The seat that asked for that bot."""
    covered: int = 0
    """How many moves the bot has made for the person."""
    departed: int | None = None
    """When the player left a rated game, in milliseconds; they may still come back."""
    source: str = ""
    """At a rated table, a hash of the player's network."""


class LastAction(Value, frozen=True):
    """What a seat did last."""

    version: int
    action: str
    time: int
    since: int
    """The version at which the turn began that it ended."""


def rated_player(who: str) -> str:
    """The key under which the index finds the rated games that a device or an account is playing."""
    return f"rated {who}"


def bot_name(places: Sequence[SeatState], level: str) -> str:
    """A name that is not taken for a bot without a character, as in older logs."""
    taken = {place.name.casefold() for place in places}
    names = [title_of(level, number + 1) for number in range(len(places) + 1)]
    return next(name for name in names if name.casefold() not in taken)


def title_of(level: str, number: int) -> str:
    """The name of the first, second … bot of a level at a table.

    >>> title_of("white-rabbit", 2)
    'White Rabbit 2'
    """
    title = level.replace("-", " ").title()
    return title if number == 1 else f"{title} {number}"


def initial_seat(seat: log.Reserved) -> SeatState:
    """A seat of a newly created table."""
    if seat.level:
        return SeatState("bot", seat.name, seat.level)
    if not seat.name:
        return SeatState()
    return SeatState("reserved", seat.name, devices=seat.devices, portrait=seat.portrait)
