"""Files that results go to.

A file that is there already is not overwritten. A new one appears under its name only when it is
complete, so that nobody takes half a file for a whole one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from wonderland.core.errors import NotationError, quoted

STANDARD_OUTPUT = "-"
_LONGEST_PATH = 300


def refuse_to_overwrite(flag: str, path: str) -> None:
    """A file that is there already is not overwritten, nor is one begun where none can be."""
    named = quoted(path, _LONGEST_PATH)
    try:
        Path(path).lstat()
    except FileNotFoundError:
        if not Path(path).parent.is_dir():
            raise NotationError(f"{named} can't be written: there is no such folder.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise NotationError(f"{named} can't be written: {reason}.") from error
    else:
        raise NotationError(f"{named} is there already: {flag} must name another file.")


def needed(module: str, extra: str, flag: str) -> ModuleType:
    """A package that not everybody needs; `NotationError` says how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise NotationError(
            f"{flag} needs {package}, which is not installed: pip install 'wonderland[{extra}]' adds it."
        ) from error


class Unfinished:
    """A file that is still being written, beside the place that it will take."""

    def __init__(self, path: str) -> None:
        self._path = path
        target = Path(path)
        self.path = target.with_name(f".{target.stem}.new{target.suffix}")

    def finish(self) -> None:
        """It is complete: it takes its place."""
        try:
            with self.path.open("rb") as file:
                os.fsync(file.fileno())
            self.path.replace(self._path)
        except OSError as error:
            self.drop()
            raise self.fault(error) from error

    def drop(self) -> None:
        """It is not wanted after all."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def fault(self, error: Exception) -> NotationError:
        """What is wrong with it, in one sentence."""
        reason = getattr(error, "strerror", None) or str(error)
        return NotationError(f"{quoted(self._path, _LONGEST_PATH)} can't be written: {reason}.")


def write_text(path: str, text: str) -> None:
    """Write a whole file."""
    file = Unfinished(path)
    try:
        file.path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise file.fault(error) from error
    file.finish()
