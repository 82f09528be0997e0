"""Cookies: the reason for refusing a card that is not at that end of the hand."""

from __future__ import annotations

from typing import Any

import pytest

from wonderland.engine import IllegalAction
from wonderland.games.cookies import GAME

ANOTHER = "the left card is a different one (rule C7)."


def refusal(state: Any, word: str) -> str:
    with pytest.raises(IllegalAction) as raised:
        GAME.apply(state, 0, GAME.read(word))
    return str(raised.value)


def test_c7_another_card_than_the_only_one_is_refused(at: Any) -> None:
    state = at("3/4", "4/9", played="1.1.2.2.3.4.4.5.5.J/1.1.2.2.3.3.4.5.5.J").state
    assert refusal(state, "left5") == f"left5 isn't allowed here: {ANOTHER}"
    assert refusal(state, "right3") == (
        "right3 isn't allowed here: the only card of a hand is the left card (rule C7)."
    )


def test_c8_a_large_pawn_adds_1_to_no_card_but_that_of_the_hand(at: Any) -> None:
    words = {"pawns": "4L/9", "hands": "3.4.2/2.3.5"}
    assert refusal(at(**words).state, "left5+1") == f"left5+1 isn't allowed here: {ANOTHER}"
    small = at(**words | {"pawns": "4/9"}).state
    assert (
        refusal(small, "left3+1")
        == "left3+1 isn't allowed here: only a large pawn moves one extra space (rule C8)."
    )


def test_c22_no_card_but_that_of_the_hand_walks_out_of_a_kind_hole(at: Any) -> None:
    facts = {"hands": "3.4.2/2.3.5", "pawns": "14/9", "options": "kind_hole=true"}
    stuck = at(**facts, stuck="1").state
    assert refusal(stuck, "left5/walk") == f"left5/walk isn't allowed here: {ANOTHER}"
    assert refusal(at(**facts).state, "left3/walk").endswith("after a failed climb (rule C22).")
