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
        ("parade stage=choose", "starts with 'letters', not with 'parade'"),
        (GOOD.replace("removed=greenE", ""), "removed=… is missing"),
        (with_facts(stage="think"), "stage=think isn't possible"),
        (with_facts(turn="3"), "turn=3 isn't possible: turn must be a number from 1 to 2"),
        (
            with_facts(stage="turn", space="28"),
            "space=28 isn't possible: space must be a number from 1 to 27",
        ),
        (with_facts(stage="turn"), "space=- isn't possible"),
        (with_facts(rails="-/LA"), "rails=LA isn't possible"),
        (with_facts(rails="AL"), "Letters is for 2 to 4 players, not 1 (rule L3)"),
        (with_facts(rails="-/-/-/-/-"), "Letters is for 2 to 4 players, not 5 (rule L3)"),
        (with_facts(rails="-/AL/-"), "doesn't give each of the 3 players their own colour (rule L3)"),
        (with_facts(claim="never"), "claim=never isn't possible"),
        (with_facts(spaces="?.?"), "the position has 2 spaces instead of 27 (rule L2)"),
        (with_space("Hare", "pinkA"), "'pinkA' isn't a card"),
        (
            with_space("Hare", "Hare?"),
            "Hare isn't a letter: a menace stays face up on its space (rule L10)",
        ),
        (with_facts(removed="Walrus"), "Walrus isn't a letter"),
        (with_space("Hare", "King"), "King is in two places (rule L1)"),
        (with_space("Hare", "blueA"), "blueA is in two places (rule L1)"),
        (with_facts(removed="greenE.greenE"), "greenE is in two places (rule L1)"),
        (
            with_facts(removed="-"),
            "each empty space must belong to a letter on a rail, or to one",
        ),
        (with_facts(rails="-/A"), "each empty space must belong to a letter on a rail"),
        (
            with_space("Hare", "yellowA"),
            "yellowA is of a colour nobody is playing, so it leaves the game",
        ),
        (
            with_space("redE?", "yellowA?"),
            "yellowA is of a colour nobody is playing, so it leaves the game",
        ),
        (
            with_facts(removed="redA"),
            "redA is of a colour in play, so it can't be out of the game (rule L11)",
        ),
        (
            with_space("Hare", "?"),
            "letters of more colours have been turned face down than menaces",
        ),
        (
            with_space("King", "Duchess").replace("Hare", "?"),
            "letters of more colours have been turned face down",
        ),
        (with_space("Hare", "?", duchess="true"), "letters of more colours have been turned face down"),
        (
            with_facts(stage="start", turn="-"),
            "no card can be turned before someone goes first (rule L2)",
        ),
        (with_facts(stage="turn", space="3"), "there is no face-down card on space 3 (rule L5)"),
        (with_space("blueI?", "blueI"), "blueI is face up, but player 2 would have played it (rule L9)"),
        (
            with_space("redE?", "redA", claim="first"),
            "redA is face up, but player 1 would have played it (rule L9)",
        ),
        (
            with_facts(spaces=ALL_OPEN, removed=UNUSED),
            "the player who turned the last card has all their letters",
        ),
        (with_facts(**WON), "player 2 has A-L-I-C-E, so the game is over (rule L12)"),
        (
            with_facts(stage="over", turn="-", ending="turned"),
            "exactly one player must have A-L-I-C-E",
        ),
        (
            with_facts(stage="over", turn="-", rails="ALICE/ALICE", spaces=f"_._._._._._._._.{REST}"),
            "exactly one player must have A-L-I-C-E",
        ),
        (with_facts(**OVER), "ending=- isn't possible: ending must be one of turned, claimed-after"),
        (
            with_facts(**OVER, ending="claimed-first"),
            "claimed first can't happen with claim=after (rule L9)",
        ),
        (
            with_facts(**OVER, ending="claimed-after", claim="first"),
            "claimed after can't happen with claim=first (rule L9)",
        ),
        (with_facts(stage="start"), "turn=1 doesn't belong to stage=start: turn must be - there."),
        (with_facts(stage="start", turn="-", space="zz"), "space=zz doesn't belong to stage=start"),
        (
            with_facts(stage="start", turn="-", ending="turned"),
            "ending=turned doesn't belong to stage=",
        ),
        (with_facts(space="zz"), "space=zz doesn't belong to stage=choose: space must be - there."),
        (with_facts(ending="zz"), "ending=zz doesn't belong to stage=choose: ending must be - there."),
        (with_facts(stage="turn", space="1", ending="zz"), "ending=zz doesn't belong to stage=turn"),
        (with_facts(**WON, stage="over", ending="turned"), "turn=1 doesn't belong to stage=over"),
        (with_facts(**OVER, ending="turned", space="3"), "space=3 doesn't belong to stage=over"),
        (
            with_facts(**OVER | {"spaces": ONE_OPEN}, ending="turned"),
            "redA is face up, but player 1 would have played it (rule L9)",
        ),
        (
            with_facts(
                **OVER | {"rails": "ALICE/-", "spaces": ONE_OPEN.replace("red", "blue")}, ending="turned"
            ),
            "blueA is face up, but player 2 would have played it (rule L9)",
        ),
        (
            with_facts(**OVER | {"spaces": ONE_OPEN}, ending="claimed-first", claim="first"),
            "redA is face up, but player 1 would have played it (rule L9)",
        ),
        (
            with_facts(
                **OVER | {"spaces": f"_._._._._.King.?.?.{REST}"}, ending="claimed-after", removed="-"
            ),
            "must have been a letter of another colour, but there is none (rule L9)",
        ),
        (
            with_facts(rails="A/-", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-"),
            "player 1 hasn't had a turn yet, so can't have played a letter (rule L9)",
        ),
        (
            with_facts(
                rails="-/A", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-", turn="2", claim="after"
            ),
            "player 2 hasn't had a turn yet, so can't have played a letter (rule L9)",
        ),
        (
            with_facts(
                turn="3", rails="-/-/A/-", spaces=f"_.redC.?.?.?.?.?.?.{REST}", removed="-"
            ).replace("red,blue", "first"),
            "player 3 hasn't had a turn yet, so can't have played a letter (rule L9)",
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


def test_l9_at_the_end_only_the_player_before_the_winner_has_played_what_they_could() -> None:
    over = with_facts(**OVER | {"rails": "-/ALICE/-"}, ending="turned").replace(
        "red,blue", "red,blue,yellow"
    )
    spaces = f"_._._._._.King._.?.{REST}"
    read_position(over.replace(spaces, f"?.yellowA._._._._._._.{REST}"))
    with pytest.raises(NotationError, match="player 1 would have played it"):
        read_position(over.replace(spaces, f"?.redA._._._._._._.{REST}"))


def test_l9_the_last_card_turned_before_a_claim_may_have_been_removed() -> None:
    line = with_facts(**OVER, ending="claimed-after")
    assert write_position(read_position(line)) == line


def test_l9_the_last_card_may_be_a_letter_of_the_previous_player() -> None:
    line = with_facts(**OVER | {"spaces": ONE_OPEN}, ending="claimed-after")
    assert write_position(read_position(line)) == line


def test_l9_a_letter_turned_by_another_is_played_before_the_owners_first_turn() -> None:
    line = with_facts(rails="A/-", spaces=f"_.?.?.?.?.?.?.?.{REST}", removed="-", claim="first")
    assert write_position(read_position(line)) == line
