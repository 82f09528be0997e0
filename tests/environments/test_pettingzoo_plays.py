"""PettingZoo environments in detail: copies, rendering, and lazy observations."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo.test as theirs
import pytest

from support.random_agents import play_at_random
from wonderland.engine import UsageError, game, game_names
from wonderland.engine.protocol import Over
from wonderland.environments import parade_v0
from wonderland.environments.pettingzoo import env, image, play, raw_env
from wonderland.environments.pettingzoo.image import COLUMNS, HEIGHT, ROWS, WIDTH
from wonderland.environments.pettingzoo.lazy_observation import LazyObservation
from wonderland.environments.pettingzoo.play import PettingZooSetup, RulesPlay

GAMES = game_names()
# PettingZoo's tests warn about every masked environment that is not on their list of names.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings(
        "ignore:Action mask numpy array is all zeros"
    ),  # agents that are not on turn
]


def test_returned_observations_do_not_change_later() -> None:
    kept = []
    its = raw_env("parade", seats=3)
    for _, (shown, *_) in play_at_random(its, random.Random(4), 4):
        kept.append((shown, {key: value.copy() for key, value in dict(shown).items()}))
        assert all((shown[key] == before[key]).all() for shown, before in kept for key in before)
    assert len({shown["observation"].tobytes() for shown, _ in kept}) == len(kept)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda its: pickle.loads(pickle.dumps(its))])  # noqa: S301 - our own
def test_a_copy_continues_the_same_play(name: str, copied: Callable[[Any], Any]) -> None:
    fresh = copied(env(name, seats=3))
    assert str(fresh) == f"wonderland_{name}_v0"
    with pytest.raises(AttributeError, match="agents cannot be accessed before reset"):
        _ = fresh.agents
    its, rng = env(name, seats=3), random.Random(3)
    for turn, _ in enumerate(play_at_random(its, rng, 6)):
        if turn % 7 == 0 or its.terminations[its.agent_selection]:
            other = copied(its)
            assert other.agents == its.agents
            assert other.rewards == its.rewards
            for agent in its.agents:
                one, same = its.observe(agent), other.observe(agent)
                assert all((one[key] == same[key]).all() for key in one)
            if not its.terminations[its.agent_selection]:
                other.step(int(np.flatnonzero(other.observe(other.agent_selection)["action_mask"])[0]))
                assert len(its.unwrapped._play.decided) == turn
    its.reset()
    other.reset()
    assert its.unwrapped._play.seed == other.unwrapped._play.seed


@pytest.mark.parametrize("name", GAMES)
def test_rgb_renders_show_the_table_and_text_renders_describe_it(name: str) -> None:
    words = raw_env(name, render_mode="ansi")
    for agent, (_, _, ended, _, _) in play_at_random(words, random.Random(1), 1):
        assert ("The game is over" if ended else agent) in words.render().splitlines()[-1]
    pictures, found = raw_env(name, render_mode="rgb_array"), []
    for turn, (_, (_, _, ended, _, _)) in enumerate(play_at_random(pictures, random.Random(1), 1)):
        if turn < 3 or ended:
            found.append(pictures.render())
    assert {shown.shape for shown in found} == {(ROWS * HEIGHT, COLUMNS * WIDTH, 3)}
    inked = [np.count_nonzero((shown != shown[-1, -1]).any(axis=2)) for shown in found]
    assert min(inked) > 5000
    assert len({shown.tobytes() for shown in found[:4]}) == 4


def test_a_game_without_a_drawing_is_rendered_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    its = parade_v0.raw_env(render_mode="rgb_array")
    its.reset(seed=1)
    drawn = its.render()
    monkeypatch.setattr(image, "component", lambda *_: None)
    said = its.render()
    assert said.shape == drawn.shape
    rows = [row.any() for row in (said != said[-1, -1]).any(axis=2).reshape(ROWS, -1)]
    assert rows[:7] == [True] * 7
    assert not any(rows[10:])


def test_hidden_cards_are_not_rendered_for_others() -> None:
    its = raw_env("parade", render_mode="ansi")
    its.reset(seed=3)
    for _ in range(2):
        agent, state = its.agent_selection, its._state()
        hands = [f"hand: {' '.join(map(str, hand))}" for hand in state.hands]
        seat = its.possible_agents.index(agent)
        assert hands[seat] in its.render()
        assert hands[1 - seat] not in its.render()
        its.step(int(np.flatnonzero(its.last()[0]["action_mask"])[0]))


def test_nothing_is_rendered_without_a_mode() -> None:
    its = raw_env("parade")
    its.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert its.render() is None
    its.close()


def test_a_game_without_a_kernel_uses_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "batch", lambda *_: None)
    for name in GAMES:
        assert isinstance(raw_env(name)._play, RulesPlay)
        theirs.api_test(env(name, seats=3), num_cycles=1000)
        theirs.seed_test(lambda name=name: env(name))
        its = raw_env(name)
        for _, (shown, *_) in play_at_random(its, random.Random(1), 1):
            state = its._state()
            expected = PettingZooSetup(name, 2, {}).observed(state, its._seats[its.agent_selection])
            assert (shown["observation"] == expected).all()
        assert isinstance(game(name).turn(its._state()), Over)


def test_a_game_without_an_encoding_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "learning", lambda _: None)
    with pytest.raises(UsageError, match=r"encoding/learning\.py"):
        raw_env("parade")


def test_a_lazy_observation_is_a_dictionary_built_once() -> None:
    asked = []

    def late() -> LazyObservation:
        return LazyObservation(lambda: asked.append(1) or "seen", action_mask="mask")

    whole = {"observation": "seen", "action_mask": "mask"}
    one = late()
    assert "observation" in one
    assert len(one) == 2
    assert (one.get("action_mask"), one.get("other", 1)) == ("mask", 1)
    assert isinstance(one, dict)
    for looked in (
        dict(late()),
        {**late()},
        late() | {},
        {} | late(),
        dict(late().items()),
        copy.copy(late()),
        copy.deepcopy(late()),
        pickle.loads(pickle.dumps(late())),  # noqa: S301 - our own
        late().copy(),
    ):
        assert type(looked) is dict
        assert looked == whole
    assert late() == whole
    assert whole == late()
    assert not late() != whole  # noqa: SIM202 - another method
    assert repr(late()) == repr(whole)
    assert list(late()) == list(whole)
    assert list(late().values()) == list(whole.values())
    changed = late()
    changed["observation"] = "other"
    assert changed["observation"] == "other"
    asked.clear()
    one = late()
    assert one["action_mask"] == "mask"
    assert not asked
    assert (one["observation"], one["observation"], len(asked)) == ("seen", "seen", 1)


def test_a_finished_play_is_only_looked_up_on_access() -> None:
    its = raw_env("parade")
    for _, (_, _, ended, _, _) in play_at_random(its, random.Random(1), 1):
        if ended:
            assert "state" not in vars(its._finished)
    before = its._finished
    assert before.state is before.state
    assert its.observe("player_1")["observation"].tobytes() == (
        PettingZooSetup("parade", 2, {}).observed(before.state, 1).tobytes()
    )
