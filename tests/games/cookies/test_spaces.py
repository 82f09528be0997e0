"""Cookies: the special spaces, C13 to C18."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from wonderland.engine import IllegalAction
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.events import (
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    FellIntoHole,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    SpinMade,
    StayedInHole,
)
from wonderland.games.cookies.rules.state import (
    Climbing,
    Deciding,
    Drawing,
    Playing,
    Spinning,
    TakeCookie,
    Taking,
    TurningUp,
)

ALL_BUT_ONE = "2.2.2.2.3.3.3.4.4.4.4/5.5.5.5"
ALL = "2.2.2.2.3.3.3.3.4.4.4.4/5.5.5.5"


def test_c13_stopping_at_the_tea_party_is_a_choice_of_two_cookies(at: Any) -> None:
    play = at("2.4.3/2.3.5", "15/9")("left2")
    assert play.state.stage == Taking(0)
    assert play.choices == ["up", "down"]
    assert not play.saw(CookieTaken)


def test_c13_after_a_face_up_cookie_the_next_is_turned_up(at: Any) -> None:
    play = at("2.4.3/2.3.5", "15/9")("left2 up")
    assert play.state.stage == TurningUp(0)
    play("cookie5")
    assert play.events == [CookieTurnedUp(5)]
    assert play.state.larder.large[0] == (3,)
    assert play.state.larder.face_up == 5
    assert play.state.stage == Drawing(0)


def test_c13_after_a_face_down_cookie_the_face_up_one_stays(at: Any) -> None:
    # Lucy leaves the 3 and turns over a 5.
    play = at("2.4.3/2.3.5", "15/9")("left2 down")
    assert play.outcomes == ["cookie2", "cookie3", "cookie4", "cookie5"]
    play("cookie5")
    assert play.events == [CookieTaken(0, 5, TakeCookie.FACE_DOWN)]
    assert play.state.larder.large[0] == (5,)
    assert play.state.larder.face_up == 3
    assert Counter(play.state.larder.stack) == {2: 4, 3: 3, 4: 4, 5: 3}
    assert play.state.stage == Drawing(0)


def test_c13_with_one_cookie_left_there_is_no_choice(at: Any) -> None:
    play = at("2.4.3/2.3.5", "15/9", cookies=ALL_BUT_ONE)("left2")
    assert play.saw(CookieTaken) == [CookieTaken(0, 3, TakeCookie.FACE_UP)]
    assert play.state.larder.face_up is None
    assert play.state.stage == Drawing(0)


def test_c13_with_nothing_left_nothing_happens(at: Any) -> None:
    play = at("2.4.3/2.3.5", "15/9", cookies=ALL, up="-")("left2")
    assert not play.saw(CookieTaken)
    assert play.state.stage == Drawing(0)


def test_c13_the_last_cookie_of_the_stack_is_still_a_choice(at: Any) -> None:
    play = at("2.4.3/2.3.5", "15/9", cookies="2.2.2.2.3.3.3.4.4.4.4/5.5.5")("left2 down cookie5")
    assert play.state.larder.stack == ()
    assert play.state.larder.face_up == 3


def test_c14_a_spin_gives_the_number_of_small_cookies_taken(at: Any) -> None:
    play = at("3.4.2/2.3.5", "4/9")("left3")
    assert play.state.stage == Spinning(0)
    play("spin8")
    assert play.events == [SpinMade(0, 7), SmallCookiesTaken(0, 3)]
    assert play.state.larder.small == (3, 0)
    assert play.state.larder.small_left == 17
    assert play.state.spinner == 7


def test_c14_if_fewer_are_left_all_of_them_are_taken(at: Any) -> None:
    # Lucy spins a 3 and takes the last 2.
    play = at("3.4.2/2.3.5", "4/9", small="10/8")("left3 spin8")
    assert play.saw(SmallCookiesTaken) == [SmallCookiesTaken(0, 2)]
    assert play.state.larder.small == (12, 8)
    assert play.state.larder.small_left == 0


def test_c14_with_none_left_the_space_is_plain(at: Any) -> None:
    play = at("3.4.2/2.3.5", "4/9", small="12/8")("left3")
    assert play.state.pawns[0] == 6
    assert play.state.stage == Drawing(0)


def test_c14_a_space_may_give_nothing(at: Any) -> None:
    ring = "board=T1-p0-S1-p1-p1-p1-p1-p1"
    play = at("2.4.3/2.3.5", "1/6", options=ring)("left2 spin2")
    assert play.saw(SmallCookiesTaken) == [SmallCookiesTaken(0, 0)]


def test_c15_a_small_pawn_becomes_large(at: Any) -> None:
    play = at("5.4.2/2.3.5", "5/9")("left5")
    assert play.state.large == 0
    assert play.saw(PawnGrew) == [PawnGrew(0)]


def test_c15_another_large_pawn_becomes_small(at: Any) -> None:
    play = at("5.4.2/2.3.5", "5/9L")("left5")
    assert play.state.large == 0
    assert play.events[-2:] == [PawnShrank(1), PawnGrew(0)]


def test_c15_a_large_pawn_becomes_small(at: Any) -> None:
    play = at("5.4.2/2.3.5", "5L/9")("left5")
    assert play.state.large is None
    assert play.events[-1] == PawnShrank(0)


def test_c16_the_pawn_moves_again_by_the_same_number(at: Any) -> None:
    play = at("2.4.3/2.3.5", "1/9")("left2")
    assert play.state.pawns[0] == 4
    assert play.events[1:] == [
        PawnMoved(0, 0, 2, Kind.CHESHIRE_CAT, beyond=0, passed=False),
        SentOn(0, 2),
        PawnMoved(0, 2, 4, Kind.PLAIN, beyond=0, passed=False),
    ]


def test_c16_steps_over_other_pawns_are_not_repeated(at: Any) -> None:
    assert at("1.4.3/2.3.5", "1/2", played="5/1")("left1").state.pawns[0] == 3


def test_c16_the_number_includes_a_large_pawns_extra_step(at: Any) -> None:
    play = at("1.4.3/2.3.5", "1L/9", played="5/1")("left1+1")
    assert play.saw(SentOn) == [SentOn(0, 2)]
    assert play.state.pawns[0] == 4


def test_c16_a_joker_moves_again_by_the_number_declared(at: Any) -> None:
    assert at("J.4.3/2.3.5", "1/9")("leftJ2").state.pawns[0] == 4
    assert at("J.4.3/2.3.5", "1L/9")("leftJ1+1").state.pawns[0] == 4


TWO_CATS = "board=T1-p1-C1-p1-C1-p1-p1-p1"


def test_c16_one_cat_can_lead_to_another(at: Any) -> None:
    play = at("2.4.3/2.3.5", "1/6", options=TWO_CATS)("left2")
    assert play.saw(SentOn) == [SentOn(0, 2), SentOn(0, 2)]
    assert play.state.pawns[0] == 6


def test_c16_a_cat_works_once_per_pawn_and_turn(at: Any) -> None:
    # Eight spaces, a Cat on 3 and on 7, and 4 steps at a time: from 7 the pawn returns to 3.
    ring = "board=T1-p1-C1-p1-p1-p1-C1-p1"
    play = at("4.2.3/2.3.5", "7/5", options=ring)("left4")
    assert play.state.stage == TurningUp(0, ())
    play("cookie2")
    assert play.saw(SentOn) == [SentOn(0, 4), SentOn(0, 4)]
    assert play.state.stage == TurningUp(0, (2, 6))
    play("cookie2")
    assert not play.saw(SentOn)
    assert play.state.pawns[0] == 2
    assert play.state.stage == Drawing(0)


def test_c16_a_cat_works_again_in_the_next_turn(at: Any) -> None:
    ring = "board=T1-p1-C1-p1-p1-p1-C1-p1"
    play = at("4.4.3/2.3.5", "7/4", options=ring)("left4 cookie2 cookie2 +5 left2 +4 left4")
    assert play.saw(SentOn)


def test_c17_a_small_pawn_falls_into_the_rabbit_hole(at: Any) -> None:
    play = at("5.4.2/2.3.5", "9/4")("left5")
    assert play.events[-1] == FellIntoHole(0)
    assert play.state.in_hole(0)


def test_c17_a_large_pawn_stays_on_it_and_walks_on(at: Any) -> None:
    play = at("5.4.2/2.3.5", "9L/4")("left5")
    assert not play.saw(FellIntoHole)
    assert not play.state.in_hole(0)
    assert play("+3 left2 +4 left4 cookie2").state.pawns[0] == 1


def test_c17_a_large_pawn_made_small_on_it_falls_in(at: Any) -> None:
    play = at("5.4.2/2.3.5", "5/14L")("left5")
    assert play.events[-3:] == [PawnShrank(1), PawnGrew(0), FellIntoHole(1)]
    assert play.state.in_hole(1)
    assert play("+3 left2").state.stage == Climbing(1, 2)


def test_c18_in_the_hole_a_card_gives_spins_instead_of_steps(at: Any) -> None:
    # Lucy plays a 3: she may spin up to three times.
    play = at("3.4.2/2.3.5", "14/9")("left3")
    assert play.state.pawns[0] == 13
    assert play.state.stage == Climbing(0, 3)
    play("spin12")
    assert play.state.stage == Deciding(0, 2)
    assert play.choices == ["accept", "again"]
    play("again spin16")
    assert play.state.stage == Deciding(0, 1)
    play("again spin5")  # the last one must be accepted
    assert play.saw(ClimbedOut) == [ClimbedOut(0)]
    assert play.state.pawns[0] == 4


def test_c18_a_joker_gives_the_declared_number_of_spins(at: Any) -> None:
    assert at("J.4.2/2.3.5", "14/9")("leftJ4").state.stage == Climbing(0, 4)


def test_c18_an_unacceptable_spin_is_repeated(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin9")  # another pawn is there
    assert play.state.stage == Climbing(0, 2)
    assert play("spin14").state.stage == Climbing(0, 1)  # a Rabbit Hole


@pytest.mark.parametrize("last", ["spin9", "spin14"])
def test_c18_if_the_last_spin_is_unacceptable_the_pawn_stays(at: Any, last: str) -> None:
    play = at("2.4.3/2.3.5", "14/9")(f"left2 spin14 {last}")
    assert play.events[-1] == StayedInHole(0)
    assert play.state.pawns[0] == 13
    assert play.state.stuck == (True, False)
    assert play.state.stage == Drawing(0)
    play("+5 left2 +4")
    assert play.choices == ["left4", "right3"]  # and tries again
    play("left4")
    assert play.state.stuck == (False, False)
    assert play.state.stage == Climbing(0, 4)


def test_c18_another_rabbit_hole_cannot_be_accepted(at: Any) -> None:
    ring = "board=T1-p1-R1-p1-R1-p1-p1-p1"
    play = at("1.4.3/2.3.5", "3/6", options=ring, played="5/1")("left1 spin5")
    assert play.events[-1] == StayedInHole(0)


def test_c18_climbing_over_the_tea_party_takes_the_face_up_cookie(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin5 accept")
    assert play.events[1:] == [
        SpinMade(0, 4),
        ClimbedOut(0),
        PawnMoved(0, 13, 4, Kind.PLAIN, beyond=0, passed=True),
        CookieTaken(0, 3, TakeCookie.FACE_UP),
    ]
    assert play.state.stage == TurningUp(0)


def test_c18_climbing_forward_passes_nothing(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin16 accept")
    assert play.state.pawns[0] == 15
    assert not play.saw(CookieTaken)


def test_c18_climbing_to_the_tea_party_is_stopping_there(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin1 accept")
    assert play.state.stage == Taking(0)


def test_c18_a_cat_reached_by_climbing_moves_the_pawn_by_the_card(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin3 accept cookie2")
    assert play.saw(SentOn) == [SentOn(0, 3)]
    assert play.state.pawns[0] == 5
    play = at("J.4.2/2.3.5", "14/9")("leftJ5 spin3 accept cookie2")
    assert play.saw(SentOn) == [SentOn(0, 5)]
    assert play.state.pawns[0] == 7


def test_c18_climbing_to_the_caterpillar_makes_the_pawn_large(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin10 accept cookie2 +5")
    assert play.state.large == 0
    assert play.state.stage == Playing(1)


def test_c18_a_spin_is_answered_only_with_accept_or_again(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin16")
    with pytest.raises(
        IllegalAction, match=r"up isn't allowed here: player 1 must accept .* \(rule C18\)"
    ):
        play("up")
