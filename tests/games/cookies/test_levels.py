"""The bots of Cookies: honest, repeatable, and ordered by strength."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.faults import Fault
from support.kernel_variants import compiled_module, uncompiled, variants
from support.kernel_variants import kernel as kernel_of
from wonderland.bots import Dodo, decide, level, levels
from wonderland.components.bots import Bot, Budget, Level
from wonderland.engine import Acting, Match, Over, Seeded, laws
from wonderland.engine.options import read_options
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.games.cookies import GAME
from wonderland.games.cookies.bots import levels as bot
from wonderland.games.cookies.encoding import packing
from wonderland.games.cookies.rules.options import OPTIONS, Options
from wonderland.games.cookies.rules.state import State

SMALL = Budget(playouts=3)
SEARCHES = [kernel_of("cookies", way, "search") for way in variants("cookies")]
KERNELS = [kernel_of("cookies", way) for way in variants("cookies")]
each_level = pytest.mark.parametrize("level", bot.LEVELS, ids=lambda level: level.word)


@st.composite
def choices(draw: st.DrawFn) -> tuple[State, Seat]:
    """A state in which a seat has a choice, and the seat."""
    texts = {option.name: draw(st.sampled_from(option.examples)) for option in OPTIONS}
    rng = random.Random(draw(st.integers(0, 2**32)))
    seats = draw(st.sampled_from(GAME.info.seats))
    match = laws.random_match(GAME, seats, read_options(GAME, texts), rng)
    turns = [(state, GAME.turn(state)) for state, _ in match.record.states()]
    acting = [(state, turn.seats[0]) for state, turn in turns if isinstance(turn, Acting)]
    return rng.choice([(state, seat) for state, seat in acting if len(GAME.legal(state, seat)) > 1])


def choice(player: Bot, state: State, seat: Seat, budget: Budget = SMALL) -> Any:
    return player.choose(GAME.view(state, seat), GAME.legal(state, seat), random.Random(9), budget)


def observer(make: Callable[[State], Bot]) -> laws.Observer:
    """Return a bot's choice as an observation of its seat, for law 7."""

    def observed(_: AnyGame, state: State, seat: Seat | None) -> object:
        its_turn = seat is not None and bool(GAME.legal(state, seat))
        return choice(make(state), state, seat) if its_turn and seat is not None else None

    return observed


class Peeping:
    """Plays its left card if the next player's left card is high: it was given the state."""

    name = "Peeping"

    def __init__(self, state: State) -> None:
        self.state = state

    def choose(self, view: Any, legal: Any, rng: random.Random, budget: Budget) -> Any:
        following = self.state.hands[(view.stage.seat + 1) % len(view.hands)]
        return legal[0 if following and following[0] > 3 else -1]


@each_level
@given(chosen=choices(), seed=st.integers(0, 2**32))
def test_law_7_holds_for_every_bot(level: Level, chosen: tuple[State, Seat], seed: int) -> None:
    state, _ = chosen
    player = level.make()
    rng = random.Random(seed)
    laws.check_secrecy(GAME, len(state.hands), state, rng, [observer(lambda _: player)])


def test_law_7_catches_a_bot_that_gets_the_state() -> None:
    rng = random.Random(3)
    match = laws.random_match(GAME, 3, Options(), rng)
    states = [state for state, _ in match.record.states() if isinstance(GAME.turn(state), Acting)]

    def check_all_states() -> None:
        for state in states:
            laws.check_secrecy(GAME, 3, state, rng, [observer(Peeping)])

    with pytest.raises(laws.LawBroken, match="law 7"):
        check_all_states()


@each_level
@given(chosen=choices())
def test_the_same_random_numbers_give_the_same_choice(level: Level, chosen: tuple[State, Seat]) -> None:
    busy = level.make()
    first = choice(busy, *chosen)
    assert first in GAME.legal(*chosen)
    assert choice(busy, *chosen) == first  # earlier searches make no difference
    assert choice(level.make(), *chosen) == first


@each_level
def test_forced_choices_need_no_thinking(level: Level, at: Any) -> None:
    state = at("3/4", "8/4", played="1.1.2.2.3.4.4.5.5.J/1.1.2.2.3.3.4.5.5.J", last="left5").state
    rng = random.Random(1)
    before = rng.getstate()
    legal = GAME.legal(state, 0)
    assert level.make().choose(GAME.view(state, 0), legal, rng, Budget(seconds=1000)) is legal[0]
    assert rng.getstate() == before


def test_obvious_choices(at: Any) -> None:
    """The last card: to the Small Cookies, or to nothing; and the best cookie at the Tea Party."""
    nearly_over = "1.1.2.2.3.4.4.5.J/1.1.2.2.3.3.4.5.5.J"
    for each in bot.LEVELS:
        play = at("3.5/4", "4/9", played=nearly_over, last="left5", up="5")
        assert GAME.write(choice(each.make(), play.state, 0, Budget(playouts=60))) == "left3"
        play = at("2.3.3/2.3.5", "15/9", up="5")("left2")
        assert GAME.write(choice(each.make(), play.state, 0, Budget(playouts=60))) == "up"


