"""Bots that play Parade, from what one seat may know; the thinking itself is done by the kernel.

What was tried and how it measured stands in `benchmarks/README.md`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget, Level
from wonderland.games.parade.encoding import packing
from wonderland.games.parade.encoding.layout import CARELESS, DECENT, GREEDY
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.state import Action, KeepCards, Keeping, PlayCard, Playing, Stage
from wonderland.games.parade.rules.view import View, imagine
from wonderland.kernels.kernel import quickest

_KERNEL = quickest("wonderland.games.parade.compiled.kernel")
_ENDGAME = quickest("wonderland.games.parade.compiled.endgame")
_SEARCH = quickest("wonderland.games.parade.compiled.search")
_TREE = quickest("wonderland.games.parade.compiled.tree")

BOLDNESS, CAUTION = 0.7, 4
"""How much the tree tries what has not been best so far, and how slowly it takes in silly cards."""
_USUALLY = 1000
"""The Queen's play-outs for each card, where no budget is named."""
COMPILED: bool = _KERNEL.COMPILED
_HANDS_A_PLAYOUT = 100
"""So many hands of the other can be gone through at the end in the time of one play-out."""
_HANDS_A_SECOND = 10_000_000 if COMPILED else 10_000


class WhiteRabbit:
    """Takes the fewest points now, and never thinks of the next turn."""

    name = "White Rabbit"

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:  # noqa: ARG002 - it is in a hurry
        """What costs least at once; among equals, any."""
        costs = [cost(view, action) for action in legal]
        least = min(costs)
        return rng.choice([action for action, cost in zip(legal, costs, strict=True) if cost == least])


def cost(view: View, action: Action) -> tuple[int, int]:
    """Points and cards that an action takes, as far as what lies open tells."""
    if isinstance(action, PlayCard):
        leaving, _ = split_parade(view.parade, action.card)
        return sum(card.value for card in leaving), len(leaving)
    if isinstance(action, KeepCards) and view.seat is not None:
        zones = list(view.zones)
        zones[view.seat] = (*zones[view.seat], action.first, action.second)
        return totals(zones)[view.seat], 0
    raise TypeError(f"{action} is nothing that a seat does")


class FlatSearch:
    """Tries each action in so many worlds that its view could come from, and takes the best."""

    def __init__(self, name: str = "Flat search", policy: int = GREEDY) -> None:
        self.name = name
        self.policy = policy
        self.search = new_search()

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:
        """The action that has won most often; among equals, the first."""
        if len(legal) == 1:
            return legal[0]
        load(self.search, view, rng)
        for worlds in budget.batches(usually=100):
            self.search.run(worlds, self.policy)
        shares = self.search.shares()
        return max(legal, key=lambda action: shares[cards_of(action)])


class Queen:
    """Searches a tree of what may come, and plays on below it; the end of a game for two she solves."""

    name = "Queen"

    def __init__(self) -> None:
        self.tree = new_tree()
        self.end = FlatSearch(self.name, CARELESS)
        self.endgame = new_endgame()

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:
        """The action that wins most often at the end, or that the search came back to most often."""
        if len(legal) == 1:
            return legal[0]
        shares = solve_endgame(self.endgame, view, rng, budget)
        if shares is not None:
            return max(legal, key=lambda action: shares[cards_of(action)])
        if isinstance(legal[0], KeepCards):
            return self.end.choose(view, legal, rng, budget)
        load(self.tree, view, rng)
        policy = policy_for(len(view.hands))
        whole = Budget(budget.playouts and budget.playouts * len(legal), budget.seconds)
        for turns in whole.batches(usually=_USUALLY * len(legal)):
            self.tree.grow(turns, policy, BOLDNESS, CAUTION)
        found = self.tree.found()
        return max(legal, key=lambda action: found[cards_of(action)[0]])


def new_search() -> Any:
    """A search to be loaded."""
    return _SEARCH.Search()


def new_tree() -> Any:
    """A tree to be loaded."""
    return _TREE.Tree()


def new_endgame() -> Any:
    """An endgame to be loaded."""
    return _ENDGAME.Endgame()


def solve_endgame(
    endgame: Any, view: View, rng: random.Random, budget: Budget
) -> dict[tuple[int, int], float] | None:
    """The share of wins with each choice at the end of a game for two, if there is time for it."""
    if len(view.hands) != 2 or not is_last_round(view.stage):
        return None
    load(endgame, view, rng)
    if endgame.hands() > _affordable(budget):
        return None
    endgame.solve()
    shares: dict[tuple[int, int], float] = endgame.shares()
    return shares


def is_last_round(stage: Stage) -> bool:
    """Whether nothing is drawn any more (P9)."""
    return isinstance(stage, Keeping) or (isinstance(stage, Playing) and stage.turns_left is not None)


def _affordable(budget: Budget) -> float:
    """How many hands of the other can be gone through."""
    if budget.seconds is not None:
        return budget.seconds * _HANDS_A_SECOND
    return (budget.playouts or _USUALLY) * _HANDS_A_PLAYOUT


def policy_for(seats: int) -> int:
    """How to play on below the tree: what measured best for so many players."""
    return CARELESS if seats == 2 else DECENT


def load(search: Any, view: View, rng: random.Random) -> None:
    """Give a search what the view shows; what it does not show, the search deals anew each time."""
    table: Any = _KERNEL.KernelState()
    table.load(packing.pack(imagine(view, rng)))
    search.load(table, view.seat, rng.getrandbits(63))


def cards_of(action: Action) -> tuple[int, int]:
    """The cards of an action as a search names them; one card stands with itself."""
    if isinstance(action, KeepCards):
        return action.first, action.second
    if isinstance(action, PlayCard):
        return action.card, action.card
    raise TypeError(f"{action} is nothing that a seat does")


LEVELS = (
    Level("White Rabbit", "takes the fewest points now", WhiteRabbit),
    Level(
        "Hatter",
        "imagines a few ways to go on",
        lambda: FlatSearch("Hatter"),
        Budget(playouts=20),
    ),
    Level(
        "Cheshire",
        "imagines many ways to go on",
        lambda: FlatSearch("Cheshire"),
        Budget(playouts=200) if COMPILED else Budget(seconds=0.25),
    ),
    Level("Queen", "thinks ahead, turn by turn", Queen, Budget(seconds=0.8)),
)
"""Weakest first."""
