"""Bot levels of Cookies. They choose from a view; the compiled kernel does the search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget, Level
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.view import sample_state
from wonderland.kernels.kernel import import_fastest

_KERNEL = import_fastest("wonderland.games.cookies.compiled.kernel")
_SEARCH = import_fastest("wonderland.games.cookies.compiled.search")

COMPILED: bool = _SEARCH.COMPILED
FAR = 100
"""A depth greater than the number of choices a seat has in any game, so in effect unlimited."""


class WhiteRabbit:
    """Greedy bot: takes what a card gives now and never plans ahead."""

    name = "White Rabbit"

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:  # noqa: ARG002 - it needs no budget
        """Choose the action with the highest immediate value, whatever the others hold."""
        if len(legal) == 1:
            return legal[0]
        table = _KERNEL.KernelState()
        table.load(packing.pack(sample_state(view, rng)))
        return _find_action(table.choose(), legal)


class Searcher:
    """Monte Carlo search: tries each action in many determinizations of its view, and takes the best."""

    def __init__(self, name: str, depth: int, playouts: int) -> None:
        self.name = name
        self.depth = depth
        self.playouts = playouts
        """Number per action if the budget limits neither playouts nor time."""
        self.search = new_search()

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        """Choose the action with the best average result; the first one on ties."""
        if len(legal) == 1:
            return legal[0]
        self.search.load(packing.pack(sample_state(view, rng)), rng.getrandbits(64))
        for batch in budget.batches(usually=self.playouts):
            self.search.look(batch, self.depth)
        expected = self.search.expected()
        return _find_action(self.search.actions()[expected.index(max(expected))], legal)


def new_search() -> Any:
    """Create a search, to be loaded with a state."""
    return _SEARCH.Search()


def _find_action(number: int, legal: Sequence[Any]) -> Any:
    """Find the legal action with this kernel number."""
    return next(action for action in legal if packing.number(action) == number)


def _search_level(  # noqa: PLR0913, PLR0917 - what a level consists of
    name: str, about: str, depth: int, playouts: int, seconds: float, answer_time: float
) -> Level:
    """Define a level by its playouts per action, or by its seconds if the kernel isn't compiled."""
    budget = Budget(playouts=playouts) if COMPILED else Budget(seconds=seconds)
    return Level(name, about, lambda: Searcher(name, depth, playouts), budget, answer_time)


LEVELS = (
    Level("White Rabbit", "takes what a card gives right now", WhiteRabbit),
    _search_level("Hatter", "plays out a handful of possible games", 0, 6, 0.1, 0.05),
    _search_level("Cheshire", "plays out dozens of possible games", 0, 30, 0.2, 0.05),
    _search_level(
        "Queen",
        "plays out thousands of possible games, and plans its own next cards",
        FAR,
        3000,
        1.0,
        answer_time=0.25,
    ),
)
