"""One's own mistakes as puzzles: the position, the choices, and the verdict from the coach's report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wonderland.components.formatting import date, percent
from wonderland.components.reasons import explainer_of
from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.language import phrase
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.my_games.model import Mistake, OwnGame, mistakes_in, read_filter
from wonderland.features.my_games.rendering import shown_names, theme_text
from wonderland.features.my_games.reviews import (
    ReviewedMove,
    ReviewedPosition,
    is_mistake,
    reviewed_position,
)
from wonderland.features.my_games.service import service_of
from wonderland.web.assets import assets, page
from wonderland.web.closed_analysis import check_open_record
from wonderland.web.decks import chosen_deck
from wonderland.web.languages import language_of
from wonderland.web.page_work import run_off_loop
from wonderland.web.portraits import assign_portraits
from wonderland.web.rendering import render_scene
from wonderland.web.security import device_in
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

MODULES = ("api", "dom", "highlights", "choices", "pictures")
"""Script modules imported by `my-mistake.js`."""
_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""
_GONE = phrase("This isn't among the mistakes that the coach has found in your games.")


class Collection:
    """A person's mistakes, costliest first, as chosen by game and theme in the address."""

    def __init__(
        self, games: Sequence[OwnGame], mistakes: Sequence[Mistake], query: Mapping[str, str]
    ) -> None:
        self.games = {own.game.id: own for own in games}
        self.query = {name: text for name, text in query.items() if name in ("game", "theme")}
        self.mistakes = [
            each for each in mistakes if "theme" not in query or each.theme == query["theme"]
        ]

    def path(self, mistake: Mistake) -> str:
        """The address of a mistake's page."""
        path = f"/games/mistakes/{mistake.game}/{mistake.number}"
        return f"{path}?{urlencode(self.query)}" if self.query else path

    def beside(self, mistake: Mistake) -> tuple[str, str]:
        """The addresses of the previous and the next mistake; empty at the ends."""
        place = self.mistakes.index(mistake)
        before = self.mistakes[place - 1] if place else None
        after = self.mistakes[place + 1] if place + 1 < len(self.mistakes) else None
        return self.path(before) if before else "", self.path(after) if after else ""


async def _collect(site: Site, request: Request) -> Collection:
    service, query = service_of(site), dict(request.query_params)
    person = await service.person(device_in(request.headers.get("Cookie", "")))
    wanted = read_filter({"game": query.get("game", "")})
    found = (await service.games_of(person)).games
    games = [own for own in found if own.counts and wanted.game in ("", own.game.game)]
    return Collection(games, mistakes_in(games, await service.reviews_of(games)), query)


async def first_mistake(site: Site, request: Request) -> Response:
    """The costliest of the chosen mistakes, or a page that says how to get some."""
    found = await _collect(site, request)
    if not found.mistakes:
        return await run_off_loop(lambda: page("my_mistakes_none.html", language_of(request)))
    return await _show(site, request, found, found.mistakes[0])


async def mistake_page(site: Site, request: Request) -> Response:
    """One mistake: as a question, or with the verdict on a choice."""
    found = await _collect(site, request)
    wanted = request.path_params["replay"], request.path_params["number"]
    mistake = next((each for each in found.mistakes if (each.game, str(each.number)) == wanted), None)
    if mistake is None:
        raise Refusal(Code.NO_SUCH_MISTAKE, _GONE)
    return await _show(site, request, found, mistake)


async def _show(site: Site, request: Request, found: Collection, mistake: Mistake) -> Response:
    service, own = service_of(site), found.games[mistake.game]
    record, report = await service.record_of(own), await service.report_on(own)
    if record is None or report is None:
        raise Refusal(Code.NO_SUCH_MISTAKE, _GONE)
    if own.game.kind == "imported":  # games at tables are over
        await check_open_record(site, request, record)
    seat = own.seats[0]
    decision = next(
        (each for each in report.decisions if each.number == mistake.number and is_mistake(each, seat)),
        None,
    )
    if decision is None:
        raise Refusal(Code.NO_SUCH_MISTAKE, _GONE)
    return await run_off_loop(partial(_page, request, found, mistake, record, decision))


def _page(
    request: Request, found: Collection, mistake: Mistake, record: AnyRecord, decision: ReviewedMove
) -> Response:
    say, own = language_of(request), found.games[mistake.game]
    name, rules = own.game.game, record.game
    position, names = reviewed_position(record, decision), shown_names(own.game, say)
    word = request.query_params.get("choice")
    choices = {rules.write(action): action for action in position.legal}
    if word is not None and word not in choices:
        raise Refusal(Code.NO_SUCH_CHOICE, "You can't play that in this position.")
    setting = SceneContext(names, position.legal, (), say, assign_portraits(record.names))
    before, after = found.beside(mistake)
    return page(
        "my_mistake.html",
        say,
        game=name,
        game_title=say(rules.info.title),
        styled=f"{name}.css" in assets(),
        **chosen_deck(request, name),
        id=mistake.game,
        number=mistake.number,
        seat=position.seat,
        path=found.path(mistake),
        scene=render_scene(rules, position.view, setting),
        choices=[(key, _choice_text(name, position, action, say)) for key, action in choices.items()],
        answered=None
        if word is None
        else _verdict(record, position, choices[word], names, say) | _context(own, mistake, say),
        day=own.game.day.isoformat(),
        date=date(own.game.day, say),
        opponents=say.join_list(names[each] for each in own.opponents),
        place=found.mistakes.index(mistake) + 1,
        total=len(found.mistakes),
        before=before,
        after=after,
        modules=MODULES,
    )


def _context(own: OwnGame, mistake: Mistake, say: Language) -> dict[str, Any]:
    """What the mistake was about."""
    return {"theme": theme_text(own.game.game, mistake.theme, say) if mistake.theme else ""}


def _verdict(
    record: AnyRecord, position: ReviewedPosition, chosen: Any, names: Sequence[str], say: Language
) -> dict[str, Any]:
    """The verdict on a choice, the reason, and the win probability of every choice."""
    name, judgement, write = record.game.info.name, position.judgement, record.game.write
    is_solved = not judgement.is_clear(chosen)
    other = position.chosen if is_solved else chosen
    reason = explainer_of(name)(position.view, judgement.best, judgement.of(other), names, say)
    values = sorted(judgement.action_values, key=lambda value: -value.chance)
    return {
        "solved": is_solved,
        "is_same": chosen == position.chosen,
        "best": write(judgement.best.action),
        "reason": reason,
        "options": [
            {
                "play": write(value.action),
                "says": _choice_text(name, position, value.action, say),
                "width": round(100 * value.chance),
                "chance": percent(value.chance, say, 0),
                "off": round(100 * _INTERVAL_ERRORS * value.error),
                "is_best": value.action == judgement.best.action,
                "is_chosen": value.action == chosen,
                "was_played": value.action == position.chosen,
            }
            for value in values
        ],
    }


def _choice_text(name: str, position: ReviewedPosition, action: Any, say: Language) -> str:
    return say.capital(words_of(name).describe_action(position.view, action, say))
