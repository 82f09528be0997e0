"""The pages of what simulation says about each game, and the numbers behind them for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from wonderland.components.game_data import dump
from wonderland.engine.registry import game, game_names
from wonderland.features.insights.model import FILE, Figure, Insights, insights
from wonderland.features.insights.sections import Findings
from wonderland.web.assets import load_game_data, page
from wonderland.web.languages import language_of, number
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site


_known = cache(insights)  # it does not change while a server runs
_drawn: dict[tuple[str, str], Response] = {}
"""The pages by game and language: they take long to draw, and are the same for everyone."""


def _asked_for(request: Request) -> Insights:
    return load_game_data(request, _known)


async def shown(_site: Site, request: Request) -> Response:
    """What is known about a game."""
    found, say = _asked_for(request), language_of(request)
    key = found.game, say.code
    if key not in _drawn:
        _drawn[key] = insights_page(found, say)
    return Response(_drawn[key].body, headers=dict(_drawn[key].headers))  # a cookie may be added


def insights_page(found: Insights, say: Language) -> Response:
    """All sections on one page."""
    findings = Findings(found, say)
    played = {(findings.level(each.player), each.games) for each in found.surveys}
    return page(
        "insights.html",
        say,
        game=found.game,
        game_title=say(game(found.game).info.title),
        others=[(name, game(name).info.title) for name in game_names()],
        found=found,
        games=number(found.games, say),
        levels=[(name, number(games, say)) for name, games in sorted(played, key=lambda each: each[1])],
        sections=list(findings.sections()),
    )


async def as_json(_site: Site, request: Request) -> Response:
    """All numbers, as they stand in the file."""
    found = _asked_for(request)
    return _download(dump(found), "application/json", f"{found.game}-insights.json")


async def as_csv(_site: Site, request: Request) -> Response:
    """The numbers of one section, a line each."""
    found, key = _asked_for(request), request.path_params["section"]
    if key not in _LINES:
        raise Refusal("not found", "There is nothing of that kind here.")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_LINES[key](found))
    return _download(text.getvalue(), "text/csv; charset=utf-8", f"{found.game}-{key}.csv")


def _download(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=headers)


def _ends(found: Figure) -> tuple[float, float, float]:
    return found.value, found.low, found.high


_FIGURE = ("value", "low", "high")
Line = tuple[Any, ...]


def _order(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "place", *_FIGURE
    for each in found.surveys:
        for place, share in enumerate(each.order, start=1):
            yield each.seats, each.player.bot, each.games, place, *_ends(share)


def _scores(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "score", "times"
    for each in found.surveys:
        for score, times in each.scores.counts.items():
            yield each.seats, each.player.bot, each.games, score, times


def _decisions(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "decisions", "times"
    for each in found.surveys:
        for decisions, times in each.decisions.counts.items():
            yield each.seats, each.player.bot, each.games, decisions, times


def _endings(found: Insights) -> Iterator[Line]:
    yield "players", "bots", "games", "ending", *_FIGURE
    for each in found.surveys:
        for ending in each.endings:
            yield each.seats, each.player.bot, each.games, ending.name, *_ends(ending.share)
        yield each.seats, each.player.bot, each.games, "shared win", *_ends(each.shared)


def _skill(found: Insights) -> Iterator[Line]:
    yield "stronger", "weaker", "players", "deals", "games", *_FIGURE
    for each in found.meetings:
        bots = each.stronger.bot, each.weaker.bot
        yield *bots, each.seats, each.deals, each.games, *_ends(each.wins)


def _variants(found: Insights) -> Iterator[Line]:
    words = "option", "value", "usual", "bots", "players", "games", "what", "before", "after"
    yield *words, "difference", "low", "high"
    for each in found.variants:
        about = each.option, each.value, each.usual, each.player.bot, each.seats, each.games
        for change in each.changes:
            what = change.ending or change.kind
            yield *about, what, change.before, change.after, *_ends(change.difference)


_LINES = {
    "order": _order,
    "scores": _scores,
    "decisions": _decisions,
    "endings": _endings,
    "skill": _skill,
    "variants": _variants,
}


def links(name: str) -> dict[str, str]:
    """Where the insights into a game are, if it has any."""
    return {"insights": f"/insights/{name}"} if FILE.home(name).is_file() else {}


PAGES = (
    ("/insights/{game}", shown),
    ("/insights/{game}/insights.json", as_json),
    ("/insights/{game}/{section}.csv", as_csv),
)
