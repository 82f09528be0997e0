"""Looking at recorded games: any position, any seat, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wonderland.core import NotationError, read_record
from wonderland.terminal.replay import Replay, find_seat

RECORDS = Path(__file__).parent.parent / "records"
PARADE = read_record((RECORDS / "parade" / "3-players-sixth-colour.record").read_bytes()).whole


def step(replay: Replay, *answers: str) -> list[str]:
    left = list(answers)
    shown: list[str] = []

    def ask(question: str) -> str:
        shown.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    replay.step_through(ask, shown.append)
    return shown


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    lines = "\n".join(Replay(PARADE, seat=1).lines(4))
    assert "Hatter, hand:" in lines
    assert "Alice, hand:" not in lines
    everything = "\n".join(Replay(PARADE).lines(4))
    assert "Alice, hand:" in everything
    assert "Cheshire, hand:" in everything


def test_positions_are_counted_by_decisions() -> None:
    replay = Replay(PARADE)
    assert replay.at(0).decisions == 0
    assert len(replay.at(0).moves) == 1 + 15 + 6
    for number in range(replay.last + 1):
        assert replay.at(number).decisions == number
    with pytest.raises(
        NotationError, match=f"there is no position 999: they go from 0 to {replay.last}"
    ):
        replay.at(999)
    with pytest.raises(NotationError):
        replay.at(-1)


def test_stepping_goes_on_back_to_a_number_and_to_the_end() -> None:
    replay = Replay(PARADE)
    shown = step(replay, "", "", "b", "7", "l", "", "p", "sideways", "5000", "q")
    prompts = [line for line in shown if line.startswith("[")]
    last = replay.last
    assert prompts == [f"[{n}/{last}] " for n in (0, 1, 2, 1, 7, last, last, last, last, last)]
    assert any(line.startswith("parade stage=over") for line in shown)
    assert any(line.startswith("'sideways' is nothing I know") for line in shown)
    assert step(replay)[-1] == f"[0/{last}] "
    assert step(replay, "b")[-1] == f"[0/{last}] "


def test_the_whole_game_ends_with_the_checked_result() -> None:
    lines = list(Replay(PARADE).whole())
    assert lines[-1].startswith("Checked: ")
    unfinished = type(PARADE)(PARADE.game, PARADE.names, PARADE.options, PARADE.moves[:40])
    assert not any(line.startswith("Checked") for line in Replay(unfinished).whole())


def test_seats_are_found_by_name_or_number() -> None:
    assert find_seat(PARADE, "hatter") == find_seat(PARADE, "2") == 1
    for wrong in ("Queen", "0", "4", ""):
        with pytest.raises(NotationError, match="the seats are 1 Alice, 2 Hatter, 3 Cheshire"):
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
