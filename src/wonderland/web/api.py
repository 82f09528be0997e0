"""The public interface over HTTP: everything that a person can do in the browser, for programs.

`openapi.py` describes it from the same table of routes, `ROUTES`.
"""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import segno
from starlette.responses import Response

from wonderland import __version__
from wonderland.bots import levels
from wonderland.components.words import words_of
from wonderland.engine.options import default_text
from wonderland.engine.registry import game, game_names
from wonderland.tables.descriptions import build_record, build_update, summarise_table
from wonderland.tables.hints import check_hint
from wonderland.web.http import (
    Route,
    device_for,
    json_response,
    number_in,
    read_body,
    refusal_response,
    with_cookie,
)
from wonderland.web.languages import language_of
from wonderland.web.security import device_in
from wonderland.web.table_page import TablePage
from wonderland.wire import commands as ask
from wonderland.wire.api import (
    GameDescription,
    Health,
    HintReply,
    HintRequest,
    LevelInfo,
    OptionInfo,
    QRCodeRequest,
    TableCreated,
    TableLists,
)
from wonderland.wire.messages import CommandDone, PageUpdate, TableUpdate
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.table import Table
    from wonderland.web.app import Site


async def games(_site: Site, _request: Request, _table: str) -> Response:
    """The games that can be played."""
    found = []
    for name in game_names():
        rules = game(name)
        info = rules.info
        options = [
            OptionInfo(option.name, option.meaning, option.values, default_text(rules, option))
            for option in info.options
        ]
        bots = [LevelInfo(level.word, level.name, level.about) for level in levels(name)]
        seats = info.seats
        found.append(
            GameDescription(
                name,
                info.title,
                info.about,
                seats[0],
                seats[-1],
                info.rules_version,
                options,
                bots,
                info.credits,
            )
        )
    return json_response(found)


async def lay(site: Site, request: Request, _table: str) -> Response:
    """Lay a table; the sender's device becomes its host."""
    wanted = await read_body(request, ask.CreateTable)
    site.limit(site.laying, request)
    device, secret = device_for(request)
    table, invitation = await site.house.lay(device, wanted)
    return with_cookie(json_response(TableCreated(table, invitation), 201), request, secret)


async def lists(site: Site, request: Request, _table: str) -> Response:
    """Tables that wait for players, and those where one sits."""
    device = device_in(request.headers.get("Cookie", ""))
    rows = await site.house.storage.open_tables()
    mine = await site.house.storage.sits(device) if device else []
    return json_response(
        TableLists(
            [summarise_table(row) for row in rows], [summarise_table(row, seat) for row, seat in mine]
        )
    )


async def look(site: Site, request: Request, table: str) -> Response:
    """A table as one's seat sees it, or a spectator."""
    room = await site.house.fresh(table)
    seat, after = _own_seat(request, room.table), number_in(request, "after")
    version = room.table.version
    known = version if after is None or after > version else after
    return json_response(build_update(room.table, seat, known, room.shown_to_all()))


def _own_seat(request: Request, table: Table) -> int | None:
    """The seat that a request asks for, or the first of the sender's; none is a spectator's."""
    device = device_in(request.headers.get("Cookie", ""))
    mine = table.seats_of(device) if device else []
    seat = number_in(request, "seat")
    if seat is None:
        return mine[0] if mine else None
    if seat not in mine:
        raise Refusal("not yours", "This seat is not yours.")
    return seat


async def page(site: Site, request: Request, table: str) -> Response:
    """A table as HTML: as it is, or the game as it was to the same viewer after so many decisions."""
    found = (await site.house.fresh(table)).table
    seat, moment = _own_seat(request, found), number_in(request, "at")
    drawn = TablePage(found, seat, device_in(request.headers.get("Cookie", "")), language_of(request))
    return json_response(drawn.page() if moment is None else drawn.earlier(moment))


