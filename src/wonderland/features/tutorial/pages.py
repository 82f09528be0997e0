"""Start page of a game's tutorial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import tutorial_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import page
from wonderland.web.languages import language_of
from wonderland.web.rendering import game_picture
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site


async def learn(_site: Site, request: Request) -> Response:
    """The tutorial's start page; its table is created when somebody starts it."""
    name = request.path_params["game"]
    tutorial = tutorial_of(name) if name in game_names() else None
    if tutorial is None:
        raise Refusal("not found", "There is no lesson for such a game here.")
    info = game(name).info
    return page(
        "tutorial.html",
        language_of(request),
        game=name,
        game_title=info.title,
        about=info.about,
        seats=tutorial.TUTORIAL.seats,
        picture=game_picture(name),
    )


def links(name: str) -> dict[str, str]:
    """Path of the tutorial of a game, if it has one."""
    return {"tutorial": f"/learn/{name}"} if tutorial_of(name) is not None else {}


PAGES = (("/learn/{game}", learn),)
