"""What if: create a table that continues a recorded game from any moment, for one person against bots.

One request creates the table, seats the sender and starts the game, so that the browser only has to
open it.
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
    """Request to play on from a moment of a recorded game."""

    at: Annotated[int, Meta(ge=0)]
    """Number of decisions to keep."""
    seat: ask.Seat
    """The sender's seat, from 0."""
    bots: dict[ask.Word, ask.Word] = {}
    """Bot levels by seat; the default level elsewhere."""
    contribution: ask.Contribution | None = None
    """Random bytes from the sender's device that go into the seed of the remaining game."""


class GoneOn(msgspec.Struct, frozen=True):
    """The new table."""

    table: str


async def go_on(site: Site, request: Request, replay: str) -> Response:
    """Create a table that continues a record, seat the sender and start the game. Rate limited."""
    wanted = await read_body(request, GoOn)
    site.limit(site.creation_limiter, request)
    record = await record_of(site, replay)
    levels = _levels(record, wanted)
    try:
        begun = branch_at(record, wanted.at, random.Random(secrets.token_bytes(16)))
    except (GameFailed, UsageError) as error:
        raise Refusal.of("bad request", error) from None
    device, secret = device_for(request)
    tables = site.tables
    table = await tables.create_from_opening(table_from_record(begun, wanted.seat, levels, device))
    live_table = await tables.room(table)
    sit = ask.Sit(
        at=0,
        key=secrets.token_hex(8),
        seat=wanted.seat,
        name=record.names[wanted.seat],
        contribution=wanted.contribution or "",
    )
    await tables.execute(live_table, device, sit)
    await tables.execute(live_table, device, ask.Start(at=1, key=secrets.token_hex(8)))
    return with_cookie(json_response(GoneOn(table), 201), request, secret)


def _levels(record: AnyRecord, wanted: GoOn) -> dict[int, str]:
    """Bot levels of all seats but the sender's; raise `Refusal` if the request is invalid."""
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
