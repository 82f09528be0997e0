"""Cookies as plain text."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.words import words_of
from wonderland.engine import CHANCE, FACE_DOWN
from wonderland.engine.laws import random_match
from wonderland.engine.options import read_options
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import (
    CardDealt,
    CardDrawn,
    CardPlayed,
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    FellIntoHole,
    GameEnded,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    SpinMade,
    StartChosen,
    StayedInHole,
)
from wonderland.games.cookies.rules.scoring import result_of
from wonderland.games.cookies.rules.state import TakeCookie

WORDS = words_of("cookies")
NAMES = ["Alice", "Hatter"]

SENTENCES = [
    (StartChosen(1), "Hatter goes first."),
    (CardDealt(0, Card.ONE, shown=True), None),
    (CardDrawn(0, FACE_DOWN, shown=False), "Alice draws a card."),
    (CardDrawn(0, Card.FOUR, shown=False), "Alice draws a 4."),
    (CardDrawn(0, Card.JOKER, shown=False), "Alice draws a Joker."),
    (CardPlayed(0, GAME.read("left3")), "Alice plays the left card (3)."),
    (CardPlayed(0, GAME.read("left3+1")), "Alice plays the left card (3, plus 1 for being large)."),
    (
        CardPlayed(0, GAME.read("rightJ4+1")),
        "Alice plays the right card (a Joker as 4, plus 1 for being large).",
    ),
    (
        CardPlayed(0, GAME.read("left3/walk")),
        "Alice plays the left card (3) to walk out of the Rabbit Hole.",
    ),
    (
        PawnMoved(0, 3, 5, Kind.PLAIN, beyond=0, passed=False),
        "Alice moves from space 4 to space 6.",
    ),
    (
        PawnMoved(0, 14, 2, Kind.CHESHIRE_CAT, beyond=1, passed=True),
        (
            "Alice moves from space 15 to space 3, Cheshire Cat, "
            "jumping past 1 other pawn and passing the Tea Party."
        ),
    ),
    (SentOn(0, 3), "The Cheshire Cat sends Alice on by another 3."),
    (CookieTaken(0, 5, TakeCookie.FACE_UP), "Alice takes the face-up cookie, worth 5."),
    (CookieTaken(0, 5, TakeCookie.FACE_DOWN), "Alice takes the face-down cookie, worth 5."),
    (CookieTurnedUp(2), "A large cookie worth 2 is turned up."),
    (SpinMade(0, 6), "The spinner points to space 7."),
    (SmallCookiesTaken(0, 2), "Alice takes 2 small cookies."),
    (SmallCookiesTaken(0, 1), "Alice takes 1 small cookie."),
    (SmallCookiesTaken(0, 0), "Alice takes no small cookies."),
    (PawnGrew(0), "Alice becomes large."),
    (PawnShrank(1), "Hatter becomes small."),
    (FellIntoHole(1), "Hatter falls down the Rabbit Hole."),
    (ClimbedOut(0), "Alice climbs out of the Rabbit Hole."),
    (StayedInHole(0), "Alice stays in the Rabbit Hole."),
    (
        GameEnded(result_of([(2, 5), (4,)], (1, 0), (3, 4))),
        "Alice wins (Alice: 8, Hatter: 4): most points.",
    ),
]


@pytest.mark.parametrize(
    ("event", "sentence"), SENTENCES, ids=[repr(event)[:40] for event, _ in SENTENCES]
)
def test_every_event_is_described_in_a_sentence(event: Any, sentence: str | None) -> None:
    assert WORDS.describe_event(event, NAMES) == sentence


def test_the_table_is_described() -> None:
    line = (
        "cookies stage=play turn=1 spins=- cats=- hands=3.4.2/2.3.5 played=1.J/1.4 pawns=14/9L stuck=1 "
        "cookies=2.5/- small=1/0 up=3 spinner=4 last=left4 options=-"
    )
    assert WORDS.describe(GAME.view(GAME.read_position(line), 0), NAMES)[2:] == [
        "  1 Tea Party     2         2               1         3 Cheshire Cat  2",
        "  4               3         5               1         6               2",
        "  7 Small Cookies 1         8               3         9               2 B",
        " 10 Caterpillar   1        11               3        12               2",
        " 13               1        14 Rabbit Hole   2 a      15               3",
        " 16               1",
        "A large cookie worth 3 is face up. 13 large cookies are face down. 19 small",
        "    cookies are left.",
        "a Alice is stuck in the Rabbit Hole: space 14. 8 points (large cookies: 2 5;",
        "    small cookies: 1).",
        "    Hand: 3 [4] 2; Pile: 6; Played: 1 J",
        "B Hatter is large, on space 9. No cookies yet.",
        "    Hand: ? [?] ?; Pile: 6; Played: 1 4",
        "It's Alice's turn.",
    ]


STATUS = [
    (("3.4.2/2.3.5", "14/9"), "left3", "3 spins left"),
    (
        ("3.4.2/2.3.5", "14/9"),
        "left3 spin3",
        "space 3, Cheshire Cat",
    ),
    (("3.4.2/2.3.5", "4/9"), "left3", "Alice spins for small cookies."),
    (("2.4.3/2.3.5", "15/9"), "left2", "a large cookie"),
    (("3.4.2/2.3.5", "16/9"), "left3", "It's Alice's turn."),
]


@pytest.mark.parametrize(("position", "words", "sentence"), STATUS)
def test_the_last_line_says_what_comes_next(
    at: Any, position: tuple[str, str], words: str, sentence: str
) -> None:
    view = GAME.view(at(*position)(words).state, 0)
    assert sentence in WORDS.describe(view, NAMES)[-1]


def test_the_first_and_the_last_status() -> None:
    match = random_match(GAME, 2, GAME.options_type(), random.Random(5))
    *_, (last, _) = match.record.states()
    start = GAME.start(2, GAME.options_type())
    assert WORDS.describe(GAME.view(start, 0), NAMES)[-1] == "The cards are being dealt."
    lines = WORDS.describe(GAME.view(last, None), NAMES)
    result = last.stage.result
    assert lines[-1].endswith(result.verdict(NAMES))
    assert not any("Hand:" in line for line in lines)


def test_without_cookies_the_larder_is_empty(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9", cookies="2.2.2.2.3.3.3.3.4.4.4.4/5.5.5.5", up="-", small="10/10")
    text = " ".join(WORDS.describe(GAME.view(play.state, 0), NAMES))
    assert "No large cookie is face up. 0 large cookies" in text
    small = at("3.4.2/2.3.5", "14/9", small="1/0")
    text = " ".join(" ".join(WORDS.describe(GAME.view(small.state, 0), NAMES)).split())
    assert "Alice is in the Rabbit Hole: space 14. 1 point (large cookies: none;" in text


OFFERS = [
    (("3.4.2/2.3.5", "6/9"), "", "left3", "play the left card (3): to space 10, Caterpillar"),
    (
        ("3.4.2/2.3.5", "15/2"),
        "",
        "left3",
        "play the left card (3): past the Tea Party to space 3, Cheshire Cat, and on to space 6",
    ),
    (("3.4.2/2.3.5", "14/9"), "", "left3", "play the left card (3): up to 3 spins to climb out"),
    (("1.4.2/2.3.5", "14/9"), "", "left1", "play the left card (1): up to 1 spin to climb out"),
    (("3.4.2/2.3.5", "14/9"), "left3 spin16", "accept", "accept the spin: to space 16"),
    (("3.4.2/2.3.5", "14/9"), "left3 spin16", "again", "spin again: 2 spins left"),
    (
        ("3.4.2/2.3.5", "14/9"),
        "left3 spin3",
        "accept",
        "accept the spin: past the Tea Party to space 3, Cheshire Cat, and on to space 6",
    ),
    (("2.4.3/2.3.5", "15/9"), "left2", "up", "take the face-up cookie, worth 3"),
    (("2.4.3/2.3.5", "15/9"), "left2", "down", "take the top face-down cookie (15 in the stack)"),
    (("3.4.2/2.3.5", "6/9"), "left3", "+5", "+5"),  # actions that are illegal now are only named
    (("3.4.2/2.3.5", "6/9"), "left3", "left3", "left3"),
    (("3.4.2/2.3.5", "6/9"), "", "accept", "accept"),
    (("3.4.2/2.3.5", "14/9"), "left3 spin16", "left4", "left4"),
]


@pytest.mark.parametrize(("position", "words", "action", "offer"), OFFERS)
def test_an_offer_states_what_is_certain(
    at: Any, position: tuple[str, str], words: str, action: str, offer: str
) -> None:
    view = GAME.view(at(*position)(words).state, 0)
    assert WORDS.describe_action(view, GAME.read(action)) == offer


def test_an_offer_to_walk_names_the_destination(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9", stuck="1", options="kind_hole=true")
    assert WORDS.describe_action(GAME.view(play.state, 0), GAME.read("left3/walk")) == (
        "play the left card (3) to walk out of the Rabbit Hole: to space 1, Tea Party"
    )


def test_a_face_down_card_can_be_offered(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9").state, None)
    assert WORDS.describe_action(view, GAME.read("left5")) == "play the left card (5): to space 11"


LONGEST = ["Alice who has the longest name of all of", "Queen who has the longest name of all of"]
LONGEST += ["Hatter with the longest name of all, too", "R" * 40]


@given(
    st.sampled_from(GAME.info.seats),
    st.sampled_from(["default", "T3-p1-R1-L2-p0-S3-C1-p2-S1-p4-C2-L1-p1-R2-p5"]),
    st.integers(0, 2**32),
)
def test_no_line_exceeds_80_characters_and_every_choice_has_words(
    seats: int, board: str, seed: int
) -> None:
    options = read_options(GAME, {"board": board, "kind_hole": "true"})
    match = random_match(GAME, seats, options, random.Random(seed))
    for state, move in match.record.states():
        for view in (GAME.view(state, 0), GAME.view(state, None), GAME.reveal(state)):
            assert max(map(len, WORDS.describe(view, LONGEST[:seats]))) <= 80
        if move is not None and move.actor is not CHANCE:
            offers = [
                WORDS.describe_action(GAME.view(state, move.actor), action)
                for action in GAME.legal(state, move.actor)
            ]
            assert len(set(offers)) == len(offers)
