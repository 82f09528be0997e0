"""Pictures in the rulebooks: real positions, below the rules they show."""

from __future__ import annotations

import re

import pytest
from markupsafe import escape

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.scene import Illustration
from wonderland.engine import game, game_names
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import component
from wonderland.features.rulebook.pages import render_rules
from wonderland.games.cookies.rules.events import PawnMoved
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.rules import split_parade

PICTURES = [
    pytest.param(name, picture, id=f"{name}-{picture.rule}")
    for name in game_names()
    for picture in component(name, "ui.illustrations").PICTURES  # type: ignore[union-attr]
]


def picture_of(name: str, rule: str) -> Illustration:
    found = component(name, "ui.illustrations")
    assert found is not None
    return next(picture for picture in found.PICTURES if picture.rule == rule)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("name", "picture"), PICTURES)
def test_a_picture_is_below_its_rule(name: str, picture: Illustration, code: str) -> None:
    say = load_language(code)
    page = render_rules(name, say)
    rule = page.partition(f'<li id="{picture.rule}">')[2].partition("</figure>")[0]
    assert '<li id="' not in rule, "no other rule comes before its end"
    assert escape(say(picture.caption)) in rule
    assert f'class="game-{name}' in rule
    assert page.count("<li") == page.count("</li>")
    assert "&lt;" not in page


def test_the_parade_example_marks_the_cards_that_leave() -> None:
    picture = picture_of("parade", "P6")
    state = game("parade").read_position(picture.position)
    leaving, _ = split_parade(state.parade, read_card(picture.choice))
    assert [str(card) for card in leaving] == ["G0", "G7", "R3"]
    page = render_rules("parade", ENGLISH)
    marked = re.findall(r'<li class="[^"]*mark-(\w+)"[^<>]*><svg[^<>]*><use href="#card-(\w+)"', page)
    assert {piece for kind, piece in marked if kind == "taken"} == {str(card) for card in leaving}
    assert {piece for kind, piece in marked if kind == "safe"} == {"P7", "R1", "G4"}
    chosen = re.findall(r'<button class="marked[^"]*"[^<>]*><svg[^<>]*><use href="#card-(\w+)"', page)
    assert chosen == ["G3"]


def test_the_cookies_pawn_moves_as_described() -> None:
    picture = picture_of("cookies", "C9")
    rules = game("cookies")
    state = rules.read_position(picture.position)
    step = rules.apply(state, 0, rules.read(picture.choice))
    moved = next(event for event in step.events if isinstance(event, PawnMoved))
    assert (moved.start + 1, moved.end + 1, moved.beyond) == (4, 7, 1)


@pytest.mark.parametrize(("rule", "stars"), [("P3", 0), ("P12", 4)])
def test_majorities_have_stars(rule: str, stars: int) -> None:
    page = render_rules("parade", ENGLISH)
    figure = page.partition(f'<li id="{rule}">')[2].partition("</figure>")[0]
    assert figure.count('href="#gold-star"') == stars
