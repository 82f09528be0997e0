"""Every component of a game is assigned to its Protocol, where mypy checks it; each is in use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.paths import SOURCE
from wonderland.components import COMPONENTS, Component, members
from wonderland.engine.registry import component, game_names, package_of


def required_protocols(own: object, each: Component) -> Iterator[type[Any]]:
    """Protocols a game's module must satisfy: optional ones if it has any of their members."""
    yield each.contract()
    for extra in each.optional_contracts():
        if any(hasattr(own, member) for member in members(extra)):
            yield extra


def checked_assignments(contracts: ModuleType) -> list[tuple[type[Any], object]]:
    """Protocols in a module of contracts, each with the module that mypy checks against it."""
    tree = ast.parse(Path(contracts.__file__ or "").read_text(encoding="utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
    return [
        (getattr(contracts, ast.unparse(node.annotation)), getattr(contracts, ast.unparse(node.value)))
        for node in found
        if node.value is not None
    ]


@pytest.mark.parametrize("name", game_names())
def test_every_component_of_a_game_is_assigned_to_its_protocol(name: str) -> None:
    there = [(each, component(name, each.name)) for each in COMPONENTS]
    expected = {
        (kind, own) for each, own in there if own is not None for kind in required_protocols(own, each)
    }
    found = checked_assignments(import_module(f"{package_of(name)}.contracts"))
    assert set(found) == expected
    assert len(found) == len(expected)


def looked_up_components(path: Path) -> Iterator[str]:
    """Return the components that a file looks up by name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and len(node.args) == 2:
            called, which = ast.unparse(node.func), node.args[1]
            if called in {"component", "component_module"} and isinstance(which, ast.Constant):
                yield str(which.value)


def test_the_shells_ask_for_exactly_the_components_listed() -> None:
    asked = {name for path in SOURCE.rglob("*.py") for name in looked_up_components(path)}
    assert asked == {each.name for each in COMPONENTS}


def test_no_two_components_have_the_same_file_name_in_a_flat_game() -> None:
    flat = [place for each in COMPONENTS for place in each.places[1:]]
    assert len(flat) == len(set(flat))


def test_every_contract_is_a_protocol_and_optional_ones_are_runtime_checkable() -> None:
    for each in COMPONENTS:
        for protocol in (each.contract(), *each.optional_contracts()):
            assert vars(protocol)["_is_protocol"]
            assert protocol.__bases__[-1].__name__ == "Protocol", "members() looks at one class"
        for extra in each.optional_contracts():
            assert not isinstance(object(), extra)
