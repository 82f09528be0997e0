"""HTTP routes of replays: of uploaded records, and of tables where the game is over.

`tables/uploaded_records.py` stores records under a hash of their text: the same record always has the
same link.
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from wonderland.bots import default_level
from wonderland.components.formatting import date as format_date
from wonderland.engine.errors import NotationError
from wonderland.engine.record_reader import AnyRecord, Fault, Reading
from wonderland.engine.registry import game, game_names
from wonderland.features.replay.branch import decision_count
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage, replay_from_text
from wonderland.features.replay.service import service_of
from wonderland.features.replay.variations import MAX_COMMENT
from wonderland.tables import descriptions
from wonderland.tables.storage.documents import ANALYSES, RECORDS
from wonderland.tables.uploaded_records import MAX_RECORD_LENGTH, normalise_record, store_record
from wonderland.web.assets import assets, page, release
from wonderland.web.decks import chosen_deck
from wonderland.web.http import Route, json_response, number_in, read_body
from wonderland.web.languages import language_of
from wonderland.web.lobby import feature_links
from wonderland.web.page_work import run_off_loop
from wonderland.web.rendering import level_options
from wonderland.wire.messages import CommandRefused, PageUpdate
from wonderland.wire.problems import Refusal, rule_path

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_LARGEST_BODY = 2 * MAX_RECORD_LENGTH
MODULES = (
    *("api", "dom", "animation", "web-app", "timeline", "links", "settings", "sound"),
    *("highlights", "variations", "analysis"),
)
"""Script modules imported by `replay.js`."""


class Brought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Upload of a record in the format of `docs/records.md`."""

    text: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]
    faulty: bool = False
    """Whether a record with a fault is stored as well, to be shown up to the fault."""


class StoredRecord(msgspec.Struct, frozen=True):
    """A stored record, ready for replay."""

    id: str
    """Its replay is at `/replay/{id}`."""


class Unreadable(CommandRefused, frozen=True, tag_field="type", tag="refused"):
    """What is wrong with a record, and where: line and column count from 1."""

    line: int = 1
    column: int = 1
    moves: int = 0
    """How many moves can be replayed before the fault."""


async def replay_of(site: Site, name: str) -> ReplayPage:
    """Load the replay of an uploaded record, or of a table where the game is over."""
    if "\0" in name:  # PostgreSQL can't store or compare NUL
        raise Refusal("not found", "This replay doesn't exist.")
    if (text := await site.tables.storage.documents.get(RECORDS, name)) is not None:
        try:
            return await run_off_loop(partial(replay_from_text, text))
        except NotationError as error:  # the rules have changed since
            raise Refusal(
                "not now", "This record can't be replayed: {reason}", reason=error.message
            ) from None
    try:
        table = (await site.tables.fresh(name)).table
    except Refusal as refusal:
        if refusal.problem != "not found":
            raise
        raise Refusal("not found", "This replay doesn't exist.") from None
    record = await run_off_loop(lambda: descriptions.build_record(table))
    if record is None:
        raise Refusal("not now", "You can replay this game once it's over.")
    return await run_off_loop(lambda: ReplayPage(record, table.match))


async def record_of(site: Site, name: str) -> AnyRecord:
    """Load the record of a replay."""
    return (await replay_of(site, name)).record


async def upload_record(site: Site, request: Request, _name: str) -> Response:
    """Upload a record; an error response gives line and column. Rate limited."""
    upload = await read_body(request, Brought, _LARGEST_BODY)
    site.limit(service_of(site).uploads, request)
    found = await run_off_loop(lambda: normalise_record(upload.text, keep_faulty=upload.faulty))
    if isinstance(found, Reading):
        return _error_response(found, language_of(request))
    return json_response(StoredRecord(await store_record(site.tables.storage.documents, found)), 201)


def _error_response(reading: Reading, say: Language) -> Response:
    fault = reading.fault
    assert fault is not None  # noqa: S101 - only faults are reported
    refused = Unreadable(
        "bad request",
        fault.said(say),
        rule=rule_path(fault.game, fault.rule),
        line=fault.line,
        column=fault.column,
        moves=0 if reading.record is None else decision_count(reading.record),
    )
    return json_response(refused, 400)


