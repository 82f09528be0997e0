"""Score pads for games with real cards: a page for each game, which works without the network too.

What is entered stays in the browser. A worker keeps these pages and their files, and nothing else: it
stands below `/score/`, so that a browser asks it for no other page.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from wonderland.components.score_pad import score_pad_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import POLICY as OF_PAGES
from wonderland.web.assets import assets, known_game, page, release, static
from wonderland.web.languages import language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

POLICY = f"{OF_PAGES}; worker-src 'self'; manifest-src 'self'"
_POLICY_OF_WORKER = "default-src 'none'; connect-src 'self'"
_SAMPLES = (1, 2, 5)
"""Numbers that go with different words in some language: a script takes those of one like its own."""
_COLOUR = "#2f5d57"


async def pad(_site: Site, request: Request) -> Response:
    """The score pad of a game; for one that has none of its own, a tally of who has won."""
    name, say = known_game(request.path_params["game"]), language_of(request)
    own, info = score_pad_of(name), game(name).info
    response = page(
        "score_pad.html",
        say,
        game=name,
        game_title=say(info.title),
        seats=list(info.seats),
        style=f"{name}-score-pad.css" if f"{name}-score-pad.css" in assets() else "",
        script=f"{name}-score-pad.js" if own is not None else "tally-score-pad.js",
        counted=_counted(say),
        **(own.pad(say) if own is not None else {}),
    )
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _counted(say: Language) -> list[tuple[int, str]]:
    """What is said of each thing that is entered, for some numbers of points."""
    ngettext = say.catalogue.ngettext  # which leaves the fields to the script
    return [
        (
            number,
            ngettext(
                "{name}: {what}, now {number} point", "{name}: {what}, now {number} points", number
            ),
        )
        for number in _SAMPLES
    ]


async def worker(_site: Site, _request: Request) -> Response:
    """The script that keeps the pads for when there is no network: another one with each release."""
    kept = {
        "release": release(),
        "pages": [f"/score/{name}" for name in game_names()],
        "files": [static(name) for name in _files_of_pads()],
    }
    body = b"const KEPT = %b;\n%b" % (msgspec.json.encode(kept), assets()["score-pad-worker.js"])
    headers = {"Content-Security-Policy": _POLICY_OF_WORKER, "Cache-Control": "no-cache"}
    return Response(body, media_type="text/javascript; charset=utf-8", headers=headers)


def _files_of_pads() -> list[str]:
    """The static files that score pads need: this feature's, each game's, and the shell's."""
    own = {file.name for file in (files(__package__) / "static").iterdir()}
    of_games = tuple(f"{name}-{part}" for name in game_names() for part in ("score-pad.", "scoring."))
    shell = {"wonderland.css", "icon.svg"}
    return [name for name in sorted(assets()) if name in own | shell or name.startswith(of_games)]


async def manifest(_site: Site, request: Request) -> Response:
    """What a phone needs to know to put the pad among its own programs."""
    name, say = known_game(request.path_params["game"]), language_of(request)
    title = say("{game}: score pad", game=say(game(name).info.title))
    found: dict[str, Any] = {
        "id": f"/score/{name}",
        "start_url": f"/score/{name}",
        "scope": "/score/",
        "name": title,
        "short_name": say(game(name).info.title),
        "lang": say.code,
        "display": "standalone",
        "theme_color": _COLOUR,
        "background_color": _COLOUR,
        "icons": [{"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return Response(msgspec.json.encode(found), media_type="application/manifest+json")


def links(name: str) -> dict[str, str]:
    """Where the score pad of a game is."""
    return {"score_pad": f"/score/{name}"}


PAGES = (
    ("/score/worker.js", worker),
    ("/score/{game}", pad),
    ("/score/{game}/manifest", manifest),
)
