"""Formatting shared by the reasons of all games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.formatting import MINUS
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, PlayoutComparison, compose, decimal
from wonderland.engine.language import ENGLISH

CALLED = ("Red 1", "Red 10")
AVERAGES = "ver 300 simulated games, Red 1 averages 12 points; Red 10 averages 17.5."
CHANCES = "Red 1 wins 50 games in 100; Red 10 wins 25."


def choices(best: float = 0.5, other: float = 0.25) -> Choices:
    return Choices(ActionValue("one", best, 0.0), ActionValue("another", other, 0.0), CALLED)


@given(st.floats(-1000, 1000))
def test_a_decimal_has_one_digit_after_the_point(number: float) -> None:
    text = decimal(number, ENGLISH)
    assert abs(float(text.replace(MINUS, "-")) - number) <= 0.05 + 1e-9
    assert not text.endswith(".0")
    assert text != f"{MINUS}0"


@pytest.mark.parametrize(
    ("best", "other", "text"),
    [
        (0.5, 0.25, CHANCES),
        (0.5, 0.499, "Red 1 wins 500 games in 1000; Red 10 wins 499."),
        (0.5, 0.49999, "Red 1 wins just as often as Red 10."),
    ],
)
def test_probabilities_are_rounded_as_finely_as_they_differ(
    best: float, other: float, text: str
) -> None:
    assert choices(best, other).chances(ENGLISH) == text


FOUND = PlayoutComparison(300, 12.04, 17.46, 1.0)
BOTH = "Red 1 takes nothing; Red 10 takes nothing."
MORE, RETURN = "What matters more: Red 10 b.", "In return: Red 10 b."


@pytest.mark.parametrize(
    ("facts", "found", "text"),
    [
        ([Fact(3, BOTH), Fact(1, "Red 10 b.")], FOUND, f"{BOTH} Red 10 b."),
        ([Fact(1, BOTH), Fact(3, "Red 10 b.")], FOUND, f"Red 10 b. {BOTH}"),
        ([Fact(3, BOTH), Fact(0.5, "Red 10 b.")], FOUND, f"{BOTH} O{AVERAGES}"),
        ([Fact(3, BOTH)], None, BOTH),
        ([Fact(0.5, BOTH)], None, f"{BOTH} {CHANCES}"),
        ([Fact(0, BOTH)], None, CHANCES),
        ([Fact(-1, BOTH)], FOUND, f"{BOTH} But o{AVERAGES}"),
        ([Fact(-1, BOTH), Fact(0.5, "Red 10 b.")], None, f"{BOTH} Even so, {CHANCES}"),
        ([Fact(-1, BOTH), Fact(3, "Red 10 b.")], FOUND, f"{BOTH} {MORE}"),
        ([Fact(-1, BOTH), Fact(2, "Red 10 c."), Fact(3, "Red 10 b.")], None, f"{BOTH} {MORE}"),
        ([Fact(-4, BOTH), Fact(3, "Red 10 b.")], FOUND, f"{BOTH} {RETURN} But o{AVERAGES}"),
        ([Fact(0, BOTH), Fact(3, "Red 10 b."), Fact(2, "red 10 c.")], FOUND, f"Red 10 b. O{AVERAGES}"),
        ([Fact(0, BOTH), Fact(3, "Red 10 b.")], None, f"Red 10 b. {CHANCES}"),
    ],
)
def test_the_largest_difference_is_explained_and_both_choices_are_named(
    facts: list[Fact], found: PlayoutComparison | None, text: str
) -> None:
    assert compose(choices(), facts, ENGLISH, found) == text


def test_averages_within_sampling_error_are_not_a_difference() -> None:
    assert FOUND.difference == pytest.approx(-5.42)
    assert PlayoutComparison(300, 12.0, 17.0, 3.0).difference == 0


RIVAL = PlayoutComparison(300, 22.0, 20.04, 0.5, seat=1)
NAMES = ("Alice", "Bill")
SOONER = "Over 300 simulated games, Red 1 ends the game 1.5 moves sooner than Red 10 on average,"
LATER = "Over 300 simulated games, Red 1 makes the game 2 moves longer than Red 10 on average,"


@pytest.mark.parametrize(
    ("own", "more_wins", "has_race", "text"),
    [
        (PlayoutComparison(300, 12.04, 17.46, 1.0, 0, (RIVAL,)), False, False, f"O{AVERAGES}"),
        (
            PlayoutComparison(300, 15.0, 15.0, 1.0, 0, (RIVAL,)),
            False,
            False,
            "Over 300 simulated games, Bill averages 22 points after Red 1, and 20 after Red 10.",
        ),
        (PlayoutComparison(300, 15.0, 15.0, 1.0, 0, (RIVAL,)), True, True, None),
        (
            PlayoutComparison(300, 25.0, 25.0, 1.0, 0, (RIVAL,), later=-1.5),
            True,
            True,
            f"{SOONER} which helps the leader.",
        ),
        (
            PlayoutComparison(300, 15.0, 15.0, 1.0, 0, (RIVAL,), later=2.0),
            True,
            True,
            f"{LATER} which leaves time to catch up.",
        ),
        (PlayoutComparison(300, 15.0, 15.0, 1.0, 0, (RIVAL,), later=-2.0), True, True, None),
        (PlayoutComparison(300, 15.0, 15.0, 1.0, 0, (RIVAL,), later=2.0), True, False, None),
    ],
)
def test_playouts_speak_only_for_the_better_choice(
    own: PlayoutComparison, more_wins: bool, has_race: bool, text: str | None
) -> None:
    found = own.in_favour(NAMES, more_wins=more_wins, has_race=has_race)
    assert text == (None if found is None else found.sentence(choices(), ENGLISH))
    if found is not None and text is not None:
        yet = found.sentence(choices(), ENGLISH, yet=True)
        assert yet == f"But o{text.removeprefix('O')}"
