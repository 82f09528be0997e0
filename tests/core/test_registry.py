"""The games find themselves."""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from wonderland.core import GameFailed, UsageError, game, game_names, registry


def test_every_folder_of_a_game_is_found() -> None:
    assert game_names() == ("cookies", "letters", "parade")
    for name in game_names():
        assert game(name).info.name == name
        assert game(f" {name.upper()} ") is game(name)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(
        UsageError, match=r"no game called 'chess': the games are cookies, letters, parade"
    ):
        game("chess")
    assert [registry.is_registered(name) for name in ("chess", " Parade")] == [False, True]


def test_parts_of_a_game_are_found_by_name() -> None:
    words = registry.part("parade", "words")
    assert words is not None
    assert words.__name__ == "wonderland.games.parade.words"
    assert registry.part("parade", "no_such_part") is None


def test_a_game_of_another_package_joins_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("marching", "wonderland.games.parade", registry.HOME)
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [point] * (group == registry.HOME)
    )
    registry.look_again()
    try:
        assert "marching" in game_names()
        assert game("marching").info.name == "parade"
    finally:
        monkeypatch.undo()
        registry.look_again()
    assert "marching" not in game_names()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
        ("GAME = 3", "'int' object has no attribute 'info'"),
        ("", "module 'lobsters' has no attribute 'GAME'"),
        ("raise ZeroDivisionError", "ZeroDivisionError"),
        ("raise OSError('A first line.\\nA second one.')", "A first line"),
        ("this is no Python", r"invalid syntax \(__init__.py, line 1\)"),
    ],
)
def test_a_game_that_can_not_be_loaded_is_left_out_and_named(
    text: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "lobsters").mkdir()
    (tmp_path / "lobsters" / "__init__.py").write_text(text)
    (tmp_path / "lobsters" / "words.py").write_text("")
    about = tmp_path / "lobsters-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lobsters\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{registry.HOME}]\nquadrille = lobsters\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lobsters", raising=False)
    registry.look_again()
    try:
        for _ in range(2):  # it is logged once
            assert game_names() == ("cookies", "letters", "parade")
        sentence = f"the game 'Quadrille' can't be loaded from lobsters: {reason}\\.$"
        for ask in (game, registry.package, lambda name: registry.part(name, "words")):
            with pytest.raises(GameFailed, match=sentence):
                ask("Quadrille")
        (logged,) = caplog.messages
        assert re.search(f"is left out: {sentence.replace('Quadrille', 'quadrille')}", logged)
    finally:
        monkeypatch.undo()
        registry.look_again()
