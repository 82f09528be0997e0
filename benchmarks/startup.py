"""Time until a game can be played, relative to the start-up of Python and Textual.

    .venv/bin/python benchmarks/startup.py        fifteen starts each

Each round starts every contender once, so that a busy machine slows all of them equally.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from statistics import median

ROUNDS = 15
CONTENDERS: dict[str, tuple[list[str], bytes]] = {
    "python -c pass": (["-c", "print('ready')"], b"ready"),
    "python -c 'import textual.app'": (["-c", "import textual.app; print('ready')"], b"ready"),
    "wonderland --version": (["-m", "wonderland", "--version"], b"wonderland"),
    "wonderland play parade --plain": (
        ["-m", "wonderland", "play", "parade", "--plain", "--seed", "x"],
        b"Alice: ",
    ),
    "wonderland play parade": (
        ["-m", "wonderland", "play", "parade", "--pace", "none", "--seed", "x"],
        b"takes",
    ),
}


def seconds_until(arguments: list[str], sign: bytes) -> float:
    """Start a program in a pseudo-terminal and wait until its output contains `sign`."""
    start = time.perf_counter()
    pid, file = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - the program itself
    fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    while sign not in seen:
        select.select([file], [], [])
        seen += os.read(file, 65536)
    spent = time.perf_counter() - start
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    os.close(file)
    return spent


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for number in range(ROUNDS):
        for name, (arguments, sign) in CONTENDERS.items():
            times[name].append(seconds_until(arguments, sign))
        print(f"\rround {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    bare, textual = (median(times[name]) for name in list(CONTENDERS)[:2])
    print("| until it is ready | seconds | beyond Python's start | to import textual |")
    print("|---|---:|---:|---:|")
    for name, its in times.items():
        spent = median(its)
        print(f"| {name} | {spent:.3f} | {spent - bare:.3f} | {spent / textual:.2f} |")


if __name__ == "__main__":
    main()
