"""Simulations: the result does not depend on workers, chunks or the way a run ends."""

from __future__ import annotations

import os
import signal
from array import array
from collections.abc import Callable, Iterable, Iterator
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.paths import TESTS
from wonderland.bots import levels
from wonderland.engine.errors import UsageError
from wonderland.engine.registry import game, game_names
from wonderland.kernels.kernel import ROW, kernel
from wonderland.lab.executors import (
    ProcessExecutor,
    SerialExecutor,
    ThreadExecutor,
    count_cores,
    executor,
    split_range,
)
from wonderland.lab.game_runner import GameSetup, RowWriter, Simulation, Streams, play_numbers
from wonderland.lab.run import Run
from wonderland.lab.statistics import mean
from wonderland.lab.summary import Comparison, Summary, summarise
from wonderland.lab.totals import WHOLE_WIN, Moments, Rows, Totals

QUICK = "dodo"
THROUGH_THE_RULES = "dodo@1"
"""The same bot with a budget of its own, which kernels don't know."""


def simulation(name: str, bot: str = QUICK, seats: int = 2, seed: str = "tea") -> Simulation:
    return Simulation(GameSetup(name, seats), (bot,) * seats, seed)


def run_to_end(run: Run) -> Run:
    run.play()
    return run


@pytest.mark.parametrize("name", game_names())
def test_totals_do_not_depend_on_workers_or_chunks(name: str) -> None:
    one = simulation(name, seats=3 if 3 in game(name).info.seats else 2)
    expected = run_to_end(Run((one,), 300)).totals
    assert expected[0].games == 300
    for workers, chunk in [(1, 7), (2, 100), (3, 64), (3, None), (2, 1)]:
        run = Run((one,), 300, chunk=chunk)
        run.play(by=ThreadExecutor(workers))
        assert run.totals == expected, (workers, chunk)


def test_totals_are_the_same_in_other_processes() -> None:
    one = simulation("parade", THROUGH_THE_RULES)
    expected = run_to_end(Run((one,), 12)).totals
    run = Run((one,), 12, workers=2, chunk=5)
    run.play(by=ProcessExecutor(2))
    assert run.totals == expected


@given(st.integers(0, 2**40), st.integers(1, 20), st.sampled_from([QUICK, THROUGH_THE_RULES]))
@settings(max_examples=8)
def test_a_game_depends_only_on_its_number(first: int, count: int, bot: str) -> None:
    one = simulation("letters", bot)
    together = play_numbers(one, first, count)
    alone = array("i")
    for number in range(first, first + count):
        alone.extend(play_numbers(one, number, 1).numbers)
    assert together.numbers == alone


def test_another_seed_gives_other_games() -> None:
    one, other = (play_numbers(simulation("parade", seed=seed), 0, 50) for seed in ("tea", "jam"))
    assert one.numbers != other.numbers


@pytest.mark.parametrize("name", game_names())
def test_the_kernel_plays_the_same_game_as_the_rules(name: str) -> None:
    """Dodo in the kernel and Dodo through the readable rules: other games, the same odds."""
    number = 250
    fast = run_to_end(Run((simulation(name),), 4 * number)).totals[0]
    slow = run_to_end(Run((simulation(name, THROUGH_THE_RULES),), number)).totals[0]
    numbers: list[Callable[[Totals], Moments]] = [
        lambda totals: Moments.of(totals.lengths),
        lambda totals: Moments.of(totals.scores[0]),
        lambda totals: totals.share_by_order(0),
        lambda totals: totals.share_of_seats([1]),
        *(
            lambda totals, ending=ending: Moments(
                totals.games, totals.endings[ending], totals.endings[ending]
            )
            for ending in {*fast.endings, *slow.endings}
        ),
    ]
    for of in numbers:
        one, other = mean(of(fast), confidence=0.9999), mean(of(slow), confidence=0.9999)
        reach = one.high - one.value + other.high - other.value + 12 / number
        assert abs(one.value - other.value) <= reach
    beginners = {first for first, _ in slow.outcomes}
    assert beginners == {first for first, _ in fast.outcomes} == {0, 1}


@pytest.mark.parametrize("name", game_names())
def test_a_kernel_policy_is_the_level_of_the_same_name(name: str) -> None:
    """A simulated level must be the bot that people play against."""
    fast = kernel(name)
    assert fast is not None
    for word in set(fast.POLICIES) & {level.word for level in levels(name)} - {QUICK}:
        shares = []
        for bot, games in [(word, 2000), (f"{word}@1", 250)]:
            against_dodo = Simulation(GameSetup(name, 2), (bot, QUICK), "tea")
            totals = run_to_end(Run((against_dodo,), games)).totals[0]
            shares.append(mean(totals.share_of_seats([0]), WHOLE_WIN, confidence=0.9999))
        one, other = shares
        reach = hypot(one.high - one.value, other.high - other.value)
        assert abs(one.value - other.value) <= reach, word


