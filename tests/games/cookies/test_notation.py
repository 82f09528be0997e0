"""Cookies in notation: every action is one word, and every word an action or a NotationError."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import FACE_DOWN, NotationError
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.state import (
    Action,
    Answer,
    Cookie,
    PlayCard,
    Side,
    Spin,
    StartWith,
    TakeCookie,
)

WORDS = {
    "left3": PlayCard(Side.LEFT, Card.THREE, 3),
    "right5": PlayCard(Side.RIGHT, Card.FIVE, 5),
    "leftJ4": PlayCard(Side.LEFT, Card.JOKER, 4),
    "right3+1": PlayCard(Side.RIGHT, Card.THREE, 3, plus=True),
    "leftJ4+1": PlayCard(Side.LEFT, Card.JOKER, 4, plus=True),
    "left3/walk": PlayCard(Side.LEFT, Card.THREE, 3, walk=True),
    "up": TakeCookie.FACE_UP,
    "down": TakeCookie.FACE_DOWN,
    "accept": Answer.ACCEPT,
    "again": Answer.AGAIN,
    "+3": Card.THREE,
    "+J": Card.JOKER,
    "+?": FACE_DOWN,
    "cookie3": Cookie(3),
    "spin1": Spin(0),
    "spin40": Spin(39),
    "seat2": StartWith(1),
}


@pytest.mark.parametrize(("word", "action"), WORDS.items(), ids=list(WORDS))
def test_every_action_has_its_notation(word: str, action: Action) -> None:
    assert GAME.write(action) == word
    assert GAME.read(word) == action


def test_a_joker_may_be_lower_case() -> None:
    assert GAME.read("leftj4") == GAME.read("leftJ4")
    assert GAME.read("+j") == GAME.read("+J")


PLAYS = st.builds(
    lambda side, card, number, plus, walk: PlayCard(
        side, card, number if card is Card.JOKER else card.value, plus, walk
    ),
    st.sampled_from(Side),
    st.sampled_from(Card),
    st.integers(1, 5),
    st.booleans(),
    st.booleans(),
)
ACTIONS = (
    PLAYS
    | st.sampled_from([*TakeCookie, *Answer, *Card, FACE_DOWN])
    | st.builds(Cookie, st.integers(2, 5))
    | st.builds(Spin, st.integers(0, 39))
    | st.builds(StartWith, st.integers(0, 3))
)


@given(ACTIONS)
def test_notation_round_trips(action: Action) -> None:
    assert GAME.read(GAME.write(action)) == action


BAD = [
    "",
    "3",
    "left",
    "left6",
    "left0",
    "leftJ",
    "leftJ6",
    "left3+2",
    "left3+1+1",
    "Left3",
    "left3/run",
]
BAD += [
    "middle4",
    "cookie1",
    "cookie6",
    "spin0",
    "spin41",
    "spin01",
    "spin",
    "seat0",
    "seat5",
    "left\uff13",
]


@pytest.mark.parametrize("word", BAD)
def test_other_words_are_rejected_with_an_example(word: str) -> None:
    with pytest.raises(NotationError, match="isn't part of this game's notation, such as left3"):
        GAME.read(word)


@pytest.mark.parametrize("word", ["+", "+6", "+0", "+JJ", "++3"])
def test_other_cards_are_rejected(word: str) -> None:
    with pytest.raises(NotationError, match="isn't a card: a card is a number from 1 to 5, or J"):
        GAME.read(word)


@given(st.text(max_size=12))
def test_any_text_is_an_action_or_a_notation_error(text: str) -> None:
    try:
        action = GAME.read(text)
    except NotationError:
        return
    assert GAME.write(action).lower() == text.lower()
