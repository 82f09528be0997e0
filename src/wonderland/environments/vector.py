"""Vectorised environment in the style of Gymnasium: thousands of games at once on the kernels.

    from wonderland.environments.vector import VectorEnv
    envs = VectorEnv("parade", seats=2, num_envs=1024)
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each game waits for the seat to act: `infos["turn"]`. Every step returns the same arrays, which the
kernels overwrite: copy what you keep. `docs/vector.md` explains the encoding.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"A vector environment needs {missing.name}, which isn't installed. "
        "Install it with: pip install 'wonderland[numpy]'"
    ) from missing

from wonderland.components.learning import batch, learning
from wonderland.engine.errors import UsageError
from wonderland.engine.options import read_options
from wonderland.engine.registry import game as named_game
from wonderland.kernels.kernel import kernel, packing

Observations: TypeAlias = dict[str, NDArray[np.int8]]
Infos: TypeAlias = dict[str, NDArray[Any]]

_SAMPLING = 0x5A3D1B
"""The seed of random choices; a game's own random numbers come from another, so they are unrelated."""


class VectorEnv:
    """Many parallel games; the agent decides for the seat to act in each.

    A finished game is reset within the same step, to the next game of the seed. A seed gives the same
    games for any number of threads.
    """

    def __init__(  # noqa: PLR0913 - all but the game have defaults
        self,
        game: str,
        seats: int = 2,
        options: Mapping[str, Any] | None = None,
        *,
        num_envs: int = 1024,
        threads: int = 1,
        observe: bool = True,
    ) -> None:
        rules, numbers = named_game(game), learning(game)
        texts = {name: _format_option(value) for name, value in (options or {}).items()}
        self.options = read_options(rules, texts)
        if num_envs < 1 or threads < 1:
            raise UsageError(f"num_envs and threads must be 1 or more, not {num_envs} and {threads}.")
        plays = batch(game, seats, self.options, num_envs)
        if numbers is None or plays is None:
            missing = "learning.py" if numbers is None else "batch.py, a kernel for many plays at once"
            raise UsageError(
                f"{game} can't be used as a vector environment, because it has no {missing}."
            )
        self.game, self.seats, self.num_envs, self.threads = game, seats, num_envs, threads
        self.features = numbers.features(seats, self.options)
        self.action_names = numbers.action_names(seats, self.options)
        self._batch = plays
        self._allocate(observe=observe)
        edges = [num_envs * piece // threads for piece in range(threads + 1)]
        self._chunks = list(pairwise(edges))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def _allocate(self, *, observe: bool) -> None:
        """Allocate the arrays that the kernel reads and writes."""
        rows, seen = self.num_envs, self.num_envs if observe else 0
        self.actions: NDArray[np.int32] = np.zeros(rows, np.int32)
        self.turn: NDArray[np.int8] = np.zeros(rows, np.int8)
        self.rewards: NDArray[np.float32] = np.zeros((rows, self.seats), np.float32)
        self.terminations: NDArray[np.bool_] = np.zeros(rows, np.bool_)
        self.truncations: NDArray[np.bool_] = np.zeros(rows, np.bool_)
        self.illegal: NDArray[np.bool_] = np.zeros(rows, np.bool_)
        self.observations: Observations = {
            "observation": np.zeros((seen, self._batch.features), np.int8),
            "action_mask": np.zeros((seen, self._batch.actions), np.int8),
        }
        self._batch.attach(
            self.actions,
            self.turn,
            self.rewards.reshape(-1),
            self.terminations.view(np.uint8),
            self.illegal.view(np.uint8),
            self.observations["observation"].reshape(-1),
            self.observations["action_mask"].reshape(-1),
        )

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[Observations, Infos]:  # noqa: ARG002 - Gymnasium's
        """Restart all games; without a seed, with a random one."""
        chosen = secrets.randbits(64) if seed is None else seed
        self._run_on_all(lambda first, last: self._batch.reset(chosen, first, last))
        return self.observations, self._infos()

    def step(
        self, actions: Any = None
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Apply one action in each game; by default those already in `self.actions`.

        Return the observations and action masks of the seats to act, the rewards of each seat, the
        games that ended, truncations (always false), and the infos.
        """
        if actions is not None:
            self.actions[:] = actions
        self._run_on_all(self._batch.step)
        return self.observations, self.rewards, self.terminations, self.truncations, self._infos()

    def sample(self, seed: int) -> NDArray[np.int32]:
        """Choose a legal action in each game, all equally likely, and return `actions`.

        It reads the action masks, so it needs `observe=True`. With the seed of the last choice, the next
        one would use the same random numbers: pass another one each time, such as the step's number.
        """
        if not len(self.observations["action_mask"]):
            raise UsageError("sample needs the action masks: create the environment with observe=True.")
        self._run_on_all(lambda first, last: self._batch.sample(_SAMPLING, seed, first, last))
        return self.actions

    def _infos(self) -> Infos:
        return {"turn": self.turn, "illegal": self.illegal}

    def _run_on_all(self, work: Callable[[int, int], None]) -> None:
        """Run the work on all rows, split between the threads."""
        first, *others = self._chunks
        waiting = [self._pool.submit(work, *piece) for piece in others] if self._pool else []
        work(*first)
        for piece in waiting:
            piece.result()

    def policy(self, name: str) -> int:
        """The action number that delegates the decision to a built-in kernel policy, such as `dodo`."""
        found = kernel(self.game)
        names = found.POLICIES if found else ()
        if name not in names:
            raise UsageError(
                f"{self.game} has no built-in player {name!r}. Choose from {', '.join(names)}."
            )
        return -1 - list(names).index(name)

    def state(self, row: int) -> Any:
        """State of one game as a value of the rules, for inspection."""
        return packing(self.game).unpack(self._batch.words(row))

    @cached_property
    def single_observation_space(self) -> Any:
        """Gymnasium space of the observations of one game."""
        spaces = _import_spaces()
        lows = np.repeat([it.low for it in self.features], [it.size for it in self.features])
        highs = np.repeat([it.high for it in self.features], [it.size for it in self.features])
        return spaces.Dict(
            observation=spaces.Box(lows.astype(np.int8), highs.astype(np.int8), dtype=np.int8),
            action_mask=spaces.Box(0, 1, (self._batch.actions,), np.int8),
        )

    @cached_property
    def single_action_space(self) -> Any:
        """Gymnasium space of the actions of one game."""
        return _import_spaces().Discrete(self._batch.actions)

    @cached_property
    def observation_space(self) -> Any:
        """Gymnasium space of the observations of all games."""
        return _batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Any:
        """Gymnasium space of the actions of all games."""
        return _batch_space(self.single_action_space, self.num_envs)

    def close(self) -> None:
        """Shut the threads down."""
        if self._pool is not None:
            self._pool.shutdown()


def _format_option(value: object) -> str:
    """Format an option's value as on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _import_spaces() -> Any:
    try:
        from gymnasium import spaces  # noqa: PLC0415 - optional dependency
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"Spaces need {missing.name}, which isn't installed. "
            "Install it with: pip install 'wonderland[gymnasium]'"
        ) from missing
    return spaces


def _batch_space(space: Any, count: int) -> Any:
    from gymnasium.vector.utils import batch_space  # noqa: PLC0415 - as above

    return batch_space(space, count)
