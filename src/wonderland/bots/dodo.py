"""The bot that every game has."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from wonderland.core.bot import Budget

A = TypeVar("A")


class Dodo:
    """Plays whatever comes to mind."""

    name = "Dodo"

    def choose(self, view: Any, legal: Sequence[A], rng: random.Random, budget: Budget) -> A:  # noqa: ARG002 - it never looks
        """Any of the legal actions."""
        return rng.choice(legal)
