"""Line input and output for a prompt that asynchronous messages may interrupt."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from threading import Semaphore, Thread

_CHUNK = 4096


class Keyboard:
    """Reads lines in a background thread and passes each to a callback; `None` at the end of input.

    At a terminal, lines are read at any time. From a pipe, a line is read only when one is requested,
    because later lines answer later questions. It reads the file descriptor directly: a thread blocked
    in `sys.stdin` would keep the program from exiting.
    """

    def __init__(self, tell: Callable[[str | None], None], descriptor: int = 0) -> None:
        self.is_terminal = os.isatty(descriptor)
        self._tell = tell
        self._descriptor = descriptor
        self._requests = Semaphore(0)
        self._is_requested = False

    def open(self) -> None:
        """Start the thread."""
        Thread(target=self._run, name="keyboard", daemon=True).start()

    def ask(self) -> None:
        """Request the next line, unless a request is pending."""
        if not self._is_requested:
            self._is_requested = True
            self._requests.release()

    def took(self) -> None:
        """Mark the requested line as handled."""
        self._is_requested = False

    def _run(self) -> None:
        lines = self._lines()
        while True:
            if not self.is_terminal:
                self._requests.acquire()
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
    """Prints text and a prompt, which messages may interrupt."""

    def __init__(self) -> None:
        self._is_prompting = False

    def show(self, text: str) -> None:
        """Print text, replacing control characters: a server's text must not move the cursor."""
        if self._is_prompting:
            print()  # noqa: T201 - the screen
        self._is_prompting = False
        clean = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
        print(clean, flush=True)  # noqa: T201 - the screen

    def prompt(self, text: str) -> None:
        """Show the prompt, unless it is already there."""
        if not self._is_prompting:
            print(text, end="", flush=True)  # noqa: T201 - the screen
        self._is_prompting = True

    def entered(self) -> None:
        """Note that Enter has ended the prompt's line."""
        self._is_prompting = False
