"""Record files: clear errors on reading, atomic replacement on writing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from wonderland.arguments import LONGEST_PATH
from wonderland.engine.errors import FileProblem, quote
from wonderland.engine.record_reader import AnyRecord, Reading, read_record


def load(path: str) -> Reading:
    """Read the record in a file; raise `FileProblem` if the file itself can't be read."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be read: {reason}.") from error
    return read_record(text)


def save(path: str, record: AnyRecord) -> None:
    """Write a record atomically: the old file stays intact until the new one is on disk."""
    target = Path(path)
    if not target.name or target.is_dir():
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be written: it is not the name of a file.")
    temporary = target.with_name(f".{target.name}.new")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(record.text())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be written: {reason}.") from error


def refuse_to_overwrite(path: str) -> None:
    """Raise `FileProblem` if the file exists, so that a new game doesn't overwrite it."""
    if Path(path).exists():
        raise FileProblem(
            f"{quote(path, LONGEST_PATH)} is there already: --resume goes on with it, "
            "or --record names another file."
        )
