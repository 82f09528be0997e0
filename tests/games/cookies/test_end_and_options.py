"""Cookies: the end, C19, and the options, C20 to C22."""

from __future__ import annotations

from typing import Any

import pytest

from wonderland.engine import CHANCE, FACE_DOWN, GameOver, IllegalAction, Match, Over, Result, UsageError
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import Board, Kind, Space, read_board
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import CardDrawn, GameEnded, PawnMoved
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.scoring import SHARED, winners_of
from wonderland.games.cookies.rules.state import Climbing, Cookie, Ended, Playing, StartWith

TEN = "1.1.2.2.3.3.4.4.5.5"


def last_turn(at: Any, **facts: str) -> Any:
    """The first seat plays its last card, a Joker; the second has played all its cards."""
    usual = {"played": f"{TEN}/{TEN}.J", "last": "leftJ2", "pawns": "4/9"}
    return at("J/-", **(usual | facts))


def test_c19_the_game_ends_when_all_cards_are_played(at: Any) -> None:
    play = last_turn(at, cookies="2.5/3", small="1/2")("leftJ2")
    result = Result((0,), (8, 5), "most points", "all cards played")
    assert play.events[-1] == GameEnded(result)
    assert play.state.stage == Ended(result)
    assert GAME.turn(play.state) == Over(result)


def test_c19_everyone_plays_the_same_number_of_cards(at: Any) -> None:
    play = at("J/J", "4/9", played=f"{TEN}/{TEN}", last="left5")("leftJ2")
    assert play.state.stage == Playing(1)
    assert isinstance(play("leftJ2").state.stage, Ended)


def test_c19_a_tie_goes_to_the_most_large_cookies(at: Any) -> None:
    play = last_turn(at, cookies="2.3/5")("leftJ2")
    assert play.state.stage == Ended(Result((0,), (5, 5), "most large cookies", "all cards played"))


def test_c19_then_to_the_pawn_farthest_from_the_tea_party(at: Any) -> None:
    play = last_turn(at, cookies="2/2")("leftJ2")
    assert play.state.stage == Ended(Result((1,), (2, 2), "farthest pawn", "all cards played"))


def test_c19_the_tea_party_itself_counts_as_nearest(at: Any) -> None:
    play = last_turn(at, pawns="15/2", cookies="2/2.3")("leftJ2 up cookie4")
    assert play.state.stage == Ended(Result((1,), (5, 5), "farthest pawn", "all cards played"))


def test_c19_still_tied_the_win_is_shared() -> None:
    # Unreachable in play, since no two pawns end on the same space; the ruling holds all the same.
    assert winners_of([9, 9, 9], [2, 3, 3], [0, 4, 4]) == ((1, 2), SHARED)


def test_c19_nothing_can_be_played_after_the_end(at: Any) -> None:
    ended = last_turn(at)("leftJ2").state
    for actor, word in ((0, "left1"), (1, "accept"), (CHANCE, "+3")):
        with pytest.raises(GameOver, match="comes too late"):
            GAME.apply(ended, actor, GAME.read(word))
    assert GAME.legal(ended, 0) == ()


def start(options: Options, cards: tuple[Card, ...]) -> Match[Any, Any, Any, Any, Any]:
    """Two players who draw the same cards; the first starts, with a 3 face up."""
    given = {"start": [StartWith(0)], "card1": cards, "card2": cards, "cookie": [Cookie(3)]}
    return Match(GAME, 2, options, given=given)


def test_c20_open_hands_are_seen_by_all() -> None:
    cards = (Card.THREE, Card.FOUR, Card.TWO, Card.FIVE)
    match = start(Options(hands="open"), cards)
    for seat in (0, 1, None):
        assert match.view(seat).hands == ((3, 4, 2), (3, 4, 2))
    match.play(0, GAME.read("left3"))
    assert match.events_seen_by(1)[-1] == CardDrawn(0, Card.FIVE, shown=True)


