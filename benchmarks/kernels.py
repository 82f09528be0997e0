"""Random play on the kernels, compared with a tuned C program and OpenSpiel's C++ games.

    make bench                                    everything
    .venv/bin/python benchmarks/kernels.py 5      five seconds each instead of two

The contenders take turns in time slices; the ratio is what counts. Processor time of one thread, except
where the table says two: there it is wall-clock time. OpenSpiel plays whole games inside C++
(`evaluate_bots` with its random bots); the tuned C program is `parade.c`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import pyspiel

from rules import SLICES, Contender, hearts_in_a_lean_loop, ours
from tuned import compiled
from wonderland.engine import game, game_names
from wonderland.engine.registry import component_module
from wonderland.kernels.kernel import DECISIONS, ROW, packing
from wonderland.kernels.processor import is_modern

BATCH = 2000
FOR_THREADS = 20_000
"""Batch size with two threads: larger, because Python distributes and counts the batches serially."""


def tuned_c(folder: str, seats: int) -> Callable[[], tuple[float, int]] | None:
    """A batch of games in the C program, which times itself; `None` without a compiler."""
    program = compiled("parade.c", folder)
    if program is None:
        return None
    plays = 100 * BATCH

    def play() -> tuple[float, int]:
        said = subprocess.run(  # noqa: S603 - our own program
            [program, str(seats), str(plays), "1"], check=True, capture_output=True, text=True
        ).stdout.split()
        return float(said[0]) / plays, int(said[1]) // plays

    return play


def kernel_plays(
    name: str, module: str, seats: int, threads: int = 1, batch: int = BATCH
) -> Callable[[], int]:
    """A batch of random games in the kernel for each thread; returns the number of decisions."""
    the_game = game(name)
    start = packing(name).pack(the_game.start(seats, the_game.options_type()))
    kernel: Any = import_module(component_module(name, f"compiled.{module}") or "")
    tables = [kernel.KernelState() for _ in range(threads)]
    rows = [array("i", [0]) * (ROW * batch) for _ in tables]
    for table in tables:
        table.load(start)
    pool = ThreadPoolExecutor(threads)

    def run(which: int) -> int:
        tables[which].simulate(rows[which], [0] * seats, 1, batch * which, batch)
        return sum(rows[which][DECISIONS::ROW])

    def play() -> int:
        return sum(pool.map(run, range(threads))) if threads > 1 else run(0)

    return play


def inside_openspiel(name: str) -> Callable[[], int]:
    """One game of OpenSpiel with its random bots, all in C++; the number of moves is estimated first."""
    its_game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 7) for player in range(its_game.num_players())]
    moves = its_game.max_game_length() if name != "hearts" else round(mean_of(hearts_in_a_lean_loop()))

    def play() -> int:
        pyspiel.evaluate_bots(its_game.new_initial_state(), bots, 3)
        return moves

    return play


def mean_of(play: Callable[[], int], plays: int = 200) -> float:
    return sum(play() for _ in range(plays)) / plays


class Batched(Contender):
    """A contender that plays a batch of games at a time."""

    def __init__(
        self,
        name: str,
        play: Callable[[], int],
        batch: int = BATCH,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        super().__init__(name, play, [], [], clock)
        self.batch = batch

    @property
    def games(self) -> float:
        return self.batch * self.plays


class Timed(Batched):
    """A program that reports its own time per game, without start-up."""

    def __init__(self, name: str, play: Callable[[], tuple[float, int]]) -> None:
        super().__init__(name, lambda: 0, 1)
        self.ask = play

    def run(self, seconds: float) -> None:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            each, decisions = self.ask()
            self.rates.append(decisions / each)
            self.lengths.append(decisions)


def contenders(folder: str) -> Iterator[Batched]:
    for seats in (2, 4, 6):
        if (program := tuned_c(folder, seats)) is not None:
            yield Timed(f"parade.c, {seats} players", program)
    yield Batched("OpenSpiel hearts, inside C++", inside_openspiel("hearts"), 1)
    for name in game_names():
        the_game = game(name)
        title = the_game.info.title
        yield Batched(f"{title}, 2 players, readable rules", ours(the_game, 2), 1)
        yield Batched(f"{title}, 2 players, portable", kernel_plays(name, "kernel", 2))
        if not is_modern():
            continue
        for seats in the_game.info.seats:
            yield Batched(f"{title}, {seats} players", kernel_plays(name, "kernel_v3", seats))
        two = kernel_plays(name, "kernel_v3", 2, threads=2, batch=FOR_THREADS)
        yield Batched(f"{title}, 2 players, two threads", two, 2 * FOR_THREADS, time.perf_counter)


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        field = list(contenders(folder))
        for number in range(SLICES):
            for contender in field:
                contender.run(seconds / SLICES)
            print(f"\rslice {number + 1} of {SLICES}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    by_name = {contender.name: contender for contender in field}
    hearts = by_name["OpenSpiel hearts, inside C++"]
    print("| random play | games/s | million decisions/s | to hearts (games) | to tuned C |")
    print("|---|---:|---:|---:|---:|")
    for contender in field:
        title, _, rest = contender.name.partition(", ")
        tuned = by_name.get(f"parade.c, {rest[:9]}") if title == "Parade" else None
        ratio = f"{contender.rate / tuned.rate:.2f}" if tuned is not None else ""
        print(
            f"| {contender.name} | {contender.games:,.0f} | {contender.rate / 1e6:.2f} "
            f"| {contender.games / hearts.games:,.1f} | {ratio} |"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
