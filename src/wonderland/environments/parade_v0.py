"""Parade for PettingZoo: `env(seats, options, render_mode)` and so on, as `docs/pettingzoo.md` says."""

from wonderland.environments.pettingzoo import of_game

env, raw_env, parallel_env = of_game("parade")