def test_dodo_against_dodo_is_even_and_a_better_bot_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)
    found = summarise(run_to_end(Run((simulation("parade"),), 2000)))
    assert isinstance(found, Summary)
    assert not found.seats[0].wins.is_clear_of(0.5)
    assert sum(seat.wins.value for seat in found.seats) == pytest.approx(1)
    mixed = Simulation(GameSetup("parade", 2), ("support.sample_bots:Searcher@4", QUICK), "tea")
    better = summarise(run_to_end(Run((mixed,), 25)))
    assert isinstance(better, Summary)
    assert better.seats[0].wins.low > 0.5


class Interrupting:
    """Raises the signal of Ctrl-C after some chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def tell(self, _: int) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

    def keep(self, first: int, rows: list[Rows]) -> None:
        assert len(rows[0].numbers) % ROW == 0
        self.tell(first)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_equals_a_run_of_fewer_games(workers: int) -> None:
    run = Run((simulation("parade"),), 10_000, workers=workers, chunk=50)
    run.play(Interrupting(after=4).tell)
    assert run.is_interrupted
    assert run.played == 200
    assert run.totals == run_to_end(Run((simulation("parade"),), 200)).totals


def test_an_interrupt_while_counting_waits_until_the_count_is_complete() -> None:
    run = Run((simulation("parade"),), 10_000, chunk=50, keepers=(Interrupting(after=3),))
    run.play()
    assert run.is_interrupted
    assert run.played == 150
    assert run.totals == run_to_end(Run((simulation("parade"),), 150)).totals
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_games_can_be_excluded() -> None:
    whole = run_to_end(Run((simulation("cookies"),), 100)).totals[0]
    begin = run_to_end(Run((simulation("cookies"),), 60)).totals[0]
    begin.add(run_to_end(Run((simulation("cookies"),), 40, skip=60)).totals[0])
    assert begin == whole


def test_a_variant_is_compared_in_pairs() -> None:
    both = tuple(
        Simulation(GameSetup("letters", 2, (("claim", claim),)), (QUICK,) * 2, "tea")
        for claim in ("after", "first")
    )
    found = summarise(run_to_end(Run(both, 3000, chunk=170)))
    assert isinstance(found, Comparison)
    changes = {change.name: change for change in found.changes}
    assert changes["moves"].is_clear
    assert changes["moves"].difference.value < 0
    for change in found.changes:
        assert change.after - change.before == pytest.approx(change.difference.value, abs=1e-9)
    again = summarise(run_to_end(Run(both, 3000, workers=2)))
    assert again == found
    same = summarise(run_to_end(Run((both[0], both[0]), 500)))
    assert isinstance(same, Comparison)
    assert not any(change.is_clear for change in same.changes)
    assert all(change.difference.high == 0 for change in same.changes)


def test_equal_variants_are_seldom_called_different() -> None:
    """Two seeds of the same variant: at most one table in twenty may be called different."""
    wrong = 0
    for number in range(30):
        pair = tuple(simulation("parade", seed=f"{which} {number}") for which in ("one", "other"))
        found = summarise(run_to_end(Run(pair, 150)))
        assert isinstance(found, Comparison)
        wrong += any(change.is_clear for change in found.changes)
    assert wrong <= 5


class Failing:
    """A keeper that fails."""

    def keep(self, first: int, rows: list[Rows]) -> None:
        raise OSError(28, "No space left on device")


def test_errors_are_not_swallowed() -> None:
    with pytest.raises(OSError, match="No space left"):
        run_to_end(Run((simulation("parade"),), 100, keepers=(Failing(),)))
    with pytest.raises(UsageError, match="no bot called 'nobody'"):
        run_to_end(Run((simulation("parade", "nobody"),), 100))


def test_streams_are_independent() -> None:
    one, other = Streams("tea"), Streams("tea")
    for _ in range(5):
        other.below(6, "spin")
    assert [one.below(66, "card") for _ in range(9)] == [other.below(66, "card") for _ in range(9)]
    assert one.below(10**9, "card") != Streams("tea").below(10**9, "spin")


@given(st.integers(0, 100), st.integers(0, 100), st.integers(1, 30))
def test_chunks_cover_the_whole(first: int, count: int, size: int) -> None:
    numbers = [begin + i for begin, many in split_range(first, count, size) for i in range(many)]
    assert numbers == list(range(first, first + count))


def test_the_executor_is_chosen_by_workers_and_threads() -> None:
    assert isinstance(executor(1, threads=False), SerialExecutor)
    assert isinstance(executor(2, threads=True), ThreadExecutor)
    assert isinstance(executor(2, threads=False), ProcessExecutor)
    assert count_cores() >= 1
    assert list(ThreadExecutor(3).run(str, range(40))) == [str(number) for number in range(40)]


def test_work_is_not_submitted_long_before_it_is_needed() -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    def first_of(results: Iterable[str]) -> str:
        return next(iter(results))

    assert first_of(ThreadExecutor(2).run(str, tasks())) == "0"
    assert len(taken) < 20


def test_too_many_seats_are_rejected() -> None:
    """None of our games has that many; another may."""
    with pytest.raises(UsageError, match="can't simulate games with 7 seats: the limit is 6"):
        RowWriter(GameSetup("parade", 7))
