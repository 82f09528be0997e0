"""Win probability of each legal action in Parade, estimated with the Queen's search.

The Queen looks for the best card and hardly samples the others. The judge samples every card equally in
the first half of its budget, so that all win probabilities have comparable errors, and then searches as
the Queen does, deeper into the promising cards. A card's value comes from the second half if it was
sampled often enough there, because early results from a small tree are biased. Pairs to keep are
evaluated by flat search, and the end of a two-player game is solved exactly.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, value_from_wins
from wonderland.games.parade.bots import levels
from wonderland.games.parade.encoding.layout import CARELESS
from wonderland.games.parade.rules.state import Action, Keeping
from wonderland.games.parade.rules.view import View

VERSION = 2

_PLAYOUTS = 120_000
"""Per card: more than the Queen makes in her time at a table."""
_LATE_VISITS_DIVISOR = 20
"""The second half alone counts if it visited the card at least 1/20 as often as the first half."""
_LAST_ROUND, _KEEPING = 4, 20
"""Multipliers for stages with shorter playouts."""
_UNCOMPILED_PLAYOUTS = 100
"""Per card, if the kernels are not compiled."""


def action_values(
    view: View, legal: Sequence[Action], rng: random.Random, budget: Budget
) -> list[ActionValue]:
    """Return the win probability of each legal action, in the order of `legal`."""
    default_playouts = playouts(len(view.hands)) * _playout_multiplier(view)
    effective = Budget(playouts=default_playouts) if budget == Budget() else budget
    exact = levels.solve_endgame(levels.new_endgame(), view, rng, effective)
    if exact is not None:
        return [ActionValue(action, exact[levels.cards_of(action)], error=0.0) for action in legal]
    if isinstance(view.stage, Keeping):
        return _evaluate_pairs(view, legal, rng, budget, default_playouts)
    return _evaluate_cards(view, legal, rng, budget, default_playouts)


def playouts(seats: int) -> int:  # noqa: ARG001 - the same for any number of seats
    """Return the default number of playouts per card before the last round."""
    return _PLAYOUTS if levels.COMPILED else _UNCOMPILED_PLAYOUTS


def _playout_multiplier(view: View) -> int:
    """Return how many times more playouts fit into the same time at this stage."""
    if isinstance(view.stage, Keeping):
        return _KEEPING
    return _LAST_ROUND if levels.is_last_round(view.stage) else 1


def _evaluate_cards(
    view: View, legal: Sequence[Action], rng: random.Random, budget: Budget, default_playouts: int
) -> list[ActionValue]:
    tree, policy = levels.new_tree(), levels.policy_for(len(view.hands))
    levels.load(tree, view, rng)
    half = Budget(budget.playouts and (budget.playouts + 1) // 2, budget.seconds and budget.seconds / 2)
    results = []
    for evenly in (1, 0):
        for iterations in half.batches(usually=default_playouts // 2):
            tree.grow(
                iterations * len(legal), policy, levels.EXPLORATION, levels.WIDENING, evenly=evenly
            )
        results.append(tree.found())
    return [
        _combine_halves(action, *[half_results[levels.cards_of(action)[0]] for half_results in results])
        for action in legal
    ]


def _combine_halves(action: Action, before: tuple[int, float], after: tuple[int, float]) -> ActionValue:
    """Combine the (visits, share of wins) of a card after the first half and after the whole search."""
    visits, wins = after[0], after[0] * after[1]
    late_visits = visits - before[0]
    if late_visits * _LATE_VISITS_DIVISOR < before[0]:
        return value_from_wins(action, wins, visits)
    return value_from_wins(action, wins - before[0] * before[1], late_visits)


def _evaluate_pairs(
    view: View, legal: Sequence[Action], rng: random.Random, budget: Budget, default_playouts: int
) -> list[ActionValue]:
    search, samples = levels.new_search(), 0
    levels.load(search, view, rng)
    for batch in budget.batches(usually=default_playouts):
        search.run(batch, CARELESS)
        samples += batch
    shares = search.shares()
    return [
        value_from_wins(action, shares[levels.cards_of(action)] * samples, samples) for action in legal
    ]
