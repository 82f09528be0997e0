"""HTTP routes of replays: of uploaded records, and of tables where the game is over.

An uploaded record is stored in canonical form in the document store, under a hash of its text: the same
record always has the same link, whoever uploads it and however often.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from wonderland.bots import default_level, levels
from wonderland.engine.errors import NotationError
from wonderland.engine.protocol import LUCK
from wonderland.engine.record import Record
from wonderland.engine.record_reader import AnyRecord, Fault, read_record
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage, replay_from_text
from wonderland.features.replay.service import service_of
from wonderland.tables import descriptions
from wonderland.web.assets import assets, page, release
from wonderland.web.http import Route, json_response, number_in, read_body
from wonderland.web.languages import language_of
from wonderland.wire.messages import CommandRefused, PageUpdate
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

KIND = "record"
"""Kind of records in the document store."""
MAX_RECORDS = 10_000
"""Limit of uploaded records; the least recently used are evicted."""
MAX_RECORD_LENGTH = 64 * 1024
"""Limit for one record, in characters."""
_LARGEST_BODY = 2 * MAX_RECORD_LENGTH
_MAX_DECISIONS = 2000
MODULES = ("api", "dom", "animation", "timeline", "links", "settings")
"""Script modules imported by `replay.js`."""


class Brought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Upload of a record in the format of `docs/records.md`."""

    text: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]


class Shelved(msgspec.Struct, frozen=True):
    """A stored record, ready for replay."""

    id: str
    """Its replay is at `/replay/{id}`."""


class Unreadable(CommandRefused, frozen=True, tag_field="type", tag="refused"):
    """What is wrong with a record, and where: line and column count from 1."""

    line: int = 1
    column: int = 1


async def replay_of(site: Site, name: str) -> ReplayPage:
    """Load the replay of an uploaded record, or of a table where the game is over."""
    if "\0" in name:  # PostgreSQL can't store or compare NUL
        raise Refusal("not found", "There is no such replay.")
    if (text := await site.tables.storage.documents.get(KIND, name)) is not None:
        try:
            return replay_from_text(text)
        except NotationError as error:  # the rules have changed since
            raise Refusal("not now", "This record can't be replayed: {reason}", reason=error) from None
    try:
        table = (await site.tables.fresh(name)).table
    except Refusal as refusal:
        if refusal.problem != "not found":
            raise
        raise Refusal("not found", "There is no such replay.") from None
    record = descriptions.build_record(table)
    if record is None:
        raise Refusal("not now", "This game is not over: it can be replayed when it is.")
    return ReplayPage(record, table.match)


async def record_of(site: Site, name: str) -> AnyRecord:
    """Load the record of a replay."""
    return (await replay_of(site, name)).record


def name_of(text: bytes) -> str:
    """Name of a record: a hash of its text."""
    return base64.b32encode(hashlib.sha256(text).digest()[:10]).decode().lower()


async def upload_record(site: Site, request: Request, _name: str) -> Response:
    """Upload a record; an error response gives line and column. Rate limited."""
    upload = await read_body(request, Brought, _LARGEST_BODY)
    site.limit(service_of(site).uploads, request)
    found = await asyncio.to_thread(_normalise, upload.text)
    if isinstance(found, Fault):
        return _error_response(found, language_of(request))
    return json_response(Shelved(await store_record(site, found)), 201)


async def store_record(site: Site, record: bytes) -> str:
    """Store the text of a record and return its name; evict the least recently used."""
    documents, name = site.tables.storage.documents, name_of(record)
    if await documents.get(KIND, name) is None:
        await documents.put(KIND, name, record)
        await documents.trim(KIND, MAX_RECORDS)
    return name


def _normalise(text: str) -> bytes | Fault:
    """Return a record in canonical form, or what is wrong with it."""
    reading = read_record(text)
    if reading.record is None or reading.fault is not None:
        return reading.fault or Fault(1, 1, "there is no record here.")
    record: Record[object, object, object, object, object] = reading.record
    if sum(move.actor is not LUCK for move in record.moves) > _MAX_DECISIONS:
        raise Refusal("bad request", "A replay has {number} decisions at most.", number=_MAX_DECISIONS)
    return record.text().encode()


def _error_response(fault: Fault, say: Language) -> Response:
    says = say(
        "Line {line}, column {column}: {what}",
        line=fault.line,
        column=fault.column,
        what=fault.sentence,
    )
    refused = Unreadable("bad request", says, line=fault.line, column=fault.column)
    return json_response(refused, 400)


async def moment(site: Site, request: Request, name: str) -> Response:
    """One moment of a replay as HTML."""
    replay = await replay_of(site, name)
    eyes = replay.eyes(request.query_params.get("seat"))
    at, log = replay.moment(number_in(request, "at")), bool(number_in(request, "log"))
    return json_response(replay.page(at, eyes, language_of(request), log=log))


async def download(site: Site, _request: Request, name: str) -> Response:
    """Download the record, for `wonderland replay`."""
    text = (await record_of(site, name)).text()
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.txt"'},
    )


async def upload_page(_site: Site, request: Request) -> Response:
    """The upload page."""
    return page("replay_upload.html", language_of(request), longest=MAX_RECORD_LENGTH)


async def show(site: Site, request: Request) -> Response:
    """The replay page, at the moment and from the viewpoint given in the URL."""
    name, say = request.path_params["replay"], language_of(request)
    replay = await replay_of(site, name)
    eyes = replay.eyes(request.query_params.get("seat"))
    at = replay.moment(number_in(request, "at"))
    game, to_act = replay.game.info.name, replay.to_act(at)
    return page(
        "replay.html",
        say,
        id=name,
        game=game,
        game_title=say(replay.game.info.title),
        styled=f"{game}.css" in assets(),
        title=replay.title(say),
        parts=replay.parts(at, eyes, say),
        log=replay.log(eyes, say),
        at=at,
        last=replay.last,
        is_over=replay.is_over,
        eyes=eyes,
        viewers=_viewpoints(replay, say),
        names=replay.names,
        player=int(eyes) if eyes.isdecimal() else next(iter(to_act), 0),
        date=replay.record.date,
        has_table=replay.has_table,
        levels=levels(game),
        usual=default_level(game).word,
        release=release(),
        others=site.others,
        modules=MODULES,
    )


def _viewpoints(replay: ReplayPage, say: Language) -> list[tuple[str, str]]:
    """The available viewpoints and their labels."""
    seats = [(str(seat), name) for seat, name in enumerate(replay.names)]
    return [(OPEN, say("All cards open")), *seats, (WATCHING, say("A spectator"))]


PAGES = (("/replay", upload_page), ("/replay/{replay}", show))
ROUTES = (
    Route(
        "POST",
        "/api/replays",
        upload_record,
        "Bring a record to be replayed.",
        takes=Brought,
        gives=Shelved,
        status=201,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/page",
        moment,
        "A replay, or a table where the game is over, after the first `at` decisions, seen by a `seat`, "
        "with all cards `open`, or `watching`.",
        gives=PageUpdate,
        queries=("at", "log"),
        words=("seat",),
    ),
    Route(
        "GET",
        "/api/replays/{replay}/record",
        download,
        "The record of a replay.",
        gives=str,
        media="text/plain",
    ),
)
