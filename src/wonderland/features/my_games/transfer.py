"""Many records in one text file: splitting such a file, and reading each of its records.

A file is a sequence of records as in `docs/records.md`. Each begins with its `Game:` line; a faulty
record doesn't keep the others from being read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wonderland.engine.language import Message, phrase
from wonderland.engine.record_header import KEYS
from wonderland.engine.record_reader import AnyRecord, Reading, read_record
from wonderland.engine.values import Value
from wonderland.tables.uploaded_records import MAX_RECORD_LENGTH, normalise_record
from wonderland.wire.problems import Refusal

MAX_RECORDS = 200
"""Records in one file."""
MAX_FILE_LENGTH = 512 * 1024
"""Length of a file in characters."""
_GAME = re.compile(r"game\s*:", re.IGNORECASE)
_KEY = re.compile(rf"(?:{'|'.join(KEYS)})\s*:", re.IGNORECASE)
_UNFINISHED = phrase("This game isn't finished.")
_TOO_LONG = phrase("This record is too long.")


class RecordText(Value, frozen=True):
    """One record of a file."""

    line: int
    """The line of the file at which it starts, from 1."""
    text: str


class FaultyRecord(Value, frozen=True):
    """A record that can't be imported, and where in the file the fault is; counted from 1."""

    line: int
    column: int
    message: Message
    game: str = ""
    rule: str = ""


class ReadableRecord(Value, frozen=True):
    """A record that can be imported, parsed and in canonical form."""

    record: AnyRecord
    text: bytes


def split_records(text: str) -> Iterator[RecordText]:
    r"""Split a file into records; text before the first `Game:` line is a record, too, if a faulty one.

    >>> [(one.line, one.text) for one in split_records("Game: a\nRules: 1\n\nx\n\nGame: b\nRules: 1\n")]
    [(1, 'Game: a\nRules: 1\n\nx\n\n'), (6, 'Game: b\nRules: 1\n')]
    """
    lines = text.replace("\r\n", "\n").removeprefix("\N{BYTE ORDER MARK}").splitlines(keepends=True)
    starts = [number for number in range(len(lines)) if _is_start(lines, number)]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        if any(_says_something(line) for line in lines[start:end]):
            yield RecordText(start + 1, "".join(lines[start:end]))


def _is_start(lines: list[str], number: int) -> bool:
    """Whether a record starts at a line: a player may be called "Game", but no header follows then."""
    after = lines[number + 1] if number + 1 < len(lines) else ""
    is_first = number == 0 or not _says_something(lines[number - 1])
    return is_first and bool(_GAME.match(lines[number])) and bool(_KEY.match(after))


def _says_something(line: str) -> bool:
    """Whether a line is neither blank nor a comment."""
    return bool(line.partition("#")[0].strip())


def read_one(part: RecordText) -> ReadableRecord | FaultyRecord:
    """Read one record of a file: a whole, finished game, or what is wrong with it."""
    if len(part.text) > MAX_RECORD_LENGTH:
        return FaultyRecord(part.line, 1, Message(_TOO_LONG, {}))
    try:
        found = normalise_record(part.text)
    except Refusal as refusal:
        return FaultyRecord(part.line, 1, refusal.message)
    if isinstance(found, Reading):
        fault = found.fault
        assert fault is not None  # noqa: S101 - only a record with a fault is not normalised
        return FaultyRecord(
            part.line + fault.line - 1, fault.column, fault.message, fault.game, fault.rule
        )
    record = read_record(found).whole
    if record.result is None:
        return FaultyRecord(part.line, 1, Message(_UNFINISHED, {}))
    return ReadableRecord(record, found)


def table_of(record: AnyRecord) -> str:
    """Return the table at which a recorded game was played, as its shuffle statement names it."""
    words = (record.shuffle_statement or "").split()
    return next((word.removeprefix("table=") for word in words if word.startswith("table=")), "")


def seat_of(record: AnyRecord, name: str) -> int | None:
    """Return the seat of the player with this name, if there is one."""
    wanted = name.casefold()
    return next((seat for seat, each in enumerate(record.names) if each.casefold() == wanted), None)
