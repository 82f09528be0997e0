"""The pages of the shell: the first one and a table; and the files that all pages need."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from wonderland.components.tutorial import tutorial_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import assets, file, page, release
from wonderland.web.languages import language_of
from wonderland.web.lobby import clocks, open_tables, own_tables, shown_game
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
"""What `table.js` imports: named in the page, so that all are asked for at once."""


async def home(site: Site, request: Request) -> Response:
    """The first page: games, one's own tables, tables that wait for players."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    mine = await own_tables(site.house, device, say) if device else []
    return page(
        "home.html",
        say,
        icon=icon(),
        games=[shown_game(name) for name in game_names()],
        clocks=clocks(say),
        going=[card for card in mine if card["status"] != "finished"],
        over=[card for card in mine if card["status"] == "finished"],
        waiting=await open_tables(site.house, device, say),
    )


@cache
def icon() -> str:
    """The icon inside the page: one thing less to ask for."""
    return f"data:image/svg+xml,{quote(assets()['icon.svg'])}"


async def table(site: Site, request: Request) -> Response:
    """A table, whole."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    room = await site.house.fresh(request.path_params["table"])
    mine = room.table.seats_of(device) if device else []
    wanted = request.query_params.get("seat", "")
    chosen = next((seat for seat in mine if str(seat) == wanted), None)
    seat = chosen if chosen is not None else (mine[0] if mine else None)
    drawn = TablePage(room.table, seat, device, say)
    # Who of several sits before the screen is asked, unless it has been said and nobody else is to move.
    covered = bool(drawn.curtain) and (chosen is None or drawn.pass_to not in (None, seat))
    name = room.table.opened.game
    return page(
        "table.html",
        say,
        id=room.table.id,
        game=name,
        game_title=say(game(name).info.title),
        styled=f"{name}.css" in assets(),
        version=room.table.version,
        moves=drawn.moves,
        seat=seat,
        title=drawn.title,
        mine=drawn.my_turn,
        parts=drawn.parts(covered=covered),
        covered=covered,
        lesson=room.table.opened.lesson and seat is not None,
        teaches=tutorial_of(name) is not None,
        release=release(),
        others=site.others,
        modules=MODULES,
        talks=room.table.opened.access != "bots",  # to bots there is nothing to say
        phrases=PHRASES,
    )


def problem_page(request: Request, refusal: Refusal) -> Response:
    """What went wrong, for people."""
    say = language_of(request)
    response = page("problem.html", say, says=refusal.said(say))
    response.status_code = STATUS[refusal.problem]
    return response


PAGES = (
    ("/", home),
    ("/tables/{table}", table),
    ("/static/{hash}/{name}", file),
)
