"""Records as files: read with a clear word when they can't be, written so that a crash loses nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from wonderland.core.errors import FileProblem, NotationError, quoted
from wonderland.core.options import Option
from wonderland.core.reading import AnyRecord, Reading, read_record

_LONGEST_PATH = 300


def load(path: str) -> Reading:
    """Read the record in a file; `FileProblem` if the file itself can't be read."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{quoted(path, _LONGEST_PATH)} can't be read: {reason}.") from error
    return read_record(text)


def option_text(option: Option, value: str) -> str:
    """The text of an option: as it was given, or what the TOML file stands for that it names."""
    if option.from_file is None or not value.endswith(".toml"):
        return value
    try:
        text = Path(value).read_text(encoding="utf-8")
    except OSError as error:
        raise FileProblem(f"{quoted(value, _LONGEST_PATH)} can't be read: {error.strerror}.") from error
    except ValueError as error:  # bytes that are not UTF-8, or a name that no file can have
        raise FileProblem(
            f"{quoted(value, _LONGEST_PATH)} can't be read: it is not a text file."
        ) from error
    try:
        return option.from_file(text)
    except NotationError as error:
        raise FileProblem(f"{quoted(value, _LONGEST_PATH)} can't be used: {error}") from error


def save(path: str, record: AnyRecord) -> None:
    """Put the record in a file: the old one stays whole until the new one is safe on the disk."""
    target = Path(path)
    if not target.name or target.is_dir():
        raise FileProblem(
            f"{quoted(path, _LONGEST_PATH)} can't be written: it is not the name of a file."
        )
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
        raise FileProblem(f"{quoted(path, _LONGEST_PATH)} can't be written: {reason}.") from error


def refuse_to_overwrite(path: str) -> None:
    """A file that is there already is not overwritten by a new game."""
    if Path(path).exists():
        raise FileProblem(
            f"{quoted(path, _LONGEST_PATH)} is there already: --resume goes on with it, "
            "or --record names another file."
        )
