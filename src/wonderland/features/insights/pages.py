"""Pages with the insights into each game, and their figures as JSON and CSV downloads."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from wonderland.components.formatting import date as format_date
from wonderland.components.formatting import number
from wonderland.components.game_data import dump
from wonderland.components.scene import emblems_of
from wonderland.engine.registry import game, ranked_game_names
from wonderland.features.insights.model import FILE, Figure, Insights, insights
from wonderland.features.insights.sections import Findings
from wonderland.web.assets import assets, load_game_data, page
from wonderland.web.languages import language_of
from wonderland.web.page_work import off_loop
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site


_known = cache(insights)  # the file doesn't change while a server runs
_page_cache: dict[tuple[str, str], Response] = {}
"""Cache of pages by game and language: slow to render, and the same for everyone."""


def _insights_for(request: Request) -> Insights:
    return load_game_data(request, _known)


@off_loop
def shown(_site: Site, request: Request) -> Response:
    """The insights page of a game."""
    found, say = _insights_for(request), language_of(request)
    key = found.game, say.code
    if key not in _page_cache:
        _page_cache[key] = insights_page(found, say)
    return Response(
        _page_cache[key].body, headers=dict(_page_cache[key].headers)
    )  # a copy, as a cookie may be added


def insights_page(found: Insights, say: Language) -> Response:
    """Render all sections on one page."""
    findings = Findings(found, say)
    played = {(findings.level(each.player), each.games) for each in found.surveys}
    return page(
        "insights.html",
        say,
        game=found.game,
        game_title=say(game(found.game).info.title),
        others=[{"name": name, "title": say(game(name).info.title)} for name in ranked_game_names()],
        found=found,
        games=number(found.games, say),
        date=format_date(date.fromisoformat(found.date), say),
        levels=[(name, number(games, say)) for name, games in sorted(played, key=lambda each: each[1])],
        sections=list(findings.sections()),
        fans=_fans(found.game),
        styled=f"{found.game}.css" in assets(),
    )


def _fans(name: str) -> list[tuple[tuple[str, str], ...]]:
    """Group the emblems of a game in threes; each section shows one group."""
    emblems = emblems_of(name)
    return [tuple(emblems[start : start + 3]) for start in range(0, len(emblems), 3)]


@off_loop
def as_json(_site: Site, request: Request) -> Response:
    """Download all figures, in the format of the file."""
    found = _insights_for(request)
    return _download(dump(found), "application/json", f"{found.game}-insights.json")


@off_loop
def as_csv(_site: Site, request: Request) -> Response:
    """Download the figures of one section as CSV."""
    found, key = _insights_for(request), request.path_params["section"]
    if key not in _CSV_ROWS:
        raise Refusal(Code.NO_SUCH_PAGE, "We couldn't find what you're looking for.")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_CSV_ROWS[key](found))
    return _download(text.getvalue(), "text/csv; charset=utf-8", f"{found.game}-{key}.csv")


def _download(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=headers)


def _figure_cells(found: Figure) -> tuple[float, float, float]:
    return found.value, found.low, found.high


_FIGURE_COLUMNS = ("value", "low", "high")
Line = tuple[Any, ...]


def _order_rows(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "place", *_FIGURE_COLUMNS
    for each in found.surveys:
        for place, share in enumerate(each.order, start=1):
            yield each.seats, each.player.bot, each.games, place, *_figure_cells(share)


def _score_rows(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "score", "times"
    for each in found.surveys:
        for score, times in each.scores.counts.items():
            yield each.seats, each.player.bot, each.games, score, times


def _decision_rows(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "decisions", "times"
    for each in found.surveys:
        for decisions, times in each.decisions.counts.items():
            yield each.seats, each.player.bot, each.games, decisions, times


def _ending_rows(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "ending", *_FIGURE_COLUMNS
    for each in found.surveys:
        for ending in each.endings:
            yield each.seats, each.player.bot, each.games, ending.name, *_figure_cells(ending.share)
        yield each.seats, each.player.bot, each.games, "shared win", *_figure_cells(each.shared)


def _skill_rows(found: Insights) -> Iterator[Line]:
    yield "stronger", "weaker", "players", "deals", "games", *_FIGURE_COLUMNS
    for each in found.meetings:
        bots = each.stronger.bot, each.weaker.bot
        yield *bots, each.seats, each.deals, each.games, *_figure_cells(each.wins)


def _variant_rows(found: Insights) -> Iterator[Line]:
    words = "option", "value", "usual", "bots", "players", "games", "what", "before", "after"
    yield *words, "difference", "low", "high"
    for each in found.variants:
        about = each.option, each.value, each.usual, each.player.bot, each.seats, each.games
        for change in each.changes:
            what = change.ending or change.kind
            yield *about, what, change.before, change.after, *_figure_cells(change.difference)


_CSV_ROWS = {
    "order": _order_rows,
    "scores": _score_rows,
    "decisions": _decision_rows,
    "endings": _ending_rows,
    "skill": _skill_rows,
    "variants": _variant_rows,
}


def links(name: str) -> dict[str, str]:
    """Path of the insights page, if the game has insights."""
    return {"insights": f"/insights/{name}"} if FILE.home(name).is_file() else {}


PAGES = (
    ("/insights/{game}", shown),
    ("/insights/{game}/insights.json", as_json),
    ("/insights/{game}/{section}.csv", as_csv),
)
