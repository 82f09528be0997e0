"""HTTP routes of the position editor: its page, edits, and advice.

`editor.py` builds and renders positions, `advice.py` evaluates their choices.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup
from starlette.responses import Response

from wonderland.components.editor import editor_of
from wonderland.engine.match import seats_to_act
from wonderland.engine.registry import game
from wonderland.features.positions.advice import Advice
from wonderland.features.positions.advice import advise as advised
from wonderland.features.positions.editor import (
    _LONGEST_LINE,
    AdviceRequest,
    Edit,
    EditedPosition,
    PositionShown,
    apply_edit,
    open_position,
)
from wonderland.web.assets import assets, known_game, page
from wonderland.web.closed_analysis import check_open_position
from wonderland.web.decks import chosen_deck
from wonderland.web.http import Route, json_response, number_in, read_body
from wonderland.web.languages import language_of
from wonderland.web.page_work import off_loop, run_off_loop
from wonderland.web.security import network_for
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.web.app import Site


@off_loop
def position(_site: Site, request: Request) -> Response:
    """The editor's page with the position from the URL, or an empty one."""
    name, say = known_game(request.path_params["game"]), language_of(request)
    editor, line = editor_of(name), request.query_params.get("position", "")[:_LONGEST_LINE]
    opened = open_position(name, line, number_in(request, "seat") or 0, say)
    shown = opened.answer()
    return page(
        "position.html",
        say,
        game=name,
        game_title=say(game(name).info.title),
        styled=f"{name}.css" in assets(),
        **chosen_deck(request, name),
        shown=shown,
        legend="" if opened.form is None else opened.form.legend,
        parts={part: Markup(html) for part, html in shown.html.items()},  # noqa: S704 - escaped by Jinja
        example="" if editor is None else editor.EXAMPLE,
        most=game(name).info.seats[-1],
        facts=msgspec.json.encode(shown.facts).decode(),
    )


async def edit(_site: Site, request: Request, _path: str) -> Response:
    """Apply an edit and return the resulting position."""
    wanted = await read_body(request, Edit)
    name = known_game(wanted.game)
    say = language_of(request)
    edited = await run_off_loop(lambda: apply_edit(name, wanted.facts, say, wanted.touch).answer())
    return json_response(edited)


async def advise(site: Site, request: Request, _path: str) -> Response:
    """Advise a seat, based on what it knows in this position; rate limited like hints."""
    wanted = await read_body(request, AdviceRequest)
    name, line, seat, say = known_game(wanted.game), wanted.position, wanted.seat, language_of(request)
    state, says = await run_off_loop(EditedPosition(game(name), line, seat, say).state)
    if state is None or seat not in seats_to_act(game(name).turn(state)):
        raise Refusal(Code.NO_ADVICE, "No advice for this position: {reason}", reason=says)
    site.limit(site.hints, request)
    await check_open_position(site, request, name, state, seat)
    work = partial(advised, name, line, seat, say, site.evaluation_budget)
    return json_response(await site.automation.thought(work, network_for(request)))


def links(name: str) -> dict[str, str]:
    """Path of the position editor of a game."""
    return {"positions": f"/position/{name}"}


PAGES = (("/position/{game}", position),)
ROUTES = (
    Route(
        "POST",
        "/api/positions",
        edit,
        "Edit a position: return it after a choice, or after a piece was selected.",
        takes=Edit,
        gives=PositionShown,
    ),
    Route(
        "POST",
        "/api/positions/advice",
        advise,
        "Analyse a position: the win probability of each choice, and why the best is best.",
        takes=AdviceRequest,
        gives=Advice,
    ),
)
