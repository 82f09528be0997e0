"""Bots in OpenSpiel: ours there, theirs on our games, and a fresh process."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import wonderland.environments.openspiel  # noqa: F401 - registers the games
from support.paths import ROOT, TESTS
from wonderland.bots import levels
from wonderland.engine import game_names
from wonderland.environments.openspiel.bot import WonderlandBot


def play_game(the_game: Any, *bots: Any, seed: int = 1) -> list[float]:
    returns: list[float] = pyspiel.evaluate_bots(the_game.new_initial_state(), list(bots), seed)
    assert sum(returns) == pytest.approx(0)
    assert max(returns) > min(returns)
    return returns


@pytest.mark.parametrize("name", game_names())
def test_our_bots_play_in_openspiel(name: str) -> None:
    the_game = pyspiel.load_game(f"wonderland_{name}(players=3)")
    words = [f"{level.word}@2" for level in levels(name)]
    for seed, word in enumerate(words):
        bots = [WonderlandBot(the_game, 0, word, seed), *(random_bot(seat) for seat in (1, 2))]
        again = [WonderlandBot(the_game, 0, word, seed), *(random_bot(seat) for seat in (1, 2))]
        first = play_game(the_game, *bots, seed=seed)
        assert first == play_game(the_game, *again, seed=seed)


def random_bot(seat: int) -> Any:
    return pyspiel.make_uniform_random_bot(seat, 5 + seat)


def test_our_bot_beats_random_play() -> None:
    the_game = pyspiel.load_game("wonderland_parade")
    rabbit = WonderlandBot(the_game, 0, "white-rabbit")
    won = sum(play_game(the_game, rabbit, random_bot(1), seed=seed)[0] > 0 for seed in range(30))
    assert won > 20


@pytest.mark.parametrize("name", ["parade", "cookies"])
def test_a_bot_chooses_from_its_seats_information(name: str) -> None:
    """It is given the state, but nothing its seat has not witnessed changes its choice."""
    the_game = pyspiel.load_game(f"wonderland_{name}")
    state, rng = the_game.new_initial_state(), random.Random(3)
    asked = 0
    while not state.is_terminal():
        if state.is_player_node() and len(state.legal_actions()) > 1:
            seat, asked = state.current_player(), asked + 1
            other = state.resample_from_infostate(seat, rng.random)
            chosen = {WonderlandBot(the_game, seat, "cheshire@5").step(it) for it in (state, other)}
            assert len(chosen) == 1
            assert chosen <= set(state.legal_actions())
        numbers = [number for number, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action(rng.choice(numbers or state.legal_actions()))
    assert asked > 10


@pytest.mark.parametrize("name", ["wonderland_parade(players=3)", "wonderland_cookies"])
def test_openspiels_information_set_search_plays(name: str) -> None:
    the_game, rng = pyspiel.load_game(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searching = ismcts.ISMCTSBot(the_game, evaluator, uct_c=2.0, max_simulations=4, random_state=rng)
    others = [WonderlandBot(the_game, seat, "dodo") for seat in range(1, the_game.num_players())]
    play_game(the_game, searching, *others)


def test_openspiels_tree_search_plays_perfect_information_games() -> None:
    """The one in Python, and the one in C++ as long as its own `step` is not called."""
    the_game, rng = pyspiel.load_game("wonderland_letters"), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    in_python = mcts.MCTSBot(the_game, 2.0, 3, evaluator, random_state=rng)
    quick = pyspiel.RandomRolloutEvaluator(1, 1)
    in_c = pyspiel.MCTSBot(the_game, quick, 2.0, 3, 10, solve=False, seed=1, verbose=False)
    play_game(the_game, in_python, in_c)


def run(script: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh process."""
    path = os.pathsep.join([str(ROOT / "src"), *map(str, folders)])
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )


def test_a_missing_extra_is_reported_in_one_sentence() -> None:
    done = run("import sys; sys.modules['pyspiel'] = None\nimport wonderland.environments.openspiel")
    assert done.returncode == 1
    *_, last = done.stderr.splitlines()
    assert last == (
        "ModuleNotFoundError: OpenSpiel needs pyspiel, which isn't installed. "
        "Install it with: pip install 'wonderland[openspiel]'"
    )


def test_a_state_is_read_in_another_process_that_exits_cleanly(tmp_path: Path) -> None:
    """Even when OpenSpiel releases the games after Python has shut down."""
    here = (
        "import pickle, pyspiel, wonderland.environments.openspiel\n"
        "state = pyspiel.load_game('wonderland_cookies(hand_size=2)').new_initial_state()\n"
        "state.apply_action(1)\n"
        f"open({str(tmp_path / 'state')!r}, 'wb').write(pickle.dumps(state))"
    )
    there = (
        f"import pickle; state = pickle.loads(open({str(tmp_path / 'state')!r}, 'rb').read())\n"
        "print(state.get_game().setting.options.hand_size, state.history())"
    )
    assert run(here).returncode == 0
    done = run(there)
    assert (done.returncode, done.stdout) == (0, "2 [1]\n")


LEARNING = """
from wonderland.components.learning import Feature

def actions(seats, options): return 2
def action_names(seats, options): return ("take one", "take two")
def number(view, action): return action - 1
def action(view, number): return number + 1
def features(seats, options):
    return (Feature("stones", 1, 0, 7, "how many"), Feature("turn", 1, 0, 1, "yours"))
def observe(view):
    state, seat = view
    return bytes([state.stones, state.seat == seat])
"""


def test_a_new_game_needs_only_its_encoding(tmp_path: Path) -> None:
    """No kernel, no bounds, and no events: the views are all that its seats know."""
    (tmp_path / "stones").mkdir()
    stones = (TESTS / "support" / "stones_game.py").read_text()
    (tmp_path / "stones" / "__init__.py").write_text(stones)
    (tmp_path / "stones" / "learning.py").write_text(LEARNING)
    metadata = tmp_path / "stones-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stones\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[wonderland.games]\nstones = stones\n")
    script = (
        "import pyspiel, wonderland.environments.openspiel\n"
        "game = pyspiel.load_game('wonderland_stones')\n"
        "pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)\n"
        "state = game.new_initial_state()\n"
        "for action in (0, 0, 1, 1): state.apply_action(action)\n"
        "other = state.resample_from_infostate(1, lambda: 0.5)\n"
        "assert state.information_state_string(1) == other.information_state_string(1)\n"
        "assert not game.get_type().provides_information_state_tensor\n"
        "print(state.current_player(), state.legal_actions(), state.observation_tensor(1))"
    )
    done = run(script, tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "1 [0, 1] [2.0, 1.0]"


def test_the_python_in_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "openspiel.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    there: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "openspiel.md", "exec"), there)  # noqa: S102 - our own example
    assert len(blocks) == 3
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "wonderland_parade(players=3) 72"
    assert len(shown) == 4
    for line in shown[2:]:
        assert sorted(map(float, line.strip("[]").split(", "))) == [-1, -1, 2]
