"""Output files for results.

Existing files are never overwritten. A new file gets its name only once it is complete, so that a
partial file can't be mistaken for a whole one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.language import Message, phrase

STANDARD_OUTPUT = "-"
_LONGEST_PATH = 300


def refuse_to_overwrite(flag: str, path: str) -> None:
    """Raise `FileProblem` if a file already exists or can't be created there."""
    named = quote(path, _LONGEST_PATH)
    try:
        Path(path).lstat()
    except FileNotFoundError:
        if not Path(path).parent.is_dir():
            raise FileProblem(
                phrase("{file} can't be written: the folder doesn't exist."), file=named
            ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Message(phrase("invalid file name"))
        raise FileProblem(
            phrase("{file} can't be written: {reason}."), file=named, reason=reason
        ) from error
    else:
        raise FileProblem(
            phrase("{file} already exists. Choose another file for {flag}."), file=named, flag=flag
        )


def require_package(module: str, extra: str, flag: str) -> ModuleType:
    """Import an optional package; raise `UsageError` with the install command if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise UsageError(
            phrase(
                "{flag} needs {package}, which isn't installed. Install it with: pip install "
                "'wonderland[{extra}]'"
            ),
            flag=flag,
            package=package,
            extra=extra,
        ) from error


class PartialFile:
    """A file that is written under a temporary name next to its final path."""

    def __init__(self, path: str) -> None:
        self._path = path
        target = Path(path)
        self.path = target.with_name(f".{target.stem}.new{target.suffix}")

    @contextmanager
    def open(self) -> Iterator[None]:
        """Turn any `OSError` in the block into a `FileProblem`, and remove the file."""
        try:
            yield
        except OSError as error:
            self.drop()
            raise self.fault(error) from error

    def finish(self) -> None:
        """Move the complete file to its final path."""
        with self.open():
            with self.path.open("rb") as file:
                os.fsync(file.fileno())
            self.path.replace(self._path)

    def close(self, close: Callable[[], None], *, wanted: bool) -> None:
        """Close the file, then finish it, or drop it if not `wanted`."""
        if wanted:
            with self.open():
                close()
            self.finish()
        else:
            with suppress(OSError):
                close()
            self.drop()

    def drop(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def fault(self, error: Exception) -> FileProblem:
        """Describe a write error in one sentence."""
        number = getattr(error, "errno", None)  # messages of other libraries are too detailed for users
        reason = os.strerror(number) if number else str(error)
        return FileProblem(
            phrase("{file} can't be written: {reason}."),
            file=quote(self._path, _LONGEST_PATH),
            reason=reason,
        )


def write_text(path: str, text: str) -> None:
    """Write a whole file."""
    file = PartialFile(path)
    with file.open():
        file.path.write_text(text, encoding="utf-8")
    file.finish()
