"""The table of a game without a scene: complete, and revealing no more than a view."""

from __future__ import annotations

import random
from html import unescape
from re import findall
from typing import Any

import pytest

from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.laws import check_all
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.registry import game, game_names
from wonderland.web.rendering import generic_scene, render

NAMES = ("Alice", "<b>Bill", "Dodo")


def render_scene(rules: AnyGame, state: Any, seat: Seat | None) -> str:
    legal = () if seat is None else rules.legal(state, seat)
    setting = SceneContext(NAMES, legal, (), ENGLISH)
    return render(
        "generic_scene.html", ENGLISH, **generic_scene(rules, rules.view(state, seat), setting)
    )


@pytest.mark.parametrize("name", game_names())
def test_every_choice_is_a_button_and_nothing_hidden_is_shown(name: str) -> None:
    rules = game(name)
    match = check_all(rules, 3, rules.options_type(), random.Random(1), [render_scene])
    for state, _ in match.record.states():
        for seat in (None, *range(3)):
            page, view = render_scene(rules, state, seat), rules.view(state, seat)
            legal = [] if seat is None else [rules.write(action) for action in rules.legal(state, seat)]
            assert [unescape(word) for word in findall(r'data-play="([^"]+)"', page)] == legal
            assert "<b>" not in page
            assert page.count("<button") == page.count("aria-label=") - (2 if legal else 1) == len(legal)
            assert len(findall(r'<i class="portrait [\w-]+ *"', page)) == len(NAMES)
            for line in words_of(name).describe(view, NAMES):
                assert line in unescape(page)
