"""Players that are no people. A bot gets a view and what is allowed, never a state.

Nothing here knows a particular game; whatever a game's own bots need lives in the game's folder.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

A = TypeVar("A")


class Bot(Protocol):
    """Anyone who can choose."""

    name: str

    def choose(self, view: Any, legal: Sequence[A], rng: random.Random) -> A:
        """One of the legal actions, by what the view shows."""
        ...


class Dodo:
    """Plays whatever comes to mind."""

    name = "Dodo"

    def choose(self, view: Any, legal: Sequence[A], rng: random.Random) -> A:  # noqa: ARG002 - it never looks
        """Any of the legal actions."""
        return rng.choice(legal)
