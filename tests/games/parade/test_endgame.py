"""The two-player endgame: solved as the rulebook would have it, and honestly."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from support.faults import Fault
from support.kernel_variants import compiled_module, kernel, uncompiled, variants
from wonderland.components.bots import Budget
from wonderland.engine import Acting, game
from wonderland.engine.laws import check_secrecy, random_match
from wonderland.engine.match import seats_to_act
from wonderland.games.parade.bots import judge
from wonderland.games.parade.bots.levels import (
    Queen,
    cards_of,
    is_last_round,
    new_endgame,
    solve_endgame,
)
from wonderland.games.parade.encoding import packing
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.state import KeepCards, Keeping, PlayCard, State

PARADE = game("parade")
ENOUGH = Budget(playouts=1000)
SOME_CARDS = st.integers(0, 2**32)
FIRST, SECOND, KEEPING = 2, 1, 0
"""Turns that are left."""


def endgame_state(seed: int, turns_left: int, pile: int) -> tuple[State, int]:
    """Return a state of the last round and the player to move; most of the pile is in the parade."""
    states = [state for state, _ in random_match(PARADE, 2, None, random.Random(seed)).record.states()]
    last = [state for state in states if isinstance(PARADE.turn(state), Acting)][-4:]
    state = last[2 - turns_left]  # next come the choices of what to keep
    keep = random.Random(seed).sample(state.unseen, min(pile, len(state.unseen)))
    joined = tuple(card for card in state.unseen if card not in keep)
    state = replace(state, parade=joined + state.parade, unseen=tuple(sorted(keep)), pile=len(keep))
    return state, seats_to_act(PARADE.turn(state))[0]


def count_by_the_rules(state: State, seat: int) -> dict[tuple[int, int], float]:
    """Count wins over every possible opposing hand, by the readable rules alone."""
    other = 1 - seat
    unknown = sorted((*state.unseen, *state.hands[other]))
    held = len(state.hands[other])
    wins: dict[tuple[int, int], dict[Any, dict[Any, float]]] = {}
    for action in PARADE.legal(state, seat):
        ways = wins.setdefault(cards_of(action), defaultdict(lambda: defaultdict(float)))
        for hand in combinations(unknown, held):
            rest = tuple(card for card in unknown if card not in hand)
            hands = [hand, state.hands[seat]] if seat else [state.hands[seat], hand]
            world = replace(state, hands=tuple(hands), unseen=rest)
            if isinstance(action, PlayCard):
                world = PARADE.apply(world, seat, action).state
            card, pair = cheapest(world, other)
            if card is not None:
                world = PARADE.apply(world, other, PlayCard(card)).state
            world = PARADE.apply(world, other, pair).state
            mine = PARADE.legal(world, seat) if isinstance(action, PlayCard) else [action]
            for choice in mine:
                result = PARADE.turn(PARADE.apply(world, seat, choice).state).result
                ways[card][choice] += (seat in result.winners) / len(result.winners)
    hands_in_all = comb(len(unknown), held)
    return {
        cards: sum(max(choices.values()) for choices in ways.values()) / hands_in_all
        for cards, ways in wins.items()
    }


def cheapest(state: State, seat: int) -> tuple[Any, KeepCards]:
    """Return the card still to be played, if any, and the two to keep, that cost a seat least."""
    hand: list[Any] = [*state.hands[seat]]
    ways = []
    for card in [None] if isinstance(state.stage, Keeping) else hand:
        leaving = [] if card is None else split_parade(state.parade, card)[0]
        for one, two in combinations([held for held in hand if held is not card], 2):
            zones = list(state.zones)
            zones[seat] = (*zones[seat], *leaving, one, two)
            ways.append((totals(zones)[seat], len(zones[seat]), card or 0, one, two, card))
    *_, one, two, card = min(ways, key=lambda way: way[:5])
    return card, KeepCards(one, two)


def endgame_in(way: str, state: State, seat: int, mutant: Any = None) -> Any:
    """Solve the endgame of this state in a kernel variant; everything uses the same table."""
    module = mutant or kernel("parade", way, "endgame")
    table = kernel("parade", way).KernelState()
    table.load(packing.pack(state))
    endgame = module.Endgame()
    endgame.load(table, seat, 1)
    endgame.solve()
    return endgame


@pytest.mark.parametrize("way", variants("parade"))
@pytest.mark.parametrize(
    ("turns_left", "pile"), [(FIRST, 2), (SECOND, 3), (KEEPING, 4), (FIRST, 0), (KEEPING, 0)]
)
def test_every_possible_opposing_hand_is_counted_p9_p11(way: str, turns_left: int, pile: int) -> None:
    for seed in range(3):
        state, seat = endgame_state(seed, turns_left, pile)
        held = len(state.hands[1 - seat])
        endgame = endgame_in(way, state, seat)
        assert endgame.hands() == comb(len(state.unseen) + held, held)
        assert endgame.shares() == pytest.approx(count_by_the_rules(state, seat))
        if pile == 0:  # nothing is hidden
            assert {*endgame.shares().values()} <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize("way", variants("parade"))
def test_a_shared_win_counts_half_p15(way: str) -> None:
    state, seat = endgame_state(41, KEEPING, 0)
    found = endgame_in(way, state, seat).shares()
    assert found == count_by_the_rules(state, seat)
    assert max(found.values()) == 0.5


FAULTS = {
    "one card more is a majority": ("tally", "2 * ONE_IN_EACH", "ONE_IN_EACH"),
    "a tie is a loss": ("_add_wins", "lead >= 0", "lead > 0"),
    "some cards are never played": ("_go_through", "range(one)", "range(one - 1)"),
    "what the other plays is not seen": ("_best", "sum(_1)", "max(_1)"),
    "the other takes what is not its own": (
        *("_reckon", "joined(_1.zones[other], _2, _3)"),
        "joined(_1.zones[self.seat], _2, _3)",
    ),
    "the number of cards does not matter": ("tally", "_1 + cards", "_1"),
}
"""A function of the module, what is found there, and what is put in its place."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    module = compiled_module("parade", "endgame")
    mutant = uncompiled(module, Fault(module, *FAULTS[fault]))
    wrong = 0
    for seed, turns_left, pile in product((0, 1, 2, 41), (FIRST, SECOND, KEEPING), (0, 2)):
        state, seat = endgame_state(seed, turns_left, pile)
        found = endgame_in("uncompiled", state, seat, mutant).shares()
        wrong += found != pytest.approx(count_by_the_rules(state, seat))
    assert wrong


