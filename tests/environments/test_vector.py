"""The vector environment: NumPy arrays filled by the kernels, on one thread or several."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.game_variants import all_variants
from support.observation_tables import observation_table
from support.paths import ROOT
from wonderland.components.learning import learning
from wonderland.engine import UsageError, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import write_options
from wonderland.environments import vector
from wonderland.environments.vector import VectorEnv

GAMES = game_names()
DOCUMENT = (ROOT / "docs" / "vector.md").read_text(encoding="utf-8")


def any_legal(envs: VectorEnv, rng: np.random.Generator) -> Any:
    mask = envs.observations["action_mask"]
    return np.argmax(mask * rng.random(mask.shape), axis=1)


@pytest.mark.parametrize("name", GAMES)
def test_all_seat_counts_and_options_are_supported(name: str) -> None:
    rng = np.random.default_rng(1)
    for seats, options in all_variants(name)[::5]:
        envs = VectorEnv(name, seats, write_options(game(name), options), num_envs=4)
        assert envs.options == options
        observations, infos = envs.reset(seed=3)
        for _ in range(20):
            observations, rewards, _, truncations, infos = envs.step(any_legal(envs, rng))
            assert not infos["illegal"].any()
            assert not truncations.any()
            assert rewards.shape == (4, seats)
            assert observations["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("name", GAMES)
def test_the_readable_state_of_a_row_gives_the_same_observation(name: str) -> None:
    rng, numbers, rules = np.random.default_rng(2), learning(name), game(name)
    assert numbers is not None
    envs = VectorEnv(name, num_envs=5)
    envs.reset(seed=4)
    for _ in range(50):
        envs.step(any_legal(envs, rng))
        state = envs.state(3)
        seat = seats_to_act(rules.turn(state))[0]
        assert envs.turn[3] == seat
        assert envs.observations["observation"][3].tobytes() == numbers.observe(rules.view(state, seat))


@pytest.mark.parametrize("threads", [2, 3])
def test_the_same_seed_gives_the_same_plays_on_any_number_of_threads(threads: int) -> None:
    alone, together = (
        VectorEnv("parade", 3, num_envs=50),
        VectorEnv("parade", 3, num_envs=50, threads=threads),
    )
    rng = np.random.default_rng(5)
    alone.reset(seed=7)
    together.reset(seed=7)
    ended = 0
    for _ in range(120):
        actions = any_legal(alone, rng)
        one, other = alone.step(actions), together.step(actions)
        assert (one[0]["observation"] == other[0]["observation"]).all()
        assert (one[1] == other[1]).all()
        assert (one[2] == other[2]).all()
        assert one[1][one[2]].sum() == pytest.approx(0, abs=1e-4)
        assert not one[1][~one[2]].any()
        ended += one[2].sum()
    assert ended >= 50
    together.close()
    alone.close()


def test_another_seed_gives_other_plays_and_no_seed_gives_random_ones() -> None:
    envs = VectorEnv("parade", num_envs=20)
    found = set()
    for seed in (1, 2, 1, None, None):
        found.add(envs.reset(seed=seed)[0]["observation"].tobytes())
    assert len(found) == 4


def test_nothing_is_copied() -> None:
    envs = VectorEnv("letters", num_envs=3)
    first, _ = envs.reset(seed=1)
    envs.actions[:] = envs.policy("dodo")
    second, rewards, terminations, _, infos = envs.step()
    assert second["observation"] is first["observation"]
    assert rewards is envs.rewards
    assert terminations is envs.terminations
    assert infos["turn"] is envs.turn


def test_built_in_policies_can_fill_some_seats() -> None:
    envs = VectorEnv("parade", num_envs=100)
    envs.reset(seed=2)
    rabbit, dodo = envs.policy("white-rabbit"), envs.policy("dodo")
    won = np.zeros(2)
    for _ in range(200):
        _, rewards, _, _, _ = envs.step(np.where(envs.turn == 0, rabbit, dodo))
        won += rewards.sum(axis=0)
    assert won[0] > 100
    with pytest.raises(UsageError, match="dodo, white-rabbit"):
        envs.policy("jabberwock")


def test_illegal_actions_are_flagged() -> None:
    envs = VectorEnv("parade", num_envs=10)
    envs.reset(seed=2)
    legal = any_legal(envs, np.random.default_rng(1))
    legal[4] = 71
    _, _, _, _, infos = envs.step(legal)
    assert infos["illegal"].tolist() == [row == 4 for row in range(10)]


@pytest.mark.parametrize("name", GAMES)
def test_sampled_actions_are_legal_and_equally_likely(name: str) -> None:
    envs = VectorEnv(name, num_envs=4000)
    envs.reset(seed=2)
    for step in range(30):
        mask = envs.observations["action_mask"].astype(bool)
        chosen = envs.sample(step).copy()
        assert mask[np.arange(len(mask)), chosen].all()
        rank = (np.cumsum(mask, axis=1)[np.arange(len(mask)), chosen] - 1).astype(int)
        choices = mask.sum(axis=1)
        for count in np.unique(choices):
            rows = int((choices == count).sum())
            found = np.bincount(rank[choices == count], minlength=count)
            assert (np.abs(found - rows / count) <= 6 * np.sqrt(rows / count) + 1).all()
        assert not envs.step()[-1]["illegal"].any()


def test_the_same_seed_samples_the_same_on_any_number_of_threads() -> None:
    one, two = (VectorEnv("parade", num_envs=64, threads=threads) for threads in (1, 2))
    for envs in (one, two):
        envs.reset(seed=2)
    first = one.sample(7).copy()
    assert (first == two.sample(7)).all()
    assert (first != one.sample(8)).any()
    two.close()


def test_sampling_needs_masks() -> None:
    with pytest.raises(UsageError, match="observe=True"):
        VectorEnv("parade", num_envs=2, observe=False).sample(1)


def test_spaces_contain_the_observations() -> None:
    for name in GAMES:
        envs = VectorEnv(name, num_envs=6)
        envs.reset(seed=1)
        for _ in range(30):
            observations, *_ = envs.step(any_legal(envs, np.random.default_rng(1)))
            assert observations in envs.observation_space
        assert envs.single_action_space.n == len(envs.action_names)
        assert envs.action_space.shape == (6,)


def test_observations_can_be_switched_off() -> None:
    envs = VectorEnv("parade", num_envs=6, observe=False)
    envs.reset(seed=1)
    observations, _, _, _, _ = envs.step(np.full(6, -1))
    assert observations["observation"].size == 0


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(UsageError, match="threads"):
        VectorEnv("parade", threads=0)
    with pytest.raises(UsageError, match="2 to 6 players"):
        VectorEnv("parade", 7)
    with pytest.raises(UsageError, match="no option"):
        VectorEnv("parade", 2, {"memory": "open"})


def test_without_gymnasium_only_spaces_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    envs = VectorEnv("parade", num_envs=2)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    envs.reset(seed=1)
    with pytest.raises(ModuleNotFoundError, match=r"wonderland\[gymnasium\]"):
        _ = envs.single_action_space


def test_a_missing_numpy_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    text = Path(vector.__file__).read_text(encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match=r"wonderland\[numpy\]"):
        exec(compile(text, vector.__file__, "exec"), {"__name__": "again"})  # noqa: S102 - our own source


def test_the_example_in_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    exec(compile(code, "vector.md", "exec"), {})  # noqa: S102 - our own example
    plays, *_ = capsys.readouterr().out.split()
    assert int(plays) > 5000


@pytest.mark.parametrize("name", GAMES)
def test_the_document_lists_every_number(name: str) -> None:
    assert f"\n### {name.title()}\n" in DOCUMENT
    assert observation_table(name) in DOCUMENT
