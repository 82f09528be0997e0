"""Law 9: node counts from stored positions (`tests/nodes/*.toml`).

A change of these numbers is a change of the rules. `python tests/test_nodes.py` recounts them.
"""

from __future__ import annotations

import sys
import tomllib

import pytest

from support.paths import TESTS
from wonderland.engine import game
from wonderland.engine.laws import count_nodes

FILES = sorted((TESTS / "nodes").glob("*.toml"))
POSITIONS = [
    (path.stem, entry) for path in FILES for entry in tomllib.loads(path.read_text())["position"]
]


@pytest.mark.parametrize(
    ("name", "entry"), POSITIONS, ids=[f"{name}-{entry['what']}" for name, entry in POSITIONS]
)
def test_node_counts_match_the_stored_ones(name: str, entry: dict[str, object]) -> None:
    the_game = game(name)
    state = the_game.read_position(str(entry["line"]))
    nodes = entry["nodes"]
    assert isinstance(nodes, list)
    assert [count_nodes(the_game, state, depth) for depth in range(1, len(nodes) + 1)] == nodes


if __name__ == "__main__":
    for name, entry in POSITIONS:
        the_game = game(name)
        state = the_game.read_position(entry["line"])
        depths = range(1, len(entry["nodes"]) + 1)
        counted = [count_nodes(the_game, state, depth) for depth in depths]
        sys.stdout.write(f"{name} {entry['what']}: {counted}\n")
