"""Batches of playouts from one position, shared by the kernels of all games."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

from support import kernel_variants
from wonderland.engine import game, game_names
from wonderland.engine.laws import random_match
from wonderland.kernels.kernel import DECISIONS, ROW, SCORES, packing

WAYS = [(name, way) for name in game_names() for way in kernel_variants.variants(name)]


def table_in_play(name: str, way: str) -> Any:
    """A table of two seats in midgame."""
    rules = game(name)
    match = random_match(rules, 2, rules.options_type(), random.Random(3))
    states = [state for state, _ in match.record.states()]
    table = kernel_variants.kernel(name, way).KernelState()
    table.load(packing(name).pack(states[len(states) // 2]))
    return table


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_playouts_leave_the_table_unchanged(name: str, way: str) -> None:
    table = table_in_play(name, way)
    words = table.words()
    table.simulate(array("i", [0]) * (5 * ROW), [0, 1], 1, 0, 5)
    assert table.words() == words


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_playouts_fill_only_their_rows(name: str, way: str) -> None:
    table = table_in_play(name, way)
    clean, rows = array("i", [0]) * (3 * ROW), array("i", [-7]) * (4 * ROW)
    table.simulate(clean, [0, 0], 1, 0, 3)
    table.simulate(rows, [0, 0], 1, 0, 3)
    assert rows[: 3 * ROW] == clean
    assert rows[3 * ROW :] == array("i", [-7]) * ROW
    assert all(clean[DECISIONS::ROW])
    assert list(clean[SCORES + 2 : ROW]) == [0] * 4, "only two seats have scores"


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_playout_depends_only_on_its_stream(name: str, way: str) -> None:
    table = table_in_play(name, way)
    rows, one = array("i", [0]) * (6 * ROW), array("i", [0]) * ROW
    table.simulate(rows, [0, 0], 9, 2**64 - 3, 6)
    for at in range(6):
        table.simulate(one, [0, 0], 9, 2**64 - 3 + at, 1)
        assert one == rows[at * ROW : (at + 1) * ROW]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_too_few_rows_are_rejected(name: str, way: str) -> None:
    with pytest.raises(ValueError, match="2 plays need 20 numbers, and there are 19"):
        table_in_play(name, way).simulate(array("i", [0]) * (2 * ROW - 1), [0, 0], 1, 0, 2)
