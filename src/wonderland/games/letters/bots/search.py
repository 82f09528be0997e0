"""Tree search over the cards to turn in Letters, for any number of players with perfect memory.

`tree.py` searches; this module maps its choices to those of the rules. Every seat looks for its own best
card. The first half of the budget only builds the tree and the second half counts, because results from
a small tree flatter choices whose best replies it has yet to find.
"""

from __future__ import annotations

import random
from typing import Any

from wonderland.components.bots import Budget
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.encoding import packing
from wonderland.games.letters.rules.components import CARDS
from wonderland.games.letters.rules.state import State, TurnCard, TurnedDown
from wonderland.kernels.kernel import import_fastest

_tree: Any = import_fastest("wonderland.games.letters.compiled.tree")
COMPILED: bool = _tree.COMPILED
_NEW = 31
"""The tree's number for turning any card that was never turned."""
_BOLDNESS, _CAUTION = 0.5, 4
"""Exploration and widening; measured against the solved two-player game."""


def count_wins(
    state: State, rng: random.Random, budget: Budget, default: int
) -> tuple[dict[TurnCard, int], int]:
    """Return each choice's wins, and the number of playouts per choice in which they were counted.

    Cards never turned are interchangeable, so only one of them is searched.
    """
    tree = _tree.Tree()
    tree.load(packing.pack(state), rng.getrandbits(64))
    counted = 0
    for part in range(2):
        counted = 0
        tree.count_wins()
        for batch in _half_of(budget, part).batches(usually=-(-default // 2)):
            tree.grow(batch, _BOLDNESS, _CAUTION)
            counted += batch
    wins = dict(zip(tree.choices(), tree.count_wins(), strict=True))
    return {
        TurnCard(space): wins[CARDS.index(content.card) if isinstance(content, TurnedDown) else _NEW]
        for space, content in enumerate(state.spaces)
        if content is FACE_DOWN or isinstance(content, TurnedDown)
    }, counted


def _half_of(budget: Budget, part: int) -> Budget:
    """Return the first or second half of a budget; each has at least one playout."""
    playouts = budget.playouts and max(1, (budget.playouts + part) // 2)
    return Budget(playouts, budget.seconds and budget.seconds / 2)
