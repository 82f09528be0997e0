"""HTTP routes of the coach: request a review, poll its progress, and show the report."""

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
"""Script modules imported by `coach.js`."""


async def _render_review(site: Site, name: str, say: Language) -> tuple[ReplayPage, Found, CoachShown]:
    """Return a replay, its review so far and the rendered page; finished pages are cached."""
    replay, key, found = await _find_review(site, name)
    coached, pages = Coached(name, replay, found, say), service_of(site).drawn
    if found.report is None:
        return replay, found, coached.page()
    if (key, say.code) not in pages:  # reasons are computed with play-outs, which is slow
        pages.keep((key, say.code), await asyncio.to_thread(coached.page))
    return replay, found, pages[key, say.code]


async def _find_review(site: Site, name: str) -> tuple[ReplayPage, str, Found]:
    replay = await replay_of(site, name)
    coach = service_of(site)
    key = coach.key_of(name, replay.record)
    return replay, key, await coach.found(key)


async def ask_coach(site: Site, request: Request, name: str) -> Response:
    """Queue a game for review unless it has been requested before."""
    replay, key, found = await _find_review(site, name)
    if found.state in ("idle", "failed"):
        coach = service_of(site)
        site.limit(coach.asks, request)
        found = await coach.begin(key, replay.record, address_of(request))
    return json_response(found.progress())


async def coach_progress(site: Site, _request: Request, name: str) -> Response:
    """Progress of a review, and the report when it is finished."""
    _, _, found = await _find_review(site, name)
    return json_response(found.progress())


async def coach_page(site: Site, request: Request, name: str) -> Response:
    """The review as HTML, or the single decision `at`."""
    wanted, say = number_in(request, "at"), language_of(request)
    if wanted is None:
        return json_response((await _render_review(site, name, say))[2])
    replay, _, found = await _find_review(site, name)
    return json_response(await asyncio.to_thread(Coached(name, replay, found, say).moment, wanted))


async def show(site: Site, request: Request) -> Response:
    """The coach's page: the review so far and, once there is a report, one decision."""
    name, say = request.path_params["replay"], language_of(request)
    wanted = number_in(request, "at")
    replay, found, shown = await _render_review(site, name, say)
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
