"""Cookies: one-line positions, and impossible ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import CHANCE, FACE_DOWN, Acting, Chance, Match, NotationError, Seeded
from wonderland.engine.laws import random_match
from wonderland.engine.options import read_options
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.state import State, cards_played

LINE = (
    "cookies stage=play turn=2 spins=- cats=- hands=3.4.2/?.J.? played=1.5/1 pawns=14/9L stuck=1 "
    "cookies=2.5/- small=0/3 up=3 spinner=4 last=left5 options=hand_size=3,kind_hole=true"
)


def test_a_position_round_trips() -> None:
    state = GAME.read_position(LINE)
    assert state.hands == ((3, 4, 2), (FACE_DOWN, Card.JOKER, FACE_DOWN))
    assert state.pawns == (13, 8)
    assert state.large == 1
    assert state.stuck == (True, False)
    assert state.larder.small_left == 17
    assert len(state.larder.stack) == 13
    assert GAME.write_position(state) == LINE.replace("hand_size=3,", "")


EVERY_BOARD = next(option.examples for option in GAME.info.options if option.name == "board")
OPTIONS = st.builds(
    lambda hands, size, kind, board: read_options(
        GAME, {"hands": hands, "hand_size": size, "kind_hole": kind, "board": board}
    ),
    st.sampled_from(["hidden", "open"]),
    st.sampled_from(["3", "2"]),
    st.sampled_from(["true", "false"]),
    st.sampled_from(EVERY_BOARD),
)
SEEDS = st.integers(0, 2**32)


@pytest.mark.uncounted
@given(OPTIONS, st.sampled_from(GAME.info.seats), SEEDS)
def test_every_position_of_a_play_round_trips(options: Any, seats: int, seed: int) -> None:
    match = random_match(GAME, seats, options, random.Random(seed))
    for state, _ in match.record.states():
        assert GAME.read_position(GAME.write_position(state)) == state


def recorded_from(seat: int, seats: int, seed: int) -> list[State]:
    """States of a random play in which only one seat's draws are seen."""
    rng = random.Random(seed)
    match: Match[Any, Any, Any, Any, Any] = Match(GAME, seats)
    states = [match.state]
    chance = Seeded(seed)
    while isinstance(turn := match.turn, Acting | Chance):
        if isinstance(turn, Acting):
            match.apply(turn.seats[0], rng.choice(match.legal(turn.seats[0])))
        else:
            outcome = turn.pick(chance.below(turn.total, turn.label))
            hidden = isinstance(outcome, Card) and turn.seat != seat
            match.apply(CHANCE, FACE_DOWN if hidden else outcome)
        states.append(match.state)
    return states


@given(st.sampled_from(GAME.info.seats), SEEDS)
def test_every_position_of_a_play_recorded_from_one_seat_round_trips(seats: int, seed: int) -> None:
    states = recorded_from(0, seats, seed)
    for state in states:
        assert GAME.read_position(GAME.write_position(state)) == state
    last = states[-1]
    assert all(len(cards_played(*cards)) == 11 for cards in zip(last.hands, last.unseen, strict=True))


