"""Record files: clear errors on reading, atomic replacement or refusal on writing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from wonderland.arguments import LONGEST_PATH
from wonderland.engine.errors import FileProblem, quote
from wonderland.engine.language import Message, phrase
from wonderland.engine.record_reader import AnyRecord, Reading, read_record


def load(path: str) -> Reading:
    """Read the record in a file; raise `FileProblem` if the file itself can't be read."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Message(phrase("invalid file name"))
        raise FileProblem(
            phrase("{file} can't be read: {reason}."), file=quote(path, LONGEST_PATH), reason=reason
        ) from error
    return read_record(text)


def save(path: str, record: AnyRecord) -> None:
    """Write a record atomically: the old file stays intact until the new one is on disk."""
    target = Path(path)
    if not target.name or target.is_dir():
        raise FileProblem(
            phrase("{file} can't be written: it isn't the name of a file."),
            file=quote(path, LONGEST_PATH),
        )
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
        reason = getattr(error, "strerror", None) or Message(phrase("invalid file name"))
        raise FileProblem(
            phrase("{file} can't be written: {reason}."), file=quote(path, LONGEST_PATH), reason=reason
        ) from error


def save_new(path: str, text: str) -> None:
    """Write the text of a record to a new file; `FileProblem` if there is a file already."""
    target = Path(path).expanduser()
    try:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise FileProblem(
            phrase("{file} already exists. Choose another name."), file=quote(path, LONGEST_PATH)
        ) from None
    except (OSError, ValueError, RuntimeError) as error:  # the last if there is no such home folder
        reason = getattr(error, "strerror", None) or Message(phrase("invalid file name"))
        raise FileProblem(
            phrase("{file} can't be written: {reason}."), file=quote(path, LONGEST_PATH), reason=reason
        ) from error


def refuse_to_overwrite(path: str) -> None:
    """Raise `FileProblem` if the file exists, so that a new game doesn't overwrite it."""
    if Path(path).exists():
        raise FileProblem(
            phrase(
                "{file} already exists. Continue it with --resume, or choose another file for --record."
            ),
            file=quote(path, LONGEST_PATH),
        )
