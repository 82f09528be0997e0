"""Bots that play Cookies, from what one seat may know; the thinking itself is done by the kernel."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget, Level
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.view import imagine
from wonderland.kernels.kernel import quickest

_KERNEL = quickest("wonderland.games.cookies.compiled.kernel")
_SEARCH = quickest("wonderland.games.cookies.compiled.search")

COMPILED: bool = _SEARCH.COMPILED
FAR = 100
"""More choices than a seat has left in any play."""


class WhiteRabbit:
    """Takes what its card gives it now, and never thinks of the next one."""

    name = "White Rabbit"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:  # noqa: ARG002 - it is in a hurry
        """What is worth most at once; what the others hold makes no difference to it."""
        if len(legal) == 1:
            return legal[0]
        table = _KERNEL.KernelState()
        table.load(packing.pack(imagine(view, rng)))
        return _numbered(table.choose(), legal)


class Searcher:
    """Tries each action over and over, in worlds that its view could come from, and takes the best."""

    def __init__(self, name: str, depth: int, playouts: int) -> None:
        self.name = name
        self.depth = depth
        self.playouts = playouts
        """How many for each action where the budget names neither a number nor a time."""
        self.search = new_search()

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """The action after which the plays went best; among equals, the one that comes first."""
        if len(legal) == 1:
            return legal[0]
        self.search.load(packing.pack(imagine(view, rng)), rng.getrandbits(64))
        for batch in budget.batches(usually=self.playouts):
            self.search.look(batch, self.depth)
        expected = self.search.expected()
        return _numbered(self.search.actions()[expected.index(max(expected))], legal)


def new_search() -> Any:
    """A search to be loaded."""
    return _SEARCH.Search()


def _numbered(number: int, legal: Sequence[Any]) -> Any:
    """The action of this number."""
    return next(action for action in legal if packing.number(action) == number)


def _searching(name: str, about: str, depth: int, playouts: int, seconds: float) -> Level:
    """A level that thinks so much for each action; for so long where the kernel is not compiled."""
    budget = Budget(playouts=playouts) if COMPILED else Budget(seconds=seconds)
    return Level(name, about, lambda: Searcher(name, depth, playouts), budget)


LEVELS = (
    Level("White Rabbit", "takes what the card gives now", WhiteRabbit),
    _searching("Hatter", "imagines a handful of ways to go on", 0, 6, 0.1),
    _searching("Cheshire", "imagines dozens of ways to go on", 0, 30, 0.2),
    _searching("Queen", "imagines thousands, and plans its own next cards", FAR, 3000, 1.0),
)