def test_c20_hidden_hands_are_seen_by_their_owner() -> None:
    cards = (Card.THREE, Card.FOUR, Card.TWO, Card.FIVE)
    match = start(Options(), cards)
    assert match.view(1).hands == ((FACE_DOWN,) * 3, (3, 4, 2))
    assert match.view(None).hands == ((FACE_DOWN,) * 3,) * 2
    match.play(0, GAME.read("left3"))
    assert match.events_seen_by(1)[-1] == CardDrawn(0, FACE_DOWN, shown=False)
    assert match.events_seen_by(0)[-1] == CardDrawn(0, Card.FIVE, shown=False)


def test_c20_no_card_is_drawn_face_down_with_open_hands(at: Any) -> None:
    play = at("3.4.2/2.3.5", "8/4", options="hands=open")("left3")
    with pytest.raises(IllegalAction, match=r"\+\? isn't allowed here: all hands are open \(rule C20\)"):
        play("+?")


def test_c21_either_card_of_a_two_card_hand_can_be_played() -> None:
    match = start(Options(hand_size=2), (Card.THREE, Card.FOUR, Card.FIVE))
    assert match.state.hands == ((3, 4), (3, 4))
    assert [GAME.write(action) for action in match.legal(0)] == ["left3", "right4"]
    match.play(0, GAME.read("left3"))
    assert match.state.hands == ((4, 5), (3, 4))  # the new one goes on the right
    match.play(1, GAME.read("right4"))
    assert match.state.hands == ((4, 5), (3, 5))


def test_c22_after_a_failed_climb_a_card_may_move_the_pawn(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9", stuck="1", options="kind_hole=true")
    assert play.choices == ["left3", "left3/walk", "right2", "right2/walk"]
    play("right2/walk")
    assert play.saw(PawnMoved) == [PawnMoved(0, 13, 15, Kind.PLAIN, beyond=0, passed=False)]
    assert play.state.stuck == (False, False)


def test_c22_climbing_is_still_a_choice(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9", stuck="1", options="kind_hole=true")
    assert play("left3").state.stage == Climbing(0, 3)


def test_c22_a_joker_walks_too(at: Any) -> None:
    play = at("J.4.2/2.3.5", "14/9", stuck="1", options="kind_hole=true")
    assert len(play.choices) == 12
    assert play("leftJ1/walk").state.pawns[0] == 14


@pytest.mark.parametrize(
    "facts", [{"options": "kind_hole=true"}, {"stuck": "1"}], ids=["fresh", "unkind"]
)
def test_c22_only_after_a_failed_climb_and_only_in_a_kind_hole(at: Any, facts: dict[str, str]) -> None:
    play = at("3.4.2/2.3.5", "14/9", **facts)
    assert play.choices == ["left3", "right2"]
    with pytest.raises(
        IllegalAction, match=r"left3/walk isn't allowed here: .* kind_hole.* \(rule C22\)"
    ):
        play("left3/walk")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options(hands="shut"), "hands=shut isn't possible"),
        (Options(hand_size=4), "hand_size=4 isn't possible: hand_size must be a number from 2 to 3"),
        (
            Options(board=Board((Space(Kind.PLAIN, 1),) * 8)),
            "exactly one space must be the Tea Party, but none is",
        ),
        (Options(board=Board((Space(Kind.TEA_PARTY, 12),) * 8)), "space 1 of the board is 'T12'"),
    ],
)
def test_options_that_cannot_be_written_cannot_be_played(options: Options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        GAME.start(2, options)


def test_a_board_that_starts_elsewhere_is_rotated_to_the_tea_party() -> None:
    ring = read_board("T1-p2-p3-p4-p5-p6-p7-p8")
    turned = Board((*ring.spaces[3:], *ring.spaces[:3]))
    assert GAME.start(2, Options(board=turned)).options.board == ring
