"""Branches of a recorded play: any position of any record, with every card known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support.game_variants import all_variants
from support.paths import RECORDS
from wonderland.engine import CHANCE, Match, Over, UsageError, game, game_names, read_record
from wonderland.engine.laws import random_match
from wonderland.engine.protocol import FACE_DOWN
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.replay.branch import branch_at, decision_count, move_count_at, recording_seat

NOTED = {"noted-by-the-hatter": 1, "noted-by-alice": 0, "noted-by-a-spectator": None}
"""Records with unknown cards, and from which seat they were noted."""
SETTINGS = [(name, seats, options) for name in game_names() for seats, options in all_variants(name)]


def read_handwritten(stem: str) -> AnyRecord:
    (path,) = RECORDS.rglob(f"{stem}.record")
    return read_record(path.read_bytes()).whole


@given(st.sampled_from(SETTINGS), st.integers(0, 10_000), st.floats(0, 1))
def test_a_branch_is_the_play_up_to_that_position(
    setting: tuple[str, int, object], seed: int, part: float
) -> None:
    name, seats, options = setting
    whole = random_match(game(name), seats, options, random.Random(seed)).record
    record = replace(whole, shuffle_statement="hmac-1", given=(("start", (whole.moves[0].action,)),))
    moment = int(part * (decision_count(record) - 1))
    begun = branch_at(record, moment, random.Random(0))
    assert begun.moves == record.moves[: len(begun.moves)]
    assert decision_count(begun) == moment
    assert (
        record.moves[len(begun.moves)].actor is not CHANCE
    )  # all chance outcomes that follow belong to it
    assert (begun.names, begun.options) == (record.names, record.options)
    assert (begun.shuffle_statement, begun.given) == (None, ())
    assert read_record(begun.text()).whole == begun


def test_there_is_no_branch_at_the_end_or_beyond() -> None:
    record = read_handwritten("3-players-sixth-colour")
    last = decision_count(record)
    with pytest.raises(UsageError, match=r"^the game is already over at that point"):
        branch_at(record, last, random.Random(0))
    for nowhere in (-1, last + 1):
        with pytest.raises(UsageError, match=f"there is no position {nowhere}. .* from 0 to {last}"):
            move_count_at(record, nowhere)


@pytest.mark.parametrize("stem", NOTED)
def test_unknown_cards_are_sampled_consistently(stem: str) -> None:
    record, seat = read_handwritten(stem), NOTED[stem]
    assert recording_seat(record) == seat
    pasts = set()
    for moment in range(0, decision_count(record), 3):
        was: AnyMatch = Match.resume(record, upto=move_count_at(record, moment))
        begun = branch_at(record, moment, random.Random(moment))
        match: AnyMatch = Match.resume(begun)
        assert not any(move.action is FACE_DOWN for move in begun.moves)
        assert match.view(seat) == was.view(seat)
        assert match.events_seen_by(seat) == was.events_seen_by(seat)
        pasts.add(begun.moves[:8])
    assert len(pasts) > 1  # nobody knows which card it was


@pytest.mark.parametrize("stem", NOTED)
def test_a_handwritten_game_can_be_continued_to_its_end(stem: str) -> None:
    rng = random.Random(stem)
    match: AnyMatch = Match.resume(branch_at(read_handwritten(stem), 5, rng))
    while not isinstance(turn := match.turn, Over):
        if hasattr(turn, "outcomes"):
            match.decide(rng.choice([each for each in turn.outcomes if each is not FACE_DOWN]))
        else:
            match.play(turn.seats[0], rng.choice(match.legal(turn.seats[0])))
    assert match.record.result


def test_the_recording_seat_is_the_first_with_known_cards() -> None:
    assert recording_seat(read_handwritten("3-players-sixth-colour")) == 0
