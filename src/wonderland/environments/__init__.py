"""The games as reinforcement learning environments: vectorised, PettingZoo and OpenSpiel.

Each module needs its own extra (`pip install 'wonderland[openspiel]'`) and is optional. A game's
`encoding.learning` component defines the action and observation spaces.
"""

from __future__ import annotations

from types import SimpleNamespace

from wonderland.engine.registry import is_registered


def __getattr__(name: str) -> SimpleNamespace:
    """Provide `<game>_v0` with PettingZoo's `env`, `raw_env` and `parallel_env` for every game."""
    game, _, version = name.rpartition("_")
    if version != "v0" or not is_registered(game):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wonderland.environments.pettingzoo import of_game  # noqa: PLC0415 - needs an extra

    env, raw_env, parallel_env = of_game(game)
    return SimpleNamespace(env=env, raw_env=raw_env, parallel_env=parallel_env)
