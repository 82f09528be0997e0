"""The public HTTP API: everything a person can do at a table in the browser, for programs.

Handler names are the operation ids of the API documentation, which `openapi.py` generates from
`ROUTES`; renaming one changes the API.
"""

from __future__ import annotations

import asyncio
import io
from functools import partial
from typing import TYPE_CHECKING

import segno
from starlette.responses import Response

from wonderland import __version__
from wonderland.bots import levels
from wonderland.components.words import words_of
from wonderland.engine.options import default_text
from wonderland.engine.registry import game, game_names
from wonderland.tables.descriptions import build_record, build_update, summarise_table
from wonderland.tables.hints import check_hint, explain_hint
from wonderland.tables.households import source_hash
from wonderland.tables.storage.interface import StorageError
from wonderland.web.closed_analysis import check_open_position
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
from wonderland.web.page_work import owner_of, run_off_loop
from wonderland.web.rendering import names_of
from wonderland.web.security import device_in, source_of
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
    Readiness,
    TableCreated,
    TableLists,
)
from wonderland.wire.codes import Code
from wonderland.wire.messages import CommandDone, PageUpdate, TableUpdate
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.table import Table
    from wonderland.web.app import Site


async def list_games(_site: Site, _request: Request, _table: str) -> Response:
    """List the games, with their options and bots."""
    descriptions = []
    for name in game_names():
        rules = game(name)
        info = rules.info
        options = [
            OptionInfo(
                option.name,
                option.meaning,
                option.values,
                default_text(rules, option),
                dict(option.labels),
            )
            for option in info.options
        ]
        bots = [LevelInfo(level.word, level.name, level.about) for level in levels(name)]
        seats = info.seats
        descriptions.append(
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
    return json_response(descriptions)


async def create_table(site: Site, request: Request, _table: str) -> Response:
    """Create a table; the client's device becomes its host."""
    creation = await read_body(request, ask.CreateTable)
    site.limit_creation(request)
    device, secret = device_for(request)
    table, invitation = await site.tables.create_table(device, creation, source_of(request))
    commitment = (await site.tables.get_live_table(table)).table.opened.commitment
    created = TableCreated(table, invitation, commitment)
    return with_cookie(json_response(created, 201), request, secret)


async def list_tables(site: Site, request: Request, _table: str) -> Response:
    """List the open tables, and those where the client has a seat."""
    device = device_in(request.headers.get("Cookie", ""))
    rows = await site.tables.storage.open_tables(skip=number_in(request, "skip") or 0)
    mine = await site.tables.storage.seats_of_device(device) if device else []
    return json_response(
        TableLists(
            [summarise_table(row) for row in rows], [summarise_table(row, seat) for row, seat in mine]
        )
    )


async def get_table(site: Site, request: Request, table: str) -> Response:
    """Return a table as the client's seat, or a spectator, sees it."""
    live = await site.tables.fresh(table)
    seat, after = _own_seat(request, live.table), number_in(request, "after")
    version = live.table.version
    known = version if after is None or after > version else after
    return json_response(build_update(live.table, seat, known, live.public_info()))


def _own_seat(request: Request, table: Table) -> int | None:
    """Return the requested seat, or the client's first one; `None` is a spectator's view."""
    device = device_in(request.headers.get("Cookie", ""))
    mine = table.seats_of(device) if device else []
    seat = number_in(request, "seat")
    if seat is None:
        return mine[0] if mine else None
    if seat not in mine:
        raise Refusal(Code.SEAT_NOT_YOURS, "This seat isn't yours.")
    return seat


async def get_page(site: Site, request: Request, table: str) -> Response:
    """Return a table as HTML: now, or at an earlier moment as the same viewer saw it."""
    live = await site.tables.fresh(table)
    seat, moment = _own_seat(request, live.table), number_in(request, "at")
    device = device_in(request.headers.get("Cookie", ""))
    view = TablePage(live.table, seat, device, language_of(request))
    render = view.page if moment is None else partial(view.page_at, moment)
    return json_response(await run_off_loop(render))


async def send_command(site: Site, request: Request, table: str) -> Response:
    """Execute a command."""
    command = await read_body(request, ask.AnyCommand)
    live = await site.tables.fresh(table)
    device, secret = device_for(request)
    if secret is not None and not isinstance(command, ask.Sit | ask.Claim):
        raise Refusal(
            Code.UNKNOWN_DEVICE, "We don't recognise this device. Reload the page and try again."
        )
    try:
        charge = partial(site.work.charge, owner_of(request))
        source = source_hash(site.tables.key, source_of(request))
        result, version = await site.tables.execute(live, device, command, charge, source=source)
    except Refusal as refusal:
        return refusal_response(request, refusal, command.key, live.table.version)
    return with_cookie(json_response(CommandDone(command.key, version, result.told)), request, secret)


async def get_record(site: Site, _request: Request, table: str) -> Response:
    """Return the record of a finished game, for `wonderland replay` and `wonderland verify`."""
    live = await site.tables.fresh(table)
    game_record = build_record(live.table)
    if game_record is None:
        raise Refusal(Code.NOT_OVER, "The record will be available once the game is over.")
    text = await run_off_loop(game_record.text)
    return Response(text, media_type="text/plain; charset=utf-8")


async def get_hint(site: Site, request: Request, table: str) -> Response:
    """Return what the strongest bot would do and why, if the table allows hints."""
    question = await read_body(request, HintRequest)
    live = await site.tables.fresh(table)
    check_hint(live.table, device_in(request.headers.get("Cookie", "")), question.seat)
    site.limit(site.hints, request)
    match = live.table.match
    assert match is not None  # noqa: S101 - check_hint made sure
    await check_open_position(site, request, live.table.opened.game, match.state, question.seat)
    view = match.view(question.seat)
    advice = await site.automation.hint(live, question.seat)
    say = language_of(request)
    says = words_of(live.table.opened.game).describe_action(view, advice.action, say)
    names = names_of(live.table, say)
    why = await run_off_loop(lambda: explain_hint(match, question.seat, advice, names, say))
    return json_response(HintReply(match.game.write(advice.action), says, say(advice.level), why))


async def render_qr_code(site: Site, request: Request, _table: str) -> Response:
    """Return a link as a QR code; it is sent in the body, since addresses with secrets get logged."""
    link = await read_body(request, QRCodeRequest)
    site.limit(site.codes, request)
    svg = await asyncio.to_thread(qr_code, link.text)
    return Response(svg, media_type="image/svg+xml")


async def health(site: Site, _request: Request, _table: str) -> Response:
    """Whether the server is alive; without the numbers of tables if it can't read its storage."""
    try:
        tables = await site.tables.storage.count()
    except StorageError:
        tables = {}
    return json_response(Health(ok=True, version=__version__, mark=site.mark, tables=tables))


async def readiness(site: Site, _request: Request, _table: str) -> Response:
    """Whether the server can write to its storage; the answer of the last second is repeated."""
    await site.readiness.check()
    return json_response(Readiness(ok=True))


ROUTES = (
    Route(
        "GET",
        "/api/games",
        list_games,
        "List the games with their options and bots.",
        gives=list[GameDescription],
    ),
    Route(
        "POST",
        "/api/tables",
        create_table,
        "Create a table.",
        takes=ask.CreateTable,
        gives=TableCreated,
        status=201,
    ),
    Route(
        "GET",
        "/api/tables",
        list_tables,
        "List up to 100 public tables that wait for players, after the first `skip`, and your own.",
        gives=TableLists,
        queries=("skip",),
    ),
    Route(
        "GET",
        "/api/tables/{table}",
        get_table,
        "Get a table as your seat, or a spectator, sees it.",
        gives=TableUpdate,
        queries=("seat", "after"),
    ),
    Route(
        "GET",
        "/api/tables/{table}/page",
        get_page,
        "Get a table as HTML, as it is now or after the first `at` decisions.",
        gives=PageUpdate,
        queries=("seat", "at"),
    ),
    Route(
        "POST",
        "/api/tables/{table}/commands",
        send_command,
        "Send a command to a table.",
        takes=ask.AnyCommand,
        gives=CommandDone,
    ),
    Route(
        "POST",
        "/api/tables/{table}/hint",
        get_hint,
        "Get a hint: what the strongest bot would do in your place, and why, if the table allows hints.",
        takes=HintRequest,
        gives=HintReply,
    ),
    Route(
        "GET",
        "/api/tables/{table}/record",
        get_record,
        "Get the record of a finished game.",
        gives=str,
        media="text/plain",
    ),
    Route(
        "POST",
        "/api/qr",
        render_qr_code,
        "Draw a link as a QR code.",
        takes=QRCodeRequest,
        gives=str,
        media="image/svg+xml",
    ),
    Route("GET", "/healthz", health, "Check whether the server is alive.", gives=Health),
    Route(
        "GET",
        "/readyz",
        readiness,
        "Check whether the server can save games: the status is 503 if it can't.",
        gives=Readiness,
    ),
)
"""The core API; features add their own routes."""

_QUIET_ZONE = 4
"""Width of the white margin, in modules; scanners need it."""


def qr_code(text: str) -> bytes:
    """Return the QR code of a text as SVG, black on white even in dark mode.

    >>> qr_code("https://example.org/tables/abc#secret")[:34]
    b'<svg xmlns="http://www.w3.org/2000'
    """
    svg = io.BytesIO()
    code = segno.make(text, micro=False, error="m")
    code.save(
        svg,
        kind="svg",
        border=_QUIET_ZONE,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return svg.getvalue()