@settings(max_examples=15)
@given(seed=SOME_CARDS, turns_left=st.sampled_from([FIRST, SECOND, KEEPING]))
def test_the_opponents_hidden_hand_does_not_change_her_choice(seed: int, turns_left: int) -> None:
    state, _ = endgame_state(seed, turns_left, 6)
    queen = Queen()

    def choice(_: Any, state: Any, seat: int | None) -> object:
        legal = () if seat is None else PARADE.legal(state, seat)
        if not legal:
            return None
        return queen.choose(PARADE.view(state, seat), legal, random.Random(5), ENOUGH)

    check_secrecy(PARADE, 2, state, random.Random(seed), [choice])


@pytest.mark.parametrize("turns_left", [FIRST, SECOND, KEEPING])
def test_she_chooses_the_most_frequent_win_and_the_judge_agrees(turns_left: int) -> None:
    for seed in range(5):
        state, seat = endgame_state(seed, turns_left, 5)
        view, legal, rng = PARADE.view(state, seat), PARADE.legal(state, seat), random.Random(seed)
        shares = solve_endgame(new_endgame(), view, rng, ENOUGH)
        assert shares is not None
        chosen = Queen().choose(view, legal, rng, ENOUGH)
        assert shares[cards_of(chosen)] == max(shares.values())
        values = judge.action_values(view, legal, rng, ENOUGH)
        assert {cards_of(value.action): value.chance for value in values} == shares
        assert all(value.error == 0 for value in values)


def test_it_does_not_start_without_time_or_a_suitable_endgame() -> None:
    state, seat = endgame_state(1, FIRST, 40)
    view, rng = PARADE.view(state, seat), random.Random(1)
    assert solve_endgame(new_endgame(), view, rng, Budget(playouts=1)) is None
    assert solve_endgame(new_endgame(), view, rng, Budget(seconds=1e-7)) is None
    start = random_match(PARADE, 2, None, random.Random(1)).record.states()
    before = next(state for state, _ in start if isinstance(PARADE.turn(state), Acting))
    assert not is_last_round(before.stage)
    assert solve_endgame(new_endgame(), PARADE.view(before, 0), rng, ENOUGH) is None
    three = random_match(PARADE, 3, None, random.Random(1)).record.states()
    last = next(state for state, _ in three if isinstance(state.stage, Keeping))
    assert solve_endgame(new_endgame(), PARADE.view(last, 0), rng, ENOUGH) is None
