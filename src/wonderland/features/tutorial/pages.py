"""Start page of a game's tutorial, with its lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import lessons_of, tutorial_of
from wonderland.engine.registry import game, game_names
from wonderland.web.assets import game_picture, page
from wonderland.web.languages import language_of
from wonderland.web.lobby import feature_links
from wonderland.wire.codes import Code
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
        raise Refusal(Code.NO_SUCH_TUTORIAL, "There's no tutorial for this game.")
    info = game(name).info
    return page(
        "tutorial.html",
        language_of(request),
        game=name,
        game_title=info.title,
        about=info.about,
        seats=tutorial.TUTORIAL.seats,
        picture=game_picture(name),
        lessons=[
            {"key": key, "title": lesson.title, "about": lesson.about, "seats": lesson.setup.seats}
            for key, lesson in lessons_of(name).items()
        ],
        puzzles=feature_links(name).get("puzzles", ""),
    )


def links(name: str) -> dict[str, str]:
    """Path of the tutorial of a game, if it has one."""
    return {"tutorial": f"/learn/{name}"} if tutorial_of(name) is not None else {}


PAGES = (("/learn/{game}", learn),)
