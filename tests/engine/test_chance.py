"""Chance: exact weights, picking an outcome, and seeded outcomes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import Chance, Seeded


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_every_number_below_the_total_maps_to_an_outcome_by_weight(weights: list[int]) -> None:
    chance = Chance(tuple(range(len(weights))), "pile", weights=tuple(weights))
    assert chance.total == sum(weights)
    assert Counter(map(chance.pick, range(chance.total))) == dict(chance.weighted())


def test_without_weights_all_outcomes_are_equally_likely() -> None:
    chance = Chance(("a", "b", "c"), "pile")
    assert chance.total == 3
    assert [chance.pick(number) for number in range(3)] == ["a", "b", "c"]
    assert list(chance.weighted()) == [("a", 1), ("b", 1), ("c", 1)]


def test_a_number_beyond_the_total_maps_to_no_outcome() -> None:
    with pytest.raises(IndexError, match="the number must be below 3"):
        Chance(("a", "b"), "pile", weights=(1, 2)).pick(3)


def test_outcomes_can_be_excluded() -> None:
    assert Chance(("a", "b", "c"), "pile", 1).without(["b"]) == Chance(("a", "c"), "pile", 1)
    weighted = Chance(("a", "b"), "pile", weights=(2, 3))
    assert weighted.without(["a"]) == Chance(("b",), "pile", weights=(3,))


def test_streams_with_the_same_prefix_share_a_pool() -> None:
    assert Chance((), "card.parade").pool == Chance((), "card").pool == "card"


def test_seeded_outcomes_never_change() -> None:
    source = Seeded("wonderland")
    assert [source.below(limit, "any") for limit in (1, 2, 6, 66, 1000, 10**6)] == FROZEN


FROZEN = [0, 1, 3, 20, 117, 684038]


@given(st.integers(1, 10**9), st.integers())
def test_seeded_outcomes_stay_below_their_limit(limit: int, seed: int) -> None:
    assert 0 <= Seeded(seed).below(limit, "any") < limit


def test_seeded_outcomes_are_uniform() -> None:
    source = Seeded(7)
    counts = Counter(source.below(6, "die") for _ in range(6000))
    chi_squared = sum((counts[face] - 1000) ** 2 / 1000 for face in range(6))
    assert chi_squared < 20.5  # a fair die fails once in a thousand; this seed passes
