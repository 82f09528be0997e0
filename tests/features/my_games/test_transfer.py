"""Many records in one file: faulty ones are named, the others read."""

from __future__ import annotations

import pytest

from support.paths import RECORDS
from wonderland.features.my_games.transfer import (
    FaultyRecord,
    ReadableRecord,
    read_one,
    seat_of,
    split_records,
    table_of,
)
from wonderland.tables.uploaded_records import MAX_RECORD_LENGTH

PARADE = (RECORDS / "parade/4-players-empty-pile.record").read_text()
LETTERS = (RECORDS / "letters/turned-three-players.record").read_text()
COOKIES = (RECORDS / "cookies/three-players-most-points.record").read_text()


@pytest.mark.parametrize("separator", ["\n", "\n\n\n", "\n\n# the next game\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_records_are_split_whatever_is_between_them(separator: str, newline: str) -> None:
    text = separator.join((PARADE, LETTERS, COOKIES))
    found = [read_one(part) for part in split_records(text.replace("\n", newline))]
    assert [one.record.game.info.name for one in found if isinstance(one, ReadableRecord)] == [
        "parade",
        "letters",
        "cookies",
    ]


def test_all_stored_records_survive_a_file_of_them() -> None:
    texts = [path.read_text() for path in sorted(RECORDS.rglob("*.record"))]
    parts = list(split_records("\n".join(texts)))
    assert len(parts) == len(texts)
    for part, text in zip(parts, texts, strict=True):
        assert part.text.strip() == text.strip()


def test_a_player_may_be_called_game() -> None:
    text = PARADE.replace("Dinah", "Game")
    assert [part.line for part in split_records(text)] == [1]


def test_a_fault_is_located_in_the_whole_file() -> None:
    lines = LETTERS.splitlines()
    broken = next(number for number, line in enumerate(lines) if number > 5 and ": " in line)
    lines[broken] = lines[broken].replace(": ", ": 99x ", 1)
    text = "\n".join((PARADE, *lines, "", COOKIES))
    found = [read_one(part) for part in split_records(text)]
    first, second, third = found
    assert isinstance(first, ReadableRecord)
    assert isinstance(third, ReadableRecord)
    assert isinstance(second, FaultyRecord)
    assert "99x" in text.splitlines()[second.line - 1]
    assert second.game == "letters"


def test_unfinished_and_oversized_games_are_refused() -> None:
    header, _, moves = PARADE.partition("\n\n")
    unfinished = "\n".join(line for line in header.splitlines() if not line.startswith("Result"))
    short = f"{unfinished}\n\n" + "\n".join(moves.splitlines()[:8]) + "\n"
    long = PARADE + "# and so on\n" * (MAX_RECORD_LENGTH // 10)
    for text in (short, long):
        (part,) = split_records(text)
        assert isinstance(read_one(part), FaultyRecord)


def test_text_without_a_record_has_none() -> None:
    assert list(split_records("\n\n# nothing\n")) == []
    (part,) = split_records("Dear Alice,\n")
    assert isinstance(read_one(part), FaultyRecord)


def test_the_table_and_the_seat_are_read_from_a_record() -> None:
    (part,) = split_records(PARADE)
    found = read_one(part)
    assert isinstance(found, ReadableRecord)
    assert table_of(found.record) == ""
    names = found.record.names
    assert [seat_of(found.record, name.upper()) for name in names] == list(range(len(names)))
    assert seat_of(found.record, "Nobody at all") is None
