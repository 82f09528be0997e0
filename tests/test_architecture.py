"""Project structure: import contracts, where games may be named, and tested rules."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.paths import ROOT
from wonderland.components.rulebook import rulebook, rules_in
from wonderland.engine import game_names

SOURCE = ROOT / "src" / "wonderland"
MODULES = sorted(SOURCE.rglob("*.py"))
IDS = [str(path.relative_to(SOURCE)) for path in MODULES]


def check_contracts(source: Path) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of the package in a folder."""
    run = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", run, "--config", str(ROOT / "pyproject.toml"), "--no-cache"],
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_keep_the_contracts() -> None:
    found = check_contracts(SOURCE.parent)
    assert found.returncode == 0, found.stdout


def test_contracts_find_a_forbidden_import(tmp_path: Path) -> None:
    copied = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(SOURCE, tmp_path / "wonderland", ignore=copied)
    with (tmp_path / "wonderland" / "engine" / "match.py").open("a", encoding="utf-8") as module:
        module.write("\nfrom wonderland.web import pages\n")
    found = check_contracts(tmp_path)
    assert found.returncode != 0
    assert "wonderland.engine.match -> wonderland.web.pages" in found.stdout


def test_every_package_is_in_a_layer() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    listed = {name.strip() for layer in layers for name in layer.split("|")}
    parts = [
        path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    assert listed == {f"wonderland.{path.stem}" for path in parts if path.stem != "__init__"}


@pytest.mark.parametrize("path", MODULES, ids=IDS)
def test_no_module_outside_games_names_a_game(path: Path) -> None:
    if path.relative_to(SOURCE).parts[0] == "games":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            assert node.value not in game_names(), f"{path}:{node.lineno} names a game"


SHELL_FILES = [
    path
    for suffix in ("css", "js", "html")
    for path in sorted(SOURCE.rglob(f"*.{suffix}"))
    if not path.is_relative_to(SOURCE / "games")
]


@pytest.mark.parametrize("path", SHELL_FILES, ids=lambda path: path.name)
def test_no_page_outside_games_names_a_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in game_names():
        assert not re.search(rf"""["'`/.#-]{name}["'`/.-]""", text), f"{path} names {name}"


@pytest.mark.parametrize(
    "path", [path for path in SHELL_FILES if path.suffix == ".css"], ids=lambda path: path.name
)
def test_no_style_outside_games_targets_a_games_pieces(path: Path) -> None:
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    styled = set(re.findall(r"\.([a-z][\w-]*)", rules))
    modules = [module for module in MODULES if not module.is_relative_to(SOURCE / "games")]
    texts = [
        file.read_text(encoding="utf-8") for file in (*SHELL_FILES, *modules) if file.suffix != ".css"
    ]
    contract = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    known = set(re.findall(r"[a-z][\w-]*", " ".join((*texts, contract))))
    games = [file.read_text(encoding="utf-8") for file in (SOURCE / "games").rglob("*.html")]
    drawn = set(re.findall(r"[a-z][\w-]*", " ".join(re.findall(r'class="([^"]*)"', " ".join(games)))))
    assert not (styled & drawn) - known


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=str)
def test_every_package_has_a_docstring(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def cited_rules(name: str) -> set[str]:
    """Return the rule numbers in the names of a game's tests."""
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
    assert not set(rules) - cited_rules(name), f"{name} has rules without a test"
    assert not cited_rules(name) - set(rules), f"tests of {name} cite rules that do not exist"
