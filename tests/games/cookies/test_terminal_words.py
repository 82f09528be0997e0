"""Cookies on the full screen: the text beside the ring, and the score sheet."""

from __future__ import annotations

import random
from typing import Any

import pytest

from wonderland.components.terminal import TextPicture, Viewport
from wonderland.engine.language import ENGLISH
from wonderland.engine.laws import random_match
from wonderland.engine.options import read_options
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.state import State
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui import terminal
from wonderland.games.cookies.ui.canvas import Box, Canvas

NAMES = ["Alice", "Hatter", "Queen of Hearts", "三月うさぎとお茶会"]
SHORT, TALL = Viewport(76, 17), Viewport(138, 36)


def states(way: dict[str, str], seats: int, seed: int) -> list[State]:
    """States of a random play."""
    match = random_match(GAME, seats, read_options(GAME, way), random.Random(seed))
    return [state for state, _ in match.record.states()]


def draw(view: View, viewport: Viewport = SHORT, word: str = "") -> TextPicture:
    """Draw the picture, with the action of this word marked."""
    marked = GAME.read(word) if word else None
    return terminal.draw(view, NAMES[: len(view.hands)], viewport, marked)


def lines_of(picture: TextPicture) -> list[str]:
    """Return the lines without their styles."""
    return [line.plain for line in picture.lines]


STAGES = [
    ("3.4.2/2.3.5", "6/9", "", "", "It's Alice's turn.", "C7"),
    ("3.4.2/2.3.5", "6L/9", "", "", "It's Alice's turn.", "C8"),
    ("3.4.2/2.3.5", "14/9", "", "", "It's Alice's turn.", "C18"),
    ("3.4.2/2.3.5", "14/9", "left3", "", "3 spins left", "C18"),
    ("2.4.3/2.3.5", "14/9", "left2 spin3", "", "1 spin left", "C18"),
    ("3.4.2/2.3.5", "14/9", "", "kind_hole=true", "It's Alice's turn.", "C22"),
    ("3.4.2/2.3.5", "4/9", "left3", "", "small cookies", "C14"),
    ("2.4.3/2.3.5", "15/9", "left2", "", "a large cookie", "C13"),
    ("2.4.3/2.3.5", "15/9", "left2 down", "", "It's Alice's turn.", "C13"),
    ("2.4.3/2.3.5", "15/9", "left2 up", "", "It's Alice's turn.", "C10"),
    ("3.4.2/2.3.5", "6/9", "left3", "", "It's Alice's turn.", "C12"),
]


@pytest.mark.parametrize(("hands", "pawns", "words", "options", "sentence", "rule"), STAGES)
def test_the_stage_is_described_and_has_a_rule(  # noqa: PLR0913, PLR0917 - a table
    at: Any, hands: str, pawns: str, words: str, options: str, sentence: str, rule: str
) -> None:
    facts = {"options": options, "stuck": "1"} if options else {}
    view = GAME.view(at(hands, pawns, **facts)(words).state, 0)
    assert sentence in terminal._status(view, NAMES, ENGLISH)[0]
    assert terminal.rule(view) == rule


def test_rules_before_and_after_the_play() -> None:
    rules = [terminal.rule(GAME.view(state, 0)) for state in states({}, 2, 1)]
    assert rules[:9] == ["C6"] * 7 + ["C5", "C7"]
    assert rules[-1] == "C19"


def test_a_joker_and_an_extra_step_are_described(at: Any) -> None:
    view = GAME.view(at("J.4.2/2.3.5", "6L/9")("leftJ3+1").state, 1)
    assert "Last card: Joker as 3" in "".join(lines_of(draw(view)))


def test_the_sheet_counts_points_and_shows_tie_breaks() -> None:
    state = states({}, 4, 3)[-1]
    view = GAME.view(state, None)
    lines = lines_of(terminal.sheet(view, NAMES, SHORT))
    assert lines[0].split() == ["(2)", "(3)", "(4)", "(5)", "Small", "Points", "Large", "Pawn", "on"]
    result = state.stage.result  # type: ignore[union-attr]
    for seat, line in enumerate(lines[1:5]):
        *counts, small, total, large, space = line.replace("-", "0").split()[-8:]
        values = sum(value * int(count) for value, count in zip((2, 3, 4, 5), counts, strict=True))
        assert values + int(small) == int(total) == result.scores[seat]
        assert int(large) == sum(map(int, counts)) == len(state.larder.large[seat])
        assert int(space) == state.pawns[seat] + 1
        assert line.startswith("★") == (seat in result.winners)
    assert "Tea Party" in lines[5]


def test_a_sheet_can_be_viewed_before_the_end(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9", cookies="2.5.5/-", small="1/0").state, 0)
    assert lines_of(terminal.sheet(view, NAMES[:2], SHORT))[1] == (
        "  Alice     1    -    -    2      1      13      3        6"
    )


def test_both_palettes_draw_the_same_characters(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9").state, 0)
    light = draw(view, Viewport(76, 17, dark=False))
    assert lines_of(light) == lines_of(draw(view))
    assert [line.spans for line in light.lines] != [line.spans for line in draw(view).lines]


@pytest.mark.parametrize(
    ("action", "label"),
    [
        ("left3", "left 3"),
        ("rightJ4+1", "right J=4+1"),
        ("left3/walk", "↑ left 3"),
        ("accept", "go"),
        ("again", "spin again"),
        ("up", "up"),
        ("down", "stack"),
        ("spin3", ""),
    ],
)
def test_a_choice_has_a_short_label(at: Any, action: str, label: str) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9").state, 0)
    assert terminal.label(view, GAME.read(action)) == label


def test_wide_characters_take_two_cells() -> None:
    canvas = Canvas(3, 6)
    canvas.write(0, 0, "お茶", "bold")
    canvas.write(1, 0, "お茶会")
    canvas.write(1, 1, "x")  # half of a character can't stay
    canvas.write(1, 3, "yz")
    canvas.centre(2, Box(2, 0, 1, 6), "会")
    assert [line.plain for line in canvas.lines()] == ["お茶  ", " x yz ", "  会  "]
    assert all(line.cell_len == 6 for line in canvas.lines())
