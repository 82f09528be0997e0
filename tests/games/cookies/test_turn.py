"""Cookies: a turn, C7 to C12."""

from __future__ import annotations

from typing import Any

import pytest

from wonderland.engine import FACE_DOWN, IllegalAction
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import (
    CardDrawn,
    CardPlayed,
    CookieTaken,
    CookieTurnedUp,
    PawnMoved,
)
from wonderland.games.cookies.rules.state import Drawing, Playing, TakeCookie, TurningUp


def test_c7_only_the_ends_of_the_hand_can_be_played(at: Any) -> None:
    play = at("3.4.2/2.3.5", "4/9")
    assert play.choices == ["left3", "right2"]
    with pytest.raises(IllegalAction, match=r"left4 isn't allowed here: the middle card .* \(rule C7\)"):
        play("left4")
    with pytest.raises(
        IllegalAction, match=r"right3 isn't allowed here: the right card is a different .* \(rule C7\)"
    ):
        play("right3")


def test_c7_either_of_two_cards_or_the_only_one_can_be_played(at: Any) -> None:
    nine = "1.1.2.2.3.3.4.4.5"
    play = at("5.J/5.J", "4/6", played=f"{nine}/{nine}", last="left5")
    assert play.choices == ["left5", "rightJ1", "rightJ2", "rightJ3", "rightJ4", "rightJ5"]
    play("left5 left5")
    assert play.choices == ["leftJ1", "leftJ2", "leftJ3", "leftJ4", "leftJ5"]
    with pytest.raises(
        IllegalAction, match=r"rightJ3 .* the only card of a hand is the left card \(rule C7\)"
    ):
        play("rightJ3")


def test_c7_turns_go_clockwise(at: Any) -> None:
    play = at("3.4.2/2.3.5/2.3.5", "8/4/13")
    assert play("left3 +5").state.stage == Playing(1)
    assert play("left2 +5").state.stage == Playing(2)
    assert play("left2 +4").state.stage == Playing(0)


def test_c8_the_pawn_moves_by_the_number_on_the_card(at: Any) -> None:
    play = at("5.4.2/2.3.5", "4/12")("left5")
    assert play.state.pawns == (8, 11)
    assert play.events[1] == PawnMoved(0, 3, 8, Kind.PLAIN, beyond=0, passed=False)


def test_c8_a_joker_is_any_number_from_1_to_5(at: Any) -> None:
    play = at("J.4.2/2.3.5", "4/12")
    assert play.choices == ["leftJ1", "leftJ2", "leftJ3", "leftJ4", "leftJ5", "right2"]
    assert play("leftJ4").state.pawns == (7, 11)


def test_c8_a_large_pawn_may_add_one_to_any_card(at: Any) -> None:
    play = at("5.4.J/2.3.5", "4L/15")
    assert play.choices[:4] == ["left5", "left5+1", "rightJ1", "rightJ1+1"]
    assert len(play.choices) == 12
    assert play("left5+1").state.pawns == (9, 14)


def test_c8_a_joker_plus_one_is_at_most_six(at: Any) -> None:
    assert at("5.4.J/2.3.5", "4L/15")("rightJ5+1").state.pawns == (9, 14)


def test_c8_a_small_pawn_adds_nothing(at: Any) -> None:
    with pytest.raises(
        IllegalAction,
        match=r"left5\+1 isn't allowed here: only a large pawn moves one extra space \(rule C8\)",
    ):
        at("5.4.J/2.3.5", "4/15L")("left5+1")


def test_c9_occupied_spaces_count(at: Any) -> None:
    assert at("5.4.2/2.3.5", "4/6")("left5").state.pawns == (8, 5)


def test_c9_a_pawn_moves_on_to_the_next_free_space(at: Any) -> None:
    play = at("5.4.2/2.3.5", "4/9")("left5")
    assert play.state.pawns == (9, 8)
    assert play.events[1] == PawnMoved(0, 3, 9, Kind.CATERPILLAR, beyond=1, passed=False)


def test_c9_a_pawn_moves_past_several_others(at: Any) -> None:
    play = at("2.4.5/2.3.5/2.3.5/2.3.5", "6/8/9/10")("left2")
    assert play.state.pawns == (10, 7, 8, 9)
    assert play.saw(PawnMoved) == [PawnMoved(0, 5, 10, Kind.PLAIN, beyond=3, passed=False)]


def test_c9_a_pawn_may_come_round_to_its_own_space(at: Any) -> None:
    # On eight spaces, 5 steps from the Tea Party lead to 6, and 6, 7 and 8 are occupied.
    ring = "board=T1-p1-p1-p1-p1-p1-p1-p1"
    play = at("5.4.2/2.3.5/2.3.5/2.3.5", "1/6/7/8", played="-/1/1/1", options=ring)("left5")
    assert play.saw(PawnMoved) == [PawnMoved(0, 0, 0, Kind.TEA_PARTY, beyond=3, passed=False)]
    assert play.choices == ["up", "down"]


