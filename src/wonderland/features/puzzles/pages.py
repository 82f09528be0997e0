"""Pages of puzzles: the puzzle of the day for each game, and a permanent URL for each puzzle.

Answers are part of the URL: `?choice=…`, once for each decision, shows the verdict on the last. The
server stores nothing; the browser remembers which puzzles were solved, and rates the player. Days are in
UTC, so that everyone has the same puzzle. With `theme=…`, only puzzles with that theme are offered.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from wonderland.bots import levels
from wonderland.bots.puzzle import MOST_STARS, Puzzle
from wonderland.components.formatting import date as format_date
from wonderland.components.formatting import number
from wonderland.components.themes import themes_of
from wonderland.engine.registry import game
from wonderland.features.puzzles.model import FILE, Puzzles, games_with_puzzles, puzzles
from wonderland.web.assets import assets, load_game_data, page
from wonderland.web.decks import chosen_deck
from wonderland.web.languages import language_of
from wonderland.web.page_work import off_loop
from wonderland.web.puzzle_board import MODULES, address, answer_context, asked, question_context
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_INTERVAL = 2
"""Half-width of a 95% confidence interval, in standard errors."""

_known = cache(puzzles)  # the file doesn't change while a server runs


def _puzzles_for(request: Request) -> Puzzles:
    return load_game_data(request, _known)


def today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


def _theme_in(request: Request, known: Puzzles) -> str | None:
    """Return the theme in the address; `Refusal` if no puzzle has it."""
    wanted = request.query_params.get("theme") or None
    if wanted is not None and wanted not in known.themes:
        raise Refusal(Code.NO_SUCH_THEME, "There are no puzzles with this theme.")
    return wanted


@off_loop
def of_day(_site: Site, request: Request) -> Response:
    """The puzzle of today, or of the day `date`."""
    known, wanted = _puzzles_for(request), request.query_params.get("date")
    try:
        day = today() if wanted is None else date.fromisoformat(wanted)
    except ValueError:
        raise Refusal(
            Code.INVALID_DATE, "Write the date like this: {example}.", example="2026-12-24"
        ) from None
    theme = _theme_in(request, known)
    return _page(request, known, known.of(day, theme), theme)


@off_loop
def puzzle_page(_site: Site, request: Request) -> Response:
    """The page of one puzzle."""
    known = _puzzles_for(request)
    puzzle = known.called(request.path_params["puzzle"])
    if puzzle is None:
        raise Refusal(Code.NO_SUCH_PUZZLE, "This puzzle doesn't exist.")
    theme = _theme_in(request, known)
    return _page(request, known, puzzle, theme if theme in puzzle.themes else None)


@off_loop
def stock(_site: Site, request: Request) -> Response:
    """The ids and ratings of all puzzles, or of those with a theme, as JSON."""
    known = _puzzles_for(request)
    found = known.about(_theme_in(request, known))
    return JSONResponse([[puzzle.id, puzzle.rating] for puzzle in found])


def _page(request: Request, known: Puzzles, puzzle: Puzzle, theme: str | None) -> Response:
    """Render a puzzle: as a question, or with its solution after a choice."""
    say, path = language_of(request), f"/puzzles/{known.game}/{puzzle.id}"
    given = asked(known.game, puzzle, request.query_params.getlist("choice"))
    day, title = today(), say(game(known.game).info.title)
    before, after = known.beside(puzzle, theme)
    query = {} if theme is None else {"theme": theme}
    return page(
        "puzzle.html",
        say,
        game=known.game,
        game_title=title,
        styled=f"{known.game}.css" in assets(),
        **chosen_deck(request, known.game),
        puzzle=puzzle,
        most_stars=MOST_STARS,
        rating=number(puzzle.rating, say),
        low=number(puzzle.rating - _INTERVAL * puzzle.deviation, say),
        high=number(puzzle.rating + _INTERVAL * puzzle.deviation, say),
        found_by=_found_by(known.game, puzzle, say),
        asked=question_context(given, say),
        answered=None if given.answer is None else answer_context(given, say),
        answer_address=address(path, given, query),
        day=day.toordinal() if puzzle == known.of(day) else None,
        date=day.isoformat(),
        date_text=format_date(day, say),
        total=len(known.puzzles),
        themes=_themes(known, say),
        theme=theme,
        about=[say(each.title) for each in themes_of(known.game) if each.key in puzzle.themes],
        query=f"?{urlencode(query)}" if query else "",
        before=before,
        after=after,
        others=[(name, game(name).info.title) for name in games_with_puzzles() if name != known.game],
        modules=MODULES,
    )


def _themes(known: Puzzles, say: Language) -> list[tuple[str, str, int]]:
    """Return key, title and number of puzzles of each theme that occurs."""
    return [
        (each.key, say(each.title), known.themes[each.key])
        for each in themes_of(known.game)
        if each.key in known.themes
    ]


def _found_by(name: str, puzzle: Puzzle, say: Language) -> list[tuple[str, int]]:
    """Return the levels that tried the puzzle, and their success in tries of ten."""
    known = {level.name for level in levels(name)}
    return [(say(level), round(10 * share)) for level, share in puzzle.found_by if level in known]


def links(name: str) -> dict[str, str]:
    """Path of the puzzle of the day, if the game has puzzles."""
    return {"puzzles": f"/puzzles/{name}"} if FILE.home(name).is_file() else {}


PAGES = (
    ("/puzzles/{game}", of_day),
    ("/puzzles/{game}/stock", stock),
    ("/puzzles/{game}/{puzzle}", puzzle_page),
)
