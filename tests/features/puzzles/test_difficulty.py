"""Ratings: of puzzles, from the success of solvers; and of players, from first attempts."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from wonderland.bots.puzzle import MOST_STARS, Puzzle
from wonderland.features.puzzles.difficulty import rate
from wonderland.features.puzzles.progress import (
    PuzzleRating,
    PuzzleResults,
    load_progress,
    save_progress,
)

PUZZLE = Puzzle("one", 2, 0, "", (), rating=1600, deviation=100)


@given(st.lists(st.tuples(*[st.integers(0, 8)] * 4), min_size=2, max_size=12))
def test_a_puzzle_that_is_solved_more_often_has_a_lower_rating(rows: list[tuple[int, ...]]) -> None:
    found = rate(rows, 8).puzzles
    assert abs(sum(rating for rating, _ in found) / len(found) - 1500) < 2
    for row, (rating, deviation) in zip(rows, found, strict=True):
        assert 0 < deviation <= 348  # never more than before any try
        for other, (other_rating, _) in zip(rows, found, strict=True):
            if sum(row) > sum(other):
                assert rating <= other_rating + 1


def test_ratings_are_recovered_from_tries() -> None:
    rng = random.Random(1)
    true = [rng.gauss(0, 1.5) for _ in range(200)]
    strengths = (-1.0, 0.0, 0.5, 1.5)
    rows = [
        tuple(sum(rng.random() < 1 / (1 + exp(each - level)) for _ in range(20)) for level in strengths)
        for each in true
    ]
    found = rate(rows, 20)
    middle = sum(true) / len(true)
    inside = sum(
        abs(rating - 1500 - (each - middle) * 173.7) < 2 * deviation
        for each, (rating, deviation) in zip(true, found.puzzles, strict=True)
    )
    assert inside > 180
    assert list(found.solvers) == sorted(found.solvers)


def test_tries_that_contradict_each_other_widen_the_deviation() -> None:
    like_the_model = [(1, 4, 7), (4, 7, 8), (0, 1, 4)] * 4
    unlike = [(8, 0, 8), (0, 8, 0), (8, 8, 0), (0, 0, 8)] * 3
    assert rate(unlike, 8).puzzles[0][1] > rate(like_the_model, 8).puzzles[0][1]


@given(st.integers(800, 2200), st.integers(50, 350), st.booleans())
def test_a_player_rises_by_solving_and_falls_by_failing(
    rating: int, deviation: int, solved: bool
) -> None:
    before = PuzzleRating()
    after = before.after(replace(PUZZLE, rating=rating, deviation=deviation), solved=solved)
    assert (after.rating > before.rating) is solved
    assert after.deviation < before.deviation


def test_a_rating_approaches_the_strength_of_its_player() -> None:
    rng, player = random.Random(2), PuzzleRating()
    for _ in range(400):
        puzzle = replace(PUZZLE, rating=rng.randrange(1200, 2000), deviation=60)
        player = player.after(
            puzzle, solved=rng.random() < 1 / (1 + 10 ** ((puzzle.rating - 1750) / 400))
        )
    assert abs(player.rating - 1750) < 2.5 * player.deviation


def test_only_the_first_attempt_counts_and_days_in_a_row_are_counted() -> None:
    own = PuzzleResults().after(PUZZLE, solved=True, day=10)
    assert (own.first, own.row.length) == ({"one": 1}, 1)
    assert own.after(PUZZLE, solved=False, day=11) == own
    two, three = replace(PUZZLE, id="two"), replace(PUZZLE, id="three")
    assert own.after(two, solved=True, day=11).row.length == 2
    assert own.after(two, solved=True, day=12).row.length == 1
    assert own.after(two, solved=False, day=11).row.length == 0
    assert own.after(two, solved=True, day=None).row == own.row
    assert own.choose([PUZZLE, two, three], random.Random(0)).id in {"two", "three"}
    assert own.choose([PUZZLE], random.Random(0)) == PUZZLE


def test_results_are_kept_in_a_file_if_possible(tmp_path: Path) -> None:
    path = tmp_path / "data" / "puzzles.json"
    assert load_progress(path) == {}
    results = {"parade": PuzzleResults().after(PUZZLE, solved=True, day=3)}
    assert save_progress(path, results)
    assert load_progress(path) == results
    path.write_text("tea")
    assert load_progress(path) == {}
    assert not save_progress(path / "further", results)


def test_stars_grow_with_the_rating() -> None:
    stars = [replace(PUZZLE, rating=rating).stars for rating in range(900, 2100, 100)]
    assert stars == sorted(stars)
    assert (stars[0], stars[-1]) == (1, MOST_STARS)
