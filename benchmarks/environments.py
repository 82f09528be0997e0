"""Moves per second of learning environments under random play: ours, pgx, PettingZoo and OpenSpiel.

    python benchmarks/environments.py           two seconds each
    python benchmarks/environments.py 5         five seconds each
    python benchmarks/environments.py 2 zoo     only those with "zoo" in their name, case-insensitively

All run on one core and take turns in time slices, so that a busy machine slows all of them equally; the
ratio is what counts. Time is CPU time of the process with all its threads. A move is a decision of a
seat; chance outcomes take time but aren't counted. Contenders whose packages aren't installed are
skipped.

Ours, "in C": the kernel's random policy decides (action -1), without observations. "observed": the
same, with observations and masks written at each step. "by mask": also written, and NumPy samples a
legal action from the masks. "by mask in C": the same with `sample`.

PettingZoo's games and ours for it are played one move at a time by the same loop: "bare", "wrapped" as
returned by `env()`, and ours "in its three wrappers", nested as PettingZoo does it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

ROWS = 4096
SLICES = 10
ZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5", "tictactoe_v3")
"""PettingZoo's classic card games, and its fastest board game."""
COMPARED = (
    "pgx leduc_holdem",
    "pgx sparrow_mahjong",
    f"PettingZoo {ZOO[0]}, bare",
    f"PettingZoo {ZOO[0]}, wrapped",
)
"""The baselines; the last two are PettingZoo's fastest card game."""


class Contender(NamedTuple):
    """An environment to measure."""

    name: str
    play: Callable[[], int]
    """Make some moves and return how many."""


def vector(name: str, seats: int) -> Iterator[Contender]:
    """Our vectorised environment."""
    import numpy as np  # noqa: PLC0415 - like all below: only installed packages are measured

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
    if not hasattr(masked, "sample"):  # an older version
        return
    sampled = VectorEnv(name, seats, num_envs=ROWS)
    sampled.reset(seed=1)
    steps = count()

    def by_mask_in_c() -> int:
        sampled.sample(next(steps))
        sampled.step()
        return ROWS

    yield Contender(f"{title}, by mask in C", by_mask_in_c)


def pgx(name: str) -> Iterator[Contender]:
    """A pgx game on JAX: sampling a legal action and the whole step are compiled."""
    try:
        import jax  # noqa: PLC0415
        import pgx as games  # noqa: PLC0415
        from pgx.experimental import auto_reset  # noqa: PLC0415
    except ImportError:
        return
    env: Any = games.make(name)
    step, begin = auto_reset(env.step, env.init), jax.jit(jax.vmap(env.init))

    def moved(state: Any, key: Any) -> Any:
        """Make one random legal move; chance uses the same key."""
        choice, chance = jax.random.split(key)
        action = jax.random.categorical(choice, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))
        return step(state, action, chance)

    together = jax.jit(jax.vmap(moved))
    table = {"state": begin(jax.random.split(jax.random.PRNGKey(1), ROWS)), "key": jax.random.PRNGKey(2)}

    def play() -> int:
        table["key"], now = jax.random.split(table["key"])
        table["state"] = together(table["state"], jax.random.split(now, ROWS))
        jax.block_until_ready(table["state"])
        return ROWS

    play()  # compiles
    yield Contender(f"pgx {name}", play)


def pettingzoo(modules: str, name: str) -> Iterator[Contender]:
    """One of PettingZoo's environments, or ours for it: bare and wrapped."""
    try:
        from importlib import import_module  # noqa: PLC0415

        from pettingzoo.utils import wrappers  # noqa: PLC0415

        made: Any = import_module(f"{modules}.{name}")
        raw, wrapped = made.raw_env(), made.env()
    except ImportError:
        return
    title = f"PettingZoo {name}" if modules.startswith("pettingzoo") else f"{name} in PettingZoo"
    yield Contender(f"{title}, bare", partial(one_play, raw))
    yield Contender(f"{title}, wrapped", partial(one_play, wrapped))
    if modules.startswith("wonderland"):
        inner = wrappers.TerminateIllegalWrapper(made.raw_env(), illegal_reward=-1)
        three = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
        yield Contender(f"{title}, in its three wrappers", partial(one_play, three))


def one_play(env: Any) -> int:
    """Play one game as in PettingZoo's documentation, sampling as its `performance_benchmark` does."""
    import random  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415

    moves = 0
    env.reset()
    for _ in env.agent_iter():
        observation, _, ended, broken_off, _ = env.last()
        action = None
        if not (ended or broken_off):
            action = random.choice(np.flatnonzero(observation["action_mask"]).tolist())
            moves += 1
        env.step(action)
    return moves


def openspiel(name: str) -> Iterator[Contender]:
    """An OpenSpiel game in C++, played move by move from a lean loop, with observations."""
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
    """All available contenders, in the order of the table."""
    for name in ("parade", "letters", "cookies"):
        yield from vector(name, 2)
    yield from vector("parade", 4)
    for name in ("leduc_holdem", "sparrow_mahjong"):
        yield from pgx(name)
    for name in ("parade_v0", "letters_v0", "cookies_v0"):
        yield from pettingzoo("wonderland.environments", name)
    for name in ZOO:
        yield from pettingzoo("pettingzoo.classic", name)
    for name in ("leduc_poker", "hearts"):
        yield from openspiel(name)


def measured(who: list[Contender], seconds: float) -> dict[str, float]:
    """Moves per second of each contender, measured in alternating time slices."""
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
    seconds, wanted = [*sys.argv[1:], "2", ""][:2] if len(sys.argv) != 2 else [sys.argv[1], ""]
    who = [each for each in contenders() if wanted.lower() in each.name.lower()]
    found = measured(who, float(seconds))
    compared = [name for name in COMPARED if name in found]
    print("| random play, one core | moves/s |" + "".join(f" to {name} |" for name in compared))
    print("|---|---:|" + "---:|" * len(compared))
    for name, speed in found.items():
        print(f"| {name} | {speed:,.0f} |" + "".join(f" {speed / found[it]:,.2f} |" for it in compared))


if __name__ == "__main__":
    main()
