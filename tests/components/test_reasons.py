"""Formatting shared by the reasons of all games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, Outlook, compose, decimal
from wonderland.engine.language import ENGLISH

CALLED = ("Red 1", "Red 10")
AVERAGES = "n 300 imagined games Red 1 ends with 12 points on average, Red 10 with 17.5."
CHANCES = "Red 1 wins 50 of 100 games, Red 10 wins 25."


def choices(best: float = 0.5, other: float = 0.25) -> Choices:
    return Choices(ActionValue("one", best, 0.0), ActionValue("another", other, 0.0), CALLED)


@given(st.floats(-1000, 1000))
def test_a_decimal_has_one_digit_after_the_point(number: float) -> None:
    text = decimal(number, ENGLISH)
    assert abs(float(text) - number) <= 0.05 + 1e-9
    assert not text.endswith(".0")
    assert text != "-0"


@pytest.mark.parametrize(
    ("best", "other", "text"),
    [
        (0.5, 0.25, CHANCES),
        (0.5, 0.499, "Red 1 wins 500 of 1000 games, Red 10 wins 499."),
        (0.5, 0.49999, "Red 1 wins as often as Red 10."),
    ],
)
def test_probabilities_are_rounded_as_finely_as_they_differ(
    best: float, other: float, text: str
) -> None:
    assert choices(best, other).chances(ENGLISH) == text


FOUND = Outlook(300, 12.04, 17.46, 1.0)
BOTH = "Red 1 takes nothing; Red 10 takes nothing."


@pytest.mark.parametrize(
    ("facts", "found", "text"),
    [
        ([Fact(3, BOTH), Fact(1, "Red 10 b.")], FOUND, f"{BOTH} Red 10 b."),
        ([Fact(1, BOTH), Fact(3, "Red 10 b.")], FOUND, f"Red 10 b. {BOTH}"),
        ([Fact(3, BOTH), Fact(0.5, "Red 10 b.")], FOUND, f"{BOTH} I{AVERAGES}"),
        ([Fact(3, BOTH)], None, BOTH),
        ([Fact(0.5, BOTH)], None, f"{BOTH} {CHANCES}"),
        ([Fact(0, BOTH)], None, CHANCES),
        ([Fact(-1, BOTH), Fact(3, "Red 10 b.")], FOUND, f"{BOTH} Yet i{AVERAGES}"),
        ([Fact(-1, BOTH), Fact(3, "Red 10 b.")], None, f"{BOTH} Yet {CHANCES}"),
        ([Fact(0, BOTH), Fact(3, "Red 10 b."), Fact(2, "red 10 c.")], FOUND, f"Red 10 b. I{AVERAGES}"),
        ([Fact(0, BOTH), Fact(3, "Red 10 b.")], None, f"Red 10 b. {CHANCES}"),
    ],
)
def test_the_largest_difference_is_explained_and_both_choices_are_named(
    facts: list[Fact], found: Outlook | None, text: str
) -> None:
    assert compose(choices(), facts, ENGLISH, found) == text


def test_averages_within_sampling_error_are_not_a_difference() -> None:
    assert FOUND.difference == pytest.approx(-5.42)
    assert Outlook(300, 12.0, 17.0, 3.0).difference == 0
