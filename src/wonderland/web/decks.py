"""Decks: the drawings of a game's pieces, of which a player may choose another set.

A browser keeps the choice in a cookie, so every page is sent with the chosen deck alone. The page of a
table loads its drawings as a file that is cached for ever, since a player opens many tables; other pages
contain them and work without scripts.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import Response

from wonderland.components.catalogues import load_language
from wonderland.components.scene import decks_of
from wonderland.engine.language import Language
from wonderland.web.assets import assets, cached_response, known_game, static, symbols
from wonderland.web.languages import language_of
from wonderland.web.rendering import render
from wonderland.web.security import cookie_in
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.web.app import Site

DECK_COOKIE = "deck"
"""Set by the settings of a table once another deck than the default has been chosen."""
ONLY = "only"
"""The name of the one deck of a game that offers no choice."""


def chosen_deck(request: Request, game: str) -> dict[str, str]:
    """Return what the templates of a page need: the deck's name, and the addresses of its two files."""
    known = decks_of(game)
    wanted = cookie_in(request.headers.get("Cookie", ""), DECK_COOKIE)
    name = wanted if wanted in known else next(iter(known), ONLY)
    drawn = drawings_address(game, name, language_of(request).code)
    return {"deck": name, "deck_style": _style(game, name), "deck_drawings": drawn}


def deck_choices(game: str, say: Language) -> list[dict[str, str]]:
    """Return the decks that the settings offer: name, title, and the addresses of their files."""
    return [
        {
            "name": name,
            "title": say(title),
            "drawings": drawings_address(game, name, say.code),
            "style": _style(game, name),
        }
        for name, title in decks_of(game).items()
    ]


def _style(game: str, deck: str) -> str:
    """Return the address of a deck's own style sheet; empty if it has none."""
    name = f"{game}-{deck}.css"
    return static(name) if name in assets() else ""


@cache
def drawings(game: str, deck: str, code: str) -> bytes:
    """Return all drawings of a game as one SVG file, in a language: some cards bear names."""
    inside = render("drawings.html", load_language(code), symbols=symbols, game=game, deck=deck)
    return b'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">%b</svg>' % inside.encode()


@cache
def drawings_address(game: str, deck: str, code: str) -> str:
    """Return the address of a game's drawings, which contains a hash of their content."""
    content = drawings(game, deck, code)
    return f"/decks/{hashlib.sha256(content).hexdigest()[:12]}/{game}/{deck}/{code}.svg"


async def deck_file(_site: Site, request: Request) -> Response:
    """Serve the drawings of a game in one deck and language."""
    game, path = known_game(request.path_params["game"]), request.path_params
    deck, code = path["deck"], path["code"]
    if deck not in (decks_of(game) or {ONLY}) or drawings_address(game, deck, code) != request.url.path:
        raise Refusal(Code.NO_SUCH_FILE, "This file doesn't exist.")
    return cached_response(request, drawings(game, deck, code), "image/svg+xml")
