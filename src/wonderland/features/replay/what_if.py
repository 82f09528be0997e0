"""What if: a table that goes on from a moment of a recorded game, for one person against bots.

The table is laid, the one who asked sits down and the game starts, all in one request: a browser only
has to go there.
"""

from __future__ import annotations

import random
import secrets
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from wonderland.bots import default_level
from wonderland.engine.errors import GameFailed, UsageError
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.pages import record_of
from wonderland.tables.creation import table_from_record
from wonderland.tables.handlers import validate_level
from wonderland.web.http import Route, device_for, json_response, read_body, with_cookie
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.record_reader import AnyRecord
    from wonderland.web.app import Site


class GoOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play on from a moment of a recorded game."""

    at: Annotated[int, Meta(ge=0)]
    """How many decisions of the record stay as they are."""
    seat: ask.Seat
    """One's own, counted from 0."""
    bots: dict[ask.Word, ask.Word] = {}
    """Levels of the bots on other seats; where nothing is said it is the usual one."""
    contribution: ask.Contribution | None = None
    """Random bytes of the sender's device, which the luck from there on is mixed from."""


class GoneOn(msgspec.Struct, frozen=True):
    """A table where the game goes on."""

    table: str


async def go_on(site: Site, request: Request, replay: str) -> Response:
    """Lay a table that goes on from a record; the sender sits there, and the game has started."""
    wanted = await read_body(request, GoOn)
    site.limit(site.laying, request)
    record = await record_of(site, replay)
    levels = _levels(record, wanted)
    try:
        begun = branch_at(record, wanted.at, random.Random(secrets.token_bytes(16)))
    except (GameFailed, UsageError) as error:
        raise Refusal.of("bad request", error) from None
    device, secret = device_for(request)
    house = site.house
    table = await house.lay_as(table_from_record(begun, wanted.seat, levels, device))
    room = await house.room(table)
    sit = ask.Sit(
        at=0,
        key=secrets.token_hex(8),
        seat=wanted.seat,
        name=record.names[wanted.seat],
        contribution=wanted.contribution or "",
    )
    await house.execute(room, device, sit)
    await house.execute(room, device, ask.Start(at=1, key=secrets.token_hex(8)))
    return with_cookie(json_response(GoneOn(table), 201), request, secret)


def _levels(record: AnyRecord, wanted: GoOn) -> dict[int, str]:
    """The bot on each seat but one's own; `Refusal` if there can be none."""
    name, last = record.game.info.name, len(record.names) - 1
    if wanted.seat > last:
        raise Refusal("bad request", "The seats are 0 to {last}.", last=last)
    others = {seat: default_level(name).word for seat in range(last + 1) if seat != wanted.seat}
    for text, level in wanted.bots.items():
        if not text.isdecimal() or int(text) not in others:
            raise Refusal("bad request", "Bots sit on the other seats, 0 to {last}.", last=last)
        others[int(text)] = validate_level(name, level)
    return others


ROUTES = (
    Route(
        "POST",
        "/api/replays/{replay}/tables",
        go_on,
        "Play on from a moment of a recorded game, against bots.",
        takes=GoOn,
        gives=GoneOn,
        status=201,
    ),
)
