"""Score pads for games with physical cards: a page for each game that also works offline.

Entries stay in the browser. A service worker caches these pages and their files and nothing else: its
scope is `/score/`, so that browsers don't route other pages through it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from wonderland.components.score_pad import score_pad_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import POLICY as PAGE_POLICY
from wonderland.web.assets import assets, known_game, page, release, static
from wonderland.web.languages import language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

POLICY = f"{PAGE_POLICY}; worker-src 'self'; manifest-src 'self'"
_WORKER_POLICY = "default-src 'none'; connect-src 'self'"
_SAMPLES = (1, 2, 5)
"""One number for each plural form in any language; the script picks the phrase of a matching number."""
_COLOUR = "#2f5d57"


async def pad(_site: Site, request: Request) -> Response:
    """The score pad of a game; games without their own get a tally of wins."""
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
        counted=_plural_announcements(say),
        **(own.pad(say) if own is not None else {}),
    )
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _plural_announcements(say: Language) -> list[tuple[int, str]]:
    """Announcement of an entry in each plural form."""
    ngettext = say.catalogue.ngettext  # leaves the placeholders for the script
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
    """The service worker that caches the pads for offline use; it changes with every release."""
    cached = {
        "release": release(),
        "pages": [f"/score/{name}" for name in game_names()],
        "files": [static(name) for name in _pad_files()],
    }
    body = b"const KEPT = %b;\n%b" % (msgspec.json.encode(cached), assets()["score-pad-worker.js"])
    headers = {"Content-Security-Policy": _WORKER_POLICY, "Cache-Control": "no-cache"}
    return Response(body, media_type="text/javascript; charset=utf-8", headers=headers)


def _pad_files() -> list[str]:
    """Static files that score pads need: this feature's, each game's, and the shell's."""
    own = {file.name for file in (files(__package__) / "static").iterdir()}
    of_games = tuple(f"{name}-{part}" for name in game_names() for part in ("score-pad.", "scoring."))
    shell = {"wonderland.css", "icon.svg"}
    return [name for name in sorted(assets()) if name in own | shell or name.startswith(of_games)]


async def manifest(_site: Site, request: Request) -> Response:
    """Web app manifest, which lets a phone install the pad."""
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
    """Path of the score pad of a game."""
    return {"score_pad": f"/score/{name}"}


PAGES = (
    ("/score/worker.js", worker),
    ("/score/{game}", pad),
    ("/score/{game}/manifest", manifest),
)
