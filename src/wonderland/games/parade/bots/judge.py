"""What each card of Parade is worth: the Queen's search, which first tries every card alike.

She looks for the best card and hardly tries the others. Here each is tried as often as any other for
the first half, so that all have a chance to win that can be compared, with its error; then the search
goes on in her way, deeper into what is good. How a card did in that second half counts, if it was tried
often enough there: what is found out early, while the tree is small, makes some cards look better than
they are. Which two cards to keep is tried as she does it, and the end of a game for two is solved.
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
"""For each card: more than the Queen makes in her time at a table."""
_OFTEN = 20
"""A card was tried often enough the second time if it had this part of its share."""
_LAST_ROUND, _KEEPING = 4, 20
"""Play-outs are shorter there, so that she makes so many times as many."""
_SLOW = 100
"""Where the kernels are not compiled."""


def worths(view: View, legal: Sequence[Action], rng: random.Random, budget: Budget) -> list[ActionValue]:
    """What each legal action is worth."""
    usually = playouts(len(view.hands)) * _longer(view)
    within = Budget(playouts=usually) if budget == Budget() else budget
    exactly = levels.solve_endgame(levels.new_endgame(), view, rng, within)
    if exactly is not None:
        return [ActionValue(action, exactly[levels.cards_of(action)], error=0.0) for action in legal]
    if isinstance(view.stage, Keeping):
        return _worths_of_pairs(view, legal, rng, budget, usually)
    return _worths_of_cards(view, legal, rng, budget, usually)


def playouts(seats: int) -> int:  # noqa: ARG001 - the same for any number, though it takes longer with more
    """How often each card is tried, with so many seats; more often towards the end."""
    return _PLAYOUTS if levels.COMPILED else _SLOW


def _longer(view: View) -> int:
    """How many times as many play-outs can be made in the same time."""
    if isinstance(view.stage, Keeping):
        return _KEEPING
    return _LAST_ROUND if levels.is_last_round(view.stage) else 1


def _worths_of_cards(
    view: View, legal: Sequence[Action], rng: random.Random, budget: Budget, usually: int
) -> list[ActionValue]:
    tree, policy = levels.new_tree(), levels.policy_for(len(view.hands))
    levels.load(tree, view, rng)
    half = Budget(budget.playouts and (budget.playouts + 1) // 2, budget.seconds and budget.seconds / 2)
    found = []
    for evenly in (1, 0):
        for turns in half.batches(usually=usually // 2):
            tree.grow(turns * len(legal), policy, levels.BOLDNESS, levels.CAUTION, evenly=evenly)
        found.append(tree.found())
    return [_worth(action, *[each[levels.cards_of(action)[0]] for each in found]) for action in legal]


def _worth(action: Action, before: tuple[int, float], after: tuple[int, float]) -> ActionValue:
    """By how often a card was tried with which share of wins, in the first half and in all."""
    tries, wins = after[0], after[0] * after[1]
    tries_late = tries - before[0]
    if tries_late * _OFTEN < before[0]:
        return value_from_wins(action, wins, tries)
    return value_from_wins(action, wins - before[0] * before[1], tries_late)


def _worths_of_pairs(
    view: View, legal: Sequence[Action], rng: random.Random, budget: Budget, usually: int
) -> list[ActionValue]:
    search, worlds = levels.new_search(), 0
    levels.load(search, view, rng)
    for batch in budget.batches(usually=usually):
        search.run(batch, CARELESS)
        worlds += batch
    shares = search.shares()
    return [
        value_from_wins(action, shares[levels.cards_of(action)] * worlds, worlds) for action in legal
    ]
