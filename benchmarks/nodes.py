"""One, two and four servers on one PostgreSQL: throughput, latency and CPU use.

    .venv/bin/python benchmarks/nodes.py                       about two minutes
    .venv/bin/python benchmarks/nodes.py --tables 20 --seconds 5 --rounds 1
    .venv/bin/python benchmarks/nodes.py --nodes 1 2 --haproxy

The clients are those of `server.py`. Both players of a table connect to the same server or, as without
sticky routing, to different ones. With `--haproxy`, which must be installed, they also connect to a
HAProxy that hashes by table as `deploy/haproxy` does; its processor time counts as the servers'. Has
the requirements of `tests/support/postgres.py`. The database and the clients share this machine, so that
more servers don't get more cores.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Literal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from prepared_tables import prepare_tables_in
from server import SERVE, UNLIMITED, address_in, fast_loop, machine, started
from server_clients import Address, Load, Measured, WonderlandClient, quantile
from server_rest import processor_time
from support.postgres import execute, fresh_database, postgres_server
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.postgres import PostgresStorage

_TRANSACTIONS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
_COMMITS = "SELECT count(*), count(DISTINCT xmin::text) FROM log"
_HAPROXY = """
defaults
    mode http
    timeout connect 2s
    timeout client 75s
    timeout server 75s
    timeout tunnel 75s
    maxconn 20000
frontend web
    bind 127.0.0.1:{port}
    http-request set-header X-Wonderland-Table %[path,field(4,/)] if {{ path_beg /api/tables/ }}
    default_backend wonderland
backend wonderland
    balance hdr(X-Wonderland-Table)
    hash-type consistent
{servers}
"""
_CHECKPOINTER = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"


@dataclass
class Counted:
    """Work of the database: a running total, or the difference of two."""

    processor: float
    """CPU time in seconds."""
    transactions: int


@dataclass
class Contender:
    """A number of servers, and how players connect to them."""

    nodes: int
    where: Literal["at the same server", "at different servers", "through HAProxy"]
    runs: list[tuple[Measured, Counted]] = field(default_factory=list)
    together: list[float] = field(default_factory=list)
    """Log entries per commit."""

    def run(self, server: str, given: argparse.Namespace) -> None:
        """Start the servers on a new database and play."""
        with (
            tempfile.TemporaryDirectory(prefix="wonderland-nodes-") as folder,
            fresh_database(server) as database,
            ExitStack() as stack,
        ):
            key = Path(folder) / "server.key"
            games = prepare_tables_in(
                lambda: PostgresStorage(database), ServerKey.load(key), given.games
            )
            before, already = _entries(database)
            command = [*SERVE, "serve", "--port=0", *UNLIMITED]
            command += [f"--database={database}", f"--key={key}"]
            nodes = [stack.enter_context(started(command)) for _ in range(self.nodes)]
            addresses = [address_in(url) for _, url in nodes]
            pids, postgres = [node.pid for node, _ in nodes], _postgres(database)
            if self.where == "through HAProxy":
                proxy, address = stack.enter_context(_haproxy(Path(folder), addresses))
                pids, addresses = [*pids, proxy], [address]
            load = Load(WonderlandClient, addresses, self.where == "at different servers")
            play = partial(load.run, games, given.tables, given.seconds)
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                self.runs.append(runner.run(_played(play, database, pids, postgres)))
            written, commits = _entries(database)
            self.together.append((written - before) / (commits - already))

    @property
    def rate(self) -> float:
        return median(run.moves / run.seconds for run, _ in self.runs)


@contextmanager
def _haproxy(folder: Path, nodes: Sequence[Address]) -> Iterator[tuple[int, Address]]:
    """Run HAProxy in front of the nodes; yield its process id and address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address: Address = free.getsockname()
    servers = [f"    server node{n} {host}:{port}" for n, (host, port) in enumerate(nodes)]
    settings = folder / "haproxy.cfg"
    settings.write_text(_HAPROXY.format(port=address[1], servers="\n".join(servers)))
    proxy = subprocess.Popen(["haproxy", "-db", "-f", str(settings)])  # noqa: S603, S607 - as installed
    try:
        while True:
            try:
                socket.create_connection(address).close()
                break
            except OSError:
                if proxy.poll() is not None:
                    raise SystemExit("HAProxy did not start.") from None
                time.sleep(0.05)
        yield proxy.pid, address
    finally:
        proxy.terminate()
        proxy.wait()


