"""Bots for Parade. They decide from one seat's view; the search itself runs in the compiled kernels.

`benchmarks/README.md` lists the variants that were tried and how they measured.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

from wonderland.components.bots import Budget, Level
from wonderland.games.parade.encoding import packing
from wonderland.games.parade.encoding.layout import CARELESS, DECENT, GREEDY
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.state import Action, KeepCards, Keeping, PlayCard, Playing, Stage
from wonderland.games.parade.rules.view import View, sample_state
from wonderland.kernels.kernel import import_fastest

_KERNEL = import_fastest("wonderland.games.parade.compiled.kernel")
_ENDGAME = import_fastest("wonderland.games.parade.compiled.endgame")
_SEARCH = import_fastest("wonderland.games.parade.compiled.search")
_TREE = import_fastest("wonderland.games.parade.compiled.tree")

EXPLORATION, WIDENING = 0.7, 4
"""Tree search parameters: the UCT exploration constant, and how slowly a node widens to weak cards."""
_DEFAULT_PLAYOUTS = 1000
"""The Queen's playouts per card, if the budget doesn't say."""
COMPILED: bool = _KERNEL.COMPILED
_HANDS_PER_PLAYOUT = 100
"""Opponent hands that the endgame solver enumerates in the time of one playout."""
_HANDS_PER_SECOND = 10_000_000 if COMPILED else 10_000


class WhiteRabbit:
    """Greedy heuristic bot: takes the fewest points now, and never plans for the next turn."""

    name = "White Rabbit"

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:  # noqa: ARG002 - it doesn't search
        """Return the action that costs least right now; ties are broken at random."""
        costs = [cost(view, action) for action in legal]
        lowest = min(costs)
        return rng.choice([action for action, cost in zip(legal, costs, strict=True) if cost == lowest])


def cost(view: View, action: Action) -> tuple[int, int]:
    """Return the points and cards that an action takes, judging by the face-up cards alone."""
    if isinstance(action, PlayCard):
        leaving, _ = split_parade(view.parade, action.card)
        return sum(card.value for card in leaving), len(leaving)
    if isinstance(action, KeepCards) and view.seat is not None:
        zones = list(view.zones)
        zones[view.seat] = (*zones[view.seat], action.first, action.second)
        return totals(zones)[view.seat], 0
    raise TypeError(f"{action} is nothing that a seat does")


class FlatSearch:
    """Flat Monte Carlo search: plays out each action in sampled determinizations of the view."""

    def __init__(self, name: str = "Flat search", policy: int = GREEDY) -> None:
        self.name = name
        self.policy = policy
        self.search = new_search()

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:
        """Return the action that won most often; the first if there is a tie."""
        if len(legal) == 1:
            return legal[0]
        load(self.search, view, rng)
        for samples in budget.batches(usually=100):
            self.search.run(samples, self.policy)
        shares = self.search.shares()
        return max(legal, key=lambda action: shares[cards_of(action)])


class Queen:
    """Information-set Monte Carlo tree search; solves the end of a two-player game exactly."""

    name = "Queen"

    def __init__(self) -> None:
        self.end = FlatSearch(self.name, CARELESS)
        self.endgame = new_endgame()

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> Action:
        """Return the best action of the solved endgame, or else the one most visited by the search."""
        if len(legal) == 1:
            return legal[0]
        shares = solve_endgame(self.endgame, view, rng, budget)
        if shares is not None:
            return max(legal, key=lambda action: shares[cards_of(action)])
        if isinstance(legal[0], KeepCards):
            return self.end.choose(view, legal, rng, budget)
        tree = thread_tree()
        load(tree, view, rng)
        policy = policy_for(len(view.hands))
        total = Budget(budget.playouts and budget.playouts * len(legal), budget.seconds)
        for iterations in total.batches(usually=_DEFAULT_PLAYOUTS * len(legal)):
            tree.grow(iterations, policy, EXPLORATION, WIDENING)
        statistics = tree.found()
        return max(legal, key=lambda action: statistics[cards_of(action)[0]])


def new_search() -> Any:
    """Create a flat search, to be filled with `load`."""
    return _SEARCH.Search()


def new_tree() -> Any:
    """Create a tree search, to be filled with `load`."""
    return _TREE.Tree()


_own = threading.local()


def thread_tree() -> Any:
    """Return the tree search of this thread; `load` clears it.

    It has 10 MB, and clearing new memory would stop all other Python threads at each decision.
    """
    if not hasattr(_own, "tree"):
        _own.tree = new_tree()
    return _own.tree


def new_endgame() -> Any:
    """Create an endgame solver, to be filled with `load`."""
    return _ENDGAME.Endgame()


def solve_endgame(
    endgame: Any, view: View, rng: random.Random, budget: Budget
) -> dict[tuple[int, int], float] | None:
    """Return the exact win probability of each choice at the end of a two-player game.

    `None` before the last round, with more players, or if the budget is too small.
    """
    if len(view.hands) != 2 or not is_last_round(view.stage):
        return None
    load(endgame, view, rng)
    if endgame.hands() > _affordable_hands(budget):
        return None
    endgame.solve()
    shares: dict[tuple[int, int], float] = endgame.shares()
    return shares


def is_last_round(stage: Stage) -> bool:
    """Whether the last round has begun, so nobody draws any more (P9)."""
    return isinstance(stage, Keeping) or (isinstance(stage, Playing) and stage.turns_left is not None)


def _affordable_hands(budget: Budget) -> float:
    """Return how many opponent hands fit into the budget."""
    if budget.seconds is not None:
        return budget.seconds * _HANDS_PER_SECOND
    return (budget.playouts or _DEFAULT_PLAYOUTS) * _HANDS_PER_PLAYOUT


def policy_for(seats: int) -> int:
    """Return the playout policy that measured best for this number of seats."""
    return CARELESS if seats == 2 else DECENT


def load(search: Any, view: View, rng: random.Random) -> None:
    """Load a view into a search, which redeals the hidden cards for every sample."""
    table: Any = _KERNEL.KernelState()
    table.load(packing.pack(sample_state(view, rng)))
    search.load(table, view.seat, rng.getrandbits(63))


def cards_of(action: Action) -> tuple[int, int]:
    """Return an action's cards as the search keys them: a single card is paired with itself."""
    if isinstance(action, KeepCards):
        return action.first, action.second
    if isinstance(action, PlayCard):
        return action.card, action.card
    raise TypeError(f"{action} is nothing that a seat does")


LEVELS = (
    Level("White Rabbit", "takes the fewest points right now", WhiteRabbit),
    Level(
        "Hatter",
        "plays out a few possible games",
        lambda: FlatSearch("Hatter"),
        Budget(playouts=20),
        answer_time=0.05,
    ),
    Level(
        "Cheshire",
        "plays out many possible games",
        lambda: FlatSearch("Cheshire"),
        Budget(playouts=200) if COMPILED else Budget(seconds=0.25),
        answer_time=0.05,
    ),
    Level("Queen", "thinks ahead, turn by turn", Queen, Budget(seconds=0.8), answer_time=0.9),
)
"""Weakest first."""
