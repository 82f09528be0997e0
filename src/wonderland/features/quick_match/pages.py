"""The page that finds opponents and lists open tables, and its API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from wonderland.engine.registry import game, game_names, ranked_game_names
from wonderland.features.quick_match.service import MatchWish, service_of
from wonderland.web.assets import page
from wonderland.web.http import Route, device_for, json_response, read_body, with_cookie
from wonderland.web.languages import language_of
from wonderland.web.lobby import open_tables
from wonderland.web.security import device_in, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_MAX_TABLES = 50
_FILTERS = ("game", "players", "rated")


class MatchFound(msgspec.Struct, frozen=True):
    """A quick match at which the client has a seat now."""

    table: str


async def find_match(site: Site, request: Request, _table: str) -> Response:
    """Find opponents: sit down at a quick match that suits the client, or open one."""
    wish = await read_body(request, MatchWish)
    site.limit_creation(request)
    device, secret = device_for(request)
    table = await service_of(site).find(device, wish, source_of(request))
    return with_cookie(json_response(MatchFound(table), 201), request, secret)


async def find_page(site: Site, request: Request) -> Response:
    """The form of a quick match, and the open tables that pass the filters."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    chosen = {name: request.query_params.get(name, "") for name in _FILTERS}
    if chosen["game"] not in game_names():
        chosen["game"] = ""
    cards, _ = await open_tables(site.tables, device, say, most=_MAX_TABLES)
    games = [_game_shown(name, say) for name in ranked_game_names()]
    return page(
        "find.html",
        say,
        games=games,
        game=chosen["game"] or games[0]["name"],
        cards=[card for card in cards if _passes(card, chosen)],
        total=len(cards),
        filters=_filters(chosen, games, say),
        has_account=bool(device) and await site.tables.people.find_by_device(device) is not None,
    )


def _game_shown(name: str, say: Language) -> dict[str, Any]:
    info = game(name).info
    return {"name": name, "title": say(info.title), "seats": [n for n in info.seats if n > 1]}


def _passes(card: dict[str, Any], chosen: dict[str, str]) -> bool:
    """Whether an open table passes the filters."""
    rated = {"yes": True, "no": False}.get(chosen["rated"])
    return (
        chosen["game"] in ("", card["game"])
        and (not chosen["players"].isdecimal() or int(chosen["players"]) in card["numbers"])
        and rated in (None, card["rated"])
    )


def _filters(
    chosen: dict[str, str], games: list[dict[str, Any]], say: Language
) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Return the rows of filters, each with links: title, address, whether it is chosen."""
    numbers = sorted({number for each in games for number in each["seats"]})
    rows: list[tuple[str, str, Iterable[tuple[str, str]]]] = [
        ("game", say("Game"), [("", say("All")), *((each["name"], each["title"]) for each in games)]),
        ("players", say("Players"), [("", say("All")), *((str(n), str(n)) for n in numbers)]),
        (
            "rated",
            say("Type of game"),
            [("", say("All")), ("yes", say("rated")), ("no", say("not rated"))],
        ),
    ]
    return [
        (
            title,
            [(text, _address(chosen, name, value), chosen[name] == value) for value, text in some],
        )
        for name, title, some in rows
    ]


def _address(chosen: dict[str, str], changed: str, to: str) -> str:
    """Return the address of the page with one filter changed."""
    query = urlencode({name: value for name, value in (chosen | {changed: to}).items() if value})
    return f"/find?{query}#tables" if query else "/find#tables"


def links(name: str) -> dict[str, str]:
    """Path of the page for a game; there are no opponents to find for a game for one."""
    return {"quick_match": f"/find?game={name}"} if max(game(name).info.seats) > 1 else {}


PAGES = (("/find", find_page),)
ROUTES = (
    Route(
        "POST",
        "/api/matches",
        find_match,
        "Find opponents: take a seat at a quick match that suits you, or open one.",
        takes=MatchWish,
        gives=MatchFound,
        status=201,
    ),
)
