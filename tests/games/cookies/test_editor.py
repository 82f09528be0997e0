"""Cookies: what the position form asks for, and what it infers."""

from __future__ import annotations

import pytest

from wonderland.components.editor import Form
from wonderland.engine.language import ENGLISH
from wonderland.games.cookies.rules.position import read_position
from wonderland.games.cookies.ui import editor

NAMES = ("Alice", "Bill", "Dinah", "Gryphon")
HOLE = "14"
BOARD = "T1-C2-p3-C1-R0-S2-L3-p9"


def form(**facts: str) -> Form:
    return editor.form({key.replace("option_", "option-"): facts[key] for key in facts}, NAMES, ENGLISH)


def words(found: Form, key: str) -> list[str]:
    return [word for choice in found.choices if choice.key == key for word, _ in choice.options]


def test_the_start_needs_a_hand_and_a_cookie() -> None:
    found = form()
    assert {place.key: place.lacks for place in found.places if place.lacks} == {"hands0": 3, "up": 1}
    ready = form(hands0="3.J.4", up="4")
    assert read_position(editor.line(ready)).piles == (8, 8)
    assert form(option_hand_size="2").place("hands0").wanted == 2


def test_the_last_card_is_one_that_was_played() -> None:
    found = form(played0="2", played1="3.J", turn="1")
    assert words(found, "last") == [
        *("left3", "right3"),
        *(f"{side}J{number}" for number in range(1, 6) for side in ("left", "right")),
    ]
    for last, is_kept in (("right3+1", True), ("left3/walk", False), ("left5", False), ("up", False)):
        kept = form(played0="2", played1="3", turn="1", last=last).value("last")
        assert (kept == last) is is_kept
    walked = form(played0="2", played1="3", turn="1", last="left3/walk", option_kind_hole="true")
    assert walked.value("last") == "left3/walk"
    assert "last=- " in editor.line(form())
    assert words(form(played1="3", turn="2"), "last") == []  # Alice has played none


def test_in_a_hole_the_form_asks_who_failed_to_climb_out() -> None:
    asked = [choice.key for choice in form(pawn0=HOLE, pawn1=HOLE, large="1").choices]
    assert "stuck0" in asked
    assert "stuck1" not in asked
    found = form(pawn0=HOLE, stuck0="yes")
    assert "stuck=1 " in editor.line(found)
    assert editor.facts(editor.line(found), 0)["stuck0"] == "yes"


def test_climbing_asks_for_spins_and_the_spinner() -> None:
    facts = {"hands0": "2.5", "played0": "4", "pawn0": HOLE, "up": "4", "last": "left4"}
    found = form(stage="decide", spins="2", spinner="3", **facts)
    state = read_position(editor.line(found))
    assert (state.spinner, state.piles) == (2, (8, 8))
    assert not [
        choice for choice in found.choices if choice.key in ("spinner", "last") and choice.is_rare
    ]
    assert "spins" not in form(stage="play", spins="2").facts


def test_open_hands_must_all_be_set() -> None:
    found = form(option_hands="open", hands0="1.2.3", hands1="4.5.J", up="2", seat="1")
    assert found.places[0].key == "hands1"
    assert read_position(editor.line(found)).hands == ((1, 2, 3), (4, 5, 6))


def test_a_custom_board_is_kept_or_dropped() -> None:
    found = form(option_board=BOARD, pawn0="8")
    assert words(found, "option-board") == ["default", BOARD]
    assert len(words(found, "pawn0")) == 8
    assert f"options=board={BOARD}" in editor.line(found)
    assert words(form(option_board="T1-x"), "option-board") == []


def test_when_all_large_cookies_are_taken_none_is_face_up() -> None:
    taken = ".".join(str(value) for value in range(2, 6) for _ in range(4))
    found = form(cookies0=taken, up="3")
    assert found.place("up").wanted == 0
    assert "up=- " in editor.line(found)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_large_pawn_is_described(seat: int) -> None:
    facts = editor.facts(editor.EXAMPLE, seat)
    assert facts["large"] == "1"
    assert [facts[f"pawn{owner}"] for owner in range(3)] == ["4", "6", "9"]