def test_a_time_budget_is_used_and_kept() -> None:
    match = laws.random_match(GAME, 4, Options(), random.Random(5))
    state = next(state for state, _ in match.record.states() if isinstance(GAME.turn(state), Acting))
    seat = GAME.turn(state).seats[0]  # type: ignore[union-attr]
    queen = level("cookies", "queen").make()
    started = perf_counter()
    choice(queen, state, seat, Budget(seconds=0.1))
    assert 0.1 <= perf_counter() - started < 2  # machines are busy at times
    assert isinstance(queen, bot.Searcher)
    assert queen.search.tried_so_far() >= 1


def test_a_searcher_has_a_budget_of_its_own() -> None:
    player = bot.Searcher("Duchess", 0, playouts=7)
    match = laws.random_match(GAME, 2, Options(), random.Random(5))
    state = next(state for state, _ in match.record.states() if len(GAME.legal(state, 0)) > 1)
    choice(player, state, 0, Budget())
    assert player.search.tried_so_far() == 7
    for nothing in (Budget(playouts=0), Budget(seconds=0)):  # it still thinks a little
        choice(player, state, 0, nothing)
        assert player.search.tried_so_far() == 1


def looked_ahead(search: Any, words: list[int], depth: int) -> tuple[list[int], list[float]]:
    search.load(words, 2**64 - 5)
    search.look(4, depth)
    search.look(8, depth)
    return search.actions(), search.expected()


@given(chosen=choices(), depth=st.sampled_from([0, 2, 100]))
def test_a_search_has_the_same_expectations_compiled_or_not(
    chosen: tuple[State, Seat], depth: int
) -> None:
    state, seat = chosen
    words = packing.pack(state)
    found = [looked_ahead(search.Search(), words, depth) for search in SEARCHES]
    assert all(other == found[0] for other in found)
    assert found[0][0] == [packing.number(action) for action in GAME.legal(state, seat)]


@given(chosen=choices(), seed=st.integers(0, 2**32))
def test_a_search_never_sees_other_hands(chosen: tuple[State, Seat], seed: int) -> None:
    state, seat = chosen
    other = GAME.sample_state(GAME.view(state, seat), random.Random(seed))
    search = SEARCHES[-1].Search()
    assert looked_ahead(search, packing.pack(state), 100) == looked_ahead(
        search, packing.pack(other), 100
    )


@pytest.mark.parametrize(("hands", "same"), [("hidden", True), ("open", False)])
def test_a_search_redeals_other_hands_only_where_they_are_hidden(
    at: Any, hands: str, same: bool
) -> None:
    search = SEARCHES[-1].Search()
    low, high = (
        packing.pack(
            at(f"3.4.2/{cards}", "4/9", options=f"hands={hands}" if hands == "open" else "-").state
        )
        for cards in ("1.2.2", "5.5.4")
    )
    assert (looked_ahead(search, low, 0) == looked_ahead(search, high, 0)) == same


def test_a_search_continues_when_its_tree_is_full(at: Any) -> None:
    module = compiled_module("cookies", "search")
    small = uncompiled(module, Fault(module, "", "NODES = _", "NODES = 12"))
    search = small.Search()
    words = packing.pack(at("3.4.2/2.3.5", "4/9").state)
    _, expected = looked_ahead(search, words, 100)
    assert len(search.visits) == 12
    assert search.nodes == 11
    assert search.tried_so_far() == 12
    assert all(-2 < each < 3 for each in expected)


@given(chosen=choices())
def test_the_white_rabbit_is_the_same_compiled_or_not(chosen: tuple[State, Seat]) -> None:
    found = set()
    for each in KERNELS:
        table = each.KernelState()
        table.load(packing.pack(chosen[0]))
        found.add(table.choose())
    assert len(found) == 1


def wins(better: Bot, worse: Bot, budget: Budget, plays: int) -> int:
    """Return how many two-player games the better bot wins, from either side of the table."""
    won = 0
    for number in range(plays):
        match: Any = Match(GAME, 2, chance=Seeded(number // 2))
        players = (better, worse) if number % 2 else (worse, better)
        rng = random.Random(number)
        while not isinstance(turn := match.turn, Over):
            seat = turn.seats[0]
            match.play(seat, decide(players[seat], match, seat, rng, budget))
        won += turn.result.winners == (number % 2 ^ 1,)
    return won


@pytest.mark.parametrize(
    ("better", "worse", "playouts", "least"),
    [
        ("white-rabbit", "dodo", 1, 74),
        ("cheshire", "white-rabbit", 12, 54),
        ("queen", "white-rabbit", 12, 54),
    ],
)
def test_the_better_bot_wins_more_often(better: str, worse: str, playouts: int, least: int) -> None:
    if playouts > 1 and len(variants("cookies")) == 1:
        pytest.skip("a hundred plays take too long where the kernel is not compiled")
    one, other = level("cookies", better).make(), level("cookies", worse).make()
    assert wins(one, other, Budget(playouts=playouts), 100) >= least


def test_levels_are_ordered_by_strength() -> None:
    assert levels("cookies")[0].name == Dodo.name
    assert [each.word for each in bot.LEVELS] == ["white-rabbit", "hatter", "cheshire", "queen"]
    budgets = [each.budget.playouts or each.budget.seconds or 0 for each in bot.LEVELS]
    assert all(less < more for less, more in pairwise(budgets))
    assert all(each.make().name == each.name for each in bot.LEVELS)
