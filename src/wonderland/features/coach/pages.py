"""HTTP routes of the coach: request a review, poll its progress, and show the report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from wonderland.features.coach.rendering import Coached, CoachShown
from wonderland.features.coach.service import Progress, service_of
from wonderland.features.replay.pages import replay_of
from wonderland.web.assets import assets, page
from wonderland.web.closed_analysis import check_open_record
from wonderland.web.decks import chosen_deck
from wonderland.web.http import Route, json_response, number_in
from wonderland.web.languages import language_of
from wonderland.web.page_work import run_off_loop
from wonderland.web.security import network_for
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.language import Language
    from wonderland.features.coach.service import ReviewStatus
    from wonderland.features.replay.rendering import ReplayPage
    from wonderland.web.app import Site

MODULES = ("api", "dom", "highlights", "web-app", "timeline", "settings", "sound")
"""Script modules imported by `coach.js`."""


async def _render_review(
    site: Site, request: Request, name: str, say: Language
) -> tuple[ReplayPage, ReviewStatus, CoachShown]:
    """Return a replay, its review so far and the rendered page; finished pages are cached."""
    replay, key, found = await _find_review(site, request, name)
    coached, pages = Coached(name, replay, found, say), service_of(site).drawn
    if found.report is None:
        return replay, found, await run_off_loop(coached.page)
    if (key, say.code) not in pages:  # reasons are computed with playouts, which is slow
        pages.keep((key, say.code), await run_off_loop(coached.page))
    return replay, found, pages[key, say.code]


async def _find_review(site: Site, request: Request, name: str) -> tuple[ReplayPage, str, ReviewStatus]:
    replay = await replay_of(site, name)
    if not replay.has_table:  # games at tables are over
        await check_open_record(site, request, replay.record)
    coach = service_of(site)
    key = coach.key_of(name, replay.record)
    return replay, key, await coach.found(key)


async def ask_coach(site: Site, request: Request, name: str) -> Response:
    """Queue a game for review unless it has been requested before."""
    replay, key, found = await _find_review(site, request, name)
    if found.state in ("idle", "failed"):
        coach = service_of(site)
        site.limit(coach.asks, request)
        found = await coach.begin(key, replay.record, network_for(request))
    return json_response(found.progress())


async def coach_progress(site: Site, request: Request, name: str) -> Response:
    """Progress of a review, and the report when it is finished."""
    _, _, found = await _find_review(site, request, name)
    return json_response(found.progress())


async def coach_page(site: Site, request: Request, name: str) -> Response:
    """The review as HTML, or the single decision `at`."""
    wanted, say = number_in(request, "at"), language_of(request)
    if wanted is None:
        return json_response((await _render_review(site, request, name, say))[2])
    replay, _, found = await _find_review(site, request, name)
    coached = Coached(name, replay, found, say)
    return json_response(await run_off_loop(lambda: coached.moment(wanted)))


async def show(site: Site, request: Request) -> Response:
    """The coach's page: the review so far and, once there is a report, one decision."""
    name, say = request.path_params["replay"], language_of(request)
    wanted = number_in(request, "at")
    replay, found, shown = await _render_review(site, request, name, say)
    at, moment = shown.at if wanted is None else wanted, ""
    if at is not None and not 0 < at <= replay.last:
        raise Refusal(Code.NO_SUCH_MOVE, "That move hasn't been played yet.")
    if found.report is not None and at is not None:
        coached = Coached(name, replay, found, say)
        moment = (await run_off_loop(partial(coached.moment, at))).html["moment"]
    game = replay.game.info.name
    render = partial(
        page,
        "coach.html",
        say,
        id=name,
        game=game,
        game_title=say(replay.game.info.title),
        styled=f"{game}.css" in assets(),
        **chosen_deck(request, game),
        title=replay.title(say),
        shown=shown,
        parts={part: Markup(html) for part, html in shown.html.items()},  # noqa: S704 - escaped by Jinja
        moment=Markup(moment),  # noqa: S704 - the same
        at=at,
        last=replay.last,
        names=replay.names(say),
        modules=MODULES,
    )
    return await run_off_loop(render)


PAGES = (("/replay/{replay}/coach", show),)
ROUTES = (
    Route(
        "POST",
        "/api/replays/{replay}/coach",
        ask_coach,
        "Start the analysis of a recorded game, which continues in the background.",
        gives=Progress,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/coach",
        coach_progress,
        "Get the progress of an analysis, and the report once it is finished.",
        gives=Progress,
    ),
    Route(
        "GET",
        "/api/replays/{replay}/coach/page",
        coach_page,
        "Get the analysis as HTML, or only the decision `at` with all its choices.",
        gives=CoachShown,
        queries=("at",),
    ),
)
