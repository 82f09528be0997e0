"""Lines that are typed while other things happen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from threading import Semaphore, Thread

_CHUNK = 4096


class Keyboard:
    """Reads lines in a thread of its own, and tells each one; `None` when there are no more.

    What is typed at a terminal is taken at any time. From a pipe, a line is taken only when one has been
    asked for: what comes later there is meant for later. It reads from the system itself, since a thread
    that waits inside `sys.stdin` would keep the program from ending.
    """

    def __init__(self, tell: Callable[[str | None], None], descriptor: int = 0) -> None:
        self.is_terminal = os.isatty(descriptor)
        self._tell = tell
        self._descriptor = descriptor
        self._wanted = Semaphore(0)
        self._asked = False

    def open(self) -> None:
        """Begin to read."""
        Thread(target=self._run, name="keyboard", daemon=True).start()

    def ask(self) -> None:
        """Let the next line come, if none has been asked for."""
        if not self._asked:
            self._asked = True
            self._wanted.release()

    def took(self) -> None:
        """A line has been dealt with."""
        self._asked = False

    def _run(self) -> None:
        lines = self._lines()
        while True:
            if not self.is_terminal:
                self._wanted.acquire()
            line = next(lines, None)
            self._tell(line)
            if line is None:
                return

    def _lines(self) -> Iterator[str]:
        rest = b""
        while chunk := self._read():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
        if rest:
            yield rest.decode(errors="replace")

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:  # the terminal is gone
            return b""


class Screen:
    """Lines of text and a prompt, which news may interrupt."""

    def __init__(self) -> None:
        self._prompted = False

    def show(self, text: str) -> None:
        """Print lines; whatever a server sends, no character of it moves the cursor."""
        if self._prompted:
            print()  # noqa: T201 - the screen
        self._prompted = False
        clean = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
        print(clean, flush=True)  # noqa: T201 - the screen

    def prompt(self, text: str) -> None:
        """Ask for a line, unless that was the last thing shown."""
        if not self._prompted:
            print(text, end="", flush=True)  # noqa: T201 - the screen
        self._prompted = True

    def entered(self) -> None:
        """The line was ended by who typed it."""
        self._prompted = False
