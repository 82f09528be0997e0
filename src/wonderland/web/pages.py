"""The pages: the first one, a table, the rules; and the files that they need."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response

from wonderland.bots import default_level, levels
from wonderland.core.options import default_text
from wonderland.core.registry import game, game_names, package, part
from wonderland.tables.commands import PHRASES, STATUS, Refusal
from wonderland.web.drawing import Drawn, picture, rendered
from wonderland.web.guard import device_in
from wonderland.web.language import preferred
from wonderland.web.rulebook import rules_html

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.tables.storage import Row
    from wonderland.web.app import Site
    from wonderland.web.language import Language

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_YEAR = 365 * 24 * 3600


@cache
def assets() -> dict[str, bytes]:
    """The static files by name: the shell's, and each game's."""
    found: dict[str, bytes] = {}
    for home in ("wonderland.web", *map(package, game_names())):
        folder = files(home) / "static"
        if folder.is_dir():
            found |= {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    return found


@cache
def static(name: str) -> str:
    """The address of a static file, which changes with what is in it."""
    return f"/static/{hashlib.sha256(assets()[name]).hexdigest()[:12]}/{name}"


def page(template: str, say: Language, **context: Any) -> Response:
    """A page in a language."""
    body = rendered(template, say, static=static, **context)
    return HTMLResponse(body, headers={"Content-Security-Policy": POLICY, "Content-Language": say.code})


def language_of(request: Request) -> Language:
    """The language that a request asks for."""
    return preferred(request.headers.get("Accept-Language", ""))


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
    storage = site.house.storage
    mine = await storage.sits(device, most=20) if device else []
    seen: dict[str, Row] = {row.table: row for row, _ in mine}
    waiting = [row for row in await storage.listed(most=20) if row.table not in seen]
    state = {
        "waiting": say("waits for players"),
        "playing": say("goes on"),
        "finished": say("is over"),
    }
    return page(
        "home.html",
        say,
        games=[_game(name) for name in game_names() if part(name, "web") is not None],
        mine=[
            {"id": row.table, "title": game(row.game).info.title, "state": state[row.status]}
            for row in seen.values()
        ],
        waiting=[
            {"id": row.table, "title": game(row.game).info.title, "free": row.free} for row in waiting
        ],
    )


def _game(name: str) -> dict[str, Any]:
    rules = game(name)
    options = [
        {
            "name": option.name,
            "meaning": option.meaning,
            "usual": default_text(rules, option),
            "choices": option.examples,
        }
        for option in rules.info.options
        if all(len(example) < 12 for example in option.examples)  # not a whole board
    ]
    return {
        "name": name,
        "title": rules.info.title,
        "about": rules.info.about,
        "seats": list(rules.info.seats),
        "levels": levels(name),
        "usual": default_level(name).word,
        "options": [option for option in options if option["choices"]],
        "picture": picture(name),
    }


async def table(site: Site, request: Request) -> Response:
    """A table, whole."""
    say, device = language_of(request), device_in(request.headers.get("Cookie", ""))
    room = await site.house.fresh(request.path_params["table"])
    mine = room.table.seats_of(device) if device else []
    wanted = request.query_params.get("seat", "")
    seat = int(wanted) if wanted.isdecimal() and int(wanted) in mine else (mine[0] if mine else None)
    drawn = Drawn(room.table, seat, device, say)
    name = room.table.opened.game
    return page(
        "table.html",
        say,
        id=room.table.id,
        game=name,
        game_title=game(name).info.title,
        version=room.table.version,
        seat=seat,
        title=drawn.title,
        mine=drawn.my_turn,
        parts=drawn.parts(),
        phrases=PHRASES,
    )


async def rules(_site: Site, request: Request) -> Response:
    """The rules of a game."""
    name = request.path_params["game"]
    if name not in game_names():
        raise Refusal("not found", "There is no such game here.")
    title = game(name).info.title
    return page("rules.html", language_of(request), game=name, game_title=title, text=rules_html(name))


def problem_page(request: Request, refusal: Refusal) -> Response:
    """What went wrong, for people."""
    response = page("problem.html", language_of(request), says=str(refusal))
    response.status_code = STATUS[refusal.problem]
    return response


PAGES = (
    ("/", home),
    ("/tables/{table}", table),
    ("/rules/{game}", rules),
    ("/static/{hash}/{name}", file),
)
