"""Evaluation of choices: based on what the seat knows, deterministic, with honest error bounds."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import kernel_variants
from support.paths import RECORDS
from support.stones_game import GAME as STONES
from support.stones_game import State as Stones
from wonderland.bots import levels
from wonderland.bots.evaluation import (
    can_evaluate,
    default_budget,
    evaluate,
    evaluation_version,
    recalled_view,
)
from wonderland.components.bots import Budget
from wonderland.components.information_sets import resample_history
from wonderland.components.judge import ActionValue, Evaluation, value_from_wins
from wonderland.engine import Match, Seeded, game, read_record
from wonderland.engine.errors import UsageError
from wonderland.engine.laws import random_match
from wonderland.engine.match import seats_to_act
from wonderland.engine.record import Record
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.engine.registry import game_names
from wonderland.games.cookies.encoding import packing as cookies_packing
from wonderland.games.letters.bots import judge as letters_judge
from wonderland.games.letters.bots import solution
from wonderland.games.letters.rules.state import TurnedDown
from wonderland.games.parade.bots import judge as parade_judge
from wonderland.games.parade.bots import levels as parade_bot
from wonderland.games.parade.encoding import packing as parade_packing
from wonderland.games.parade.rules.state import Keeping, Playing

LITTLE = Budget(playouts=6)
SEEDS = st.integers(0, 2**32)
CHANCES = st.floats(0, 1)
ERRORS = st.floats(0, 0.5)


def choices(
    name: str, seats: int, seed: int, wanted: Callable[[Any], bool] = lambda _: True
) -> tuple[AnyRecord, list[tuple[int, int]]]:
    """A random play, and a decision in it: the number of moves before it, and the seat."""
    record = random_match(game(name), seats, None, random.Random(seed)).record
    found = [
        (place, seat)
        for place, (state, _) in enumerate(record.states())
        for seat in seats_to_act(record.game.turn(state))
        if len(record.game.legal(state, seat)) > 1 and wanted(state)
    ]
    return record, found


# Values and evaluations


@given(st.lists(st.tuples(CHANCES, ERRORS), min_size=1, max_size=6), st.data())
def test_the_best_choice_has_no_loss_and_losses_are_never_negative(
    found: list[tuple[float, float]], data: Any
) -> None:
    values = tuple(ActionValue(number, *each) for number, each in enumerate(found))
    judgement = Evaluation(0, values)
    best, other = judgement.best, data.draw(st.sampled_from(values))
    assert judgement.cost(best.action) == 0 <= judgement.cost(other.action)
    assert not judgement.is_clear(best.action)
    assert all(value.chance < best.chance for value in values[: values.index(best)])
    if judgement.is_clear(other.action):
        surer = Evaluation(0, tuple(ActionValue(each.action, each.chance, 0.0) for each in values))
        assert surer.is_clear(other.action)
        assert judgement.cost(other.action) > 3 * max(best.error, other.error)


def test_an_illegal_choice_has_no_value() -> None:
    with pytest.raises(ValueError, match="walk was not among the choices"):
        Evaluation(0, (ActionValue("run", 0.5, 0.0),)).of("walk")


@given(st.integers(1, 10**6), st.data())
def test_win_counts_are_never_certain_and_narrow_with_more_samples(tries: int, data: Any) -> None:
    wins = data.draw(st.integers(0, tries))
    few, many = value_from_wins("it", wins, tries), value_from_wins("it", 4 * wins, 4 * tries)
    assert few.chance == many.chance == wins / tries
    assert 0 < many.error < few.error <= 0.5


# Every judge


def other_pasts(match: AnyMatch, seat: int, rng: random.Random) -> AnyMatch:
    """Return another play that this seat would have witnessed identically."""
    record, moves = match.record, tuple(resample_history(match, seat, rng))
    return Match.resume(Record(record.game, record.names, record.options, moves))


def check_honest(name: str, seats: int, seed: int) -> None:
    """Law 7 for judges: nothing the seat did not witness changes a verdict."""
    rng = random.Random(seed)
    record, found = choices(name, seats, seed)
    for place, seat in rng.sample(found, 3):
        match: AnyMatch = Match.resume(record, upto=place)
        other = other_pasts(match, seat, rng)
        one = evaluate(match.game, match.state, seat, LITTLE)
        assert evaluate(match.game, other.state, seat, LITTLE) == one, "law 7"
        assert [value.action for value in one.action_values] == list(match.legal(seat))
        assert all(0 <= value.chance <= 1 for value in one.action_values)


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=8)
@given(data=st.data(), seed=SEEDS)
def test_law_7_unwitnessed_events_change_no_verdict(name: str, data: Any, seed: int) -> None:
    check_honest(name, data.draw(st.sampled_from(game(name).info.seats)), seed)


@pytest.mark.parametrize("name", ["parade", "cookies"])
def test_law_7_catches_a_judge_that_peeks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def peeking(state: Any, seat: int) -> Any:
        shown = game(name).reveal(state)
        return type(shown)(seat, *[getattr(shown, field) for field in shown.__struct_fields__[1:]])

    module = parade_judge if name == "parade" else sys.modules["wonderland.games.cookies.bots.judge"]
    monkeypatch.setattr(module, "known", peeking, raising=False)
    with pytest.raises(AssertionError, match="law 7"):  # noqa: PT012 - some pasts happen to agree
        for seed in range(10):
            check_honest(name, 3, seed)


@pytest.mark.parametrize("name", game_names())
def test_equal_positions_get_equal_verdicts_and_others_do_not(name: str) -> None:
    record, found = choices(name, 3, 4)
    verdicts = []
    for place, seat in [*found[:3], *found[:3]]:
        state = Match.resume(record, upto=place).state
        line = record.game.write_position(state)  # earlier evaluations make no difference
        verdicts.append(evaluate(record.game, record.game.read_position(line), seat, LITTLE))
    assert verdicts[:3] == verdicts[3:]
    assert verdicts[0] != verdicts[1]


@pytest.mark.parametrize("name", game_names())
def test_a_judge_thinks_at_least_as_long_as_every_level(name: str) -> None:
    for seats in game(name).info.seats:
        usual = default_budget(name, seats)
        assert usual.seconds is None
        for level in levels(name):
            assert (usual.playouts or 0) >= (level.budget.playouts or 0)
    assert evaluation_version(name).split(".")[1] != "0"


@pytest.mark.parametrize("name", ["parade", "cookies"])
def test_unrecorded_decisions_are_not_judged(name: str) -> None:
    file = "noted-by-the-hatter" if name == "parade" else "noted-by-alice"
    record = read_record((RECORDS / name / f"{file}.record").read_text()).whole
    noter = record.names.index("Hatter" if name == "parade" else "Alice")
    for state, _ in record.states():
        for seat in seats_to_act(record.game.turn(state)):
            if seat == noter:
                assert can_evaluate(record.game, state, seat)
            elif not can_evaluate(record.game, state, seat):
                with pytest.raises(UsageError, match=r"Seat \d's hand isn't known"):
                    evaluate(record.game, state, seat, LITTLE)
            else:
                assert len(record.game.legal(state, seat)) <= 2  # nothing in the hand matters
    with pytest.raises(UsageError, match="Seat 1 has no choice to make here"):
        evaluate(record.game, state, 0, LITTLE)


def test_a_game_with_only_the_protocol_is_judged() -> None:
    found = evaluate(STONES, Stones(4, 0), 0, Budget(playouts=500))  # with random play it is 3/4 to 1/2
    assert found.best.action == 1
    assert found.is_clear(2)
    assert abs(found.cost(2) - 0.25) < 0.15
    assert evaluate(STONES, Stones(2, 0), 0).of(2).chance == 1


# Judges of the games


@pytest.mark.parametrize("policy", [parade_bot.policy_for(2), parade_bot.policy_for(3)])
def test_parade_samples_every_card_equally_in_every_variant(policy: int) -> None:
    match = Match(game("parade"), 3, chance=Seeded(2))
    seat = seats_to_act(match.turn)[0]
    found = []
    for way in kernel_variants.variants("parade"):
        module = kernel_variants.kernel("parade", way, "tree")
        table = kernel_variants.kernel("parade", way).KernelState()
        table.load(parade_packing.pack(match.state))
        tree = module.Tree()
        tree.load(table, seat, 7)
        tree.grow(50 * len(match.legal(seat)), policy, 0.7, 4, evenly=1)
        found.append(tree.found())
        assert {tried for tried, _ in tree.found().values()} == {50}
    assert all(one == pytest.approx(found[0]) for one in found)


@pytest.mark.parametrize(("stage", "times"), [("midst", 1), ("last round", 4), ("keeping", 20)])
def test_parade_thinks_as_long_in_the_endgame_as_in_midgame(
    stage: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parade_bot, "COMPILED", False)  # the figures for slow machines are enough

    def wanted(state: Any) -> bool:
        if isinstance(state.stage, Playing):
            return stage == ("midst" if state.stage.turns_left is None else "last round")
        return isinstance(state.stage, Keeping) and stage == "keeping"

    record, found = choices("parade", 3, 3, wanted)  # with two players the endgame is solved
    place, seat = found[-1]
    state = Match.resume(record, upto=place).state
    one = evaluate(record.game, state, seat)
    same = evaluate(record.game, state, seat, Budget(playouts=100 * times))
    assert one == same != evaluate(record.game, state, seat, Budget(playouts=150 * times))


@pytest.mark.parametrize("way", kernel_variants.variants("cookies"))
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_wins_in_cookies_are_counted_in_parts(way: str, seed: int) -> None:
    record, found = choices("cookies", 2, seed)
    place, _ = found[-1]
    state = Match.resume(record, upto=place).state
    search = kernel_variants.kernel("cookies", way, "search").Search()
    search.load(cookies_packing.pack(state), seed)
    search.look(30, 100)
    for won, expected in zip(search.won(), search.expected(), strict=True):
        assert 0 <= won <= 30
        assert (2 * won).is_integer()
        assert abs(expected - won / 30) <= 2  # besides the lead, and half of a shared win


def test_wins_in_cookies_are_the_same_in_every_variant() -> None:
    record, found = choices("cookies", 4, 5)
    state = Match.resume(record, upto=found[3][0]).state
    counts = []
    for way in kernel_variants.variants("cookies"):
        search = kernel_variants.kernel("cookies", way, "search").Search()
        search.load(cookies_packing.pack(state), 5)
        search.look(20, 100)
        counts.append(search.won())
    assert all(count == counts[0] for count in counts)


def test_two_player_letters_is_judged_exactly_and_playouts_come_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record, found = choices("letters", 2, 8, lambda state: any(map(is_known, state.spaces)))
    place, seat = found[0]
    state = Match.resume(record, upto=place).state
    exact = evaluate(record.game, state, seat)
    solved = solution.cached_solution(state.options)
    assert solved is not None
    assert {value.action: value.chance for value in exact.action_values} == solved.win_probabilities(
        state
    )
    assert not any(value.error for value in exact.action_values)
    monkeypatch.setattr(solution, "cached_solution", lambda _: None)
    near = evaluate(record.game, state, seat, Budget(playouts=4000))
    for value in near.action_values:
        assert 0 < value.error < 0.02  # what the search may miss is part of it
        assert abs(value.chance - exact.of(value.action).chance) < 0.05  # in midgame


def is_known(space: Any) -> bool:
    return isinstance(space, TurnedDown)


def test_a_letter_seen_once_is_remembered_permanently() -> None:
    record, found = choices("letters", 3, 8, lambda state: any(map(is_known, state.spaces)))
    place, seat = found[0]
    state = Match.resume(record, upto=place).state
    view = recalled_view(record.game, state, seat)
    assert view.seat == seat
    assert (
        sum(map(is_known, view.spaces)) > 0 == sum(map(is_known, record.game.view(state, seat).spaces))
    )
    legal, rng = record.game.legal(state, seat), random.Random(1)
    forgotten = letters_judge.action_values(
        record.game.view(state, seat), legal, rng, Budget(playouts=50)
    )
    assert len({value.chance for value in forgotten}) == 1  # for which every card looks new
    assert len({value.chance for value in evaluate(record.game, state, seat).action_values}) > 1
