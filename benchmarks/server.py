"""Our server compared with boardgame.io's: throughput, latency, memory and restart.

    .venv/bin/python benchmarks/server.py                     everything, about four minutes
    .venv/bin/python benchmarks/server.py --only moves        without memory and restart
    .venv/bin/python benchmarks/server.py --tables 20 --seconds 5 --rounds 2
    .venv/bin/python benchmarks/server.py --only moves --against older=../older/src --workers 1

Needs node and npm: boardgame.io is installed into a temporary folder. The servers take turns, with a new
process each time, so that a busy machine slows all of them equally. Ours writes every move to disk
(SQLite, `synchronous=FULL`) before it is sent to anyone.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import platform
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import server_rest
from prepared_tables import prepare_tables
from server_clients import BoardgameClient, Load, Measured, WonderlandClient, quantile

BOARDGAME = Path(__file__).parent / "boardgameio"
SERVE = [sys.executable, "-m", "wonderland"]
UNLIMITED = ["--per-address=100000", "--limit=commands-per-minute=0"]
"""Options without which one address and programs that never pause would be refused."""
PLAIN_LOOP = (
    "import sys; sys.modules['uvloop'] = None; from wonderland.cli import main; sys.exit(main())"
)


@contextmanager
def started(command: Sequence[str], **more: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server and yield it with the address from its first line of output."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)  # noqa: S603 - our own command
    try:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        line = server.stdout.readline()
        if "http://" not in line:
            raise SystemExit(f"{command[0]} did not start: {line}")
        yield server, line[line.index("http://") :].split()[0].rstrip(".")
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def address_in(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 80


@dataclass
class Contender:
    """A server to measure: how to start it with prepared games, and its kind of client."""

    name: str
    kind: Any
    start: Callable[[Path, int], Any]
    runs: list[Measured] = field(default_factory=list)

    def run(self, given: argparse.Namespace) -> None:
        with (
            tempfile.TemporaryDirectory(prefix="wonderland-server-") as folder,
            self.start(Path(folder), given.games) as (server, url, games),
        ):
            load = Load(self.kind, [address_in(url)])
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                played = load.run(
                    games, given.tables, given.seconds, partial(server_rest.processor_time, server.pid)
                )
                self.runs.append(runner.run(played))

    @property
    def rate(self) -> float:
        return median(run.moves / run.seconds for run in self.runs)

    def late(self, part: float) -> float:
        """Quantile of the latencies, in milliseconds."""
        return 1000 * median(quantile(run.latencies, part) for run in self.runs)


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Factory of the clients' event loop; `None` for asyncio's own."""
    if find_spec("uvloop") is None:
        return None
    import uvloop  # noqa: PLC0415 - not available on all platforms

    return uvloop.new_event_loop


def ours(*python: str, workers: int = 1, source: str = "") -> Callable[[Path, int], Any]:
    """Return a function that starts our server, or that of another source tree."""
    command = [*(python or SERVE), "serve", "--port=0", *UNLIMITED, f"--workers={workers}"]
    environment = {**os.environ, "PYTHONPATH": source} if source else None

    @contextmanager
    def start(folder: Path, games: int) -> Iterator[tuple[subprocess.Popen[str], str, Any]]:
        database = folder / "tables.db"
        stock = prepare_tables(database, games)
        with started([*command, f"--database={database}"], env=environment) as (server, url):
            yield server, url, stock

    return start


def boardgame(*, files: bool) -> Callable[[Path, int], Any]:
    """Return a function that starts boardgame.io's server, with matches in memory or in files."""

    @contextmanager
    def start(folder: Path, games: int) -> Iterator[tuple[subprocess.Popen[str], str, Any]]:
        command = ["node", str(installed() / "server.js"), *[str(folder / "matches")] * files]
        environment = {**os.environ, "NODE_ENV": "production"}  # otherwise it logs every move
        with started(command, env=environment) as (server, url):
            yield server, url, _matches(*address_in(url), games)

    return start


