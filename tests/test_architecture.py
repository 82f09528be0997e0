"""The shape of the project: who may import whom, where games are named, and that rules are tested."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support.paths import ROOT
from wonderland import discovery
from wonderland.core import game_names
from wonderland.terminal.rulebook import rulebook, rules_in

SOURCE = ROOT / "src" / "wonderland"
MAY_IMPORT = {
    "core": {"core", "kernels"},
    "kernels": {"core", "kernels"},
    "components": {"components", "core", "kernels"},
    "games": {"components", "core", "kernels", "games"},
    "bots": {"components", "core", "kernels", "bots"},
    "arguments.py": {"components", "core", "kernels"},
    "discovery.py": set(),
    "lab": {"components", "core", "kernels", "bots", "arguments", "lab"},
    "environments": {"components", "core", "kernels", "bots", "environments"},
    "study": {"components", "core", "kernels", "bots", "lab", "study"},
    "wire": {"core", "wire"},
    "tables": {"components", "core", "kernels", "bots", "wire", "tables"},
    "web": {"components", "core", "kernels", "bots", "wire", "tables", "discovery", "web"},
    "client": {"components", "core", "kernels", "wire", "client"},
    "terminal": {"components", "core", "kernels", "bots", "arguments", "wire", "client", "terminal"},
    "features": {
        *(
            "components",
            "core",
            "kernels",
            "bots",
            "arguments",
            "lab",
            "study",
            "tables",
            "wire",
            "discovery",
            "web",
            "terminal",
        ),
        "features",
    },
    "cli.py": {"components", "core", "kernels", "arguments", "discovery"},
}
OF_FEATURES = ("wonderland.study", "wonderland.web.study", *discovery._ELSEWHERE.values())
"""Modules that belong to features, though they lie elsewhere."""
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


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_dependencies_point_one_way(path: Path) -> None:
    folder = path.relative_to(SOURCE).parts[0]
    if folder == "web" and module_of(path).startswith(OF_FEATURES):
        folder = "features"
    if folder not in MAY_IMPORT:
        return  # the package itself
    for name in imports(path):
        parts = name.split(".")
        assert len(parts) > 1, f"{path} imports the whole package"
        assert parts[1] in MAY_IMPORT[folder], f"{path} imports {name}"
        if folder == "games" and parts[1] == "games" and len(parts) > 2:
            own = path.relative_to(SOURCE).parts[1]
            assert parts[2] == own, f"{path} imports another game: {name}"


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_shells_find_features_through_discovery(path: Path) -> None:
    folder = path.relative_to(SOURCE).parts[0]
    if folder in ("cli.py", "lab", "tables", "terminal", "web"):
        if module_of(path).startswith(OF_FEATURES):
            return
        assert not [
            name for name in imports(path) if name.startswith(("wonderland.features", *OF_FEATURES))
        ]


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