async def moment(site: Site, request: Request, name: str) -> Response:
    """One moment of a replay as HTML."""
    replay = await replay_of(site, name)
    eyes = replay.eyes(request.query_params.get("seat"))
    at, log = replay.moment(number_in(request, "at")), bool(number_in(request, "log"))
    say = language_of(request)
    return json_response(await run_off_loop(lambda: replay.page(at, eyes, say, log=log)))


async def download(site: Site, _request: Request, name: str) -> Response:
    """Download the record, for `wonderland replay`."""
    text = await run_off_loop((await record_of(site, name)).text)
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.txt"'},
    )


async def upload_page(_site: Site, request: Request) -> Response:
    """The upload page."""
    games = [(name, game(name).info.title) for name in game_names()]
    return page("replay_upload.html", language_of(request), longest=MAX_RECORD_LENGTH, games=games)


async def show(site: Site, request: Request) -> Response:
    """The replay page, at the moment and from the viewpoint given in the URL."""
    name = request.path_params["replay"]
    replay = await replay_of(site, name)
    analysis = await _load_analysis(site, name, request.query_params.get("analysis"))
    return await run_off_loop(lambda: _replay_page(site, request, replay, analysis))


async def _load_analysis(site: Site, name: str, analysis: str | None) -> str:
    """The shared tree of variations as JSON; empty if none is asked for."""
    if analysis is None:
        return ""
    found = None
    if re.fullmatch(r"[a-z2-7]{16}", analysis):
        found = await site.tables.storage.documents.get(ANALYSES, f"{name}-{analysis}")
    if found is None:
        raise Refusal("not found", "This analysis doesn't exist any more.")
    return found.decode()


def _fault_context(fault: Fault | None, say: Language) -> dict[str, Any] | None:
    if fault is None:
        return None
    return {"says": fault.said(say), "path": rule_path(fault.game, fault.rule), "rule": fault.rule}


def _replay_page(site: Site, request: Request, replay: ReplayPage, analysis: str) -> Response:
    name, say = request.path_params["replay"], language_of(request)
    eyes = replay.eyes(request.query_params.get("seat"))
    wanted = number_in(request, "at")
    at = replay.last if wanted is None and replay.fault is not None else replay.moment(wanted)
    game, to_act = replay.game.info.name, replay.to_act(at)
    return page(
        "replay.html",
        say,
        id=name,
        game=game,
        game_title=say(replay.game.info.title),
        styled=f"{game}.css" in assets(),
        **chosen_deck(request, game),
        title=replay.title(say),
        parts=replay.parts(at, eyes, say),
        log=replay.log(eyes, say),
        at=at,
        last=replay.last,
        is_over=replay.is_over,
        eyes=eyes,
        viewers=_viewpoints(replay, say),
        names=replay.names(say),
        player=int(eyes) if eyes.isdecimal() else next(iter(to_act), 0),
        date=replay.record.date,
        date_text=_date_text(replay.record.date, say),
        has_table=replay.has_table,
        links=feature_links(game),
        fault=_fault_context(replay.fault, say),
        tree=analysis,
        analysis=request.query_params.get("analysis", ""),
        longest_comment=MAX_COMMENT,
        levels=level_options(game),
        usual=default_level(game).word,
        release=release(),
        others=site.others,
        modules=MODULES,
    )


def _date_text(text: str | None, say: Language) -> str:
    return "" if text is None else format_date(date.fromisoformat(text), say)


def _viewpoints(replay: ReplayPage, say: Language) -> list[tuple[str, str]]:
    """The available viewpoints and their labels."""
    seats = [(str(seat), name) for seat, name in enumerate(replay.names(say))]
    return [(OPEN, say("All cards face up")), *seats, (WATCHING, say("Spectator"))]


PAGES = (("/replay", upload_page), ("/replay/{replay}", show))
ROUTES = (
    Route(
        "POST",
        "/api/replays",
        upload_record,
        "Upload a record to replay it.",
        takes=Brought,
        gives=StoredRecord,
        status=201,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/page",
        moment,
        "Get a replay, or a finished table, as HTML after the first `at` decisions. `seat` is a seat, "
        "`watching`, or `open` for all cards face up.",
        gives=PageUpdate,
        queries=("at", "log"),
        words=("seat",),
    ),
    Route(
        "GET",
        "/api/replays/{replay}/record",
        download,
        "Get the record of a replay.",
        gives=str,
        media="text/plain",
    ),
)
