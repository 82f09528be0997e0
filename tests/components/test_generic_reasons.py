"""Reasons for any game: in its own words, or by comparing two win probabilities."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from support.reason_checker import NAMES, moment
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import explainer_of
from wonderland.engine import game, game_names, registry
from wonderland.engine.language import ENGLISH

MARCH = """
from msgspec.structs import replace
from wonderland.games.parade import Parade

class March(Parade):
    info = replace(Parade.info, name="march", title="March")

GAME = March()
"""


@pytest.fixture
def march(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game with only rules."""
    (tmp_path / "march").mkdir()
    (tmp_path / "march" / "__init__.py").write_text(MARCH)
    points = [EntryPoint("march", "march", registry.HOME)]
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    registry.refresh()
    yield "march"
    monkeypatch.undo()
    registry.refresh()


def test_a_game_without_reasons_compares_win_probabilities(march: str) -> None:
    rules = game(march)
    view = rules.view(rules.start(2, rules.options_type()), 0)
    values = ActionValue(rules.read("R8"), 0.46, 0.01), ActionValue(rules.read("B2"), 0.4, 0.01)
    assert (
        explainer_of(march)(view, *values, NAMES[:2], ENGLISH) == "R8 wins 46 games in 100; B2 wins 40."
    )


@pytest.mark.parametrize("name", game_names())
def test_every_game_explains_choices_in_every_language(name: str) -> None:
    rules, rng = game(name), random.Random(8)
    for code in LANGUAGES:
        for _ in range(4):
            seats = rng.choice(rules.info.seats)
            found = moment(rules, seats, rules.options_type(), rng)
            said = explainer_of(name)(
                found.view, found.best, found.other, NAMES[:seats], load_language(code)
            )
            assert said.strip()
            assert "{" not in said
