"""Confidence intervals: against closed forms, and by their coverage."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.lab.statistics import Estimate, mean, proportion, quantile, spread
from wonderland.lab.totals import Moments


@pytest.mark.parametrize(
    ("successes", "number", "low", "high"),
    [  # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_match_published_values(
    successes: int, number: int, low: float, high: float
) -> None:
    found = proportion(successes, number)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 10**7), st.data())
def test_an_interval_contains_the_estimate_and_stays_in_bounds(number: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, number))
    found = proportion(successes, number)
    assert 0 <= found.low <= found.value <= found.high <= 1
    mirrored = proportion(number - successes, number)
    assert mirrored.low == pytest.approx(1 - found.high)
    wider = proportion(successes, number, 0.99)
    assert wider.low <= found.low
    assert wider.high >= found.high


def test_without_games_nothing_is_concluded() -> None:
    assert proportion(0, 0) == Estimate(0.0, 0.0, 1.0)
    assert not mean(Moments(0, 0, 0)).is_clear_of(12)
    assert spread(Moments(1, 5, 25)) == 0


def test_wilson_intervals_cover_the_truth_in_95_percent_of_cases() -> None:
    rng = random.Random(1)
    for truth, number in [(0.5, 100), (0.1, 100), (0.25, 40)]:
        held = 0
        for _ in range(1000):
            wins = sum(rng.random() < truth for _ in range(number))
            found = proportion(wins, number)
            held += found.low <= truth <= found.high
        assert 0.925 <= held / 1000 <= 0.98


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=50), st.sampled_from([1, 60]))
def test_mean_and_spread_match_the_textbook(numbers: list[int], unit: int) -> None:
    found = Moments.of(Counter(numbers))
    middle = sum(numbers) / len(numbers) / unit
    deviation = math.sqrt(sum((n / unit - middle) ** 2 for n in numbers) / (len(numbers) - 1))
    assert spread(found, unit) == pytest.approx(deviation)
    estimate = mean(found, unit)
    half = 1.959963984540054 * deviation / math.sqrt(len(numbers))
    assert estimate.value == pytest.approx(middle)
    assert estimate.high - estimate.value == pytest.approx(half, abs=1e-9)
    assert estimate.value - estimate.low == pytest.approx(half, abs=1e-9)


def test_quantiles_match_published_tables() -> None:
    for confidence, expected in [(0.9, 1.6449), (0.95, 1.9600), (0.99, 2.5758)]:
        assert quantile(confidence) == pytest.approx(expected, abs=5e-5)
