"""For tests: random plays in environments of PettingZoo."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np


def played(its: Any, rng: random.Random, seed: int | None = None) -> Iterator[tuple[str, Any]]:
    """Each agent with what it is shown, in a random play up to the end."""
    its.reset(seed=seed)
    for agent in its.agent_iter():
        shown = its.last()
        yield agent, shown
        ended = shown[2] or shown[3]
        its.step(None if ended else rng.choice(np.flatnonzero(shown[0]["action_mask"]).tolist()))