def test_c10_passing_the_tea_party_takes_the_face_up_cookie(at: Any) -> None:
    play = at("5.4.2/2.3.5", "15/9")("left5")
    assert play.state.stage == TurningUp(0)
    assert play.outcomes == ["cookie2", "cookie3", "cookie4", "cookie5"]
    play("cookie5 +5")
    assert play.state.larder.large == ((3,), ())
    assert play.state.larder.face_up == 5
    assert play.state.pawns == (3, 8)


def test_c10_a_pawn_pushed_over_the_tea_party_passes_it(at: Any) -> None:
    play = at("2.4.5/2.3.5", "15/1")("left2")
    assert play.saw(PawnMoved) == [PawnMoved(0, 14, 1, Kind.PLAIN, beyond=1, passed=True)]
    assert play.saw(CookieTaken) == [CookieTaken(0, 3, TakeCookie.FACE_UP)]


def test_c10_leaving_the_tea_party_is_not_passing_it(at: Any) -> None:
    play = at("5.4.2/2.3.5", "1/9")("left5")
    assert not play.saw(CookieTaken)
    assert play.state.larder.face_up == 3


ALL_BUT_ONE = "2.2.2.2.3.3.3.4.4.4.4/5.5.5.5"


def test_c10_the_last_cookie_is_not_replaced(at: Any) -> None:
    play = at("5.4.2/2.3.5", "15/9", cookies=ALL_BUT_ONE)("left5")
    assert play.state.stage == Drawing(0)
    assert play.state.larder.face_up is None
    assert not play.saw(CookieTurnedUp)
    assert sum(map(len, play.state.larder.large)) == 16


def test_c10_with_no_cookies_left_none_is_taken(at: Any) -> None:
    play = at("5.4.2/2.3.5", "15/9", cookies="2.2.2.2.3.3.3.3.4.4.4.4/5.5.5.5", up="-")("left5")
    assert play.saw(PawnMoved)[0].passed
    assert not play.saw(CookieTaken)


def test_c10_a_cookie_appears_no_more_often_than_it_exists(at: Any) -> None:
    play = at("5.4.2/2.3.5", "15/9", cookies="2.2.2.2/5")("left5")
    assert play.outcomes == ["cookie3", "cookie4", "cookie5"]
    with pytest.raises(
        IllegalAction, match=r"cookie2 isn't allowed here: there is no such cookie .* \(rule C1\)"
    ):
        play("cookie2")


def test_c11_one_special_space_can_lead_to_another(at: Any) -> None:
    # From 15 over the Tea Party to the Cheshire Cat, by 4 more to Small Cookies, then a spin.
    play = at("4.5.2/2.3.5", "15/9")("left4 cookie2 spin4 +5")
    assert play.state.pawns == (6, 8)
    assert play.state.larder.small == (3, 0)


def test_c12_the_new_card_goes_between_the_other_two(at: Any) -> None:
    play = at("3.4.2/2.3.5", "8/4")("left3 +5")
    assert play.state.hands[0] == (4, 5, 2)
    assert play.events[-1] == CardDrawn(0, 5, shown=False)
    play = at("3.4.2/2.3.5", "8/4")("right2 +5")
    assert play.state.hands[0] == (3, 5, 4)


def test_c12_when_the_pile_is_empty_the_hand_shrinks(at: Any) -> None:
    seven = "1.1.2.2.3.3.4"
    play = at("4.5.5/4.5.5", "4/9", played=f"{seven}.J/{seven}.J", last="left4")
    play("left4")
    assert play.state.hands[0] == (5, 5)
    assert play.state.stage == Playing(1)


def test_c12_an_unseen_card_is_drawn_face_down(at: Any) -> None:
    play = at("3.4.2/2.3.5", "8/4")("left3 +?")
    assert play.state.hands[0] == (4, FACE_DOWN, 2)
    assert play.state.unseen[0] == (1, 2, 3, 4, 5, 5, Card.JOKER)
    assert play.state.piles == (6, 7)


def test_lucys_turn_from_the_rulebook(at: Any) -> None:
    play = at("3.4.2/2.3.5", "15/2")
    assert play.choices == ["left3", "right2"]
    play("left3")
    assert play.events == [
        CardPlayed(0, play.state.last),
        PawnMoved(0, 14, 2, Kind.CHESHIRE_CAT, beyond=1, passed=True),
        CookieTaken(0, 3, TakeCookie.FACE_UP),
    ]
    play("cookie2 +5")
    assert play.state.larder.face_up == 2
    assert play.state.pawns == (5, 1)
    assert play.state.hands[0] == (4, 5, 2)
    assert play.state.stage == Playing(1)