def installed() -> Path:
    """Install boardgame.io next to our game for it, if necessary; return the folder."""
    mark = hashlib.sha256((BOARDGAME / "package.json").read_bytes()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"wonderland-boardgameio-{mark}"
    folder.mkdir(exist_ok=True)
    for file in BOARDGAME.iterdir():
        shutil.copy(file, folder)
    if not (folder / "node_modules" / "boardgame.io").exists():
        command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)  # noqa: S603 - fixed words
    return folder


def _matches(host: str, port: int, games: int) -> list[tuple[str, tuple[str, str]]]:
    """Create matches with two players each; return their ids and the players' credentials."""
    connection = HTTPConnection(host, port)

    def asked(path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", f"/games/parade/{path}", json.dumps(body), headers)
        return json.loads(connection.getresponse().read())

    found = []
    for _ in range(games):
        match = asked("create", {"numPlayers": 2})["matchID"]
        seats = [
            asked(f"{match}/join", {"playerID": str(seat), "playerName": name})["playerCredentials"]
            for seat, name in enumerate(["Alice", "Bob"])
        ]
        found.append((match, (seats[0], seats[1])))
    return found


def moves(given: argparse.Namespace) -> None:
    """Measure throughput, and the latency until the other player has a move."""
    memory = Contender("boardgame.io, in memory", BoardgameClient, boardgame(files=False))
    versions = [("ours, every move on the disk", ""), *(text.split("=", 1) for text in given.against)]
    contenders = [
        Contender(
            f"{name}, {workers} processes" if workers > 1 else name,
            WonderlandClient,
            ours(workers=workers, source=source),
        )
        for workers in given.workers
        for name, source in versions
    ]
    contenders.append(memory)
    if given.loops:
        plain = ours(sys.executable, "-c", PLAIN_LOOP)
        contenders.append(Contender("ours, without uvloop", WonderlandClient, plain))
    if not given.against:
        contenders.append(Contender("boardgame.io, in files", BoardgameClient, boardgame(files=True)))
    for number in range(given.rounds):
        for contender in contenders:
            contender.run(given)
            print(f"round {number + 1}: {contender.name}, {contender.runs[-1].moves}", file=sys.stderr)
    print(f"{given.tables} tables, {given.rounds} rounds of {given.seconds:g} s; {machine()}\n")
    print("| server | moves/s | to boardgame.io | p50 ms | p99 ms | to its p99 | KB a move ", end="")
    print("| µs of processor a move | cores: server | clients |\n|---|" + "---:|" * 9)
    for one in contenders:
        size = median(run.received / run.moves for run in one.runs) / 1000
        cost = median(run.server * run.seconds / run.moves for run in one.runs) * 1e6
        server, clients = (median(getattr(run, n) for run in one.runs) for n in ("server", "clients"))
        late = one.late(0.99)
        print(
            f"| {one.name} | {one.rate:,.0f} | {one.rate / memory.rate:.2f} | {one.late(0.5):.1f} "
            f"| {late:.1f} | {late / memory.late(0.99):.2f} | {size:.1f} | {cost:.0f} | {server:.2f} "
            f"| {clients:.2f} |"
        )
    print()


def machine() -> str:
    """Description of the machine and software versions."""
    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    node = subprocess.run(["node", "-v"], capture_output=True, text=True, check=True)  # noqa: S607
    processor = names[0].partition(":")[2].strip() if names else platform.machine()
    return (
        f"{os.cpu_count()} cores, {processor}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"node {node.stdout.strip().removeprefix('v')}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables at which people play at once")
    parser.add_argument("--seconds", type=float, default=10, help="how long a round counts at most")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=600, help="games for each round")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="processes of ours")
    parser.add_argument(
        "--against",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="also ours from another source tree: the PYTHONPATH for it",
    )
    parser.add_argument("--loops", action="store_true", help="also ours without uvloop")
    parser.add_argument("--rest", type=int, default=10_000, help="tables at rest in the database")
    parser.add_argument("--only", choices=("moves", "memory", "restart"))
    given = parser.parse_args()
    if given.only in (None, "moves"):
        moves(given)
    if given.only in (None, "memory"):
        server_rest.memory(started, SERVE, given.rest)
    if given.only in (None, "restart"):
        server_rest.restart(started, SERVE, given.rest)


if __name__ == "__main__":
    main()
