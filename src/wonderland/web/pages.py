"""The core pages: home, table and error page. Features add their own."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from wonderland.components.scene import pictures_of
from wonderland.components.tutorial import tutorial_of
from wonderland.engine.registry import game, ranked_game_names
from wonderland.web import installed_app
from wonderland.web.assets import assets, compressed, file, page, release, static
from wonderland.web.decks import chosen_deck, deck_choices, deck_file
from wonderland.web.http import number_in
from wonderland.web.languages import language_of
from wonderland.web.lobby import clocks, game_card, games_played, open_tables, own_tables
from wonderland.web.page_work import run_off_loop
from wonderland.web.portraits import COMPANY
from wonderland.web.security import device_in
from wonderland.web.table_page import TablePage
from wonderland.wire.commands import PHRASES
from wonderland.wire.problems import STATUS, Refusal, retry_headers

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.table import Table
    from wonderland.web.app import Site
MODULES = (
    "api",
    "dom",
    "animation",
    "beats",
    "highlights",
    "choices",
    "connection",
    "deck",
    "pictures",
    "drag",
    "drawer",
    "finale",
    "hint",
    "history",
    "timeline",
    "hotseat",
    "web-app",
    "links",
    "opponents",
    "page-queue",
    "presence",
    "remarks",
    "rematch",
    "sent",
    "settings",
    "sound",
)
"""The modules that `table.js` imports, preloaded by the page so that they are fetched in parallel."""
_SCRIPTS = ("table", "tutorial", "home-network", *MODULES)
_TABLE_FILES = ("theatre.css", "table.css", *(f"{name}.js" for name in _SCRIPTS))
"""What every table loads; the home page fetches it in advance."""


_MAX_PAGES = 100
"""Pages of open tables that can be leafed through."""


async def home(site: Site, request: Request) -> Response:
    """The home page: games, the viewer's tables, and open tables."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    mine = await own_tables(site.tables, device, say) if device else []
    played = await games_played(site.tables, device) if device else set()
    number = min(max(1, number_in(request, "tables") or 1), _MAX_PAGES)
    waiting, has_more = await open_tables(site.tables, device, say, number)
    render = partial(
        page,
        "home.html",
        say,
        icon=icon(),
        social=social_picture(request),
        games=[
            game_card(name) | {"is_new": name not in played, "files": _game_files(request, name)}
            for name in ranked_game_names()
        ],
        table_files=_TABLE_FILES,
        portraits=COMPANY,
        clocks=clocks(say),
        going=[card for card in mine if card["status"] != "finished"],
        over=[card for card in mine if card["status"] == "finished"],
        waiting=waiting,
        earlier=number - 1,
        later=number + 1 if has_more and number < _MAX_PAGES else 0,
    )
    response = await run_off_loop(render)
    return response if device else compressed(request, response)  # a first visit shows nothing private


def social_picture(request: Request) -> str:
    """Return the whole address of the picture that previews of links show."""
    return f"{str(request.base_url).rstrip('/')}{static('social.png')}"


def _game_files(request: Request, name: str) -> list[str]:
    """Return the addresses of what a table of this game loads besides, for this visitor."""
    deck = chosen_deck(request, name)
    own = [static(f"{name}.css")] if f"{name}.css" in assets() else []
    return [*own, *filter(None, (deck["deck_style"], deck["deck_drawings"]))]


@cache
def icon() -> str:
    """Return the icon as a data URL, which saves the home page a request."""
    return f"data:image/svg+xml,{quote(assets()['icon.svg'])}"


async def table(site: Site, request: Request) -> Response:
    """The page of a table."""
    shown = (await site.tables.fresh(request.path_params["table"])).table
    return await run_off_loop(lambda: _table_page(site, request, shown))


def _table_page(site: Site, request: Request, shown: Table) -> Response:
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    mine = shown.seats_of(device) if device else []
    requested = request.query_params.get("seat", "")
    chosen = next((seat for seat in mine if str(seat) == requested), None)
    seat = chosen if chosen is not None else (mine[0] if mine else None)
    view = TablePage(shown, seat, device, say)
    # On a shared screen, ask who is looking, unless the address says so and nobody else is to move.
    covered = bool(view.curtain) and (chosen is None or view.pass_to not in (None, seat))
    name = shown.opened.game
    return page(
        "table.html",
        say,
        id=shown.id,
        game=name,
        game_title=say(game(name).info.title),
        goal=say(game(name).info.goal),
        styled=f"{name}.css" in assets(),
        **chosen_deck(request, name),
        decks=deck_choices(name, say),
        pictures=msgspec.json.encode(pictures_of(name, say)).decode(),
        version=shown.version,
        earlier=shown.opened.earlier,
        moves=view.moves,
        seat=seat,
        title=view.title,
        social=social_picture(request),
        mine=view.my_turn,
        parts=view.parts(covered=covered),
        covered=covered,
        is_tutorial=shown.opened.is_tutorial and seat is not None,
        has_tutorial=tutorial_of(name) is not None,
        release=release(),
        commitment="" if shown.status == "finished" else shown.opened.commitment,
        others=site.others,
        quick=shown.opened.quick,
        modules=MODULES,
        talks=shown.opened.access != "bots",  # there is no chat with bots
        phrases=PHRASES,
    )


def problem_page(request: Request, refusal: Refusal) -> Response:
    """Render a refusal as a page."""
    say = language_of(request)
    response = page("problem.html", say, says=refusal.said(say))
    response.status_code = STATUS[refusal.problem]
    response.headers.update(retry_headers(refusal))
    return response


PAGES = (
    ("/", home),
    ("/tables/{table}", table),
    ("/static/{hash}/{name}", file),
    ("/decks/{hash}/{game}/{deck}/{code}.svg", deck_file),
    *installed_app.PAGES,
)
