"""The playbill: places, and a headline that addresses the viewer."""

from __future__ import annotations

import pytest

from wonderland.engine.language import ENGLISH
from wonderland.engine.outcome import Result
from wonderland.web.playbill import playbill, told_later

NAMES = ("Alice", "Hatter", "Hare", "Queen")
FACES = ("king", "hatter", "march-hare", "queen")


def result(*winners: int, scores: tuple[int, ...]) -> Result:
    return Result(winners, scores, "lowest score", "")


@pytest.mark.parametrize(
    ("winners", "scores", "places"),
    [
        ((1,), (35, 27, 41), (2, 1, 3)),  # low scores are good
        ((2,), (35, 27, 41), (2, 3, 1)),  # high scores are good
        ((0, 1), (5, 5, 9), (1, 1, 3)),
        ((0,), (5, 5, 9, 9), (1, 2, 3, 3)),  # the tie was broken
        ((1,), (4, 4), (2, 1)),
    ],
)
def test_winners_come_first_and_equal_scores_share_a_place(
    winners: tuple[int, ...], scores: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert result(*winners, scores=scores).places == places


def test_you_is_said_to_the_viewer_alone() -> None:
    over = result(1, scores=(35, 27, 41, 50))
    for viewer, headline in ((1, "You win."), (0, "You came second."), (3, "You came fourth.")):
        shown = playbill(over, NAMES, FACES, viewer, ENGLISH)
        assert shown["headline"] == headline
        assert [row["name"] for row in shown["rows"] if row["mine"]] == ["You"]
        assert [row["seat"] for row in shown["rows"]] == [1, 0, 2, 3]
        assert ("Hatter" in shown["reason"]) == (viewer != 1)
    watched = playbill(over, NAMES, FACES, None, ENGLISH)
    assert "Hatter" in watched["headline"]
    assert not any(row["mine"] for row in watched["rows"])


def test_a_shared_win_is_everyones() -> None:
    over = result(0, 2, scores=(5, 9, 5, 9))
    assert playbill(over, NAMES, FACES, 2, ENGLISH)["star"] == FACES[2]
    assert playbill(over, NAMES, FACES, 1, ENGLISH)["star"] == FACES[0]
    assert playbill(over, NAMES, FACES, 2, ENGLISH)["headline"] == "You share the win."
    shown = playbill(over, NAMES, FACES, 1, ENGLISH)
    assert "Alice, Hare" in shown["reason"]
    assert [row["mood"] for row in shown["rows"]] == ["pleased", "pleased", "dismayed", "dismayed"]
    assert "shares" in shown["rows"][0]["says"]


def test_a_list_of_games_says_who_won() -> None:
    over, shared = result(1, scores=(35, 27, 41, 50)), result(0, 2, scores=(5, 9, 5, 9))
    assert told_later(over, NAMES, [1], ENGLISH) == "You won."
    assert told_later(over, NAMES, [0], ENGLISH) == "Hatter won. You came second."
    assert told_later(over, NAMES, [0, 1], ENGLISH) == "Hatter won."  # several people at one screen
    assert told_later(shared, NAMES, [2], ENGLISH) == "You shared the win."
    assert told_later(shared, NAMES, [3], ENGLISH).startswith("Alice, Hare shared the win.")
