"""Static files with content-hashed addresses, and the responses that pages are made of."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, TypeVar

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from wonderland.components.catalogues import LANGUAGES
from wonderland.discovery import packages_with, service_workers
from wonderland.engine.errors import FileProblem
from wonderland.engine.registry import game_names
from wonderland.web import drawings
from wonderland.web.moderation import current_announcement
from wonderland.web.portraits import portrait_of
from wonderland.web.rendering import game_packages, render
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

K = TypeVar("K")

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_YEAR = 365 * 24 * 3600
SHELL_WORKER = "/worker.js"
"""The address of the shell's service worker, at the root because that decides what it can answer."""
BUNDLES = {
    "front-door.css": ("wonderland.css", "papers.css", "stage.css", "home.css"),
    "theatre.css": (
        *("wonderland.css", "papers.css", "stage.css", "seats.css", "captions.css"),
        *("drawer.css", "finale.css"),
    ),
    "page.css": ("wonderland.css", "papers.css", "stage.css", "pages.css"),
}
"""Style sheets that are sent as one, because each request delays the first sight of a page."""


@cache
def assets() -> dict[str, bytes]:
    """Return the static files by name: those of `web`, of the features and of each game.

    Pictures are linked (see `drawings`), and bundles added.
    """
    found = {file.name: file.read_bytes() for file in asset_files()}
    for name, body in found.items():
        if name.endswith(".svg") and drawings.is_picture(text := body.decode()):
            found[name] = drawings.link(text, found).encode()
    return found | {name: _bundle(found[part] for part in parts) for name, parts in BUNDLES.items()}


def _bundle(sheets: Iterable[bytes]) -> bytes:
    """Join style sheets, without comments and indentation."""
    return re.sub(rb"/\*.*?\*/|(?<=\n)\s+", b"", b"\n".join(sheets), flags=re.DOTALL)


def asset_files() -> Iterator[Traversable]:
    """Yield all static files; scripts import each other by name, so no name may occur twice."""
    games = (package for name in game_names() for package in game_packages(name))
    for package in (*packages_with("static"), *games):
        home = files(package)
        decks = home / "decks"
        for folder in (home / "static", *(decks.iterdir() if decks.is_dir() else ())):
            if folder.is_dir():
                yield from (file for file in folder.iterdir() if _is_static(file))


def _is_static(file: Traversable) -> bool:
    """Whether a file is sent to browsers: not a folder, and not the template of a deck."""
    return file.is_file() and not file.name.endswith(".html")


@cache
def static(name: str) -> str:
    """Return the address of a static file, which contains a hash of its content.

    Files that refer to each other by relative path share one hash: all scripts, and all style sheets
    with the fonts and pictures they use.
    """
    group = next((group for group in (_scripts(), _styles()) if name in group), (name,))
    content = b"".join(assets()[each] for each in group)
    return f"/static/{hashlib.sha256(content).hexdigest()[:12]}/{name}"


@cache
def _scripts() -> tuple[str, ...]:
    return tuple(name for name in sorted(assets()) if name.endswith(".js"))


@cache
def _styles() -> tuple[str, ...]:
    sheets = [name for name in sorted(assets()) if name.endswith(".css")]
    used = {
        found for name in sheets for found in re.findall(r"url\(([\w.-]+)\)", assets()[name].decode())
    }
    return (*sheets, *sorted(used.difference(sheets)))


_SYMBOLS_TAG = Markup('<svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false">')


@cache
def symbols(name: str) -> Markup:
    """Return a static SVG file with symbols, to put into a page once."""
    text = assets()[name].decode()
    inside = re.sub(r"<!--.*?-->|\n", "", text[text.index("<defs>") :], flags=re.DOTALL)
    return _SYMBOLS_TAG + Markup(inside)  # noqa: S704 - a file of ours


@cache
def shared_symbols(*names: str) -> Markup:
    """Return some of the shared symbols, with those that they use, to put into a page once."""
    return Markup("{}<defs>{}</defs></svg>").format(_SYMBOLS_TAG, drawings.find_symbols(names, assets()))


def game_picture(game: str) -> Markup:
    """Return the picture of a game as an image; the icon for a game without one."""
    name = f"{game}.svg" if f"{game}.svg" in assets() else "icon.svg"
    return Markup('<img src="{}" alt="" width="400" height="290">').format(static(name))


def picture_layers(game: str) -> list[tuple[str, str]]:
    """Return the addresses of the layers of a game's picture, each with its motion; else the icon."""
    name = f"{game}.svg"
    if name not in assets():
        return [(static("icon.svg"), "still")]
    found = drawings.layers(assets()[name].decode())
    return [(f"{static(name)}#{layer}", motion) for layer, motion in found] or [(static(name), "still")]


@cache
def release() -> str:
    """Return a hash of all static files; an open page with another release is out of date."""
    return hashlib.sha256("".join(map(static, sorted(assets()))).encode()).hexdigest()[:12]


def page(template: str, say: Language, **context: Any) -> Response:
    """Render a template as an HTML response in a language."""
    body = render(
        template,
        say,
        static=static,
        symbols=symbols,
        shared_symbols=shared_symbols,
        game_picture=game_picture,
        portrait_of=portrait_of,
        languages=LANGUAGES,
        announcement=current_announcement.get(),
        service_workers=" ".join((SHELL_WORKER, *service_workers())),
        **({"deck": "", "deck_style": ""} | context),
    )
    return HTMLResponse(body, headers={"Content-Security-Policy": POLICY, "Content-Language": say.code})


def known_game(name: str) -> str:
    """Return the name of a game; `Refusal` if it does not exist."""
    if name not in game_names():
        raise Refusal(Code.NO_SUCH_GAME, "We don't have that game here.")
    return name


def load_game_data(request: Request, load: Callable[[str], K]) -> K:
    """Load data of the game in the address with `load`; `Refusal` if the game or its file is missing."""
    name = known_game(request.path_params["game"])
    try:
        return load(name)
    except FileProblem as error:
        raise Refusal.of(Code.NOT_AVAILABLE, error) from error


async def file(_site: Site, request: Request) -> Response:
    """Serve a static file."""
    name = request.path_params["name"]
    body = assets().get(name)
    if body is None or static(name) != request.url.path:
        raise Refusal(Code.NO_SUCH_FILE, "This file doesn't exist.")
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return cached_response(request, body, kind)


def cached_response(request: Request, body: bytes, kind: str) -> Response:
    """Return a file that browsers keep for ever, since its address changes with its content."""
    headers = {"Cache-Control": f"public, max-age={_YEAR}, immutable"}
    return compressed(request, Response(body, media_type=kind, headers=headers))


def compressed(request: Request, response: Response) -> Response:
    """Compress text for a browser that accepts it.

    Only what everybody may read is compressed: the size of a compressed page tells something about the
    secrets in it to anyone who can add text to the page and listen to the network.
    """
    if not response.headers["Content-Type"].startswith(("text/", "image/svg+xml")):
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if _accepts_gzip(request.headers.get("Accept-Encoding", "")):
        response.body = _gzip(bytes(response.body))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def _accepts_gzip(accepted: str) -> bool:
    """Tell whether an `Accept-Encoding` header names gzip, and not with the quality 0."""
    codings = (part.replace(" ", "").lower().partition(";q=") for part in accepted.split(","))
    return any(name == "gzip" and (quality or "1").strip("0.") != "" for name, _, quality in codings)


@lru_cache(maxsize=256)
def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
