"""Speed-up of the vectorised environment with a second thread, in wall-clock time.

.venv/bin/python benchmarks/threads.py [SECONDS]
"""

from __future__ import annotations

import sys
import time
from statistics import median

from wonderland.engine import game_names
from wonderland.environments.vector import VectorEnv

ROWS = 16384
ROUNDS = 5


def moves_a_second(envs: VectorEnv, seconds: float) -> float:
    """Moves per second over all games, chosen by a built-in kernel policy."""
    envs.actions[:] = envs.policy("dodo")
    start, moves = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < seconds:
        envs.step()
        moves += envs.num_envs
    return moves / spent


def main() -> None:
    """Measure and print a table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    print(f"{ROWS} plays at once, {ROUNDS} rounds of {seconds} s each, in turns\n")
    print("| two seats | one thread, M moves/s | two threads | gain |\n|---|---:|---:|---:|")
    for name in game_names():
        for observe in (False, True):
            sides = [VectorEnv(name, seats=2, num_envs=ROWS, threads=n, observe=observe) for n in (1, 2)]
            for envs in sides:
                envs.reset(seed=1)
            rounds = [[moves_a_second(envs, seconds) for envs in sides] for _ in range(ROUNDS)]
            one, two = (median(column) / 1e6 for column in zip(*rounds, strict=True))
            title = f"{name}, observed" if observe else name
            print(f"| {title} | {one:.1f} | {two:.1f} | {two / one:.2f} |", flush=True)


if __name__ == "__main__":
    main()
