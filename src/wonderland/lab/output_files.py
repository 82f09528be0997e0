"""Files that results go to.

A file that is there already is not overwritten. A new one appears under its name only when it is
complete, so that nobody takes half a file for a whole one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from wonderland.engine.errors import FileProblem, UsageError, quote

STANDARD_OUTPUT = "-"
_LONGEST_PATH = 300


def refuse_to_overwrite(flag: str, path: str) -> None:
    """A file that is there already is not overwritten, nor is one begun where none can be."""
    named = quote(path, _LONGEST_PATH)
    try:
        Path(path).lstat()
    except FileNotFoundError:
        if not Path(path).parent.is_dir():
            raise FileProblem(f"{named} can't be written: there is no such folder.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have that name"
        raise FileProblem(f"{named} can't be written: {reason}.") from error
    else:
        raise FileProblem(f"{named} is there already: {flag} must name another file.")


def require_package(module: str, extra: str, flag: str) -> ModuleType:
    """A package that not everybody needs; `UsageError` says how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise UsageError(
            f"{flag} needs {package}, which is not installed: pip install 'wonderland[{extra}]' adds it."
        ) from error


class PartialFile:
    """A file that is still being written, beside the place that it will take."""

    def __init__(self, path: str) -> None:
        self._path = path
        target = Path(path)
        self.path = target.with_name(f".{target.stem}.new{target.suffix}")

    @contextmanager
    def open(self) -> Iterator[None]:
        """Meanwhile, what goes wrong is said in one sentence, and nothing is left of the file."""
        try:
            yield
        except OSError as error:
            self.drop()
            raise self.fault(error) from error

    def finish(self) -> None:
        """It is complete: it takes its place."""
        with self.open():
            with self.path.open("rb") as file:
                os.fsync(file.fileno())
            self.path.replace(self._path)

    def close(self, close: Callable[[], None], *, wanted: bool) -> None:
        """Nothing more is written: it takes its place if it is wanted, and goes if it is not."""
        if wanted:
            with self.open():
                close()
            self.finish()
        else:
            with suppress(OSError):
                close()
            self.drop()

    def drop(self) -> None:
        """It is not wanted after all."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def fault(self, error: Exception) -> FileProblem:
        """What is wrong with it, in one sentence."""
        number = getattr(error, "errno", None)  # other libraries say more than their users can use
        reason = os.strerror(number) if number else str(error)
        return FileProblem(f"{quote(self._path, _LONGEST_PATH)} can't be written: {reason}.")


def write_text(path: str, text: str) -> None:
    """Write a whole file."""
    file = PartialFile(path)
    with file.open():
        file.path.write_text(text, encoding="utf-8")
    file.finish()
