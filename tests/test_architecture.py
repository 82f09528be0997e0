"""The shape of the project: who may import whom, where games are named, and that rules are tested."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support.paths import ROOT
from wonderland.core import game_names
from wonderland.terminal.rulebook import rulebook, rules_in

SOURCE = ROOT / "src" / "wonderland"
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "bots": {"core", "bots"},
    "lab": {"core", "bots", "lab"},
    "environments": {"core", "bots", "environments"},
    "study": {"core", "bots", "lab", "study"},
    "tables": {"core", "bots", "tables"},
    "web": {"core", "bots", "study", "tables", "web"},
    "client": {"core", "client"},
    "terminal": {"core", "bots", "client", "terminal"},
}
MODULES = sorted(SOURCE.rglob("*.py"))
IDS = [str(path.relative_to(SOURCE)) for path in MODULES]


def imports(path: Path) -> set[str]:
    """The modules of this package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "wonderland":
            found |= {f"wonderland.{alias.name}" for alias in node.names if alias.name != "__version__"}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "wonderland"}


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_dependencies_point_one_way(path: Path) -> None:
    folder = path.relative_to(SOURCE).parts[0]
    if folder not in MAY_IMPORT:
        return  # cli.py and its like stand above all folders
    for name in imports(path):
        parts = name.split(".")
        assert len(parts) > 1, f"{path} imports the whole package"
        assert parts[1] in MAY_IMPORT[folder], f"{path} imports {name}"
        if folder == "games" and parts[1] == "games" and len(parts) > 2:
            own = path.relative_to(SOURCE).parts[1]
            assert parts[2] == own, f"{path} imports another game: {name}"


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_no_game_is_named_outside_its_folder(path: Path) -> None:
    if path.relative_to(SOURCE).parts[0] == "games":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                named = isinstance(side, ast.Constant) and side.value in game_names()
                assert not named, f"{path}:{node.lineno} asks which game it is"


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=str)
def test_every_folder_says_what_lives_there(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def cited(name: str) -> set[str]:
    """The rule numbers in the names of a game's tests."""
    numbers = set()
    for path in (ROOT / "tests" / "games" / name).glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers |= {word.upper() for word in re.findall(r"(?<=_)[a-z]\d+(?=_|$)", node.name)}
    return numbers


@pytest.mark.parametrize("name", game_names())
def test_every_rule_of_a_rulebook_has_a_test_that_cites_it(name: str) -> None:
    rules = rules_in(rulebook(name))
    assert len(rules) >= 14
    assert [int(rule[1:]) for rule in rules] == list(range(1, len(rules) + 1)), "a number is missing"
    assert not set(rules) - cited(name), f"{name} has rules without a test"
    assert not cited(name) - set(rules), f"tests of {name} cite rules that there are not"
