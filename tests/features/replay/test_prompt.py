"""Replays at the prompt: any position, any seat, step by step."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from support.paths import RECORDS
from wonderland.bots.evaluation import can_evaluate
from wonderland.components.bots import Budget
from wonderland.engine import UsageError, read_record
from wonderland.engine.match import seats_to_act
from wonderland.features.replay.advice_text import expected_lines, verdict_lines
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
    assert "Hatter's hand:" in lines
    assert "Alice's hand:" not in lines
    everything = "\n".join(Replay(PARADE).lines(4))
    assert "Alice's hand:" in everything
    assert "Cheshire's hand:" in everything


def test_positions_are_numbered_by_decision() -> None:
    replay = Replay(PARADE)
    assert replay.at(0).decisions == 0
    assert len(replay.at(0).moves) == 1 + 15 + 6
    for number in range(replay.last + 1):
        assert replay.at(number).decisions == number
    with pytest.raises(UsageError, match=f"there is no position 999.*0 to {replay.last}"):
        replay.at(999)
    with pytest.raises(UsageError):
        replay.at(-1)


def test_stepping_goes_forward_back_to_a_number_and_to_both_ends() -> None:
    replay = Replay(PARADE)
    shown = step(replay, "", "", "b", "7", "l", "", "f", "b", "l", "p", "sideways", "5000", "q")
    last = str(replay.last)
    assert prompts(shown) == ["0", "1", "2", "1", "7", last, last, "0", "0", last, last, last, last]
    assert any(line.startswith("parade stage=over") for line in shown)
    assert any(line.startswith("There's no command 'sideways'") for line in shown)
    assert any("position 5000" in line and line.endswith(f"0 to {last}.") for line in shown)
    assert step(replay)[-1] == f"[0/{last}] "
    assert step(replay, "b")[-1] == f"[0/{last}] "


def test_every_viewpoint_can_be_chosen() -> None:
    shown = step(Replay(PARADE), "4", "s hatter", "s", "s", "s 1", "o", "s nobody", "q")
    said = [line for line in shown if line.endswith(("see:", "face up:"))]
    wanted = ["Hatter", "Cheshire", "cards", "Alice"]
    assert [line.split()[1] for line in said] == wanted
    assert any(line.startswith("Nobody called 'nobody' plays") for line in shown)
    tables = "\n".join(shown).split("Move 4 of ")
    for table, hands in zip(tables[1:], ("AHC", "H", "C", "AHC", "A", "AHC"), strict=True):
        assert [name[0] for name in PARADE.names if f"{name}'s hand:" in table] == list(hands)


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
    assert any("'the White Knight' wasn't found" in line for line in shown)
    hidden = Replay(PARADE, seat=0).found("Hatter draws Blue", 0)
    assert hidden is None  # Alice has not seen it


def test_what_if_continues_from_a_position_without_changing_the_record() -> None:
    replay, before = Replay(PARADE), PARADE.text()
    shown = step(replay, "6", "w", "the Knight", "2", "best", "dodo", "table", "quit", "", "q")
    to_act = PARADE.names[seats_to_act(replay.at(6).turn)[0]]
    assert any(line.endswith(f"Alice, Hatter, Cheshire? [{to_act}] ") for line in shown)
    assert any(line.startswith("Nobody called 'the Knight'") for line in shown)
    assert any(line.startswith("'best' isn't on the list") for line in shown)
    assert "Hatter: " in shown
    assert any(line.startswith("Back to the recorded game") for line in shown)
    assert prompts(shown)[-2:] == ["6", "7"]
    assert PARADE.text() == before
    over = step(replay, "l", "w", "q")
    assert any("already over" in line for line in over)


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
    assert lines[-1].startswith("The record is complete")
    unfinished = type(PARADE)(PARADE.game, PARADE.names, PARADE.options, PARADE.moves[:40])
    assert not any(line.startswith("The record is complete") for line in Replay(unfinished).whole())


def test_seats_are_found_by_name_or_number() -> None:
    assert find_seat(PARADE, "hatter") == find_seat(PARADE, "2") == 1
    for wrong in ("Queen", "0", "4", ""):
        with pytest.raises(UsageError, match="The seats are 1 Alice, 2 Hatter, 3 Cheshire"):
            find_seat(PARADE, wrong)


@pytest.mark.parametrize("path", sorted(RECORDS.rglob("*.record")), ids=lambda path: path.stem)
def test_every_position_of_every_stored_game_can_be_shown(path: Path) -> None:
    record: Any = read_record(path.read_bytes()).whole
    for seat in (None, 0):
        replay = Replay(record, seat)
        for number in range(0, replay.last + 1, 5):
            lines = list(replay.lines(number))
            assert lines[0] == f"Move {number} of {replay.last}"
            assert len(lines) > 4


def test_the_coach_is_asked_at_any_position() -> None:
    left = ["4", "c", "e", "s Hatter", "c", "l", "c"]
    shown: list[str] = []

    def ask(question: str) -> str:
        shown.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    ReplayPrompt(Replay(PARADE), ask, shown.append, budget=Budget(playouts=20)).walk()
    first = shown[shown.index("[4/" + str(Replay(PARADE).last) + "] ") + 1 :]
    match = Replay(PARADE).at(4)
    seat = seats_to_act(match.turn)[0]
    choices = [line for line in first if re.match(r"  +\d+% ± \d+ +\w", line)]
    assert len(choices) == len(match.legal(seat)) * (2 if PARADE.names[seat] == "Hatter" else 1)
    assert sum(line.endswith("(played)") for line in choices) >= 1
    assert any(line.startswith("  5. ") for line in first), "five moves are expected"
    refused = "From this view, nobody has a choice here."
    assert refused in shown[-2:]


def test_expected_play_ends_at_an_unknown_hand() -> None:
    record = read_record(NOTED[-1].read_bytes()).whole
    replay = Replay(record)
    unknown = next(
        number
        for number in range(replay.last)
        if not can_evaluate(
            record.game, replay.at(number).state, seats_to_act(replay.at(number).turn)[0]
        )
    )
    lines = list(expected_lines(replay, unknown, Budget(playouts=20)))
    assert len(lines) == 2


def test_choices_that_are_alike_share_a_line() -> None:
    record = read_record(min((RECORDS / "letters").glob("turned-two*.record")).read_bytes()).whole
    lines = list(verdict_lines(Replay(record), 0))
    assert len(lines) < len(record.game.legal(Replay(record).at(0).state, 0))
    assert sum("(played)" in line for line in lines) == 1
