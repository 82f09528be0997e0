"""Moves a second of learning environments at random play: ours, pgx, PettingZoo's and OpenSpiel's.

    python benchmarks/environments.py           two seconds for each
    python benchmarks/environments.py 5         five seconds for each

All stay on one core and take turns, a slice of time each, so that a busy machine slows all of them
alike; what counts is the ratio. Time is what the process had of its core, with all its threads. A move
is a decision of a seat; what luck decides takes its time and is not counted. Contenders whose packages
are not installed are left out.

Ours, "in C": the kernel's own random player decides (-1 as action), and nothing is observed.
"observed": the same, and observations and masks are written at each step. "by mask": these are written
too, and NumPy picks any legal decision from the masks with fresh random numbers.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

ROWS = 4096
SLICES = 10


class Contender(NamedTuple):
    """Someone who makes moves."""

    name: str
    play: Callable[[], int]
    """Makes some moves, and says how many."""


def vector(name: str, seats: int) -> Iterator[Contender]:
    """Our vector environment."""
    import numpy as np  # noqa: PLC0415 - as all of them: only those that are there are measured

    from wonderland.environments.vector import VectorEnv  # noqa: PLC0415

    title = f"{name.title()}, {seats} players"
    for observe, how in ((False, "in C"), (True, "observed")):
        envs = VectorEnv(name, seats, num_envs=ROWS, observe=observe)
        envs.reset(seed=1)
        envs.actions[:] = envs.policy("dodo")
        yield Contender(f"{title}, {how}", lambda envs=envs: len(envs.step()[1]))  # type: ignore[misc]
    masked = VectorEnv(name, seats, num_envs=ROWS)
    masked.reset(seed=1)
    rng = np.random.default_rng(1)

    def by_mask() -> int:
        mask = masked.observations["action_mask"]
        masked.step(np.argmax(mask * rng.random(mask.shape, np.float32), axis=1))
        return ROWS

    yield Contender(f"{title}, by mask", by_mask)


def pgx(name: str) -> Iterator[Contender]:
    """A game of pgx, on JAX: choosing a random legal action and the whole step are compiled."""
    try:
        import jax  # noqa: PLC0415
        import pgx as games  # noqa: PLC0415
        from pgx.experimental import auto_reset  # noqa: PLC0415
    except ImportError:
        return
    env: Any = games.make(name)
    step, begin = auto_reset(env.step, env.init), jax.jit(jax.vmap(env.init))

    def moved(state: Any, key: Any) -> Any:
        """One random legal move; what luck needs comes from the same key."""
        choice, luck = jax.random.split(key)
        action = jax.random.categorical(choice, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))
        return step(state, action, luck)

    together = jax.jit(jax.vmap(moved))
    table = {"state": begin(jax.random.split(jax.random.PRNGKey(1), ROWS)), "key": jax.random.PRNGKey(2)}

    def play() -> int:
        table["key"], now = jax.random.split(table["key"])
        table["state"] = together(table["state"], jax.random.split(now, ROWS))
        jax.block_until_ready(table["state"])
        return ROWS

    play()  # compiles
    yield Contender(f"pgx {name}", play)


def pettingzoo(name: str) -> Iterator[Contender]:
    """A classic environment of PettingZoo, played one move after the other as its documents show."""
    try:
        from importlib import import_module  # noqa: PLC0415

        env: Any = import_module(f"pettingzoo.classic.{name}").env()
    except ImportError:
        return
    import numpy as np  # noqa: PLC0415

    rng = np.random.default_rng(1)

    def play() -> int:
        moves = 0
        env.reset(seed=int(rng.integers(2**31)))
        for agent in env.agent_iter():
            observation, _, ended, broken_off, _ = env.last()
            action = None
            if not (ended or broken_off):
                action = rng.choice(np.flatnonzero(observation["action_mask"]))
                moves += 1
            del agent
            env.step(action)
        return moves

    yield Contender(f"PettingZoo {name}", play)


def openspiel(name: str) -> Iterator[Contender]:
    """A game of OpenSpiel in C++, one move after the other from a lean loop, with its observations."""
    try:
        import pyspiel  # noqa: PLC0415
    except ImportError:
        return
    import random  # noqa: PLC0415

    game, rng = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        moves, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.information_state_tensor()
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    yield Contender(f"OpenSpiel {name}", play)


def contenders() -> Iterator[Contender]:
    """All who are there, in the order of the table."""
    for name in ("parade", "letters", "cookies"):
        yield from vector(name, 2)
    yield from vector("parade", 4)
    for name in ("leduc_holdem", "sparrow_mahjong"):
        yield from pgx(name)
    for name in ("leduc_holdem_v4", "gin_rummy_v4", "tictactoe_v3"):
        yield from pettingzoo(name)
    for name in ("leduc_poker", "hearts"):
        yield from openspiel(name)


def measured(who: list[Contender], seconds: float) -> dict[str, float]:
    """The moves a second of each: they take turns, so that all meet the same machine."""
    moves, spent = (
        dict.fromkeys([each.name for each in who], 0),
        dict.fromkeys([each.name for each in who], 0.0),
    )
    for _ in range(SLICES):
        for each in who:
            begun = now = time.process_time()
            while now - begun < seconds / SLICES:
                moves[each.name] += each.play()
                now = time.process_time()
            spent[each.name] += now - begun
    return {name: moves[name] / spent[name] for name in moves}


def main() -> None:
    """Measure and print a table."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = measured(list(contenders()), float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
    compared = [name for name in ("pgx leduc_holdem", "pgx sparrow_mahjong") if name in found]
    print("| random play, one core | moves/s |" + "".join(f" to {name} |" for name in compared))
    print("|---|---:|" + "---:|" * len(compared))
    for name, speed in found.items():
        print(f"| {name} | {speed:,.0f} |" + "".join(f" {speed / found[it]:,.2f} |" for it in compared))


if __name__ == "__main__":
    main()
