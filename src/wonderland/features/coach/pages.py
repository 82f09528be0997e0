"""The coach over HTTP: asked about a replay, how far it has come, and what it has found."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from markupsafe import Markup

from wonderland.features.coach.rendering import Coached, CoachShown
from wonderland.features.coach.service import Progress, service_of
from wonderland.features.replay.pages import replay_of
from wonderland.web.assets import assets, page
from wonderland.web.http import Route, json_response, number_in
from wonderland.web.languages import language_of
from wonderland.web.security import address_of
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.language import Language
    from wonderland.features.coach.service import Found
    from wonderland.features.replay.rendering import ReplayPage
    from wonderland.web.app import Site

MODULES = ("api", "dom", "highlights", "timeline", "settings")
"""What `coach.js` imports."""


async def _drawn(site: Site, name: str, say: Language) -> tuple[ReplayPage, Found, CoachShown]:
    """A replay, what is known of it by now, and all of that drawn."""
    replay, key, found = await _found(site, name)
    coached, drawn = Coached(name, replay, found, say), service_of(site).drawn
    if found.report is None:
        return replay, found, coached.page()
    if (key, say.code) not in drawn:  # reasons are found by playing on, which takes a moment
        drawn.keep((key, say.code), await asyncio.to_thread(coached.page))
    return replay, found, drawn[key, say.code]


async def _found(site: Site, name: str) -> tuple[ReplayPage, str, Found]:
    replay = await replay_of(site, name)
    coach = service_of(site)
    key = coach.key_of(name, replay.record)
    return replay, key, await coach.found(key)


async def ask_coach(site: Site, request: Request, name: str) -> Response:
    """Have a game judged, if nobody has asked for it before; it goes on by itself."""
    replay, key, found = await _found(site, name)
    if found.state in ("idle", "failed"):
        coach = service_of(site)
        site.limit(coach.asks, request)
        found = await coach.begin(key, replay.record, address_of(request))
    return json_response(found.progress())


async def coach_progress(site: Site, _request: Request, name: str) -> Response:
    """How far the coach has come with a game, and at the end what it has found."""
    _, _, found = await _found(site, name)
    return json_response(found.progress())


async def coach_page(site: Site, request: Request, name: str) -> Response:
    """The same as HTML; or one decision."""
    wanted, say = number_in(request, "at"), language_of(request)
    if wanted is None:
        return json_response((await _drawn(site, name, say))[2])
    replay, _, found = await _found(site, name)
    return json_response(await asyncio.to_thread(Coached(name, replay, found, say).moment, wanted))


async def show(site: Site, request: Request) -> Response:
    """The coach's page: what was found so far, and one decision, if there is a report."""
    name, say = request.path_params["replay"], language_of(request)
    wanted = number_in(request, "at")
    replay, found, shown = await _drawn(site, name, say)
    at, moment = shown.at if wanted is None else wanted, ""
    if at is not None and not 0 < at <= replay.last:
        raise Refusal("not found", "The game has not come so far.")
    if found.report is not None and at is not None:
        moment = (await asyncio.to_thread(Coached(name, replay, found, say).moment, at)).html["moment"]
    game = replay.game.info.name
    return page(
        "coach.html",
        say,
        id=name,
        game=game,
        game_title=say(replay.game.info.title),
        styled=f"{game}.css" in assets(),
        title=replay.title(say),
        shown=shown,
        parts={part: Markup(html) for part, html in shown.html.items()},  # noqa: S704 - escaped by Jinja
        moment=Markup(moment),  # noqa: S704 - the same
        at=at,
        last=replay.last,
        names=replay.names,
        modules=MODULES,
    )


PAGES = (("/replay/{replay}/coach", show),)
ROUTES = (
    Route(
        "POST",
        "/api/replays/{replay}/coach",
        ask_coach,
        "Have the decisions of a recorded game judged; it goes on by itself.",
        gives=Progress,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/coach",
        coach_progress,
        "How far the coach has come with a recorded game, and at the end the report.",
        gives=Progress,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/coach/page",
        coach_page,
        "The same as HTML; or the decision that `at` names, with all that could be done.",
        gives=CoachShown,
        queries=("at",),
    ),
)
