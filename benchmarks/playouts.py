"""Playouts per second of Parade's search, compared with a tuned C program.

    .venv/bin/python benchmarks/playouts.py        six rounds
    .venv/bin/python benchmarks/playouts.py 20     twenty

Both play at random and, before each turn, try every card of the hand in a number of determinizations:
as in flat search, with greedy playouts, or random ones that choose the two cards to keep sensibly. Only
the searches are timed, in processor time; the ratio is what counts. `parade_search.c` is the same search
in C. One thread. The mean win shares must agree, which shows that both do the same search.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from statistics import mean, median
from typing import Any

from tuned import compiled
from wonderland.engine import Match, Over, Seeded, game
from wonderland.engine.match import seats_to_act
from wonderland.games.parade.encoding import packing
from wonderland.games.parade.encoding.layout import CARELESS, GREEDY
from wonderland.games.parade.rules.state import PlayCard
from wonderland.kernels.processor import is_modern

Measured = tuple[float, float]
"""Playouts per second, and the mean win share."""
PARADE = "wonderland.games.parade"
PLAYS, WORLDS = 12, 100
"""Games per round, and determinizations per turn."""
POLICIES = {"greedy": GREEDY, "at random": CARELESS}


def in_c(program: Path, seats: int, policy: int, seed: int) -> Measured:
    numbers = [seats, PLAYS, WORLDS, int(policy == GREEDY), seed]
    said = subprocess.run(  # noqa: S603 - our own program
        [program, *map(str, numbers)], check=True, capture_output=True, text=True
    ).stdout.split()
    return int(said[1]) / float(said[0]), float(said[2])


def here(suffix: str, seats: int, policy: int, seed: int) -> Measured:
    """Measure our compiled search; `suffix` selects the build."""
    table: Any = import_module(f"{PARADE}.compiled.kernel{suffix}").KernelState()
    search: Any = import_module(f"{PARADE}.compiled.search{suffix}").Search()
    rng, seconds, playouts, shares = random.Random(seed), 0.0, 0, []
    for _ in range(PLAYS):
        match = Match(game("parade"), seats, chance=Seeded(rng.getrandbits(40)))
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            legal = match.legal(seat)
            if isinstance(legal[0], PlayCard):
                table.load(packing.pack(match.state))
                search.load(table, seat, rng.getrandbits(63))
                start = time.process_time()
                search.run(WORLDS, policy)
                seconds += time.process_time() - start
                playouts += WORLDS * len(legal)
                shares += search.shares().values()
            match.play(seat, rng.choice(legal))
    return playouts / seconds, mean(shares)


def main(rounds: int) -> None:
    print("| million playouts/s | in C | ours | to C | portable | to C | wins: in C | ours |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled("parade_search.c", folder)
        if program is None or not is_modern():
            sys.exit("This needs a C compiler, and a processor with BMI2.")
        for seats in (2, 4, 6):
            for name, policy in POLICIES.items():
                found: dict[str, list[Measured]] = {"c": [], "_v3": [], "": []}
                for number in range(rounds):
                    found["c"].append(in_c(program, seats, policy, number))
                    for suffix in ("_v3", ""):
                        found[suffix].append(here(suffix, seats, policy, number))
                print(f"| {seats} players, {name} | {row(found)} |", flush=True)


def row(found: dict[str, list[Measured]]) -> str:
    c, ours, portable = (median(rate for rate, _ in rows) / 1e6 for rows in found.values())
    wins = [100 * mean(share for _, share in found[who]) for who in ("c", "_v3")]
    return (
        f"{c:.2f} | {ours:.2f} | {ours / c:.2f} | {portable:.2f} | {portable / c:.2f} "
        f"| {wins[0]:.1f} % | {wins[1]:.1f} %"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
