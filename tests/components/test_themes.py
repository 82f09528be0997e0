"""Themes: facts about positions and choices, none of which gives an answer away."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from wonderland.bots.evaluation import recalled_view
from wonderland.components.heuristics import equivalence_of
from wonderland.components.themes import find_themes, themes_of
from wonderland.engine import Match, Seeded, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.registry import component

GAMES = game_names()
MOST_GAMES = 400


def decisions(name: str, seed: int) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The decisions of a random game: what the seat knows, and its choices."""
    rng = random.Random(f"{name} {seed}")
    match: Any = Match(game(name), rng.choice((2, 3, 4)), chance=Seeded(f"{name} {seed}"))
    while not isinstance(match.turn, Over):
        seat = seats_to_act(match.turn)[0]
        yield recalled_view(match.game, match.state, seat), tuple(match.legal(seat))
        match.play(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("name", GAMES)
def test_every_theme_occurs_in_random_games(name: str) -> None:
    own: Any = component(name, "bots.themes")
    missing = {theme.key for theme in themes_of(name)}
    for seed in range(MOST_GAMES):
        for view, legal in decisions(name, seed):
            for keys in (own.of_position(view), *(own.of_choice(view, action) for action in legal)):
                missing -= set(keys)
        if not missing:
            return
    raise AssertionError(f"{missing} never occurs")


@pytest.mark.parametrize("name", GAMES)
def test_a_theme_of_choices_neither_singles_out_the_best_nor_excludes_all_others(name: str) -> None:
    own: Any = component(name, "bots.themes")
    alike, rng = equivalence_of(name), random.Random(name)
    for seed in range(6):
        for view, legal in decisions(name, seed):
            kinds = list({alike(view, action): action for action in legal}.values())
            if len(kinds) < 2:
                continue
            best, tempting = rng.sample(kinds, 2)
            found = find_themes(name, view, legal, best, tempting)
            of_choices = set(found) - set(own.of_position(view))
            assert of_choices == set(find_themes(name, view, legal, best, tempting)) & of_choices
            for key in of_choices:
                fitting = [action for action in kinds if key in own.of_choice(view, action)]
                assert (best in fitting) is not (tempting in fitting)
                assert fitting != [best]
                assert [action for action in kinds if action not in fitting] != [best]
