"""The pages of the shell: the first one and a table; and the files that all pages need."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

from wonderland.core.errors import FileProblem
from wonderland.core.language import LANGUAGES, preferred
from wonderland.core.lesson import teacher_of
from wonderland.core.registry import game, game_names
from wonderland.discovery import packages_with
from wonderland.web.drawing import Drawn, game_packages, rendered
from wonderland.web.guard import COOKIE_DAYS, LANGUAGE, chosen_in, device_in
from wonderland.web.lists import clocks, open_tables, own_tables, shown_game
from wonderland.wire.commands import PHRASES
from wonderland.wire.problems import STATUS, Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.core.language import Language
    from wonderland.web.app import Site

K = TypeVar("K")

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
MODULES = (
    "asking",
    "common",
    "motion",
    "marking",
    "choosing",
    "connection",
    "looking",
    "moments",
    "passing",
    "sharing",
    "comfort",
)
"""What `table.js` imports: named in the page, so that all are asked for at once."""
_YEAR = 365 * 24 * 3600


@cache
def assets() -> dict[str, bytes]:
    """The static files by name: those of the shell, of features, and of each game."""
    return {file.name: file.read_bytes() for file in asset_files()}


def asset_files() -> Iterator[Traversable]:
    """The same as files; scripts import each other by name, so no name may occur twice."""
    games = (package for name in game_names() for package in game_packages(name))
    for package in (*packages_with("static"), *games):
        folder = files(package) / "static"
        if folder.is_dir():
            yield from (file for file in folder.iterdir() if file.is_file())


@cache
def static(name: str) -> str:
    """The address of a static file, which changes with what is in it.

    Modules import each other by name, so the address of one changes with any of them.
    """
    kind = name.rpartition(".")[2]
    together = [assets()[other] for other in sorted(assets()) if other.endswith(".js")]
    found = together if kind == "js" else [assets()[name]]
    return f"/static/{hashlib.sha256(b''.join(found)).hexdigest()[:12]}/{name}"


@cache
def release() -> str:
    """A name for all that a browser has got from us: if it changes, a page is out of date."""
    return hashlib.sha256("".join(map(static, sorted(assets()))).encode()).hexdigest()[:12]


def page(template: str, say: Language, **context: Any) -> Response:
    """A page in a language."""
    body = rendered(template, say, static=static, languages=LANGUAGES, **context)
    return HTMLResponse(body, headers={"Content-Security-Policy": POLICY, "Content-Language": say.code})


def language_of(request: Request) -> Language:
    """The language that a request asks for: in its address, by an earlier choice, or by its browser."""
    asked, cookies = request.query_params.get("lang", ""), request.headers.get("Cookie", "")
    chosen = asked if asked in LANGUAGES else chosen_in(cookies)
    return preferred(request.headers.get("Accept-Language", ""), chosen)


def with_language(response: Response, request: Request) -> Response:
    """Keep the language that was chosen, if one was: from now on it goes before the browser's."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        response.set_cookie(LANGUAGE, asked, max_age=COOKIE_DAYS * 24 * 3600, samesite="lax")
    return response


def known_game(name: str) -> str:
    """The name of a game, if there is one of this name."""
    if name not in game_names():
        raise Refusal("not found", "There is no such game here.")
    return name


def kept_for(request: Request, kept: Callable[[str], K]) -> K:
    """What is kept with the game in an address: `kept` reads it, or says why it can't be read."""
    name = known_game(request.path_params["game"])
    try:
        return kept(name)
    except FileProblem as error:
        raise Refusal.of("not found", error) from error


async def file(_site: Site, request: Request) -> Response:
    """A static file; its address is for ever."""
    name = request.path_params["name"]
    body = assets().get(name)
    if body is None or static(name) != request.url.path:
        raise Refusal("not found", "There is no such file.")
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(
        body, media_type=kind, headers={"Cache-Control": f"public, max-age={_YEAR}, immutable"}
    )


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
    drawn = Drawn(room.table, seat, device, say)
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
        teaches=teacher_of(name) is not None,
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
