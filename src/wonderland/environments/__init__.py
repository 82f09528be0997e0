"""The games in the interfaces that learning agents know: vector environments, PettingZoo, OpenSpiel.

Each module needs an extra of its own (`pip install 'wonderland[openspiel]'`); nothing else needs them.
What an agent may do and observe in a game is defined by the game's component `encoding.learning`.
"""

from __future__ import annotations

from types import SimpleNamespace

from wonderland.engine.registry import is_registered


def __getattr__(name: str) -> SimpleNamespace:
    """Make `<game>_v0` with PettingZoo's `env`, `raw_env` and `parallel_env` for any registered game."""
    game, _, version = name.rpartition("_")
    if version != "v0" or not is_registered(game):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wonderland.environments.pettingzoo import of_game  # noqa: PLC0415 - needs an extra

    env, raw_env, parallel_env = of_game(game)
    return SimpleNamespace(env=env, raw_env=raw_env, parallel_env=parallel_env)
