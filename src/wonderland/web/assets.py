"""The pages of the shell: the first one and a table; and the files that all pages need."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.responses import HTMLResponse, Response

from wonderland.components.catalogues import LANGUAGES
from wonderland.discovery import packages_with
from wonderland.engine.errors import FileProblem
from wonderland.engine.registry import game_names
from wonderland.web.rendering import game_packages, render
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
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
    body = render(template, say, static=static, languages=LANGUAGES, **context)
    return HTMLResponse(body, headers={"Content-Security-Policy": POLICY, "Content-Language": say.code})


def known_game(name: str) -> str:
    """The name of a game, if there is one of this name."""
    if name not in game_names():
        raise Refusal("not found", "There is no such game here.")
    return name


def load_game_data(request: Request, kept: Callable[[str], K]) -> K:
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
