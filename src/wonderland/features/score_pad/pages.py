"""Score pads for games with physical cards: a page for each game that also works offline.

Entries stay in the browser. A service worker caches these pages and their files and nothing else: its
scope is `/score/`, so that browsers don't route other pages through it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import Response

from wonderland.components.score_pad import score_pad_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import assets, known_game, page, static
from wonderland.web.installed_app import build_manifest, build_service_worker
from wonderland.web.languages import language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

SERVICE_WORKER = "/score/worker.js"
_SAMPLES = (1, 2, 5)
"""One number for each plural form in any language; the script picks the phrase of a matching number."""


async def pad(_site: Site, request: Request) -> Response:
    """The score pad of a game; games without their own get a tally of wins."""
    name, say = known_game(request.path_params["game"]), language_of(request)
    own, info = score_pad_of(name), game(name).info
    return page(
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


def _plural_announcements(say: Language) -> list[tuple[int, str]]:
    """Announcement of an entry in each plural form."""
    ngettext = say.catalogue.ngettext  # leaves the placeholders for the script
    return [
        (
            number,
            ngettext(
                "{name}: {what}, now on {number} point", "{name}: {what}, now on {number} points", number
            ),
        )
        for number in _SAMPLES
    ]


async def worker(_site: Site, _request: Request) -> Response:
    """The service worker that caches the pads for offline use; it changes with every release."""
    return build_service_worker(
        "score-pad-worker.js",
        pages=[f"/score/{name}" for name in game_names()],
        files=[static(name) for name in _pad_files()],
    )


def _pad_files() -> list[str]:
    """Static files that score pads need: this feature's, each game's, and the shell's."""
    own = {file.name for file in (files(__package__) / "static").iterdir()}
    of_games = tuple(f"{name}-{part}" for name in game_names() for part in ("score-pad.", "scoring."))
    shell = {
        "page.css",
        "portraits.svg",
        "icon.svg",
        "icon-180.png",
        "fraunces-latin.woff2",
        "fraunces-ext.woff2",
    }
    return [name for name in sorted(assets()) if name in own | shell or name.startswith(of_games)]


async def manifest(_site: Site, request: Request) -> Response:
    """Web app manifest, which lets a phone install the pad."""
    name, say = known_game(request.path_params["game"]), language_of(request)
    title = say("{game} score pad", game=say(game(name).info.title))
    return build_manifest(f"/score/{name}", "/score/", title, say(game(name).info.title), say)


def links(name: str) -> dict[str, str]:
    """Path of the score pad of a game."""
    return {"score_pad": f"/score/{name}"}


PAGES = (
    (SERVICE_WORKER, worker),
    ("/score/{game}", pad),
    ("/score/{game}/manifest", manifest),
)
