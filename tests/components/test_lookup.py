"""Components as the shells look them up, and the fallbacks for a game without any."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from wonderland.components.company import company_of, own_characters, piece_names
from wonderland.components.scene import (
    can_step_back,
    decks_of,
    emblems_of,
    hides_hands,
    illustrations_of,
    pictures_of,
    scene_ui_of,
)
from wonderland.components.score_pad import score_pad_of
from wonderland.components.solver import solver_of
from wonderland.components.themes import find_themes, themes_of
from wonderland.engine import game, registry
from wonderland.engine.language import ENGLISH
from wonderland.kernels.kernel import kernel, packing


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Name of a game with rules and no component."""
    (tmp_path / "bare_rules").mkdir()
    (tmp_path / "bare_rules" / "__init__.py").write_text("from wonderland.games.parade import GAME\n")
    point = EntryPoint("bare", "bare_rules", registry.HOME)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    monkeypatch.syspath_prepend(tmp_path)
    registry.refresh()
    yield "bare"
    monkeypatch.undo()
    registry.refresh()


def test_a_scene_declares_whether_history_is_open_and_what_is_hidden(bare: str) -> None:
    letters, parade = (
        rules.view(rules.start(2, rules.options_type()), 0) for rules in map(game, ("letters", "parade"))
    )
    assert scene_ui_of("letters") is not None
    assert not can_step_back("letters", letters)
    assert not hides_hands("letters")
    assert scene_ui_of("parade") is not None
    assert can_step_back("parade", parade)
    assert hides_hands("parade")
    assert scene_ui_of(bare) is None
    assert can_step_back(bare, parade)
    assert hides_hands(bare)


def test_only_some_games_have_illustrations_a_score_pad_or_a_solver(bare: str) -> None:
    assert illustrations_of("cookies")
    assert not illustrations_of(bare)
    pad = score_pad_of("parade")
    assert pad is not None
    assert pad.pad(ENGLISH)
    assert score_pad_of("letters") is None
    assert solver_of("letters") is not None
    assert solver_of(bare) is None


def test_a_game_without_drawings_has_no_decks_pictures_or_emblems(bare: str) -> None:
    assert len(decks_of("parade")) > 1
    assert emblems_of("parade")
    assert not decks_of(bare)
    assert not pictures_of(bare, ENGLISH)
    assert not emblems_of(bare)


def test_a_game_without_company_adds_no_characters(bare: str) -> None:
    assert company_of("parade") is not None
    assert company_of(bare) is None
    assert not own_characters(bare)
    assert not piece_names(bare)


def test_a_game_without_themes_finds_none(bare: str) -> None:
    rules = game("parade")
    assert themes_of("parade")
    assert themes_of(bare) == ()
    assert find_themes(bare, rules.view(rules.start(2, rules.options_type()), 0), (), None, None) == ()


def test_a_missing_packing_module_is_named(bare: str) -> None:
    assert kernel(bare) is None
    with pytest.raises(LookupError, match=r"^bare has no component encoding\.packing"):
        packing(bare)
