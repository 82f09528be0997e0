"""Cookies: illegal actions are refused with the reason and the rule."""

from __future__ import annotations

from typing import Any

import pytest

from wonderland.engine import CHANCE, IllegalAction
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import PlayCard, Side


def refusal(state: Any, actor: Any, action: Any) -> str:
    """Return the message and the rule; the state must not change."""
    before = repr(state)
    with pytest.raises(IllegalAction) as raised:
        GAME.apply(state, actor, action)
    assert repr(state) == before
    assert str(raised.value).endswith(f" (rule {raised.value.rule}).")
    return str(raised.value)


FROM_THE_HOLE = "3.4.2/2.3.5", "14/9"
WORDS = [
    (("3.4.2/2.3.5", "4/9"), "", "it's player 1's turn to play a card (rule C7)"),
    (FROM_THE_HOLE, "left3", "player 1 is spinning to climb out of the Rabbit Hole (rule C18)"),
    (FROM_THE_HOLE, "left3 spin16", "player 1 must accept the spin or spin again (rule C18)"),
    (("3.4.2/2.3.5", "4/9"), "left3", "player 1 is spinning for small cookies (rule C14)"),
    (
        ("2.4.3/2.3.5", "15/9"),
        "left2",
        "player 1 must take a large cookie, face up or from the stack (rule C13)",
    ),
    (("2.4.3/2.3.5", "15/9"), "left2 down", "player 1 is taking the top cookie of the stack (rule C13)"),
    (("3.4.2/2.3.5", "16/9"), "left3", "the next large cookie is being turned up (rule C10)"),
    (("3.4.2/2.3.5", "8/4"), "left3", "player 1 is drawing a card (rule C12)"),
]


@pytest.mark.parametrize(("position", "words", "reason"), WORDS)
def test_every_stage_says_what_is_expected_instead(
    at: Any, position: tuple[str, str], words: str, reason: str
) -> None:
    state = at(*position)(words).state
    for actor, word in ((1, "left2"), (CHANCE, "seat1"), (CHANCE, "up")):
        assert refusal(state, actor, GAME.read(word)) == f"{word} isn't allowed here: {reason}."


def test_nobody_plays_before_the_first_turn() -> None:
    state = GAME.start(2, Options())
    left3 = GAME.read("left3")
    assert (
        refusal(state, 0, left3)
        == "left3 isn't allowed here: it isn't decided yet who goes first (rule C6)."
    )
    state = GAME.apply(state, CHANCE, GAME.read("seat1")).state
    assert refusal(state, 0, left3) == "left3 isn't allowed here: the cards are being dealt (rule C6)."
    for word in ("+3", "+4", "+2", "+1", "+2", "+3"):
        state = GAME.apply(state, CHANCE, GAME.read(word)).state
    assert (
        refusal(state, 0, left3)
        == "left3 isn't allowed here: the first large cookie is being turned up (rule C5)."
    )


def test_answers_and_cookies_are_rejected_where_a_card_is_due(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9").state
    for word in ("accept", "again", "up", "down", "+3", "spin4"):
        assert refusal(state, 0, GAME.read(word)).endswith(
            "it's player 1's turn to play a card (rule C7)."
        )


def test_chance_decides_nothing_on_a_seats_turn(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9").state
    for word in ("+3", "+?", "cookie3", "spin4", "seat1", "left3"):
        assert refusal(state, CHANCE, GAME.read(word)).endswith(
            "it's player 1's turn to play a card (rule C7)."
        )


def test_a_card_is_rejected_where_a_cookie_is_due(at: Any) -> None:
    state = at("2.4.3/2.3.5", "15/9")("left2").state
    for word in ("left4", "accept"):
        assert "player 1 must take a large cookie" in refusal(state, 0, GAME.read(word))


def test_a_card_cannot_be_played_as_another_number(at: Any) -> None:
    state = at("3.4.J/2.3.5", "4/9").state
    assert "card 3 doesn't stand for 5 (rule C8)" in refusal(
        state, 0, PlayCard(Side.LEFT, Card.THREE, 5)
    )
    assert "card J doesn't stand for 6 (rule C8)" in refusal(
        state, 0, PlayCard(Side.RIGHT, Card.JOKER, 6)
    )


def test_an_unknown_seat_has_no_turn(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9").state
    for seat in (-1, 2):
        assert "it's player 1's turn to play a card" in refusal(state, seat, GAME.read("left3"))
        assert GAME.legal(state, seat) == ()
