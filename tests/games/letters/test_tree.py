"""The tree search of Letters: right where the game is solved, and never naive about replies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from wonderland.components.bots import Budget
from wonderland.engine import CHANCE, Match, laws
from wonderland.games.letters import GAME
from wonderland.games.letters.bots import search, solution
from wonderland.games.letters.encoding import packing
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Choosing, State, TurnedDown

needs_compiled = pytest.mark.skipif(not search.COMPILED, reason="the kernels are not compiled")


def position(seats: int, seed: int, **options: Any) -> State:
    """A random position late in a game, with letters that were turned down again."""
    whole = laws.random_match(GAME, seats, Options(**options), random.Random(seed))
    places = [n for n, move in enumerate(whole.moves) if move.actor is not CHANCE]
    match: Any = Match.resume(whole.record, upto=places[int(0.7 * len(places))])
    state: State = match.state
    return state


@needs_compiled
@pytest.mark.parametrize("options", [{}, {"claim": "first"}, {"duchess": True}])
def test_it_agrees_with_the_solved_game(options: dict[str, Any]) -> None:
    for seed in range(6):
        state = position(2, seed, **options)
        solved = solution.cached_solution(state.options)
        assert solved is not None
        wins, played = search.count_wins(state, random.Random(seed), Budget(playouts=10_000), 1)
        exact = solved.win_probabilities(state)
        assert set(wins) == set(exact)
        for action, won in wins.items():
            assert won / played == pytest.approx(exact[action], abs=0.06)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_seeds_give_equal_results(seats: int) -> None:
    state = position(seats, 5)
    one, two = (search.count_wins(state, random.Random(3), Budget(playouts=50), 1) for _ in range(2))
    assert one == two
    assert one[1] == 25, "only the second half counts"


def test_a_used_tree_can_be_loaded_again() -> None:
    one, other = position(3, 1), position(4, 2)
    tree, fresh = search._tree.Tree(), search._tree.Tree()
    tree.load(packing.pack(one), 7)
    tree.grow(20, 0.5, 4)
    for each in (tree, fresh):
        each.load(packing.pack(other), 9)
        each.grow(20, 0.5, 4)
    assert tree.choices() == fresh.choices()
    assert tree.count_wins() == fresh.count_wins()
    assert not any(tree.count_wins()), "counting starts again"


SURE = (
    "letters stage=choose turn={turn} space=- ending=- duchess=false claim=after memory=closed "
    "colours=red,blue,yellow,green rails=ALIC/A/-/A spaces=_.?.blueE.Turtle.yellowE?.?.greenC.Walrus._."
    "_.redE._._.yellowL.King.blueC.greenE.Hare.?.?.Hatter.yellowC.?.greenI.yellowI.Carpenter._ removed=-"
)


def test_a_sure_win_is_taken_and_foreseen() -> None:
    """Red's last letter is face up: any card that can't be a menace wins, and red knows one."""
    red = GAME.read_position(SURE.format(turn=1))
    wins, played = search.count_wins(red, random.Random(1), Budget(playouts=400), 1)
    known = [action for action in wins if isinstance(red.spaces[action.space], TurnedDown)]
    assert [wins[action] for action in known] == [played]
    assert all(won < played for action, won in wins.items() if action not in known)
    green = GAME.read_position(SURE.format(turn=4))
    assert green.stage == Choosing(3)
    wins, played = search.count_wins(green, random.Random(1), Budget(playouts=4000), 1)
    new = next(action for action in wins if action not in known)
    share = 1 / len(green.unseen)
    assert wins[new] / played == pytest.approx(share, abs=0.04), "only the green L saves green from red"
