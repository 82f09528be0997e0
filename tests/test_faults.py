"""Planting faults: what is changed, and what is rejected."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from support.faults import Fault, FaultError
from support.kernel_variants import compiled_module, uncompiled

SOURCE = """
LIMIT = 5

class Cup:
    def fill(self, tea):  # to the brim
        self.tea = (tea +
                    1)
        return tea < LIMIT and tea > 1

    def drink(self):
        self.tea = 0
        self.wash()

class Pot:
    def fill(self, tea):
        return tea
"""


def plant_fault(function: str, pattern: str, replacement: str) -> str:
    tree = ast.parse(SOURCE)
    changed = Fault("tea", function, pattern, replacement).plant(tree)
    assert ast.dump(tree) == ast.dump(ast.parse(SOURCE)), "the original must not change"
    before, after = ast.unparse(tree).splitlines(), ast.unparse(changed).splitlines()
    return dedent("\n".join(line for line in after if line not in before))


@pytest.mark.parametrize(
    ("function", "pattern", "replacement", "changed"),
    [
        ("Cup.fill", "tea + 1", "tea", "self.tea = tea"),
        ("Cup.fill", "_ and _1", "_1", "return tea > 1"),
        ("Cup.fill", "_1 < _2", "_2 <= _1", "return LIMIT <= tea and tea > 1"),
        ("Cup.fill", "return _", "return False", "return False"),
        ("drink", "self.tea = _", "pass", "pass"),
        ("drink", "self.wash()", "pass", "pass"),
        ("drink", "self.tea", "self.milk", "self.milk = 0"),
        ("", "LIMIT = _", "LIMIT = 6", "LIMIT = 6"),
    ],
)
def test_a_fault_is_planted(function: str, pattern: str, replacement: str, changed: str) -> None:
    assert plant_fault(function, pattern, replacement) == changed


@pytest.mark.parametrize(
    ("function", "pattern", "replacement", "error"),
    [
        ("Cup.fill", "tea - 1", "tea", "'tea - 1' fits 0 places of tea.Cup.fill, not one"),
        ("Cup.fill", "tea", "milk", "fits 3 places"),
        ("Cup.fill", "_1 + 1", "_1 + 1", "Replacing '_1 \\+ 1' changes nothing in tea.Cup.fill"),
        ("spill", "_", "_", "tea has 0 functions 'spill', not one"),
        ("fill", "_", "_", "tea has 2 functions 'fill'"),
        ("", "LIMIT = 6", "LIMIT = 7", "fits 0 places of tea, not one"),
    ],
)
def test_a_fault_that_does_not_match_is_rejected(
    function: str, pattern: str, replacement: str, error: str
) -> None:
    with pytest.raises(FaultError, match=error):
        plant_fault(function, pattern, replacement)


def test_a_fault_in_a_module_that_is_not_loaded_is_rejected() -> None:
    elsewhere = Fault(compiled_module("letters", "play"), "is_complete", "_1 == 5", "_1 >= 4")
    with pytest.raises(FaultError, match="does not import"):
        uncompiled(compiled_module("parade"), elsewhere)
