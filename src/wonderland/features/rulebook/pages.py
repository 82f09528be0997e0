"""The page of a rulebook, with its illustrations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.core.registry import game
from wonderland.web.illustrations import illustrated
from wonderland.web.pages import assets, known_game, language_of, page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site


async def rules(_site: Site, request: Request) -> Response:
    """The rules of a game."""
    name = known_game(request.path_params["game"])
    say = language_of(request)
    title, text = say(game(name).info.title), illustrated(name, say)
    has_style = f"{name}.css" in assets()
    return page("rules.html", say, game=name, game_title=title, text=text, has_style=has_style)


def links(name: str) -> dict[str, str]:
    """Where the rules of a game are."""
    return {"rulebook": f"/rules/{name}"}


PAGES = (("/rules/{game}", rules),)