def _entries(database: str) -> tuple[int, int]:
    """Number of log entries, and of the commits that wrote them."""
    ((entries, commits),) = asyncio.run(execute(database, _COMMITS))
    return int(str(entries)), int(str(commits))


async def _played(
    play: Callable[[Callable[[], float]], Awaitable[Measured]],
    database: str,
    nodes: Sequence[int],
    postgres: int,
) -> tuple[Measured, Counted]:
    """Measure a run and the database's work for it; `nodes` and `postgres` are process ids."""
    samples: list[asyncio.Task[Counted]] = []

    def spent() -> float:
        samples.append(asyncio.create_task(_counted(database, postgres)))
        return sum(map(processor_time, nodes))

    played = await play(spent)
    before, after = [await sample for sample in samples]
    processor = after.processor - before.processor
    return played, Counted(processor, after.transactions - before.transactions)


async def _counted(database: str, postgres: int) -> Counted:
    processor = processor_time(postgres)
    ((transactions,),) = await execute(database, _TRANSACTIONS)
    return Counted(processor, int(str(transactions)))


def _postgres(database: str) -> int:
    """Process id of the database server's main process."""
    ((pid,),) = asyncio.run(execute(database, _CHECKPOINTER))
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def report(contenders: Sequence[Contender]) -> None:
    """Print a row for each contender."""
    print("| servers | players of a table | moves/s | to one | p50 ms | p99 ms ", end="")
    print("| cores: servers | PostgreSQL | players | transactions/s | moves to a commit |")
    print("|---:|---|" + "---:|" * 9)
    for one in contenders:
        played = [run for run, _ in one.runs]
        times = [1000 * median(quantile(run.latencies, part) for run in played) for part in (0.5, 0.99)]
        postgres = median(its.processor / run.seconds for run, its in one.runs)
        transactions = median(its.transactions / run.seconds for run, its in one.runs)
        servers, players = (median(getattr(run, n) for run in played) for n in ("server", "clients"))
        print(
            f"| {one.nodes} | {one.where} | {one.rate:,.0f} | {one.rate / contenders[0].rate:.2f} "
            f"| {times[0]:.1f} | {times[1]:.1f} | {servers:.2f} | {postgres:.2f} | {players:.2f} "
            f"| {transactions:,.0f} | {median(one.together):.1f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables at which people play at once")
    parser.add_argument("--seconds", type=float, default=8, help="how long a round counts at most")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=600, help="games for each round")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4], help="numbers of servers")
    parser.add_argument("--haproxy", action="store_true", help="also through HAProxy")
    given = parser.parse_args()
    contenders: list[Contender] = []
    for nodes in given.nodes:
        contenders.append(Contender(nodes, "at the same server"))
        if nodes > 1:
            contenders.append(Contender(nodes, "at different servers"))
            if given.haproxy:
                contenders.append(Contender(nodes, "through HAProxy"))
    with postgres_server() as postgres:
        ((version,),) = asyncio.run(execute(postgres, "SHOW server_version"))
        for number in range(given.rounds):
            for contender in contenders:
                contender.run(postgres, given)
                said = f"{contender.nodes} servers, {contender.where}: {contender.runs[-1][0].moves}"
                print(f"round {number + 1}: {said}", file=sys.stderr)
    print(f"{given.tables} tables, {given.rounds} rounds of {given.seconds:g} s; {machine()}, ", end="")
    print(f"PostgreSQL {version}\n")
    report(contenders)


if __name__ == "__main__":
    main()
