"""Pages of puzzles: the puzzle of the day for each game, and a permanent URL for each puzzle.

Answers are part of the URL: `?choice=…` shows the verdict on that choice. The server stores nothing;
the browser remembers which puzzles were solved. Days are in UTC, so that everyone has the same puzzle.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from wonderland.components.reasons import explainer_of
from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.registry import game
from wonderland.features.puzzles.model import (
    FILE,
    MOST_STARS,
    Position,
    Puzzle,
    Puzzles,
    games_with_puzzles,
    puzzles,
)
from wonderland.web.assets import assets, load_game_data, page
from wonderland.web.languages import language_of
from wonderland.web.rendering import placeholder_names, render_scene
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_CACHE_SIZE = 512
"""Cached answers; there are few more in total."""
_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""
MODULES = ("api", "dom", "highlights", "choices")
"""Script modules imported by `puzzle.js`."""


_known = cache(puzzles)  # the file doesn't change while a server runs


def _puzzles_for(request: Request) -> Puzzles:
    return load_game_data(request, _known)


def today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


async def of_day(_site: Site, request: Request) -> Response:
    """The puzzle of today, or of the day `date`."""
    known, wanted = _puzzles_for(request), request.query_params.get("date")
    try:
        day = today() if wanted is None else date.fromisoformat(wanted)
    except ValueError:
        raise Refusal("bad request", "A date is written as {example}.", example="2026-12-24") from None
    return await _page(request, known, known.of(day))


async def puzzle_page(_site: Site, request: Request) -> Response:
    """The page of one puzzle."""
    known = _puzzles_for(request)
    puzzle = known.called(request.path_params["puzzle"])
    if puzzle is None:
        raise Refusal("not found", "There is no such puzzle.")
    return await _page(request, known, puzzle)


async def _page(request: Request, known: Puzzles, puzzle: Puzzle) -> Response:
    """Render a puzzle: as a question, or with its solution after a choice."""
    say, word = language_of(request), request.query_params.get("choice")
    answered = None
    if word is not None:
        if word not in (option.action for option in puzzle.options):
            raise Refusal("bad request", "That can't be played in this puzzle.")
        answered = await asyncio.to_thread(_answer_context, known.game, puzzle.id, word, say)
    position, day = Position(known.game, puzzle), today()
    rules, names = position.game, placeholder_names(puzzle.seats, say)
    title = say(rules.info.title)
    before, after = known.beside(puzzle)
    return page(
        "puzzle.html",
        say,
        game=known.game,
        game_title=title,
        styled=f"{known.game}.css" in assets(),
        puzzle=puzzle,
        most_stars=MOST_STARS,
        name=names[puzzle.seat],
        scene=render_scene(rules, position.view, SceneContext(names, position.legal, (), say)),
        choices=[
            (rules.write(action), _choice_text(position, action, say)) for action in position.legal
        ],
        answered=answered,
        day=day.toordinal() if puzzle == known.of(day) else None,
        date=day.isoformat(),
        total=len(known.puzzles),
        before=before,
        after=after,
        others=[(name, game(name).info.title) for name in games_with_puzzles() if name != known.game],
        modules=MODULES,
    )


@lru_cache(_CACHE_SIZE)
def _answer_context(name: str, puzzle_id: str, word: str, say: Language) -> dict[str, Any]:
    """Template context of the verdict: win probabilities of all options, and why the best is best."""
    puzzle = _known(name).called(puzzle_id)
    assert puzzle is not None  # noqa: S101 - the caller has just found it
    position = Position(name, puzzle)
    chosen = position.action(word)
    solved, best = position.is_solved_by(chosen), position.best
    tempting = position.tempting()
    other = tempting if solved else position.judgement.of(chosen)
    names = placeholder_names(puzzle.seats, say)
    values = sorted(position.judgement.worths, key=lambda value: -value.chance)
    return {
        "solved": solved,
        "best": position.game.write(best.action),
        "reason": explainer_of(name)(position.view, best, other, names, say),
        "rule": say(position.missed_by.says),
        "tempting": _choice_text(position, tempting.action, say),
        "options": [
            {
                "play": position.game.write(value.action),
                "says": _choice_text(position, value.action, say),
                "percent": round(100 * value.chance),
                "off": round(100 * _INTERVAL_ERRORS * value.error),
                "is_best": position.is_solved_by(value.action),
                "is_chosen": value.action == chosen,
            }
            for value in values
        ],
        "found_by": [(say(level), round(10 * share)) for level, share in puzzle.found_by.items()],
    }


def _choice_text(position: Position, action: Any, say: Language) -> str:
    words = words_of(position.game.info.name)
    return say.capital(words.offer(position.view, action, say))


def links(name: str) -> dict[str, str]:
    """Path of the puzzle of the day, if the game has puzzles."""
    return {"puzzles": f"/puzzles/{name}"} if FILE.home(name).is_file() else {}


PAGES = (("/puzzles/{game}", of_day), ("/puzzles/{game}/{puzzle}", puzzle_page))
