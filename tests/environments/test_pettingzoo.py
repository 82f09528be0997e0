"""The games in PettingZoo: its own tests, unchanged, and what they don't cover."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo.test as theirs
import pytest
from pettingzoo.utils import wrappers

from support.game_variants import all_variants
from support.paths import ROOT
from support.random_agents import play_at_random
from wonderland.components.learning import learning, rewards
from wonderland.engine import IllegalAction, UsageError, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import write_options
from wonderland.engine.protocol import Over
from wonderland.environments import cookies_v0, letters_v0, parade_v0
from wonderland.environments import pettingzoo as ours
from wonderland.environments.pettingzoo import WonderlandEnv, env, parallel_env, raw_env

GAMES = game_names()
DOCUMENT = (ROOT / "docs" / "pettingzoo.md").read_text(encoding="utf-8")
SEATS = [(name, seats, {}) for name in GAMES for seats in game(name).info.seats]
OPTIONS: list[tuple[str, int, dict[str, Any]]] = [
    ("cookies", 3, {"hands": "open", "hand_size": 2, "kind_hole": True}),
    ("cookies", 2, {"board": "T1-C2-p3-C1-R0-S2-L3-p9"}),
    ("letters", 2, {"duchess": True, "claim": "first", "memory": "open", "colours": "green,red"}),
]
# PettingZoo's tests warn about every masked environment that is not on their list of names.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings(
        "ignore:Action mask numpy array is all zeros"
    ),  # agents that are not on turn
]


def make_env(name: str, seats: int, options: dict[str, Any], how: Callable[..., Any] = env) -> Any:
    return how(name, seats=seats, options=options)


def part_of(shown: Any, its: Any, name: str) -> Any:
    """Return the part of an observation that encodes a feature."""
    names = [feature.name for feature in its.features]
    ends = np.cumsum([feature.size for feature in its.features])
    return np.split(shown["observation"], ends[:-1])[names.index(name)]


@pytest.mark.parametrize("how", [env, raw_env])
@pytest.mark.parametrize(("name", "seats", "options"), [*SEATS, *OPTIONS])
def test_api_test(name: str, seats: int, options: dict[str, Any], how: Callable[..., Any]) -> None:
    theirs.api_test(make_env(name, seats, options, how), num_cycles=1000)


@pytest.mark.parametrize(("name", "seats", "options"), [*SEATS, *OPTIONS])
def test_seed_test(name: str, seats: int, options: dict[str, Any]) -> None:
    theirs.seed_test(lambda: make_env(name, seats, options))


@pytest.mark.parametrize(("name", "seats", "options"), [*SEATS, *OPTIONS])
def test_parallel_tests(name: str, seats: int, options: dict[str, Any]) -> None:
    theirs.parallel_api_test(make_env(name, seats, options, parallel_env))


@pytest.mark.parametrize("name", GAMES)
def test_render_test(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    theirs.render_test(lambda **mode: env(name, **mode))
    assert "player_0" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_save_obs(name: str) -> None:
    theirs.test_save_obs(env(name))


def test_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    theirs.performance_benchmark(parade_v0.raw_env())
    assert re.search(r"^[\d.]+ turns per second", capsys.readouterr().out, flags=re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_every_agent_observes_only_what_its_seat_may_know_in_all_settings(name: str) -> None:
    numbers, rules, rng = learning(name), game(name), random.Random(name)
    assert numbers is not None
    for seats, options in all_variants(name)[:: 7 if name == "cookies" else 3]:
        its = raw_env(name, seats=seats, options=write_options(rules, options))
        for agent, (shown, *_) in play_at_random(its, rng, rng.getrandbits(32)):
            state = its._state()
            for seat, other in enumerate(its.possible_agents):
                seen = its.observe(other)
                assert seen["observation"].tobytes() == numbers.observe(rules.view(state, seat))
                assert seen in its.observation_space(other)
                assert other == its.agent_selection or not seen["action_mask"].any()
            if not its.terminations[agent]:
                seat = its.possible_agents.index(agent)
                assert seats_to_act(rules.turn(state))[0] == seat
                view, legal = rules.view(state, seat), rules.legal(state, seat)
                expected = sorted(numbers.number(view, action) for action in legal)
                assert np.flatnonzero(shown["action_mask"]).tolist() == expected


@pytest.mark.parametrize("name", GAMES)
def test_the_last_state_has_the_rewarded_result(name: str) -> None:
    rng, rules = random.Random(1), game(name)
    for seats in rules.info.seats:
        its = raw_env(name, seats=seats)
        for seed in range(3):
            told = {agent: shown for agent, shown in play_at_random(its, rng, seed) if shown[2]}
            turn = rules.turn(its._state())
            assert isinstance(turn, Over)
            expected = rewards(turn.result.winners, seats)
            assert [told[agent][1] for agent in its.possible_agents] == list(expected)
            assert sum(expected) == pytest.approx(0, abs=1e-9)
            for shown, *_ in told.values():
                assert part_of(shown, its, "stage")[-1] == 1  # it is over
                assert not part_of(shown, its, "turn").any()
            assert its.agents == []


def test_resets_continue_from_the_last_seed() -> None:
    first, second = raw_env("letters"), raw_env("letters")
    found = []
    for its in (first, second):
        its.reset(seed=np.int64(5))
        plays = []
        for _ in range(3):
            its.reset()
            plays.append(its._play.seed)
        found.append(plays)
    assert found[0] == found[1]
    assert len(set(found[0])) == 3
    unseeded = {raw_env("letters")._rng.random() for _ in range(3)}
    assert len(unseeded) == 3


def test_the_first_play_of_a_seed_matches_the_vector_environment() -> None:
    from wonderland.environments.vector import VectorEnv  # noqa: PLC0415 - only here

    many, one, rng = VectorEnv("parade", 3, num_envs=1), raw_env("parade", seats=3), random.Random(2)
    there, _ = many.reset(seed=12)
    one.reset(seed=12)
    while not one.terminations[one.agent_selection]:
        shown, *_ = one.last()
        assert (shown["observation"] == there["observation"][0]).all()
        action = rng.choice(np.flatnonzero(shown["action_mask"]).tolist())
        one.step(action)
        many.step([action])


def test_the_three_wrappers_come_from_pettingzoo() -> None:
    its = parade_v0.env()
    for kind in ("OrderEnforcingWrapper", "AssertOutOfBoundsWrapper", "TerminateIllegalWrapper"):
        assert isinstance(its, getattr(wrappers, kind))
    for name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(its, name)
    its.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        its.step(72)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in its.agent_iter():
            pass


def test_our_wrapper_does_the_work_of_the_three() -> None:
    """The same play in both, up to an illegal decision in one of its turns."""
    for last in (3, 10, 1000):
        one, rng = cookies_v0.env(seats=3), random.Random(last)
        other = wrappers.OrderEnforcingWrapper(
            wrappers.AssertOutOfBoundsWrapper(
                wrappers.TerminateIllegalWrapper(cookies_v0.raw_env(seats=3), illegal_reward=-1)
            )
        )
        one.reset(seed=2)
        other.reset(seed=2)
        for turn, (agent, same) in enumerate(zip(one.agent_iter(), other.agent_iter(), strict=True)):
            assert agent == same
            shown, expected = one.last(), other.last()
            assert all((shown[0][key] == expected[0][key]).all() for key in expected[0])
            assert shown[1:] == expected[1:]
            legal = shown[0]["action_mask"]
            choice = None if shown[2] else rng.choice(np.flatnonzero(legal == (turn != last)).tolist())
            one.step(choice)
            other.step(choice)
            for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
                assert getattr(one, name) == getattr(other, name)
        assert turn > 3


def test_without_wrappers_illegal_actions_are_rejected_and_change_nothing() -> None:
    its = parade_v0.raw_env()
    its.reset(seed=1)
    shown, *_ = its.last()
    missing = int(np.flatnonzero(shown["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match=r"P\d"):
        its.step(missing)
    for none in (66, -1, 72, None):
        with pytest.raises(UsageError, match="legal action"):
            its.step(none)
    again, *_ = its.last()
    assert (again["observation"] == shown["observation"]).all()
    its.step(np.int8(np.flatnonzero(shown["action_mask"])[0]))
    assert len(its._play.decided) == 1


def test_negative_numbers_are_not_decisions_even_if_a_kernel_uses_them() -> None:
    its = raw_env("letters")
    its.reset(seed=1)
    assert its.last()[0]["action_mask"][-1] == 1
    with pytest.raises(UsageError):
        its.step(-1)
    assert not its._play.decided


def test_a_finished_agent_can_only_step_with_none() -> None:
    its = raw_env("letters")
    for _, shown in play_at_random(its, random.Random(1), 1):
        if shown[2]:
            with pytest.raises(ValueError, match="only valid action is None"):
                its.step(3)


def test_spaces_and_names_describe_the_numbers() -> None:
    its = parade_v0.env(seats=4)
    space = its.action_space("player_3")
    assert space.n == len(its.action_names) == 72
    assert 71 in space
    assert np.int64(71) in space
    assert 72 not in space
    assert -1 not in space
    assert "red" not in space
    shown = its.observation_space("player_3")["observation"]
    assert shown.dtype == np.int8
    assert shown.shape == (sum(feature.size for feature in its.features),)
    at = [feature.name for feature in its.features].index("points")
    first = sum(feature.size for feature in its.features[:at])
    assert shown.high[first - 1 : first + 1].tolist() == [62, 127]


def test_options_may_be_strings_or_values() -> None:
    for given in ({"hand_size": 2, "kind_hole": True}, {"hand_size": "2", "kind_hole": "true"}):
        options = cookies_v0.raw_env(options=given)._setting.options
        assert (options.hand_size, options.kind_hole) == (2, True)
    colours = letters_v0.raw_env(options={"colours": "green,red"})._setting.options.colours
    assert letters_v0.raw_env(options={"colours": colours})._setting.options.colours == colours
    with pytest.raises(UsageError, match="'memory'"):
        parade_v0.env(options={"memory": "open"})
    with pytest.raises(UsageError, match="2 to 6 players, not 7"):
        parade_v0.env(seats=7)
    with pytest.raises(UsageError, match="ansi, human, rgb_array"):
        parade_v0.env(render_mode="video")


@pytest.mark.parametrize("absent", ["pettingzoo", "gymnasium", "numpy"])
def test_a_missing_pettingzoo_is_reported_in_one_sentence(
    absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    text = Path(ours.__file__).read_text(encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match=rf"needs {absent}.*wonderland\[pettingzoo\]"):
        exec(compile(text, ours.__file__, "exec"), {"__name__": "again"})  # noqa: S102 - our own source


def test_the_example_in_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    exec(compile("\n".join(blocks), "pettingzoo.md", "exec"), {})  # noqa: S102 - our own example
    *_, scored, numbers = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\{'player_0': -?[\d.]+, 'player_1': -?[\d.]+, 'player_2': -?[\d.]+\}", scored)
    assert numbers.startswith("hand 66 ")


def test_the_document_names_every_environment_and_option() -> None:
    for name in GAMES:
        assert f"`{name}_v0`" in DOCUMENT
        for option in game(name).info.options:
            assert f"`{option.name}" in DOCUMENT
    assert WonderlandEnv("parade").metadata["name"] in DOCUMENT