ELEVEN = "1.1.2.2.3.3.4.4.5.5.J"
DEAL = {"played": "-/-", "up": "-", "last": "-"}
HOLE = {"pawns": "14/9", "hands": "4.2/2.3.5", "played": "1.3/1", "last": "left3"}
BAD: list[tuple[str, dict[str, str], str]] = [
    ("one player", {"hands": "3.4.2"}, r"Cookies is for 2 to 4 players, not 1 \(rule C2\)"),
    (
        "too many pawns",
        {"pawns": "1/2/3"},
        r"pawns=1/2/3 doesn't have one entry for each of the 2 players",
    ),
    (
        "two large pawns",
        {"pawns": "4L/9L"},
        r"2 large pawns, but only one pawn can be large \(rule C15\)",
    ),
    ("off the board", {"pawns": "17/9"}, "pawns=17 isn't possible: pawns must be a number from 1 to 16"),
    (
        "three threes",
        {"hands": "3.3.2/2.3.5", "played": "3/1"},
        r"player 1 has more copies of card 3 .*\(rule C2\)",
    ),
    (
        "five cookies of 2",
        {"cookies": "2.2.2/2.2"},
        r"more cookies worth 2 than a game for 2 players has \(rule C1\)",
    ),
    (
        "the fifth face up",
        {"cookies": "2.2/2.2", "up": "2"},
        r"more cookies worth 2 than a game for 2 .*\(rule C1\)",
    ),
    ("a cookie of 6", {"cookies": "6/-"}, "cookies=6 isn't possible: .* from 2 to 5"),
    ("no such stage", {"stage": "wait"}, "stage=wait isn't possible: stage must be one of start, "),
    ("a turn at the end", {"stage": "over"}, "turn=1 doesn't belong to stage=over"),
    ("spins without a climb", {"spins": "2"}, "spins=2 doesn't belong to stage=play"),
    ("cats without a move", {"cats": "3"}, "cats=3 doesn't belong to stage=play"),
    ("nobody's turn", {"turn": "3"}, "turn=3 isn't possible: turn must be a number from 1 to 2"),
    ("no card", {"hands": "3.4.7/2.3.5"}, "'7' isn't a card"),
    ("not a play", {"last": "up"}, r"'up' isn't a card played, such as left3 \(rule C7\)"),
    ("no such option", {"options": "speed=2"}, "options=speed=2 can't be read: the options are"),
    ("an option twice", {"options": "hand_size=2,hand_size=2"}, "can't be read"),
    ("no value", {"options": "kind_hole"}, "can't be read"),
    ("a bad option", {"options": "hands=shut"}, "hands=shut isn't possible"),
    (
        "21 of one player",
        {"small": "21/0"},
        "small=21 isn't possible: small must be a number from 0 to 20",
    ),
    ("nobody stuck", {"stuck": "3"}, "stuck=3 isn't possible: stuck must be a number from 1 to 2"),
    ("21 small cookies", {"small": "20/1"}, r"there are only 20 small cookies \(rule C1\)"),
    (
        "open, face down",
        {"hands": "3.?.2/2.3.5", "options": "hands=open"},
        r"this game is played with open hands \(rule C20\)",
    ),
    # Before the first turn
    (
        "moved at the start",
        DEAL | {"stage": "start", "turn": "-", "hands": "-/-"},
        r"nothing can have .*\(rule C5\)",
    ),
    (
        "played in the deal",
        DEAL | {"stage": "deal", "hands": "-/-", "pawns": "1/1", "played": "1/-"},
        r"\(rule C6\)",
    ),
    (
        "dealt too soon",
        DEAL | {"stage": "start", "turn": "-", "pawns": "1/1"},
        r"the cards are dealt later \(rule C6\)",
    ),
    (
        "dealt out of turn",
        DEAL | {"stage": "deal", "hands": "3.4/2", "pawns": "1/1"},
        r"dealt one after another, 3 cards each \(rule C6\)",
    ),
    ("dealt already", DEAL | {"stage": "deal", "pawns": "1/1"}, r"dealt one after another"),
    (
        "not dealt yet",
        DEAL | {"stage": "first", "hands": "3.4.2/2.3", "pawns": "1/1"},
        r"not everyone has 3 cards in hand \(rule C6\)",
    ),
    ("turned too soon", DEAL | {"stage": "first", "pawns": "1/1", "up": "3"}, r"\(rule C5\)"),
    # Turns and hands
    ("played too often", {"played": "1.5/1"}, r"doesn't match whose turn it is \(rule C7\)"),
    ("played far too often", {"played": "1/1.1.4"}, r"doesn't match whose turn it is \(rule C7\)"),
    (
        "nothing played in a turn",
        {"stage": "draw", "played": "-/-", "pawns": "1/1", "last": "-"},
        r"doesn't match whose turn it is \(rule C7\)",
    ),
    ("all played", {"hands": "-/-", "played": f"{ELEVEN}/{ELEVEN}"}, r"the game is over \(rule C19\)"),
    (
        "not all played",
        {"stage": "over", "turn": "-"},
        r"not all cards have been played yet \(rule C19\)",
    ),
    ("no last card", {"last": "-"}, r"last must be the last card played"),
    (
        "a last card of nobody",
        DEAL | {"up": "3", "pawns": "1/1", "last": "left1"},
        r"last must be the last card",
    ),
    (
        "another last card",
        {"last": "left5"},
        r"last card played isn't among the cards played \(rule C7\)",
    ),
    ("walked", {"last": "left1/walk"}, r"without kind_hole \(rule C22\)"),
    (
        "four in hand",
        {"hands": "3.4.2.2/2.3.5"},
        r"player 1 has 4 cards in hand instead of 3 \(rule C12\)",
    ),
    ("two in hand", {"hands": "3.4.2/2.3"}, r"player 2 has 2 cards in hand instead of 3 \(rule C12\)"),
    ("drawn already", HOLE | {"stage": "draw", "hands": "4.2.5/2.3.5"}, r"instead of 2 \(rule C12\)"),
    (
        "nothing to draw",
        {"stage": "draw", "hands": "-/-", "played": f"{ELEVEN}/{ELEVEN}"},
        r"player 1 has no pile to draw from \(rule C12\)",
    ),
    # Pawns
    (
        "moved without a turn",
        {"played": "-/1", "pawns": "4/9"},
        r"player 1 hasn't had a turn .*\(rule C5\)",
    ),
    (
        "large without a turn",
        {"played": "-/1", "pawns": "1L/9"},
        r"player 1 hasn't had a turn .*\(rule C5\)",
    ),
    (
        "cookies without a turn",
        {"played": "-/1", "pawns": "1/9", "small": "1/0"},
        r"player 1 hasn't had a turn .*\(rule C5\)",
    ),
    ("two on one space", {"pawns": "9/9"}, r"two pawns are on space 9 \(rule C9\)"),
    (
        "two at the tea party",
        {"pawns": "1/1", "played": "-/1"},
        r"two pawns are on space 1 \(rule C9\)",
    ),
    (
        "stuck on a plain space",
        {"stuck": "1"},
        r"player 1 isn't in a Rabbit Hole, so can't be stuck in one \(rule C18\)",
    ),
    (
        "large without a caterpillar",
        {"pawns": "4L/8", "options": "board=T1-p1-C1-p1-p1-p1-C1-p1"},
        r"no Caterpillar to make a pawn large \(rule C15\)",
    ),
    # Cookies
    (
        "small cookies from nowhere",
        {"pawns": "4/8", "small": "1/0", "options": "board=T1-p1-C1-p1-p1-p1-C1-p1"},
        r"there is no space where small cookies can be taken \(rule C14\)",
    ),
    ("no cookie face up", {"up": "-"}, r"one large cookie must be face up \(rule C10\)"),
    (
        "two face up",
        HOLE | {"stage": "up"},
        r"no cookie to turn up, or one is already face up \(rule C10\)",
    ),
    (
        "no stack to turn up from",
        HOLE | {"stage": "up", "up": "-", "cookies": "2.2.2.2.3.3.3.3.4.4.4.4/5.5.5.5"},
        r"no cookie to turn up, or one is already face up \(rule C10\)",
    ),
    # During a turn
    (
        "stuck in the middle",
        HOLE | {"stage": "climb", "spins": "3", "stuck": "1"},
        r"player 1 has played a card and may still",
    ),
    (
        "climbing on plain ground",
        HOLE | {"stage": "climb", "spins": "3", "pawns": "4/9"},
        r"player 1 isn't in a Rabbit Hole, so can't climb out of one \(rule C18\)",
    ),
    (
        "too many spins",
        HOLE | {"stage": "climb", "spins": "4"},
        r"doesn't allow that many spins \(rule C18\)",
    ),
    ("six spins", HOLE | {"stage": "climb", "spins": "6"}, "spins=6 isn't possible: .* from 1 to 5"),
    ("no spins", HOLE | {"stage": "climb"}, "spins=- isn't possible"),
    (
        "climbing with one more",
        HOLE | {"stage": "climb", "spins": "3", "last": "left3+1"},
        r"that many spins",
    ),
    (
        "all spins left to decide",
        HOLE | {"stage": "decide", "spins": "3", "spinner": "4"},
        r"that many spins",
    ),
    ("not spun", HOLE | {"stage": "decide", "spins": "2"}, r"can't be accepted \(rule C18\)"),
    ("spun to a pawn", HOLE | {"stage": "decide", "spins": "2", "spinner": "9"}, r"can't be accepted"),
    ("spun to a hole", HOLE | {"stage": "decide", "spins": "2", "spinner": "14"}, r"can't be accepted"),
    (
        "spinning on plain ground",
        HOLE | {"stage": "spin"},
        r"player 1 has no small cookies to spin for \(rule C14\)",
    ),
    (
        "spinning for nothing",
        HOLE | {"stage": "spin", "pawns": "7/9", "small": "10/10"},
        r"no small cookies to spin for \(rule C14\)",
    ),
    (
        "taking away from tea",
        HOLE | {"stage": "tea"},
        r"player 1 has no large cookie to choose \(rule C13\)",
    ),
    (
        "taking the last",
        HOLE | {"stage": "down", "pawns": "1/9", "cookies": "2.2.2.2.3.3.3.4.4.4.4/5.5.5.5"},
        r"no large cookie to choose \(rule C13\)",
    ),
    (
        "a cat elsewhere",
        HOLE | {"stage": "up", "up": "-", "cats": "4"},
        r"cats must list the Cheshire Cat .*\(rule C16\)",
    ),
    (
        "a cat twice",
        HOLE | {"stage": "up", "up": "-", "cats": "3.3"},
        r"cats must list the Cheshire Cat .*\(rule C16\)",
    ),
    (
        "a cat at the tea party",
        HOLE | {"stage": "up", "up": "-", "cats": "3", "pawns": "1/9"},
        r"cats must list the Cheshire Cat .*\(rule C16\)",
    ),
]


@pytest.mark.parametrize(("facts", "reason"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_an_impossible_position_is_rejected(at: Any, facts: dict[str, str], reason: str) -> None:
    usual = {"hands": "3.4.2/2.3.5", "pawns": "4/9"}
    with pytest.raises(NotationError, match=reason):
        at(**(usual | facts))


def test_the_bad_positions_are_based_on_possible_ones(at: Any) -> None:
    at("3.4.2/2.3.5", "4/9")
    at(**HOLE, stage="climb", spins="3")
    at(**HOLE, stage="decide", spins="2", spinner="4")
    at(**HOLE, stage="up", up="-", cats="3")
    at(**(HOLE | {"pawns": "7/9"}), stage="spin")
    at(**(HOLE | {"pawns": "1/9"}), stage="tea")
    at("3.4.2/2.3.5", "1/1", **DEAL, stage="first")


def test_required_facts_cannot_be_missing() -> None:
    with pytest.raises(NotationError, match="starts with 'cookies', not with 'parade'"):
        GAME.read_position(LINE.replace("cookies ", "parade ", 1))
    with pytest.raises(NotationError, match="spinner=… is missing"):
        GAME.read_position(LINE.replace(" spinner=4", ""))