async def do(site: Site, request: Request, table: str) -> Response:
    """Carry out a command."""
    command = await read_body(request, ask.AnyCommand)
    room = await site.house.fresh(table)
    device, secret = device_for(request)
    if secret is not None and not isinstance(command, ask.Sit | ask.Claim):
        raise Refusal("not yours", "To do something, come with the cookie of a device.")
    try:
        decision, version = await site.house.execute(room, device, command)
    except Refusal as refusal:
        return refusal_response(request, refusal, command.key, room.table.version)
    return with_cookie(json_response(CommandDone(command.key, version, decision.told)), request, secret)


async def record(site: Site, _request: Request, table: str) -> Response:
    """The record of a game that is over, for `wonderland replay` and `wonderland verify`."""
    found = build_record((await site.house.fresh(table)).table)
    if found is None:
        raise Refusal("not now", "There is a record when the game is over.")
    return Response(found.text(), media_type="text/plain; charset=utf-8")


async def hint(site: Site, request: Request, table: str) -> Response:
    """What the strongest bot would do, where the table allows to ask."""
    wanted = await read_body(request, HintRequest)
    room = await site.house.fresh(table)
    check_hint(room.table, device_in(request.headers.get("Cookie", "")), wanted.seat)
    site.limit(site.hints, request)
    match = room.table.match
    assert match is not None  # noqa: S101 - it is somebody's turn
    view = match.view(wanted.seat)
    found = await site.attendants.hint(room, wanted.seat)
    say = language_of(request)
    says = words_of(room.table.opened.game).offer(view, found.action, say)
    return json_response(HintReply(match.game.write(found.action), says, say(found.level)))


async def qr(site: Site, request: Request, _table: str) -> Response:
    """A link as a QR code; it comes in the body, since its secret must stand in no address."""
    wanted = await read_body(request, QRCodeRequest)
    site.limit(site.codes, request)
    drawing = await asyncio.to_thread(code_of, wanted.text)
    return Response(drawing, media_type="image/svg+xml")


async def health(site: Site, _request: Request, _table: str) -> Response:
    """Whether the server can read its storage."""
    tables = await site.house.storage.count()
    return json_response(Health(ok=True, version=__version__, mark=site.mark, tables=tables))


ROUTES = (
    Route("GET", "/api/games", games, "The games, their options and bots.", gives=list[GameDescription]),
    Route(
        "POST", "/api/tables", lay, "Lay a table.", takes=ask.CreateTable, gives=TableCreated, status=201
    ),
    Route("GET", "/api/tables", lists, "Tables that wait for players, and one's own.", gives=TableLists),
    Route(
        "GET",
        "/api/tables/{table}",
        look,
        "A table as one's seat sees it, or a spectator.",
        gives=TableUpdate,
        queries=("seat", "after"),
    ),
    Route(
        "GET",
        "/api/tables/{table}/page",
        page,
        "A table as the browser shows it, now or after the first `at` decisions.",
        gives=PageUpdate,
        queries=("seat", "at"),
    ),
    Route(
        "POST",
        "/api/tables/{table}/commands",
        do,
        "Do something at a table.",
        takes=ask.AnyCommand,
        gives=CommandDone,
    ),
    Route(
        "POST",
        "/api/tables/{table}/hint",
        hint,
        "What the strongest bot would do in one's turn, if the table allows hints.",
        takes=HintRequest,
        gives=HintReply,
    ),
    Route(
        "GET",
        "/api/tables/{table}/record",
        record,
        "The record of a game that is over.",
        gives=str,
        media="text/plain",
    ),
    Route(
        "POST",
        "/api/qr",
        qr,
        "A link as a QR code.",
        takes=QRCodeRequest,
        gives=str,
        media="image/svg+xml",
    ),
    Route("GET", "/healthz", health, "Whether all is well.", gives=Health),
)
"""Everything that can be asked for over HTTP."""

_QUIET = 4
"""Modules of white around a code, which readers need."""


def code_of(text: str) -> bytes:
    """The code of a text as an SVG, black on white wherever it is shown.

    >>> code_of("https://example.org/tables/abc#secret")[:34]
    b'<svg xmlns="http://www.w3.org/2000'
    """
    drawn = io.BytesIO()
    found = segno.make(text, micro=False, error="m")
    found.save(
        drawn,
        kind="svg",
        border=_QUIET,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return drawn.getvalue()
