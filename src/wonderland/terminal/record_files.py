"""Records as files: read with a clear word when they can't be, written so that a crash loses nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from wonderland.arguments import LONGEST_PATH
from wonderland.engine.errors import FileProblem, quote
from wonderland.engine.record_reader import AnyRecord, Reading, read_record


def load(path: str) -> Reading:
    """Read the record in a file; `FileProblem` if the file itself can't be read."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be read: {reason}.") from error
    return read_record(text)


def save(path: str, record: AnyRecord) -> None:
    """Put the record in a file: the old one stays whole until the new one is safe on the disk."""
    target = Path(path)
    if not target.name or target.is_dir():
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be written: it is not the name of a file.")
    fresh = target.with_name(f".{target.name}.new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(record.text())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            fresh.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{quote(path, LONGEST_PATH)} can't be written: {reason}.") from error


def refuse_to_overwrite(path: str) -> None:
    """A file that is there already is not overwritten by a new game."""
    if Path(path).exists():
        raise FileProblem(
            f"{quote(path, LONGEST_PATH)} is there already: --resume goes on with it, "
            "or --record names another file."
        )
