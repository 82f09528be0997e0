"""The same simulation serially, in processes and on a local Ray cluster: overhead and speed-up.

    .venv/bin/python benchmarks/cluster.py        three rounds
    .venv/bin/python benchmarks/cluster.py 5      five

The contenders take turns, round by round, so that a busy machine slows all of them equally; the ratio is
what counts. Start-up is timed separately: processes start within a run, a cluster before it. All results
must be equal. Needs `pip install 'wonderland[cluster]'`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from wonderland.lab.cluster import Cluster
from wonderland.lab.executors import Executor, ProcessExecutor, SerialExecutor
from wonderland.lab.game_runner import GameSetup, Simulation
from wonderland.lab.run import Run
from wonderland.lab.totals import Totals

ROUNDS = 3
WORK = {
    "quick bots through the rules": ("dodo@1", 1500),
    "a bot that searches": ("hatter", 60),
    "quick bots in the kernel": ("dodo", 2_000_000),
}


@contextmanager
def started(by: Executor) -> Iterator[float]:
    """Start an executor and yield how long that took."""
    began = perf_counter()
    if not isinstance(by, Cluster):
        yield 0.0
        return
    with by.connect():
        yield perf_counter() - began


def played(bot: str, games: int, by: Executor) -> tuple[float, list[Totals]]:
    run = Run((Simulation(GameSetup("parade", 2), (bot, bot), "tea"),), games)
    began = perf_counter()
    run.play(by=by)
    return perf_counter() - began, run.totals


CONTENDERS: dict[str, Callable[[], Executor]] = {
    "here, one after the other": SerialExecutor,
    "2 processes, started within": lambda: ProcessExecutor(2),
    "Ray, 1 worker": lambda: Cluster(workers=1),
    "Ray, 2 workers": lambda: Cluster(workers=2),
}


def main() -> None:
    """Measure, and print a table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    seconds: dict[tuple[str, str], list[float]] = {}
    starts: dict[str, list[float]] = {}
    expected: dict[str, list[Totals]] = {}
    for _ in range(rounds):
        for name, make in CONTENDERS.items():
            by = make()
            with started(by) as took:
                starts.setdefault(name, []).append(took)
                played("dodo@1", 40, by)  # warm-up: workers import their modules
                for work, (bot, games) in WORK.items():
                    time, totals = played(bot, games, by)
                    assert expected.setdefault(work, totals) == totals, "not the same result"  # noqa: S101
                    seconds.setdefault((work, name), []).append(time)
    print("| Parade, 2 players | games/s | to here | starting, s |")
    print("|---|---:|---:|---:|")
    for work, (_, games) in WORK.items():
        here = median(seconds[work, next(iter(CONTENDERS))])
        for name in CONTENDERS:
            time = median(seconds[work, name])
            start = f"{median(starts[name]):.1f}" if any(starts[name]) else ""
            print(f"| {work}: {name} | {games / time:,.0f} | {here / time:.2f} | {start} |")


if __name__ == "__main__":
    main()
