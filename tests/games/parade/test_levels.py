"""The bots of Parade: honest at every level, repeatable, and sensible in the endgame."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import kernel_variants
from wonderland.bots import decide, levels
from wonderland.components.bots import Bot, Budget
from wonderland.engine import Acting, Match, Over, Seeded, game
from wonderland.engine.laws import LawBroken, check_secrecy, random_match
from wonderland.engine.match import seats_to_act
from wonderland.games.parade.bots.levels import LEVELS, Queen, WhiteRabbit
from wonderland.games.parade.encoding import packing
from wonderland.games.parade.encoding.layout import CARELESS, DECENT, GREEDY
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.state import KeepCards, Keeping

PARADE = game("parade")
LITTLE = Budget(playouts=8)
SOME_CARDS = st.integers(0, 2**32)


def choice_of(bot: Bot) -> Any:
    """Return a bot's choice as an observation of its seat, for law 7."""

    def choice(the_game: Any, state: Any, seat: int | None) -> object:
        legal = () if seat is None else the_game.legal(state, seat)
        if not legal:
            return None
        return bot.choose(the_game.view(state, seat), legal, random.Random(5), LITTLE)

    return choice


@pytest.mark.parametrize("level", levels("parade"), ids=lambda level: level.word)
@settings(max_examples=10)
@given(seats=st.sampled_from(PARADE.info.seats), seed=SOME_CARDS)
def test_hidden_cards_do_not_change_a_bots_choice(level: Any, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    states = [state for state, _ in random_match(PARADE, seats, None, rng).record.states()]
    turns = [state for state in states if isinstance(PARADE.turn(state), Acting)]
    for state in rng.sample(turns, 4):
        check_secrecy(PARADE, seats, state, rng, [choice_of(level.make())])


def test_earlier_searches_in_a_thread_do_not_change_the_queens_choice() -> None:
    """Her tree belongs to the thread and is used again for each decision."""
    states = [
        state
        for seed in range(3)
        for state, _ in random_match(PARADE, 3, None, random.Random(seed)).record.states()
        if isinstance(PARADE.turn(state), Acting)
    ][::7]

    def choose(state: Any) -> object:
        (seat, *_) = seats_to_act(PARADE.turn(state))
        view, legal = PARADE.view(state, seat), PARADE.legal(state, seat)
        return Queen().choose(view, legal, random.Random(5), Budget(playouts=50))

    def choose_with_new_tree(state: Any) -> object:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(choose, state).result()

    assert [choose(state) for state in states] == [choose_with_new_tree(state) for state in states]


class Peeker(WhiteRabbit):
    """Looks into the next hand, which it gets by a trick."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> Any:
        other = self.state.hands[(view.seat + 1) % len(view.hands)]
        return legal[sum(other) % len(legal)]


def test_a_bot_that_peeks_into_other_hands_is_caught() -> None:
    def choice(the_game: Any, state: Any, seat: int | None) -> object:
        return choice_of(Peeker(state))(the_game, state, seat)

    rng = random.Random(1)
    match = Match(PARADE, 2, chance=Seeded(1))
    with pytest.raises(LawBroken, match="law 7"):  # noqa: PT012 - some sampled states happen to agree
        for _ in range(20):
            check_secrecy(PARADE, 2, match.state, rng, [choice])


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.word)
def test_with_a_playout_budget_a_choice_is_repeatable(level: Any) -> None:
    def played() -> list[Any]:
        match = Match(PARADE, 3, chance=Seeded("again"))
        rng, bots = random.Random(3), [level.make() for _ in range(3)]
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            match.play(seat, decide(bots[seat], match, seat, rng, LITTLE))
        return list(match.moves)

    assert played() == played()


@pytest.mark.parametrize("which", ["search", "tree"])
@pytest.mark.parametrize("policy", [GREEDY, CARELESS, DECENT])
def test_searches_agree_in_every_variant(which: str, policy: int) -> None:
    match = Match(PARADE, 3, chance=Seeded(2))
    seat = seats_to_act(match.turn)[0]
    found = []
    for way in kernel_variants.variants("parade"):
        module = kernel_variants.kernel("parade", way, which)
        table = kernel_variants.kernel("parade", way).KernelState()
        table.load(packing.pack(match.state))
        search = module.Search() if which == "search" else module.Tree()
        search.load(table, seat, 7)
        if which == "search":
            search.run(40, policy)
            found.append(search.shares())
        else:
            search.grow(300, policy, 0.7, 4)
            found.append({card: tried for card, (tried, _) in search.found().items()})
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("way", kernel_variants.variants("parade"))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_playout_policy_ends_with_the_cheapest_card(way: str, seats: int) -> None:
    for seed in range(20):
        match = random_match(PARADE, seats, None, random.Random(seed))
        states = [state for state, _ in match.record.states()]
        last = next(one for one, then in pairwise(states) if isinstance(then.stage, Keeping))
        (seat,) = seats_to_act(PARADE.turn(last))
        table = kernel_variants.kernel("parade", way).KernelState()
        table.load(packing.pack(last))
        table.play_out([DECENT] * seats)
        played = packing.unpack(table.words()).parade[-1]
        costs = {card: cost_at_the_end(last, seat, card) for card in last.hands[seat]}
        assert costs[played] == min(costs.values())


def cost_at_the_end(state: Any, seat: int, card: Any) -> int:
    """Return a seat's score if it played this card and kept the best two, and nobody else kept any."""
    leaving, _ = split_parade(state.parade, card)
    left = [other for other in state.hands[seat] if other != card]
    return min(
        totals(
            [
                (*zone, *leaving, *two) if owner == seat else zone
                for owner, zone in enumerate(state.zones)
            ]
        )[seat]
        for two in combinations(left, 2)
    )


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.word)
def test_a_time_budget_is_roughly_kept(level: Any) -> None:
    match = Match(PARADE, 2, chance=Seeded(4))
    seat = seats_to_act(match.turn)[0]
    action = decide(level.make(), match, seat, random.Random(1), Budget(seconds=0.01))
    assert action in match.legal(seat)


