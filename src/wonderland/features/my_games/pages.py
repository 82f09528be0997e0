"""Pages and API of a person's own games: the list, import and export, and mistakes to retry.

Whose games they are follows from the device cookie alone, so nobody can ask for somebody else's list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from wonderland.engine.errors import UsageError
from wonderland.engine.registry import game_names
from wonderland.features.my_games.charts import ratings_of
from wonderland.features.my_games.model import GameFilter, OwnGame, read_filter
from wonderland.features.my_games.rendering import GamesPage, shown_names
from wonderland.features.my_games.retry import first_mistake, mistake_page
from wonderland.features.my_games.service import Person, service_of
from wonderland.features.my_games.transfer import (
    MAX_FILE_LENGTH,
    MAX_RECORDS,
    FaultyRecord,
    read_one,
    seat_of,
    split_records,
    table_of,
)
from wonderland.tables.imported_games import (
    MAX_IMPORTED,
    ImportedGame,
    add_imported,
    imported_games,
    remove_imported,
)
from wonderland.tables.storage.documents import now
from wonderland.tables.uploaded_records import store_record
from wonderland.web.assets import page
from wonderland.web.http import (
    Route,
    device_for,
    json_response,
    number_in,
    read_body,
    with_cookie,
)
from wonderland.web.languages import language_of
from wonderland.web.page_work import run_off_loop
from wonderland.web.security import device_in, network_for
from wonderland.wire.problems import Refusal, rule_path

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_FILTERS = ("game", "result", "opponent", "level", "seats", "since", "until")


class Importing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Records to import, one after another in one text."""

    text: Annotated[str, Meta(max_length=MAX_FILE_LENGTH)]
    name: Annotated[str, Meta(max_length=40)] = ""
    """The sender's name in these games; by default that of their account."""


class ImportFault(msgspec.Struct, frozen=True):
    """Why a record was not imported, and where in the whole text, counted from 1."""

    number: int
    """Number of the record in the text, from 1."""
    line: int
    column: int
    says: str
    rule: str = ""
    """The path of the broken rule in the rulebook, if there is one."""


class ImportResult(msgspec.Struct, frozen=True):
    """What became of the records."""

    added: int
    known: int
    """Games that were in the list already."""
    faults: list[ImportFault]
    is_full: bool = False
    """Whether some are missing because the list is full."""


class OwnGameShown(msgspec.Struct, frozen=True):
    """A finished game of the sender."""

    id: str
    """Its replay is at `/replay/{id}`."""
    game: str
    kind: str
    """`table`, `rated`, `tutorial`, `continued` or `imported`."""
    ended: int
    """In milliseconds since 1970."""
    names: tuple[str, ...]
    levels: tuple[str, ...]
    """The level of the bot in each seat; empty for a person."""
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    seats: tuple[int, ...]
    """The sender's seats, from 0."""
    accuracy: float | None
    """From the coach's report, if there is one."""


class OwnGamesShown(msgspec.Struct, frozen=True):
    """Finished games, latest first."""

    games: list[OwnGameShown]
    missing: int
    """Games that have not been read yet; ask again for them."""


class Removed(msgspec.Struct, frozen=True):
    """Confirmation that a game is no longer in the list."""

    done: bool = True


async def _person(site: Site, request: Request) -> Person:
    return await service_of(site).person(device_in(request.headers.get("Cookie", "")))


def _filter_in(request: Request) -> GameFilter:
    try:
        return read_filter(request.query_params)
    except UsageError as error:
        raise Refusal.of("bad request", error) from None


async def games_page(site: Site, request: Request) -> Response:
    """The list of games that the filter in the address accepts, with statistics."""
    service, wanted, say = service_of(site), _filter_in(request), language_of(request)
    number = min(max(1, number_in(request, "page") or 1), 1000)
    person = await _person(site, request)
    found = await service.games_of(person)
    reviews = await service.reviews_of(found.games)
    names = [wanted.game] if wanted.game in game_names() else list(game_names())
    ratings = await ratings_of(site, person.account, names)

    def show() -> Response:
        context = GamesPage(found.games, reviews, wanted, say).context(number, ratings)
        return page(
            "my_games.html",
            say,
            **context,
            name=person.name,
            missing=found.missing,
            has_more=found.has_more,
            longest=MAX_FILE_LENGTH,
            most_records=MAX_RECORDS,
        )

    return await run_off_loop(show)


