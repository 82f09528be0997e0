"""The data files of a game: in its folder `data/`, or beside its rules."""

from __future__ import annotations

import zipfile
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import Struct

from wonderland.components import game_data
from wonderland.components.game_data import GameFile, data_file, dump, place_of
from wonderland.engine import UsageError, game, registry
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import ENGLISH


def test_a_data_file_is_in_data_or_beside_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_data, "files", lambda _package: tmp_path)
    flat, filed = tmp_path / "puzzles.json", tmp_path / "data" / "puzzles.json"
    assert data_file("parade", "puzzles.json") == flat
    filed.parent.mkdir()
    assert data_file("parade", "puzzles.json") == filed
    flat.touch()
    assert data_file("parade", "puzzles.json") == flat
    filed.touch()
    assert data_file("parade", "puzzles.json") == filed


@pytest.mark.parametrize("name", registry.game_names())
@pytest.mark.parametrize("file", ["puzzles.json", "insights.json"])
def test_our_games_ship_puzzles_and_insights(name: str, file: str) -> None:
    found = data_file(name, file)
    assert found.is_file()
    assert str(found).startswith(str(files(registry.package_of(name))))


def test_a_data_file_is_written_into_the_folder_of_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = GameFile("puzzles.json", Struct, 1, missing="{title}", hint="{game}")
    assert place_of(file, "parade") == data_file("parade", "puzzles.json")
    archive = zipfile.Path(zipfile.ZipFile(tmp_path / "games.zip", "w"))
    monkeypatch.setattr(game_data, "files", lambda _package: archive)
    with pytest.raises(UsageError, match="Parade isn't installed in a folder"):
        place_of(file, "parade")


def test_a_missing_file_is_explained_on_pages_without_a_command() -> None:
    file = GameFile("none.json", Struct, 1, missing="Nothing for {title} yet.", hint="Run: make {game}")
    with pytest.raises(FileProblem) as missing:
        file.of("parade")
    assert missing.value.said(ENGLISH) == "Nothing for Parade yet."
    assert str(missing.value) == "Nothing for Parade yet. Run: make parade"
    with pytest.raises(FileProblem) as unusable:
        file.read(b"tea", "parade")
    assert "make parade" not in unusable.value.said(ENGLISH)
    assert str(unusable.value).endswith("Run: make parade")
    assert str(FileProblem("The disk is full.")) == "The disk is full."


class Kept(Struct):
    """What a data file says about itself."""

    version: int
    game: str
    rules: int


def test_a_file_of_another_format_game_or_rulebook_is_refused() -> None:
    file = GameFile("kept.json", Kept, 1, missing="{title}", hint="{game}")
    rules = game("parade").info.rules_version
    good = Kept(1, "parade", rules)
    assert file.read(dump(good).encode(), "parade") == good
    for bad in (Kept(2, "parade", rules), Kept(1, "letters", rules), Kept(1, "parade", rules + 1)):
        with pytest.raises(FileProblem, match=r"kept\.json"):
            file.read(dump(bad).encode(), "parade")
