"""What a table tells a newcomer: the goal of the game, and the advice of a tutorial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wonderland.components.tutorial import Guidance, guide_in_lesson, lessons_of, tutorial_of
from wonderland.engine.language import Language
from wonderland.engine.registry import game
from wonderland.tables.table import Table
from wonderland.tables.undo import last_decision
from wonderland.web.lobby import feature_links
from wonderland.web.rendering import names_of


def goal_of(table: Table, seat: int | None, say: Language) -> str:
    """Return how to win, until the viewer has made a move; for a spectator, until anyone has."""
    match, begun = table.match, len(table.opened.begun)
    if match is None:
        return ""
    seats = range(len(table.places)) if seat is None else (seat,)
    if any(last_decision(match, each, begun) is not None for each in seats):
        return ""
    return say(game(table.opened.game).info.goal)


def lesson_of(table: Table, say: Language) -> dict[str, str] | None:
    """Return the title of a table's lesson, and the address of the puzzles after it, if it is one."""
    lesson = lessons_of(table.opened.game).get(table.opened.topic)
    if lesson is None:
        return None
    puzzles = feature_links(table.opened.game).get("puzzles", "")
    return {"title": say(lesson.title), "puzzles": puzzles and f"{puzzles}?theme={lesson.theme}"}


@dataclass(frozen=True, slots=True)
class _TutorialContext:
    names: Sequence[str]
    say: Language


def guidance(table: Table, seat: int | None, say: Language) -> Guidance | None:
    """Return the tutorial's advice for the current position; `None` outside tutorials."""
    match, tutorial = table.match, tutorial_of(table.opened.game)
    if not table.opened.is_tutorial or match is None or seat is None or tutorial is None:
        return None
    words = _TutorialContext(names_of(table, say), say)
    view, witnessed = match.view(seat), match.events_seen_by(seat)
    if table.opened.topic:
        return guide_in_lesson(table.opened.game, table.opened.topic, view, witnessed, words)
    return tutorial.guide(view, witnessed, words)
