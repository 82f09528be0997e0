"""Stored records of whole games: each replays byte for byte, and together they cover every ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.paths import RECORDS
from wonderland.engine import Match, Over, game, game_names, read_record
from wonderland.engine.options import write_options
from wonderland.games.parade.rules.state import Ending

FILES = sorted(RECORDS.rglob("*.record"))
ENDINGS = {
    "parade": {ending.value for ending in Ending},
    "letters": {"turned", "claimed after", "claimed first"},
    "cookies": {"all cards played"},
}
DECIDED = {
    "parade": {"lowest score", "fewest cards", "same score, same number of cards"},
    "letters": {"A-L-I-C-E complete"},
    "cookies": {"most points", "most large cookies", "farthest pawn"},
}


def read(path: Path) -> Any:
    return read_record(path.read_bytes()).whole


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_stored_game_replays_byte_for_byte(path: Path) -> None:
    record = read(path)
    assert path.parent.name == record.game.info.name
    assert record.text().encode() == path.read_bytes()
    match = Match.resume(record)
    assert isinstance(match.turn, Over)


@pytest.mark.parametrize("name", game_names())
def test_every_ending_seat_count_and_option_is_stored(name: str) -> None:
    records = [read(path) for path in FILES if path.parent.name == name]
    results = [record.result for record in records]
    assert {result.ending for result in results} == ENDINGS[name]
    assert {result.decided for result in results} == DECIDED[name]
    assert {len(record.names) for record in records} == set(game(name).info.seats)
    used = {option for record in records for option in write_options(record.game, record.options)}
    assert used == {option.name for option in game(name).info.options}


def test_a_game_recorded_from_one_seat_is_stored_where_hands_are_hidden() -> None:
    for name in ("parade", "cookies"):
        assert any("+?" in path.read_text() for path in FILES if path.parent.name == name)
