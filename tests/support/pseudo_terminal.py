"""The program in a real pseudo-terminal, for tests."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time

import pytest

TIMEOUT = 60.0


class Terminal:
    """A program in a pseudo-terminal."""

    program: tuple[str, ...] = ("-m", "wonderland")

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.pid, self.file = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child becomes the program
            os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"} | environment)
            os.execv(sys.executable, [sys.executable, *self.program, *arguments])  # noqa: S606
        self.seen = ""
        self.code: int | None = None

    def read_until(self, pattern: str) -> str:
        """Wait for a pattern; return the output up to it."""
        end = time.monotonic() + TIMEOUT
        while (found := re.search(pattern, self.seen)) is None:
            assert time.monotonic() < end, f"no {pattern!r} in {self.seen[-500:]!r}"
            if select.select([self.file], [], [], 0.5)[0]:
                try:
                    self.seen += os.read(self.file, 65536).decode(errors="replace")
                except OSError:
                    pytest.fail(f"the program ended before {pattern!r}: {self.seen[-500:]!r}")
        before, self.seen = self.seen[: found.end()], self.seen[found.end() :]
        return before

    def type(self, text: str) -> None:
        os.write(self.file, text.encode())

    def close(self) -> None:
        """Kill the program if it is still running."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)

    def interrupt(self) -> int:
        """Press Ctrl-C until the program exits; return its exit code.

        One that arrives just after a prompt is printed, before readline waits, is only noticed with the
        next key.
        """
        return self.exit_code(pressing="\x03")

    def exit_code(self, pressing: str = "") -> int:
        end, pressed = time.monotonic() + TIMEOUT, 0.0
        while True:
            if pressing and time.monotonic() > pressed + 2:
                self.type(pressing)
                pressed = time.monotonic()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
                return self.code
            assert time.monotonic() < end
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.file, 65536).decode(errors="replace")
                except OSError:
                    time.sleep(0.05)
