"""Random agents in PettingZoo environments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np


def play_at_random(its: Any, rng: random.Random, seed: int | None = None) -> Iterator[tuple[str, Any]]:
    """Play at random to the end; yield each agent with its last observation."""
    its.reset(seed=seed)
    for agent in its.agent_iter():
        shown = its.last()
        yield agent, shown
        ended = shown[2] or shown[3]
        its.step(None if ended else rng.choice(np.flatnonzero(shown[0]["action_mask"]).tolist()))
