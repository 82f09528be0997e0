"""Replays at the prompt: any position, any seat, step by step."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from support.paths import RECORDS
from wonderland.engine import UsageError, read_record
from wonderland.engine.match import seats_to_act
from wonderland.features.replay.model import Replay, find_seat
from wonderland.features.replay.prompt import ReplayPrompt, play_on_session

PARADE = read_record((RECORDS / "parade" / "3-players-sixth-colour.record").read_bytes()).whole

NOTED = sorted(RECORDS.rglob("noted-*.record"))


def step(replay: Replay, *answers: str) -> list[str]:
    left = list(answers)
    shown: list[str] = []

    def ask(question: str) -> str:
        shown.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    ReplayPrompt(replay, ask, shown.append).walk()
    return shown


def prompts(shown: list[str]) -> list[str]:
    return [line.partition("/")[0].lstrip("[") for line in shown if line.startswith("[")]


def test_a_seat_sees_only_its_own_hand() -> None:
    lines = "\n".join(Replay(PARADE, seat=1).lines(4))
    assert "Hatter, hand:" in lines
    assert "Alice, hand:" not in lines
    everything = "\n".join(Replay(PARADE).lines(4))
    assert "Alice, hand:" in everything
    assert "Cheshire, hand:" in everything


def test_positions_are_numbered_by_decision() -> None:
    replay = Replay(PARADE)
    assert replay.at(0).decisions == 0
    assert len(replay.at(0).moves) == 1 + 15 + 6
    for number in range(replay.last + 1):
        assert replay.at(number).decisions == number
    with pytest.raises(UsageError, match=f"there is no position 999: they go from 0 to {replay.last}"):
        replay.at(999)
    with pytest.raises(UsageError):
        replay.at(-1)


def test_stepping_goes_forward_back_to_a_number_and_to_both_ends() -> None:
    replay = Replay(PARADE)
    shown = step(replay, "", "", "b", "7", "l", "", "f", "b", "l", "p", "sideways", "5000", "q")
    last = str(replay.last)
    assert prompts(shown) == ["0", "1", "2", "1", "7", last, last, "0", "0", last, last, last, last]
    assert any(line.startswith("parade stage=over") for line in shown)
    assert any(line.startswith("'sideways' is nothing I know") for line in shown)
    assert f"there is no position 5000: they go from 0 to {last}." in shown
    assert step(replay)[-1] == f"[0/{last}] "
    assert step(replay, "b")[-1] == f"[0/{last}] "


def test_every_viewpoint_can_be_chosen() -> None:
    shown = step(Replay(PARADE), "4", "s hatter", "s", "s", "s 1", "o", "s nobody", "q")
    said = [line for line in shown if line.startswith(("As ", "All cards"))]
    wanted = ["hatter saw it", "cheshire saw it", "open", "alice saw it"]
    assert [line.partition(" ")[2].rstrip(":").removeprefix("cards ") for line in said] == wanted
    assert any(line.startswith("nobody called 'nobody' plays here") for line in shown)
    tables = "\n".join(shown).split("Position 4 of ")
    for table, hands in zip(tables[1:], ("AHC", "H", "C", "AHC", "A", "AHC"), strict=True):
        assert [name[0] for name in PARADE.names if f"{name}, hand:" in table] == list(hands)


def test_a_search_goes_to_the_next_match_and_wraps_around() -> None:
    replay = Replay(PARADE)
    places = [
        number
        for number in range(replay.last + 1)
        if any("Hatter plays Blue" in line for line in replay.lines(number))
    ]
    assert len(places) > 1
    shown = step(replay, *["/hatter PLAYS blue"] * (len(places) + 1), "/the White Knight", "/", "q")
    found = list(map(str, [*places, places[0]]))
    assert prompts(shown) == ["0", *found, found[-1], found[-1]]
    assert "'the White Knight' stands nowhere in this story. A search is like /plays." in shown
    hidden = Replay(PARADE, seat=0).found("Hatter draws Blue", 0)
    assert hidden is None  # Alice has not seen it


def test_what_if_continues_from_a_position_without_changing_the_record() -> None:
    replay, before = Replay(PARADE), PARADE.text()
    shown = step(replay, "6", "w", "the Knight", "2", "best", "dodo", "table", "quit", "", "q")
    to_act = PARADE.names[seats_to_act(replay.at(6).turn)[0]]
    assert f"As whom: Alice, Hatter, Cheshire? [{to_act}] " in shown
    assert any(line.startswith("nobody called 'the Knight'") for line in shown)
    assert any(line.startswith("'best' is none of the levels") for line in shown)
    assert "Hatter: " in shown
    assert "Back to the record, at position 6." in shown
    assert prompts(shown)[-2:] == ["6", "7"]
    assert PARADE.text() == before
    over = step(replay, "l", "w", "q")
    assert "the game is over there: go back to a decision." in over


@pytest.mark.parametrize("path", NOTED, ids=lambda path: path.stem)
def test_what_if_is_played_to_its_end_with_unknown_cards(path: Path) -> None:
    record = read_record(path.read_bytes()).whole
    session = play_on_session(record, 4, 0, "dodo", seed="tea")
    match = session.match
    assert session.people == [0]
    assert session.log(0)  # earlier events are listed
    assert session.fresh(0) == [] or len(match.events) > session.began
    rng = random.Random(1)
    while (seat := next(iter(seats_to_act(match.turn)), None)) is not None:
        if seat in session.bots:
            session.play_bot(seat)
        else:
            session.play(seat, rng.choice(match.legal(seat)))
    assert match.record.result
    assert match.record.moves[0] == record.moves[0]


def test_the_whole_game_ends_with_the_checked_result() -> None:
    lines = list(Replay(PARADE).whole())
    assert lines[-1].startswith("Checked: ")
    unfinished = type(PARADE)(PARADE.game, PARADE.names, PARADE.options, PARADE.moves[:40])
    assert not any(line.startswith("Checked") for line in Replay(unfinished).whole())


def test_seats_are_found_by_name_or_number() -> None:
    assert find_seat(PARADE, "hatter") == find_seat(PARADE, "2") == 1
    for wrong in ("Queen", "0", "4", ""):
        with pytest.raises(UsageError, match="the seats are 1 Alice, 2 Hatter, 3 Cheshire"):
            find_seat(PARADE, wrong)


@pytest.mark.parametrize("path", sorted(RECORDS.rglob("*.record")), ids=lambda path: path.stem)
def test_every_position_of_every_stored_game_can_be_shown(path: Path) -> None:
    record: Any = read_record(path.read_bytes()).whole
    for seat in (None, 0):
        replay = Replay(record, seat)
        for number in range(0, replay.last + 1, 5):
            lines = list(replay.lines(number))
            assert lines[0] == f"Position {number} of {replay.last}"
            assert len(lines) > 4
