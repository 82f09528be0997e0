"""The Undone lines of a record: what was taken back, and that it could have been played."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from wonderland.engine import Match, Seeded, game, game_names, read_record
from wonderland.engine.match import seats_to_act
from wonderland.engine.record import Undone
from wonderland.engine.record_reader import AnyMatch, AnyRecord


def play(match: AnyMatch, decisions: int, choice: int) -> None:
    for _ in range(decisions):
        seat = seats_to_act(match.turn)[0]
        match.play(seat, match.legal(seat)[choice])


def record_with_take_backs(name: str = "parade") -> AnyRecord:
    """Five decisions; two are taken back, other ones played, then four taken back."""
    match: AnyMatch = Match(game(name), ["Alice", "Hatter"], chance=Seeded(1))
    undone = []
    for decisions, kept in ((5, 3), (2, 1)):
        play(match, decisions, 0)
        made = [number for number, move in enumerate(match.moves) if isinstance(move.actor, int)]
        undone.append(Undone(made[kept], tuple(match.moves[made[kept] :])))
        match.take_back(made[kept])
    play(match, 3, -1)
    return replace(match.record, undone=tuple(undone))


@pytest.mark.parametrize("name", game_names())
def test_take_backs_round_trip(name: str) -> None:
    record = record_with_take_backs(name)
    text = record.text()
    assert text.count("\nUndone: ") == 2
    again = read_record(text).whole
    assert again.undone == record.undone
    assert again.text() == text
    first, second, final = record.lines_of_play()
    assert final == record.moves
    assert first[: record.undone[0].kept] == second[: record.undone[0].kept]


def test_a_record_without_take_backs_has_no_such_line() -> None:
    assert "Undone" not in replace(record_with_take_backs(), undone=()).text()


@pytest.mark.parametrize("line", ["", "x", "-1 1 G3", "3", "3 1", "3 9 G3", "3 1 G3 -", "12345678 1 G3"])
def test_a_line_that_says_something_else_is_a_fault(line: str) -> None:
    text = replace(record_with_take_backs(), undone=()).text()
    fault = read_record(text.replace("\n\n", f"\nUndone: {line}\n\n", 1)).fault
    assert fault is not None
    assert "number of moves" in fault.sentence


def test_impossible_moves_are_faults() -> None:
    text = replace(record_with_take_backs(), undone=()).text()
    for line, said in (("999 1 G3", "only"), ("0 1 G3", "isn't allowed"), ("0 1 XX", "isn't a card")):
        fault = read_record(text.replace("\n\n", f"\nUndone: {line}\n\n", 1)).fault
        assert fault is not None
        assert said in fault.sentence
