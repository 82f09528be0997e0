"""Ratings: they order bots by skill, report their uncertainty, and count a bot once."""

from __future__ import annotations

import random

from wonderland.lab.ratings import ratings


def games(rng: random.Random, skills: list[float], number: int) -> list[tuple[list[int], int]]:
    """Tables of all bots, won in proportion to their skill."""
    found = []
    for _ in range(number):
        seats = rng.sample(range(len(skills)), len(skills))
        winner = rng.choices(range(len(seats)), [skills[bot] for bot in seats])[0]
        found.append((seats, 1 << winner))
    return found


def test_the_better_bot_has_the_higher_rating() -> None:
    found = ratings(3, games(random.Random(1), [1, 3, 9], 400))
    assert found[0].value < found[1].value < found[2].value
    assert found[0].high < found[2].low


def test_more_games_narrow_the_confidence_interval() -> None:
    rng = random.Random(2)
    few, many = (ratings(2, games(rng, [1, 2], number))[0] for number in (20, 500))
    assert many.high - many.low < few.high - few.low


def test_equal_bots_have_ratings_that_overlap() -> None:
    rng = random.Random(3)
    overlaps = 0
    for _ in range(60):
        one, other = ratings(2, games(rng, [1, 1], 60))
        overlaps += one.low <= other.high and other.low <= one.high
    assert overlaps >= 54


def test_three_seats_of_one_bot_do_not_triple_the_confidence() -> None:
    alone = ratings(2, [([0, 1], 1)] * 10)
    among = ratings(2, [([0, 1, 1, 1], 1)] * 10)
    assert among[1].high - among[1].low > 0.5 * (alone[1].high - alone[1].low)
    assert among[0].value > among[1].value


def test_self_play_and_shared_wins_carry_no_information() -> None:
    first = ratings(2, [])
    assert ratings(2, [([0, 0], 1)]) == first
    shared = ratings(2, [([0, 1], 3)])
    assert shared[0].value == shared[1].value
