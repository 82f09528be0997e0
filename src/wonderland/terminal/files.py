"""Records as files: read with a clear word when they can't be, written so that a crash loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

from wonderland.core.errors import NotationError
from wonderland.core.reading import AnyRecord, Reading, read_record


def load(path: str) -> Reading:
    """Read the record in a file; `NotationError` if the file itself can't be read."""
    try:
        return read_record(Path(path).read_bytes())
    except OSError as error:
        raise NotationError(f"{path} can't be read: {error.strerror}.") from error


def save(path: str, record: AnyRecord) -> None:
    """Put the record in a file: the old one stays whole until the new one is safe on the disk."""
    target = Path(path)
    fresh = target.with_name(f".{target.name}.new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(record.text())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except OSError as error:
        raise NotationError(f"{path} can't be written: {error.strerror}.") from error