async def list_own_games(site: Site, request: Request, _: str) -> Response:
    """The sender's games that the filter accepts."""
    service, wanted, say = service_of(site), _filter_in(request), language_of(request)
    found = await service.games_of(await _person(site, request))
    games = _accepted(found.games, wanted, say)
    reviews = await service.reviews_of(games)
    shown = [
        OwnGameShown(
            own.game.id,
            own.game.game,
            own.game.kind,
            own.game.ended,
            own.game.names,
            own.game.levels,
            own.game.winners,
            own.game.scores,
            own.seats,
            reviews[own.game.id].accuracy if own.game.id in reviews else None,
        )
        for own in games
    ]
    return json_response(OwnGamesShown(shown, found.missing))


def _accepted(games: Sequence[OwnGame], wanted: GameFilter, say: Language) -> list[OwnGame]:
    return [own for own in games if wanted.accepts(own, shown_names(own.game, say))]


async def export_own_games(site: Site, request: Request, _: str) -> Response:
    """The records of the newest games that the filter accepts, as one text."""
    service, wanted, say = service_of(site), _filter_in(request), language_of(request)
    found = await service.games_of(await _person(site, request))
    texts = []
    for own in _accepted(found.games, wanted, say)[:MAX_RECORDS]:
        record = await service.record_of(own)
        if record is not None:
            texts.append(await run_off_loop(record.text))
    return Response(
        "\n".join(texts),
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="wonderland-games.txt"'},
    )


async def import_own_games(site: Site, request: Request, _: str) -> Response:
    """Import all records of a text that are in order; rate limited by their number."""
    wanted = await read_body(request, Importing, 2 * MAX_FILE_LENGTH)
    service, documents, say = service_of(site), site.tables.storage.documents, language_of(request)
    parts = await run_off_loop(lambda: list(split_records(wanted.text)))
    if not parts:
        raise Refusal("bad request", "There's no game record in this text.")
    if len(parts) > MAX_RECORDS:
        raise Refusal("bad request", "You can import up to {number} games at once.", number=MAX_RECORDS)
    network = network_for(request)
    if (wait := service.imports.wait(network, len(parts))) > 0:
        raise Refusal("too many", "Too many requests. Please try again later.").retry_in(wait)
    service.imports.charge(network, len(parts))
    device, secret = device_for(request)
    person = await service.person(device)
    own = {each.game.id for each in (await service.games_of(person)).games}
    own |= {each.record for each in await imported_games(documents, person.devices)}
    faults, games, known = list[ImportFault](), list[ImportedGame](), 0
    for number, part in enumerate(parts, 1):
        found = await run_off_loop(partial(read_one, part))
        if isinstance(found, FaultyRecord):
            faults.append(_fault(number, found, say))
            continue
        name = await store_record(documents, found.text)
        if name in own or table_of(found.record) in own:
            known += 1
            continue
        own.add(name)
        seat = seat_of(found.record, wanted.name.strip() or person.name)
        games.append(ImportedGame(name, seat, now()))
    added = await add_imported(documents, device, games)
    result = ImportResult(added, known, faults, is_full=added < len(games))
    return with_cookie(json_response(result, 201), request, secret)


def _fault(number: int, found: FaultyRecord, say: Language) -> ImportFault:
    says = found.message.sentence(say)
    return ImportFault(number, found.line, found.column, says, rule_path(found.game, found.rule))


async def remove_own_game(site: Site, request: Request, record: str) -> Response:
    """Remove an imported game from the sender's list."""
    person = await _person(site, request)
    await remove_imported(site.tables.storage.documents, person.devices, record)
    return json_response(Removed())


def links(name: str) -> dict[str, str]:
    """Path of one's own games of a kind."""
    return {"my_games": f"/games?game={name}"}


PAGES = (
    ("/games", games_page),
    ("/games/mistakes", first_mistake),
    ("/games/mistakes/{replay}/{number}", mistake_page),
)
ROUTES = (
    Route(
        "GET",
        "/api/my-games",
        list_own_games,
        f"Get your finished games, up to 500 tables and {MAX_IMPORTED} imported ones for each device.",
        gives=OwnGamesShown,
        words=_FILTERS,
    ),
    Route(
        "GET",
        "/api/my-games/records",
        export_own_games,
        f"Get the records of your newest {MAX_RECORDS} games as one text.",
        gives=str,
        media="text/plain",
        words=_FILTERS,
    ),
    Route(
        "POST",
        "/api/my-games/records",
        import_own_games,
        f"Import up to {MAX_RECORDS} finished games; those without errors are added to your games.",
        takes=Importing,
        gives=ImportResult,
        status=201,
    ),
    Route(
        "DELETE",
        "/api/my-games/imported/{replay}",
        remove_own_game,
        "Remove an imported game from your games.",
        gives=Removed,
    ),
)
