"""`docs/components.md` has every component and every member of its contracts, and nothing else."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from wonderland.components import COMPONENTS, Component, members
from wonderland.engine.registry import component, game_names

TEXT = (Path(__file__).parent.parent.parent / "docs" / "components.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `([\w.]+)`\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
IDS = [each.name for each in COMPONENTS]


def rows(protocol: type[Any]) -> list[tuple[str, str]]:
    """Return the members of a protocol as the page prints them: functions with their parameters."""
    return [(_signature(name, vars(protocol)[name]), protocol.__name__) for name in members(protocol)]


def _signature(name: str, member: object) -> str:
    if isinstance(member, property):
        return name
    assert callable(member)
    _self, *parameters = inspect.signature(member).parameters
    return f"{name}({', '.join(parameters)})"


def test_every_component_has_a_section() -> None:
    assert list(SECTIONS) == IDS


@pytest.mark.parametrize("each", COMPONENTS, ids=IDS)
def test_every_member_of_a_contract_is_documented(each: Component) -> None:
    documented = re.findall(r"^\| `([^`]+)` \| `(\w+)` \| \S.* \|$", SECTIONS[each.name], re.MULTILINE)
    protocols = (each.contract(), *each.optional_contracts())
    assert documented == [row for protocol in protocols for row in rows(protocol)]


@pytest.mark.parametrize("each", COMPONENTS, ids=IDS)
def test_a_section_states_a_components_purpose_and_its_users(each: Component) -> None:
    section = SECTIONS[each.name]
    assert section.startswith(f"\n{each.purpose}\n")
    facts = dict(re.findall(r"^- \*\*(.+):\*\* (.+)$", section, re.MULTILINE))
    assert facts["Module"] == " or ".join(f"`{place}`" for place in each.places)
    assert facts["Contract"] == f"`{each.protocol}`"
    assert facts.get("Optional", "") == ", ".join(f"`{extra}`" for extra in each.extras)
    assert facts["Without it"] == each.without
    having = [name for name in game_names() if component(name, each.name) is not None]
    assert facts["Games"] == ", ".join(having)
