"""The core pages: home, table and error page. Features add their own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from wonderland.components.tutorial import tutorial_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import assets, file, page, release
from wonderland.web.languages import language_of
from wonderland.web.lobby import clocks, game_card, open_tables, own_tables
from wonderland.web.security import device_in
from wonderland.web.table_page import TablePage
from wonderland.wire.commands import PHRASES
from wonderland.wire.problems import STATUS, Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.web.app import Site
MODULES = (
    "api",
    "dom",
    "animation",
    "highlights",
    "choices",
    "connection",
    "history",
    "timeline",
    "hotseat",
    "links",
    "settings",
)
"""The modules that `table.js` imports, preloaded by the page so that they are fetched in parallel."""


async def home(site: Site, request: Request) -> Response:
    """The home page: games, the viewer's tables, and open tables."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    mine = await own_tables(site.tables, device, say) if device else []
    return page(
        "home.html",
        say,
        icon=icon(),
        games=[game_card(name) for name in game_names()],
        clocks=clocks(say),
        going=[card for card in mine if card["status"] != "finished"],
        over=[card for card in mine if card["status"] == "finished"],
        waiting=await open_tables(site.tables, device, say),
    )


@cache
def icon() -> str:
    """Return the icon as a data URL, which saves the home page a request."""
    return f"data:image/svg+xml,{quote(assets()['icon.svg'])}"


async def table(site: Site, request: Request) -> Response:
    """The page of a table."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    live = await site.tables.fresh(request.path_params["table"])
    mine = live.table.seats_of(device) if device else []
    requested = request.query_params.get("seat", "")
    chosen = next((seat for seat in mine if str(seat) == requested), None)
    seat = chosen if chosen is not None else (mine[0] if mine else None)
    view = TablePage(live.table, seat, device, say)
    # On a shared screen, ask who is looking, unless the address says so and nobody else is to move.
    covered = bool(view.curtain) and (chosen is None or view.pass_to not in (None, seat))
    name = live.table.opened.game
    return page(
        "table.html",
        say,
        id=live.table.id,
        game=name,
        game_title=say(game(name).info.title),
        styled=f"{name}.css" in assets(),
        version=live.table.version,
        moves=view.moves,
        seat=seat,
        title=view.title,
        mine=view.my_turn,
        parts=view.parts(covered=covered),
        covered=covered,
        lesson=live.table.opened.lesson and seat is not None,
        teaches=tutorial_of(name) is not None,
        release=release(),
        others=site.others,
        modules=MODULES,
        talks=live.table.opened.access != "bots",  # there is no chat with bots
        phrases=PHRASES,
    )


def problem_page(request: Request, refusal: Refusal) -> Response:
    """Render a refusal as a page."""
    say = language_of(request)
    response = page("problem.html", say, says=refusal.said(say))
    response.status_code = STATUS[refusal.problem]
    return response


PAGES = (
    ("/", home),
    ("/tables/{table}", table),
    ("/static/{hash}/{name}", file),
)
