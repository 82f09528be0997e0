"""A real server for tests: `wonderland serve` in a process of its own.

    with serving(tmp_path) as server:
        urlopen(f"{server.address}/api/games")

The address is read from its first line. It can be killed and started again at the same port with the
same database: `server.kill()`, then `server.start()`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.paths import TESTS

PATIENCE = 60.0


class Served:
    """One server, and how to stop it and start it again."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.database = folder / "tables.db"
        self.log = folder / "server.log"
        self.port = 0
        self.address = ""
        self.program = ["-m", "wonderland"]
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, at the port that it had, and wait until it is open."""
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        if not any(each.startswith("--database") for each in self._arguments):
            command += ["--database", str(self.database)]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, *self._arguments],
                env=_with_tests(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"open at (http://\S+:(\d+))$", line.strip())
        assert found is not None, f"no address in {line!r}; the log says {self.log.read_text()!r}"
        self.address, self.port = found[1], int(found[2])

    def stop(self) -> int:
        """Ask it to stop, and wait; gives its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def children(self) -> list[int]:
        """The processes that it has started."""
        assert self._process is not None
        path = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(number) for number in path.read_text().split()]

    def is_running(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)  # if it has not ended by itself
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            assert process.stdout is not None
            process.stdout.close()
        return code


def _with_tests() -> dict[str, str]:
    """The environment, in which our own modules are found too."""
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    """A server that keeps its tables in `folder`, until the end of the block."""
    server = Served(folder, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.stop()
