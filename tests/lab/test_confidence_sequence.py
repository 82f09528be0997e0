"""Confidence sequences: valid under continuous monitoring, and conclusive in the end."""

from __future__ import annotations

import random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.lab.confidence_sequence import BettingTest, ConfidenceSequence
from wonderland.lab.statistics import proportion


def deal(rng: random.Random, chance: float) -> float:
    """The mean of two games on one deal."""
    return (int(rng.random() < chance) + int(rng.random() < chance)) / 2


def first_clear(rng: random.Random, chance: float, most: int) -> int | None:
    """Number of deals after which continuous monitoring would call the difference clear."""
    evidence = ConfidenceSequence()
    for number in range(1, most + 1):
        evidence.add(deal(rng, chance))
        if evidence.is_uneven:
            return number
    return None


def test_continuous_monitoring_is_seldom_wrong() -> None:
    rng = random.Random(2)
    wrong = sum(first_clear(rng, 0.5, 300) is not None for _ in range(500))
    assert wrong / 500 <= 0.05 + 0.02  # 0.05 and two standard errors


def test_an_ordinary_interval_would_often_be_wrong() -> None:
    """The planted fault: stopping when Wilson's interval first looks clear."""
    rng = random.Random(3)
    wrong = 0
    for _ in range(300):
        wins = 0
        for number in range(1, 301):
            wins += rng.random() < 0.5
            if number >= 10 and proportion(wins, number).is_clear_of(0.5):
                wrong += 1
                break
    assert wrong / 300 > 0.15


@pytest.mark.parametrize(("chance", "deals"), [(0.9, 20), (0.7, 60), (0.6, 300)])
def test_a_difference_becomes_clear(chance: float, deals: int) -> None:
    rng = random.Random(4)
    found = [first_clear(rng, chance, 2000) or 2000 for _ in range(41)]
    assert median(found) <= deals


def test_the_interval_always_covers_the_true_mean() -> None:
    rng = random.Random(5)
    missed = 0
    for _ in range(120):
        evidence = ConfidenceSequence()
        for _ in range(6):  # monitored six times
            evidence.extend(deal(rng, 0.3) for _ in range(20))
            found = evidence.estimate()
            if not found.low <= 0.3 <= found.high:
                missed += 1
                break
    assert missed / 120 <= 0.05 + 0.04


def test_paired_deals_reach_confidence_sooner() -> None:
    """The same mean of one half: from scattered games, and from pairs that cancel out."""
    scattered, paired = ConfidenceSequence(), ConfidenceSequence()
    scattered.extend([0.0, 1.0] * 50)
    paired.extend([0.5] * 100)
    one, other = scattered.estimate(), paired.estimate()
    assert other.high - other.low < (one.high - one.low) / 3


@given(st.lists(st.floats(0, 1), max_size=40))
def test_an_interval_contains_the_mean_and_agrees_with_the_verdict(numbers: list[float]) -> None:
    evidence = ConfidenceSequence()
    evidence.extend(numbers)
    found = evidence.estimate()
    assert 0 <= found.low <= found.value <= found.high <= 1
    if evidence.is_uneven:
        assert found.low >= 0.5 - 1e-3 or found.high <= 0.5 + 1e-3
    else:
        assert found.low <= 0.5 <= found.high


@given(st.floats(0.05, 0.95), st.lists(st.floats(0, 3), min_size=1, max_size=30))
def test_no_bet_changes_the_expected_capital(mean: float, stakes: list[float]) -> None:
    """With a coin of this mean, no bet changes the expected capital."""
    for stake in stakes:
        won, lost = BettingTest(mean), BettingTest(mean)
        won.bet(stake, 1.0)
        lost.bet(stake, 0.0)
        for side in ("up", "down"):
            after = mean * 2.718281828459045 ** getattr(won, side) + (1 - mean) * (
                2.718281828459045 ** getattr(lost, side)
            )
            assert after == pytest.approx(0.5)
