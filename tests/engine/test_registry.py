"""Discovery of games and their components."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from wonderland.engine import GameFailed, UsageError, game, game_names, registry


def test_every_game_folder_is_found() -> None:
    assert game_names() == ("cookies", "letters", "parade")
    for name in game_names():
        assert game(name).info.name == name
        assert game(f" {name.upper()} ") is game(name)


def test_an_unknown_game_is_reported_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no game called 'chess'\. .* cookies, letters, parade\."):
        game("chess")
    assert [registry.is_registered(name) for name in ("chess", " Parade")] == [False, True]


def test_components_are_found_by_name() -> None:
    words = registry.component("parade", "ui.words")
    assert isinstance(words, ModuleType)
    assert words.__name__ == registry.component_module("parade", "ui.words")
    assert registry.component("parade", "ui.no_such_component") is None


@pytest.fixture
def lobsters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a third-party game that has only its rules."""
    home = tmp_path / "lobsters"
    home.mkdir()
    (home / "__init__.py").write_text("from wonderland.games.parade import GAME\n")
    point = EntryPoint("quadrille", "lobsters", registry.HOME)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    monkeypatch.syspath_prepend(tmp_path)
    registry.refresh()
    yield home
    for name in [name for name in sys.modules if name.partition(".")[0] == "lobsters"]:
        del sys.modules[name]
    monkeypatch.undo()
    registry.refresh()


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["words.py"], "lobsters.words"),
        (["ui/__init__.py", "ui/words.py"], "lobsters.ui.words"),
        (["ui/words.py"], "lobsters.ui.words"),
        (["ui/__init__.py", "ui/words.py", "words.py"], "lobsters.ui.words"),
        (["ui/__init__.py", "ui/terminal.py", "words.py"], "lobsters.words"),
        (["ui.py", "words.py"], "lobsters.words"),
        (["ui.py"], None),
        ([], None),
    ],
)
def test_a_component_is_in_its_folder_or_flat(
    files: list[str], found: str | None, lobsters: Path
) -> None:
    for file in files:
        (lobsters / file).parent.mkdir(exist_ok=True)
        (lobsters / file).write_text("")
    assert registry.component_module("quadrille", "ui.words") == found
    assert (registry.component("quadrille", "ui.words") is None) == (found is None)


@pytest.mark.parametrize("file", ["words.py", "ui/words.py", "ui/__init__.py"])
def test_a_failing_import_inside_a_component_is_not_a_missing_component(
    file: str, lobsters: Path
) -> None:
    (lobsters / "ui").mkdir()
    (lobsters / file).write_text("import no_such_module_at_all")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        registry.component("quadrille", "ui.words")


def test_a_third_party_game_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("marching", "wonderland.games.parade", registry.HOME)
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [point] * (group == registry.HOME)
    )
    registry.refresh()
    try:
        assert "marching" in game_names()
        assert game("marching").info.name == "parade"
    finally:
        monkeypatch.undo()
        registry.refresh()
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
def test_a_game_that_cannot_be_loaded_is_left_out_and_named(
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
    registry.refresh()
    try:
        for _ in range(2):  # it is logged once
            assert game_names() == ("cookies", "letters", "parade")
        sentence = f"the game 'Quadrille' can't be loaded from lobsters: {reason}\\.$"
        for ask in (game, registry.package_of, lambda name: registry.component(name, "ui.words")):
            with pytest.raises(GameFailed, match=sentence):
                ask("Quadrille")
        (logged,) = caplog.messages
        assert re.search(f"is left out: {sentence.replace('Quadrille', 'quadrille')}", logged)
    finally:
        monkeypatch.undo()
        registry.refresh()


def test_a_broken_game_is_logged_once_if_two_threads_look_for_games(
    lobsters: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A server's first requests are answered by several threads."""
    (lobsters / "__init__.py").write_text("raise ZeroDivisionError")
    points = [EntryPoint("quadrille", "lobsters", registry.HOME)]
    both_are_looking = threading.Barrier(2, timeout=30)

    def find_together(group: str) -> list[EntryPoint]:
        both_are_looking.wait()
        return points

    monkeypatch.setattr("importlib.metadata.entry_points", find_together)
    threads = [threading.Thread(target=game_names) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(caplog.messages) == 1
