"""Static files with content-hashed addresses, and the responses that pages are made of."""

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
    """Return the static files by name: those of `web`, of the features and of each game."""
    return {file.name: file.read_bytes() for file in asset_files()}


def asset_files() -> Iterator[Traversable]:
    """Yield all static files; scripts import each other by name, so no name may occur twice."""
    games = (package for name in game_names() for package in game_packages(name))
    for package in (*packages_with("static"), *games):
        folder = files(package) / "static"
        if folder.is_dir():
            yield from (file for file in folder.iterdir() if file.is_file())


@cache
def static(name: str) -> str:
    """Return the address of a static file, which contains a hash of its content.

    Scripts import each other by relative path, so they share one hash of all scripts.
    """
    kind = name.rpartition(".")[2]
    scripts = [assets()[other] for other in sorted(assets()) if other.endswith(".js")]
    content = scripts if kind == "js" else [assets()[name]]
    return f"/static/{hashlib.sha256(b''.join(content)).hexdigest()[:12]}/{name}"


@cache
def release() -> str:
    """Return a hash of all static files; an open page with another release is out of date."""
    return hashlib.sha256("".join(map(static, sorted(assets()))).encode()).hexdigest()[:12]


def page(template: str, say: Language, **context: Any) -> Response:
    """Render a template as an HTML response in a language."""
    body = render(template, say, static=static, languages=LANGUAGES, **context)
    return HTMLResponse(body, headers={"Content-Security-Policy": POLICY, "Content-Language": say.code})


def known_game(name: str) -> str:
    """Return the name of a game; `Refusal` if it does not exist."""
    if name not in game_names():
        raise Refusal("not found", "There is no such game here.")
    return name


def load_game_data(request: Request, load: Callable[[str], K]) -> K:
    """Load data of the game in the address with `load`; `Refusal` if the game or its file is missing."""
    name = known_game(request.path_params["game"])
    try:
        return load(name)
    except FileProblem as error:
        raise Refusal.of("not found", error) from error


async def file(_site: Site, request: Request) -> Response:
    """Serve a static file, cacheable for ever since its address changes with its content."""
    name = request.path_params["name"]
    body = assets().get(name)
    if body is None or static(name) != request.url.path:
        raise Refusal("not found", "There is no such file.")
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(
        body, media_type=kind, headers={"Cache-Control": f"public, max-age={_YEAR}, immutable"}
    )
