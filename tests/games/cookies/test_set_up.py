"""Cookies: components and set-up, C1 to C6. The board has its own file."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from wonderland.engine import CHANCE, Chance, IllegalAction, Match, UsageError
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.components import DECK, Card
from wonderland.games.cookies.rules.events import CardDealt, CookieTurnedUp, StartChosen
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import Cookie, Playing, Spin, Starting, StartWith


@pytest.mark.parametrize(("seats", "of_each"), [(2, 4), (3, 5), (4, 6)])
def test_c1_fewer_players_use_fewer_large_cookies(seats: int, of_each: int) -> None:
    larder = GAME.start(seats, Options()).larder
    assert Counter(larder.stack) == dict.fromkeys((2, 3, 4, 5), of_each)
    assert larder.small_left == 20


def test_c2_everyone_has_eleven_cards_and_a_small_pawn() -> None:
    state = GAME.start(3, Options())
    assert state.unseen == (DECK,) * 3
    assert Counter(card.mark for card in DECK) == {"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "J": 1}
    assert state.large is None


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_c2_the_game_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(UsageError, match=rf"2 to 4 players, not {seats} \(rule C2\)"):
        GAME.start(seats, Options())


def test_c3_the_spinner_is_uniform() -> None:
    at_small_cookies = GAME.read_position(
        "cookies stage=spin turn=1 spins=- cats=- hands=3.4/2.3.4 played=1.5/1 pawns=7/9 stuck=- "
        "cookies=-/- small=0/0 up=3 spinner=- last=left5 options=-"
    )
    turn = GAME.turn(at_small_cookies)
    assert turn == Chance(tuple(Spin(space) for space in range(16)), "spin", 0)
    with pytest.raises(
        IllegalAction, match=r"spin17 isn't allowed here: the board has 16 spaces \(rule C3\)"
    ):
        GAME.apply(at_small_cookies, CHANCE, Spin(16))


def deal_match(first: int = 0) -> Match[Any, Any, Any, Any, Any]:
    """Two players who are dealt 3 4 2 and 1 J 5, with a 4 face up."""
    given = {
        "start": [StartWith(first)],
        "card1": [Card.THREE, Card.FOUR, Card.TWO],
        "card2": [Card.ONE, Card.JOKER, Card.FIVE],
        "cookie": [Cookie(4)],
    }
    return Match(GAME, ["Lucy", "Queen"], given=given)


def test_c5_the_top_cookie_is_turned_up_and_all_pawns_start_on_the_tea_party() -> None:
    match = deal_match()
    assert match.state.larder.face_up == 4
    assert Counter(match.state.larder.stack) == {2: 4, 3: 4, 4: 3, 5: 4}
    assert match.state.pawns == (0, 0)
    assert match.events[-1] == CookieTurnedUp(4)


def test_c5_the_first_cookie_is_any_in_play() -> None:
    match = deal_match()
    match.rewind(7)
    assert match.turn == Chance(tuple(map(Cookie, (2, 3, 4, 5))), "cookie", None, (4, 4, 4, 4))


def test_c6_hands_keep_the_order_in_which_they_were_drawn() -> None:
    match = deal_match()
    assert match.state.hands == ((3, 4, 2), (1, Card.JOKER, 5))
    assert [event.card for event in match.events if isinstance(event, CardDealt)] == [3, 4, 2, 1, 6, 5]


def test_c6_each_card_of_a_pile_is_equally_likely() -> None:
    match = deal_match()
    match.rewind(2)  # a 3 is dealt
    assert match.turn == Chance(tuple(Card), "card1", 0, (2, 2, 1, 2, 2, 1))


def test_c6_distinct_cards_need_no_weights() -> None:
    state = GAME.read_position(
        "cookies stage=draw turn=1 spins=- cats=- hands=5.5/2.3.4 played=1.1.2.2.3.3/1.1.2.3.4 "
        "pawns=9/12 stuck=- cookies=-/- small=0/0 up=3 spinner=- last=left3 options=-"
    )
    assert GAME.turn(state) == Chance((Card.FOUR, Card.JOKER), "card1", 0, (2, 1))
    state = GAME.apply(state, CHANCE, Card.FOUR).state
    for word in ("left2", "+5", "left5"):
        actor = CHANCE if word.startswith("+") else state.stage.seat
        state = GAME.apply(state, actor, GAME.read(word)).state
    assert GAME.turn(state) == Chance((Card.FOUR, Card.JOKER), "card1", 0)


def test_c6_the_start_player_is_random() -> None:
    state = GAME.start(3, Options())
    assert isinstance(state.stage, Starting)
    assert GAME.turn(state) == Chance((StartWith(0), StartWith(1), StartWith(2)), "start")


def test_c6_the_start_player_may_be_chosen() -> None:
    match = deal_match(first=1)
    assert match.events[0] == StartChosen(1)
    assert match.state.stage == Playing(1)
    with pytest.raises(
        IllegalAction, match=r"seat3 isn't allowed here: nobody is in that seat \(rule C6\)"
    ):
        GAME.apply(GAME.start(2, Options()), CHANCE, StartWith(2))


def test_c6_a_card_is_dealt_no_more_often_than_it_exists() -> None:
    match = deal_match()
    match.rewind(6)  # the second player has been dealt the Joker
    with pytest.raises(
        IllegalAction, match=r"\+J isn't allowed here: there is no such card left in the pile"
    ):
        GAME.apply(match.state, CHANCE, Card.JOKER)
