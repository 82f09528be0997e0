"""Parade in the browser: a scene for every state, a button for every legal action, its marks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.html import HtmlChecker
from wonderland.components.scene import SceneContext
from wonderland.engine import Acting, Match, laws
from wonderland.engine.language import ENGLISH
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.state import PlayCard
from wonderland.games.parade.ui.scene import scene
from wonderland.games.parade.ui.score_pad import pad
from wonderland.web.rendering import render

NAMES = ("Alice", "Hatter", "Hare", "<Queen>", "Bill", "Dinah")


def page(view: Any, legal: Any, last: Any, seats: int) -> HtmlChecker:
    """Render the scene as a browser gets it."""
    found = scene(view, SceneContext(NAMES[:seats], tuple(legal), tuple(last), ENGLISH))
    return HtmlChecker(str(render("parade/scene.html", ENGLISH, **found)))


def check_page(match: Any, seat: int | None, last: Any) -> None:
    """Check what holds for a page in every state."""
    legal = () if seat is None else match.legal(seat)
    seen = [event for event in (GAME.witness(event, seat) for event in last) if event is not None]
    found = page(match.view(seat), legal, seen, len(match.names))
    assert found.wrong == []
    plays = {button["data-play"]: button for button in found.buttons if "data-play" in button}
    assert sorted(plays) == sorted(map(GAME.write, legal))
    for action in legal:
        if isinstance(action, PlayCard):
            check_marks(plays[GAME.write(action)]["data-marks"], match.state.parade, action.card)


def check_marks(marks: Any, parade: Any, card: Any) -> None:
    """Cards marked as taken are taken, and every card of the parade is described."""
    said = dict(word.split(":") for word in marks.split())
    assert list(said) == [str(other) for other in parade]
    leaving, _ = split_parade(parade, card)
    assert [name for name, kind in said.items() if kind == "taken"] == [str(other) for other in leaving]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_state_of_a_play_renders_for_everyone(seats: int) -> None:
    rng = random.Random(seats)
    match = laws.random_match(GAME, seats, GAME.options_type(), rng)
    again: Any = Match(GAME, seats)
    before = 0
    for move in match.moves:
        again.note(move.actor, move.action)
        if isinstance(again.turn, Acting):
            last, before = again.events[before:], len(again.events)
            check_page(again, rng.choice([*range(seats), None, *again.turn.seats]), last)
    for seat in (*range(seats), None):
        check_page(again, seat, again.events[before:])
    assert page(GAME.reveal(again.state), (), (), seats).wrong == []


def test_the_score_pad_has_every_card_once() -> None:
    colours = pad(ENGLISH)["colours"]
    assert [card["number"] for colour in colours for card in colour["cards"]] == list(map(int, DECK))
    assert {card["value"] for colour in colours for card in colour["cards"]} == set(range(11))
