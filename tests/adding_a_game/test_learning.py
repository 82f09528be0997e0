"""The game of `docs/adding-a-game.md` for learning agents."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from support.documented_game import SCRIPTS, Package

pytestmark = pytest.mark.slow

VECTOR = """
from wonderland.environments.vector import VectorEnv
try:
    VectorEnv("tarts")
except ValueError as error:
    print(error)
"""
SIMULATED = """
import pyspiel
import wonderland.environments.openspiel
for seats in (2, 4):
    game = pyspiel.load_game(f"wonderland_tarts(players={seats})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
"""


def test_missing_learning_components_are_reported(bare: Package, whole: Package) -> None:
    assert "it has no learning.py." in bare.run("-c", VECTOR)
    assert "it has no batch.py" in whole.run("-c", VECTOR)


def test_openspiel_plays_it(whole: Package) -> None:
    returns = json.loads(whole.run("-c", SCRIPTS[0]))
    assert len(returns) == 3
    assert sum(returns) == pytest.approx(0)
    whole.run("-c", SIMULATED)


@pytest.mark.skipif(find_spec("pettingzoo") is None, reason="PettingZoo is not installed")
def test_pettingzoo_plays_it(whole: Package) -> None:
    assert whole.run("-c", SCRIPTS[1]).count("player_") == 3
