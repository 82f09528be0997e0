"""A real server: `wonderland serve` in a process of its own.

    with run_server(tmp_path) as server:
        urlopen(f"{server.address}/api/games")

The address is read from the first line of output. After `server.kill()`, `server.start()` restarts it on
the same port with the same database.
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

STOP_TIMEOUT = 60.0


class ServerProcess:
    """A server that can be stopped and restarted."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.database = folder / "tables.db"
        self.log = folder / "server.log"
        self.port = 0
        self.address = ""
        self.program = ["-m", "wonderland"]
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, on its previous port if any, and wait until it accepts requests."""
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        if not any(each.startswith("--database") for each in self._arguments):
            command += ["--database", str(self.database)]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, *self._arguments],
                env=_environment(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"running at (http://\S+:(\d+))$", line.strip())
        assert found is not None, f"no address in {line!r}; the log says {self.log.read_text()!r}"
        self.address, self.port = found[1], int(found[2])

    def stop(self) -> int:
        """Stop it gracefully, and return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it at once, like a power cut."""
        self._end(signal.SIGKILL)

    def children(self) -> list[int]:
        """Return the IDs of its child processes."""
        assert self._process is not None
        path = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(number) for number in path.read_text().split()]

    def is_running(self) -> bool:
        """Tell whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            code = process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            assert process.stdout is not None
            process.stdout.close()
        return code


def _environment() -> dict[str, str]:
    """The environment of the server, in which `support` and `campaigns` can be imported."""
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def run_server(folder: Path, *arguments: str) -> Iterator[ServerProcess]:
    """Run a server that stores its tables in `folder` until the end of the block."""
    server = ServerProcess(folder, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.stop()
