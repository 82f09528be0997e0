"""Cookies: what a seat may know, and which states it may sample."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import CHANCE, FACE_DOWN, IllegalAction
from wonderland.engine.laws import random_match
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.components import DECK, Card
from wonderland.games.cookies.rules.events import CardDealt, CardDrawn
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import Spin, TakeCookie
from wonderland.games.cookies.rules.view import observed_state

SEEDS = st.integers(0, 2**32)


def test_a_seat_sees_its_own_hand_and_the_backs_of_others(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "4/9").state, 0)
    assert view.hands == ((3, 4, 2), (FACE_DOWN,) * 3)
    assert view.seat == 0


def test_played_and_unplayed_cards_are_public(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9", played="1.J/1.4", last="left4").state
    view = GAME.view(state, 0)
    assert view.played == ((1, Card.JOKER), (1, 4))
    assert view.unseen == ((1, 2, 3, 4, 5, 5), (1, 2, 2, 3, 3, 4, 5, 5, Card.JOKER))


def test_the_contents_of_the_stack_are_known_but_not_its_order(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "4/9", cookies="2.2/5").state, None)
    assert view.larder.stack == (2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5)


def test_a_spectator_sees_no_hand_and_a_replay_sees_all(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9").state
    assert GAME.view(state, None).hands == ((FACE_DOWN,) * 3,) * 2
    assert GAME.reveal(state).hands == ((3, 4, 2), (2, 3, 5))


def test_the_hole_is_part_of_the_view(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "14/9").state, 1)
    assert view.in_hole(0)
    assert not view.in_hole(1)
    assert not GAME.view(at("3.4.2/2.3.5", "14L/9").state, 1).in_hole(0)


def test_cards_drawn_by_others_are_seen_face_down() -> None:
    for event in (CardDealt, CardDrawn):
        mine = event(0, Card.FOUR, shown=False)
        assert GAME.witness(mine, 0) == mine
        assert GAME.witness(mine, 1) == event(0, FACE_DOWN, shown=False)
        assert GAME.witness(mine, None) == event(0, FACE_DOWN, shown=False)
        shown = event(0, Card.FOUR, shown=True)
        assert GAME.witness(shown, 1) == shown


def test_a_sampled_state_deals_possible_cards(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9").state
    view = GAME.view(state, 0)
    hands: Counter[Any] = Counter()
    for seed in range(300):
        sampled = GAME.sample_state(view, random.Random(seed))
        assert sampled.hands[0] == (3, 4, 2)
        assert sorted((*sampled.hands[1], *sampled.unseen[1])) == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
        hands[sampled.hands[1]] += 1
    assert len(hands) > 100
    assert {card for hand in hands for card in hand} == set(Card)


def test_a_handwritten_view_is_a_playable_state(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "8/4").state, 1)
    state = observed_state(view)
    assert state.hands[0] == (FACE_DOWN,) * 3
    could_play = {GAME.write(action) for action in GAME.legal(state, 0)}
    assert {"left1", "right1", "left5", "leftJ3", "rightJ5"} <= could_play
    after = GAME.apply(state, 0, GAME.read("left5")).state
    assert after.hands[0] == (FACE_DOWN,) * 2
    assert after.unseen[0] == (1, 2, 2, 3, 3, 4, 4, 5, Card.JOKER)


def test_either_end_of_a_hand_may_be_face_down(at: Any) -> None:
    right = at("3.4.?/2.3.5", "8/4")("right5").state
    assert right.hands[0] == (3, 4)
    assert right.unseen[0] == (1, 2, 2, 3, 4, 5, Card.JOKER)
    left = at("?.4.3/2.3.5", "8/4")("right3").state
    assert left.hands[0] == (FACE_DOWN, 4)
    assert left.unseen[0] == (1, 2, 2, 3, 4, 5, 5, Card.JOKER)


def test_a_face_down_card_has_not_been_played(at: Any) -> None:
    state = at("?.4.2/2.3.5", "8/4", played="1.1/1.1", last="left1").state
    assert "left1" not in {GAME.write(action) for action in GAME.legal(state, 0)}
    assert "left5" in {GAME.write(action) for action in GAME.legal(state, 0)}


@given(st.sampled_from(GAME.info.seats), SEEDS)
def test_pieces_are_conserved_and_complete(seats: int, seed: int) -> None:
    match = random_match(GAME, seats, Options(), random.Random(seed))
    for state, _ in match.record.states():
        pieces = GAME.pieces(state)
        assert pieces["small cookies"] == 20
        assert pieces["pawns"] == seats
        assert sum(pieces[f"cookie {value}"] for value in (2, 3, 4, 5)) == 8 + 4 * seats
        for seat in range(seats):
            assert sum(pieces[f"{card.mark} of seat {seat + 1}"] for card in Card) == len(DECK)


def test_c6_a_sampled_state_keeps_the_unseen_cards_sorted(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "4/9").state, 0)
    for seed in range(10):
        unseen = GAME.sample_state(view, random.Random(seed)).unseen
        assert [list(cards) for cards in unseen] == [sorted(cards) for cards in unseen]


def test_c7_a_card_played_face_down_from_the_left_is_seen_afterwards(at: Any) -> None:
    before = at("?.4.2/2.3.5", "4/9").state
    after = at("?.4.2/2.3.5", "4/9")("left5").state
    assert after.hands[0] == (4, 2)
    assert Counter(before.unseen[0]) - Counter(after.unseen[0]) == {Card.FIVE: 1}


def test_c6_before_the_deal_chance_decides_only_the_start_player() -> None:
    state = GAME.start(2, Options())
    for outcome in (TakeCookie.FACE_UP, Spin(0), Card.ONE):
        with pytest.raises(IllegalAction, match="who goes first"):
            GAME.apply(state, CHANCE, outcome)
