"""Win probability of each action in Cookies, estimated with the Queen's search.

The Queen also values the margin; the judge counts wins only.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, value_from_wins
from wonderland.games.cookies.bots import levels
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.view import View, sample_state

VERSION = 1


def action_values(
    view: View, legal: Sequence[Any], rng: random.Random, budget: Budget
) -> list[ActionValue]:
    """Return the win probability of each legal action."""
    search = levels.new_search()
    search.load(packing.pack(sample_state(view, rng)), rng.getrandbits(64))
    for batch in budget.batches(usually=playouts(len(view.hands))):
        search.look(batch, levels.FAR)
    won = dict(zip(search.actions(), search.won(), strict=True))
    tried = search.tried_so_far()
    return [value_from_wins(action, won[packing.number(action)], tried) for action in legal]


def playouts(seats: int) -> int:  # noqa: ARG001 - the same for any number of seats
    """Number of playouts per action; the Queen makes 3000."""
    return 20_000 if levels.COMPILED else 100