@pytest.mark.parametrize("level", LEVELS[1:], ids=lambda level: level.word)
def test_a_bot_that_searches_beats_one_that_does_not(level: Any) -> None:
    """Far from close: even with so few playouts some 70 of 100."""
    won = 0
    for play in range(30):
        match = Match(PARADE, 2, chance=Seeded(play // 2))
        rng, bots = random.Random(play), [level.make(), WhiteRabbit()]
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            match.play(seat, decide(bots[(seat + play) % 2], match, seat, rng, Budget(playouts=30)))
        won += play % 2 in turn.result.winners
    assert won > 15


def test_the_white_rabbit_takes_the_fewest_points_and_keeps_the_cheapest() -> None:
    match = Match(PARADE, 2, chance=Seeded(9))
    rabbit, rng = WhiteRabbit(), random.Random(1)
    while not isinstance(turn := match.turn, Over):
        seat = seats_to_act(turn)[0]
        before, view = match.state.zones[seat], match.view(seat)
        chosen = rabbit.choose(view, match.legal(seat), rng, Budget())
        if isinstance(chosen, KeepCards):
            break
        costs = []
        for action in match.legal(seat):
            zones = PARADE.apply(match.state, seat, action).state.zones[seat]
            costs.append((sum(card.value for card in zones), len(zones), action == chosen))
        assert next(cost[:2] for cost in costs if cost[2]) == min(costs)[:2], before
        match.play(seat, chosen)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.word)
def test_forced_choices_need_no_thinking(level: Any) -> None:
    match = Match(PARADE, 2, chance=Seeded(9))
    seat = seats_to_act(match.turn)[0]
    only = match.legal(seat)[:1]
    assert level.make().choose(match.view(seat), only, random.Random(1), Budget()) == only[0]


@pytest.mark.parametrize("name", ["white-rabbit", "hatter"])
def test_chance_events_are_not_choices(name: str) -> None:
    match = Match(PARADE, 2, chance=Seeded(9))
    seat = seats_to_act(match.turn)[0]
    bot = next(level for level in LEVELS if level.word == name).make()
    with pytest.raises(TypeError, match="nothing that a seat does"):
        bot.choose(match.view(seat), [DECK[0], DECK[1]], random.Random(1), LITTLE)
