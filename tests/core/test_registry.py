"""The games find themselves."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from wonderland.core import NotationError, game, game_names, registry


def test_every_folder_of_a_game_is_found() -> None:
    assert game_names() == ("cookies", "letters", "parade")
    for name in game_names():
        assert game(name).info.name == name
        assert game(f" {name.upper()} ") is game(name)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(
        NotationError, match=r"no game called 'chess': the games are cookies, letters, parade"
    ):
        game("chess")


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
    registry._all.cache_clear()
    try:
        assert "marching" in game_names()
        assert game("marching").info.name == "parade"
    finally:
        monkeypatch.undo()
        registry._all.cache_clear()
    assert "marching" not in game_names()
