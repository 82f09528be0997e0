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
from wonderland.engine.match import Match
from wonderland.features.replay.branch import branch_at
from wonderland.features.replay.pages import replay_of
from wonderland.features.replay.variations import MAX_MOVES, Line, VariationMove
from wonderland.tables.creation import table_from_record
from wonderland.tables.handlers import validate_level
from wonderland.web.closed_analysis import check_open_position
from wonderland.web.http import Route, device_for, json_response, read_body, with_cookie
from wonderland.web.security import source_of
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.record_reader import AnyRecord
    from wonderland.features.replay.rendering import ReplayPage
    from wonderland.web.app import Site


class GoOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request to play on from a moment of a recorded game."""

    at: Annotated[int, Meta(ge=0)]
    """Number of decisions to keep."""
    seat: ask.Seat
    """The sender's seat, from 0."""
    moves: Annotated[tuple[VariationMove, ...], Meta(max_length=MAX_MOVES)] = ()
    """A variation that begins there, if the position is part of one."""
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
    site.limit_creation(request)
    shown = await replay_of(site, replay)
    record = shown.record
    levels = _levels(record, wanted)
    try:
        begun = _branch(shown, wanted)
    except (GameFailed, UsageError) as error:
        raise Refusal.of(Code.INVALID_VALUE, error) from None
    if not shown.has_table:  # a bot in the sender's seat would be advice, too
        state = Match.resume(begun).state
        for seat in range(len(begun.names)):
            await check_open_position(site, request, begun.game.info.name, state, seat)
    device, secret = device_for(request)
    tables = site.tables
    opening = table_from_record(begun, wanted.seat, levels, device)
    table = await tables.create_from_opening(opening, source_of(request))
    live_table = await tables.get_live_table(table)
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


def _branch(shown: ReplayPage, wanted: GoOn) -> AnyRecord:
    """The game up to the wanted position, with every hidden card filled in."""
    record, moment = shown.record, wanted.at
    if wanted.moves:
        match = shown.branches.match(Line(wanted.at, wanted.moves))
        record, moment = match.record, match.decisions
    return branch_at(record, moment, random.Random(secrets.token_bytes(16)))


def _levels(record: AnyRecord, wanted: GoOn) -> dict[int, str]:
    """Bot levels of all seats but the sender's; raise `Refusal` if the request is invalid."""
    name, last = record.game.info.name, len(record.names) - 1
    if wanted.seat > last:
        raise Refusal(Code.NO_SUCH_SEAT, "The seat must be a number from 0 to {last}.", last=last)
    others = {seat: default_level(name).word for seat in range(last + 1) if seat != wanted.seat}
    for text, level in wanted.bots.items():
        if not text.isdecimal() or int(text) not in others:
            raise Refusal(
                Code.NO_SUCH_SEAT, "Bots must sit in the other seats, numbered 0 to {last}.", last=last
            )
        others[int(text)] = validate_level(name, level)
    return others


ROUTES = (
    Route(
        "POST",
        "/api/replays/{replay}/tables",
        go_on,
        "Create a table that plays on from a position of a recorded game, against bots.",
        takes=GoOn,
        gives=GoneOn,
        status=201,
    ),
)
