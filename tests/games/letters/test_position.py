"""One-line positions of Letters: they round-trip, and impossible ones are rejected with the reason."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import FACE_DOWN, Match, NotationError, laws
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import Colour
from wonderland.games.letters.rules.notation import read_card
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.position import read_position, write_position
from wonderland.games.letters.rules.state import EMPTY, Ended, FaceUp, TurnCard, TurnedDown

Play: TypeAlias = Callable[..., Match[Any, Any, Any, Any, Any]]

REST = ".".join("?" * 19)
SPACES = f"?.redE?.King._._.blueI?.Hare._.{REST}"
GOOD = (
    "letters stage=choose turn=1 space=- ending=- duchess=false claim=after memory=closed "
    f"colours=red,blue rails=-/AL spaces={SPACES} removed=greenE"
)
"""Seat 2 has played A and L; one letter of each is face down again; the green E was removed."""

WON = {"rails": "-/ALICE", "spaces": f"_._._._._.King._.?.{REST}"}
OVER = {**WON, "stage": "over", "turn": "-"}
ONE_OPEN = f"?.redA._._._._._._.{REST}"
ALL_OPEN = (
    "_._.blueI.blueC.blueE.redA.redL.redI.redC.redE.Duchess.Hatter.Hare.Turtle.Walrus.Carpenter.King"
    "._._._._._._._._._._"
)
UNUSED = ".".join(f"{colour}{letter}" for colour in ("yellow", "green") for letter in "ALICE")


def card(text: str) -> Any:
    return read_card(text)


def with_facts(**facts: str) -> str:
    """The valid position with other facts."""
    pairs = (word.split("=") for word in GOOD.split()[1:])
    return " ".join(["letters", *(f"{key}={facts.get(key, value)}" for key, value in pairs)])


def with_space(before: str, now: str, **facts: str) -> str:
    """The valid position with something else on one of the spaces."""
    return with_facts(spaces=SPACES.replace(before, now), **facts)


@given(
    seats=st.sampled_from([2, 3, 4]),
    options=st.builds(
        Options,
        duchess=st.booleans(),
        claim=st.sampled_from(["after", "first"]),
        memory=st.sampled_from(["closed", "open"]),
    ),
    seed=st.integers(min_value=0),
)
def test_every_position_of_a_play_round_trips(seats: int, options: Options, seed: int) -> None:
    match = laws.random_match(GAME, seats, options, random.Random(seed))
    for state, _ in match.record.states():
        assert read_position(write_position(state)) == state


def test_a_position_is_one_line(play: Play) -> None:
    match = play("2 redA", "3 blueL", "4 redI", "5 greenC", "1 King", colours=(Colour.RED, Colour.BLUE))
    match.play(1, TurnCard(26))
    assert write_position(match.state) == (
        "letters stage=turn turn=2 space=27 ending=- duchess=false claim=after memory=closed "
        f"colours=red,blue rails=A/- spaces=King._.blueL.redI?._{'.?' * 22} removed=greenC"
    )


def test_a_valid_position_is_read() -> None:
    state = read_position(GOOD)
    assert state.spaces[:5] == (
        FACE_DOWN,
        TurnedDown(card("redE")),
        FaceUp(card("King")),
        EMPTY,
        EMPTY,
    )
    assert state.rails == (0, 2)
    assert len(state.unseen) == state.spaces.count(FACE_DOWN) == 20
    assert write_position(state) == GOOD


def test_a_position_may_use_the_default_colours() -> None:
    assert read_position(with_facts(colours="first")) == read_position(GOOD)


def test_l11_removed_letters_are_sorted_when_read() -> None:
    mixed = with_space("?.redE?", "_.redE?", removed="greenE.yellowA")
    assert write_position(read_position(mixed)).endswith("removed=yellowA.greenE")


def test_l14_only_the_duchess_turns_down_several_colours() -> None:
    line = with_facts(spaces=f"Duchess.redE?.blueI?._._.?.?._.{REST}", duchess="true")
    assert write_position(read_position(line)) == line


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("parade stage=choose", "begins with 'letters', not with 'parade'"),
        (GOOD.replace("removed=greenE", ""), "the position does not say removed="),
        (with_facts(stage="think"), "stage=think is not possible"),
        (with_facts(turn="3"), "turn=3 is not possible: it is a number from 1 to 2"),
        (with_facts(stage="turn", space="28"), "space=28 is not possible: it is a number from 1 to 27"),
        (with_facts(stage="turn"), "space=- is not possible"),
        (with_facts(rails="-/LA"), "rails=LA is not possible"),
        (with_facts(rails="AL"), "rails=AL is for 1 players, not 2 to 4 (L3)"),
        (with_facts(rails="-/-/-/-/-"), "is for 5 players, not 2 to 4 (L3)"),
        (with_facts(rails="-/AL/-"), "does not give each of 3 players a colour of their own (L3)"),
        (with_facts(claim="never"), "claim=never is not known"),
        (with_facts(spaces="?.?"), "there are 2 spaces instead of 27 (L2)"),
        (with_space("Hare", "pinkA"), "'pinkA' is not a card"),
        (with_space("Hare", "Hare?"), "Hare is not a letter: names stay face up where they lie (L10)"),
        (with_facts(removed="Walrus"), "Walrus is not a letter"),
        (with_space("Hare", "King"), "King is in two places (L1)"),
        (with_space("Hare", "blueA"), "blueA is in two places (L1)"),
        (with_facts(removed="greenE.greenE"), "greenE is in two places (L1)"),
        (
            with_facts(removed="-"),
            "each empty space is that of a letter on a rail, or of one removed",
        ),
        (with_facts(rails="-/A"), "each empty space is that of a letter on a rail"),
        (with_space("Hare", "yellowA"), "yellowA is of a colour that nobody plays, so it is removed"),
        (with_space("redE?", "yellowA?"), "yellowA is of a colour that nobody plays, so it is removed"),
        (with_facts(removed="redA"), "redA is of a colour in play, so it is not removed (L11)"),
        (
            with_space("Hare", "?"),
            "letters of more colours were turned down than menaces have been turned",
        ),
        (with_space("King", "Duchess").replace("Hare", "?"), "letters of more colours were turned down"),
        (with_space("Hare", "?", duchess="true"), "letters of more colours were turned down"),
        (with_facts(stage="start", turn="-"), "nothing has been turned before someone begins (L2)"),
        (with_facts(stage="turn", space="3"), "no card lies face down on space 3 (L5)"),
        (with_space("blueI?", "blueI"), "blueI lies open, but seat 2 would have played it (L9)"),
        (
            with_space("redE?", "redA", claim="first"),
            "redA lies open, but seat 1 would have played it (L9)",
        ),
        (with_facts(spaces=ALL_OPEN, removed=UNUSED), "whoever turned the last card has all letters"),
        (with_facts(**WON), "seat 2 has A-L-I-C-E, so the game is over (L12)"),
        (
            with_facts(stage="over", turn="-", ending="turned"),
            "rails=-/AL is not won by one player (L12)",
        ),
        (
            with_facts(stage="over", turn="-", rails="ALICE/ALICE", spaces=f"_._._._._._._._.{REST}"),
            "rails=ALICE/ALICE is not won by one player (L12)",
        ),
        (with_facts(**OVER), "ending=- is not possible: it is turned or claimed-after or"),
        (
            with_facts(**OVER, ending="claimed-first"),
            "nothing is claimed first with claim=after (L9)",
        ),
        (
            with_facts(**OVER, ending="claimed-after", claim="first"),
            "nothing is claimed after with claim=first (L9)",
        ),
        (with_facts(stage="start"), "'turn=1' does not belong to stage=start: turn is - there."),
        (with_facts(stage="start", turn="-", space="zz"), "'space=zz' does not belong to stage=start"),
        (
            with_facts(stage="start", turn="-", ending="turned"),
            "'ending=turned' does not belong to stage=",
        ),
        (with_facts(space="zz"), "'space=zz' does not belong to stage=choose: space is - there."),
        (with_facts(ending="zz"), "'ending=zz' does not belong to stage=choose: ending is - there."),
        (with_facts(stage="turn", space="1", ending="zz"), "'ending=zz' does not belong to stage=turn"),
        (with_facts(**WON, stage="over", ending="turned"), "'turn=1' does not belong to stage=over"),
        (with_facts(**OVER, ending="turned", space="3"), "'space=3' does not belong to stage=over"),
        (
            with_facts(**OVER | {"spaces": ONE_OPEN}, ending="turned"),
            "redA lies open, but seat 1 would have played it (L9)",
        ),
        (
            with_facts(
                **OVER | {"rails": "ALICE/-", "spaces": ONE_OPEN.replace("red", "blue")}, ending="turned"
            ),
            "blueA lies open, but seat 2 would have played it (L9)",
        ),
        (
            with_facts(**OVER | {"spaces": ONE_OPEN}, ending="claimed-first", claim="first"),
            "redA lies open, but seat 1 would have played it (L9)",
        ),
        (
            with_facts(
                **OVER | {"spaces": f"_._._._._.King.?.?.{REST}"}, ending="claimed-after", removed="-"
            ),
            "no letter of another colour has been turned, as the last card was (L9)",
        ),
        (
            with_facts(rails="A/-", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-"),
            "seat 1 has not had a turn yet, and can't have played a letter (L9)",
        ),
        (
            with_facts(
                rails="-/A", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-", turn="2", claim="after"
            ),
            "seat 2 has not had a turn yet, and can't have played a letter (L9)",
        ),
        (
            with_facts(
                turn="3", rails="-/-/A/-", spaces=f"_.redC.?.?.?.?.?.?.{REST}", removed="-"
            ).replace("red,blue", "first"),
            "seat 3 has not had a turn yet, and can't have played a letter (L9)",
        ),
    ],
)
def test_impossible_positions_are_rejected_with_the_reason(line: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_position(line)
    assert reason in str(caught.value)


def test_l9_an_exposed_letter_may_wait_for_its_owners_turn() -> None:
    assert FaceUp(card("redA")) in read_position(with_space("redE?", "redA")).spaces


def test_l12_a_position_may_be_the_end() -> None:
    line = with_facts(**OVER, ending="turned")
    state = read_position(line)
    assert isinstance(state.stage, Ended)
    assert (state.stage.result.winners, state.stage.result.scores) == ((1,), (0, 5))
    assert write_position(state) == line


def test_l9_the_last_card_may_be_a_letter_of_the_previous_player() -> None:
    line = with_facts(**OVER | {"spaces": ONE_OPEN}, ending="claimed-after")
    assert write_position(read_position(line)) == line


def test_l9_a_letter_turned_by_another_is_played_before_the_owners_first_turn() -> None:
    line = with_facts(rails="A/-", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-", claim="first")
    assert write_position(read_position(line)) == line
