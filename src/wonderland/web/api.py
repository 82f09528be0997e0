"""The public interface over HTTP: everything that a person can do in the browser, for programs.

`openapi.py` describes it from the same table of routes, `ROUTES`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from wonderland import __version__
from wonderland.bots import levels
from wonderland.core.options import default_text
from wonderland.core.registry import game, game_names
from wonderland.core.values import Value
from wonderland.core.words import words_of
from wonderland.tables.deciding import hashed
from wonderland.tables.hints import check_hint
from wonderland.tables.shown import card_of, record_of, shown
from wonderland.web.codes import code_of
from wonderland.web.drawing import Drawn
from wonderland.web.guard import (
    COOKIE,
    COOKIE_DAYS,
    LARGEST_MESSAGE,
    allowed_origin,
    device_in,
    new_device,
)
from wonderland.web.pages import language_of
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
from wonderland.wire.problems import STATUS, UNREADABLE, Refusal, encode_refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.table import Table
    from wonderland.web.app import Site

_PATIENCE = 10.0
"""Seconds for the body of a request."""

Handler = Callable[["Site", "Request", str], Awaitable[Response]]


class Route(Value, frozen=True):
    """One thing that can be asked for: how, by which handler, and what goes in and comes out."""

    method: str
    path: str
    handler: Handler
    about: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    queries: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # queries that are no numbers
    media: str = "application/json"


def answer(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, status, media_type="application/json")


def refused(request: Request, refusal: Refusal, key: str = "", version: int | None = None) -> Response:
    """A refusal as JSON, with the status that it has in HTTP, in the language that was asked for."""
    return answer(encode_refusal(refusal, key, version, language_of(request)), STATUS[refusal.problem])


async def body_of(request: Request, kind: Any, most: int = LARGEST_MESSAGE) -> Any:
    """What a request brings, as a value of this type; `Refusal` if it is none."""
    if request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
        raise Refusal("bad request", "The body must be JSON (Content-Type: application/json).")
    body = b""
    try:
        async with asyncio.timeout(_PATIENCE):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Refusal(
                        "bad request", "A request has {number} KiB at most.", number=most >> 10
                    )
    except TimeoutError:
        raise Refusal("bad request", "The request did not come to its end in time.") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise Refusal("bad request", "This can't be understood: {reason}.", reason=error) from None


def number_in(request: Request, name: str) -> int | None:
    """A number in the query; `Refusal` if it is none."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refusal("bad request", "The {name} is a number.", name=name)
    return int(text)


def check_origin(site: Site, request: Request) -> None:
    """Refuse what a page of somebody else's sends."""
    if not allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), site):
        raise Refusal("not yours", "This page may not do anything here.")


def device_for(request: Request) -> tuple[str, str | None]:
    """The device of a request; if it has none yet, a new one with the secret for its cookie."""
    device = device_in(request.headers.get("Cookie", ""))
    if device:
        return device, None
    secret = new_device()
    return hashed(secret), secret


def with_cookie(response: Response, request: Request, secret: str | None) -> Response:
    """Give the device its cookie, if it is a new one."""
    if secret is not None:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_DAYS * 24 * 3600,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response


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
    return answer(found)


async def lay(site: Site, request: Request, _table: str) -> Response:
    """Lay a table; the sender's device becomes its host."""
    wanted = await body_of(request, ask.CreateTable)
    site.limit(site.laying, request)
    device, secret = device_for(request)
    table, invitation = await site.house.lay(device, wanted)
    return with_cookie(answer(TableCreated(table, invitation), 201), request, secret)


async def lists(site: Site, request: Request, _table: str) -> Response:
    """Tables that wait for players, and those where one sits."""
    device = device_in(request.headers.get("Cookie", ""))
    rows = await site.house.storage.listed()
    mine = await site.house.storage.sits(device) if device else []
    return answer(TableLists([card_of(row) for row in rows], [card_of(row, seat) for row, seat in mine]))


async def look(site: Site, request: Request, table: str) -> Response:
    """A table as one's seat sees it, or a spectator."""
    room = await site.house.fresh(table)
    seat, after = _own_seat(request, room.table), number_in(request, "after")
    version = room.table.version
    known = version if after is None or after > version else after
    return answer(shown(room.table, seat, known, room.shown_to_all()))


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
    drawn = Drawn(found, seat, device_in(request.headers.get("Cookie", "")), language_of(request))
    return answer(drawn.page() if moment is None else drawn.earlier(moment))


async def do(site: Site, request: Request, table: str) -> Response:
    """Carry out a command."""
    command = await body_of(request, ask.AnyCommand)
    room = await site.house.fresh(table)
    device, secret = device_for(request)
    if secret is not None and not isinstance(command, ask.Sit | ask.Claim):
        raise Refusal("not yours", "To do something, come with the cookie of a device.")
    try:
        decision, version = await site.house.carried_out(room, device, command)
    except Refusal as refusal:
        return refused(request, refusal, command.key, room.table.version)
    return with_cookie(answer(CommandDone(command.key, version, decision.told)), request, secret)


async def record(site: Site, _request: Request, table: str) -> Response:
    """The record of a game that is over, for `wonderland replay` and `wonderland verify`."""
    found = record_of((await site.house.fresh(table)).table)
    if found is None:
        raise Refusal("not now", "There is a record when the game is over.")
    return Response(found.text(), media_type="text/plain; charset=utf-8")


async def hint(site: Site, request: Request, table: str) -> Response:
    """What the strongest bot would do, where the table allows to ask."""
    wanted = await body_of(request, HintRequest)
    room = await site.house.fresh(table)
    check_hint(room.table, device_in(request.headers.get("Cookie", "")), wanted.seat)
    site.limit(site.hints, request)
    match = room.table.match
    assert match is not None  # noqa: S101 - it is somebody's turn
    view = match.view(wanted.seat)
    found = await site.attendants.hint(room, wanted.seat)
    say = language_of(request)
    says = words_of(room.table.opened.game).offer(view, found.action, say)
    return answer(HintReply(match.game.write(found.action), says, say(found.level)))


async def qr(site: Site, request: Request, _table: str) -> Response:
    """A link as a QR code; it comes in the body, since its secret must stand in no address."""
    wanted = await body_of(request, QRCodeRequest)
    site.limit(site.codes, request)
    drawing = await asyncio.to_thread(code_of, wanted.text)
    return Response(drawing, media_type="image/svg+xml")


async def health(site: Site, _request: Request, _table: str) -> Response:
    """Whether the server can read its storage."""
    tables = await site.house.storage.count()
    return answer(Health(ok=True, version=__version__, mark=site.mark, tables=tables))


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
