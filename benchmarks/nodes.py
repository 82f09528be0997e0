"""One, two and four servers on one PostgreSQL: throughput, latency and CPU use.

    .venv/bin/python benchmarks/nodes.py                       about two minutes
    .venv/bin/python benchmarks/nodes.py --tables 20 --seconds 5 --rounds 1

The clients are those of `server.py`. Both players of a table connect to the same server or, as without
sticky routing, to different ones. Has the requirements of `tests/support/postgres.py`. The database and
the clients share this machine, so that more servers don't get more cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server import SERVE, address_in, fast_loop, machine, started
from server_clients import Load, Measured, WonderlandClient, quantile
from server_rest import processor_time
from server_stock import lay_in
from support.postgres import execute, fresh_database, postgres_server
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.postgres import PostgresStorage

_TRANSACTIONS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
_COMMITS = "SELECT count(*), count(DISTINCT xmin::text) FROM log"
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
    apart: bool
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
            games = lay_in(lambda: PostgresStorage(database), ServerKey.load(key), given.games)
            laid, already = _entries(database)
            command = [*SERVE, "serve", "--port=0", "--per-address=100000"]
            command += [f"--database={database}", f"--key={key}"]
            nodes = [stack.enter_context(started(command)) for _ in range(self.nodes)]
            load = Load(WonderlandClient, [address_in(url) for _, url in nodes], self.apart)
            play = partial(load.run, games, given.tables, given.seconds)
            pids, postgres = [node.pid for node, _ in nodes], _postgres(database)
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                self.runs.append(runner.run(_played(play, database, pids, postgres)))
            written, commits = _entries(database)
            self.together.append((written - laid) / (commits - already))

    @property
    def rate(self) -> float:
        return median(run.moves / run.seconds for run, _ in self.runs)


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
        where = "at different servers" if one.apart else "at the same server"
        times = [1000 * median(quantile(run.latencies, part) for run in played) for part in (0.5, 0.99)]
        postgres = median(its.processor / run.seconds for run, its in one.runs)
        transactions = median(its.transactions / run.seconds for run, its in one.runs)
        servers, players = (median(getattr(run, n) for run in played) for n in ("server", "clients"))
        print(
            f"| {one.nodes} | {where} | {one.rate:,.0f} | {one.rate / contenders[0].rate:.2f} "
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
    given = parser.parse_args()
    contenders = [
        Contender(nodes, apart)
        for nodes in given.nodes
        for apart in (False, True)
        if nodes > 1 or not apart
    ]
    with postgres_server() as postgres:
        ((version,),) = asyncio.run(execute(postgres, "SHOW server_version"))
        for number in range(given.rounds):
            for contender in contenders:
                contender.run(postgres, given)
                said = f"{contender.nodes} servers, {contender.runs[-1][0].moves}"
                print(f"round {number + 1}: {said}", file=sys.stderr)
    print(f"{given.tables} tables, {given.rounds} rounds of {given.seconds:g} s; {machine()}, ", end="")
    print(f"PostgreSQL {version}\n")
    report(contenders)


if __name__ == "__main__":
    main()
