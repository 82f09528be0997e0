"""Wonderland as an installed app: its manifest, the service worker of the shell, and a page for offline.

The worker answers no request for a table. It keeps one page, which is shown when the server can't be
reached, with the files of that page, and opens the table of a notification. A feature may bring a
service worker of its own: `SERVICE_WORKER` in its pages is the address, whose folder is its scope.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from wonderland.discovery import links
from wonderland.engine.registry import game, ranked_game_names
from wonderland.web.assets import SHELL_WORKER, assets, page, release, static
from wonderland.web.languages import language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_POLICY = "default-src 'none'; connect-src 'self'"
_OFFLINE = "/offline"
_PICTURES = ("portraits.svg", "icon-192.png")
"""Files that the offline page uses without naming them."""
_COLOUR = "#2f5d57"


def build_manifest(path: str, scope: str, name: str, short_name: str, say: Language) -> Response:
    """Return a web app manifest, which lets a device install what is at a path."""
    found: dict[str, Any] = {
        "id": path,
        "start_url": path,
        "scope": scope,
        "name": name,
        "short_name": short_name,
        "lang": say.code,
        "display": "standalone",
        "theme_color": _COLOUR,
        "background_color": _COLOUR,
        "icons": [
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {"src": static(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
                for size in (192, 512)
            ),
        ],
    }
    return Response(msgspec.json.encode(found), media_type="application/manifest+json")


def build_service_worker(script: str, **kept: Any) -> Response:
    """Return a service worker: a script, with what it keeps as `KEPT`. It changes with every release."""
    told = msgspec.json.encode({"release": release(), **kept})
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    body = b"const KEPT = %b;\n%b" % (told, assets()[script])
    return Response(body, media_type="text/javascript; charset=utf-8", headers=headers)


async def manifest(_site: Site, request: Request) -> Response:
    """The manifest of the whole site."""
    return build_manifest("/", "/", "Wonderland", "Wonderland", language_of(request))


async def service_worker(site: Site, request: Request) -> Response:
    """The service worker of the shell."""
    shown = bytes((await offline(site, request)).body).decode()
    files = {*re.findall(r'"(/static/[^"]+)"', shown), *map(static, _PICTURES)}
    return build_service_worker("shell-worker.js", page=_OFFLINE, files=sorted(files))


async def offline(_site: Site, request: Request) -> Response:
    """The page that is shown while the server can't be reached, with links to what still works."""
    pads = [(game(name).info.title, links(name).get("score_pad")) for name in ranked_game_names()]
    return page("offline.html", language_of(request), pads=[pad for pad in pads if pad[1]])


PAGES = (
    ("/manifest.webmanifest", manifest),
    (SHELL_WORKER, service_worker),
    (_OFFLINE, offline),
)
