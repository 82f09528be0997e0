"""The self-taught bot: a few hundred plays are enough to show that it learns."""

from __future__ import annotations

import random
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.paths import ROOT
from wonderland.bots import decide
from wonderland.components.bots import Budget
from wonderland.components.learning import learning, mask
from wonderland.engine import Match, Seeded, game
from wonderland.engine.match import seats_to_act
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.state import KeepCards, PlayCard, State

pytestmark = pytest.mark.slow

FILE = ROOT / "examples" / "learn_parade.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("learn_parade", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["learn_parade"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def school(example: Any) -> Any:
    """The model after a few seconds of training."""
    found = example.SelfPlay(64, seed=1)
    for _ in range(400):
        found.step(0.002)
    return found


def test_it_learns_to_beat_random_play(example: Any, school: Any) -> None:
    assert school.plays > 500
    untaught = example.SelfPlay(8, seed=1).network
    before = example.win_rate(untaught, "dodo", 300)
    after = example.win_rate(school.network, "dodo", 300)
    assert after > max(0.7, before + 0.1)


def test_the_trained_model_is_saved_and_plays_whole_games(
    example: Any, school: Any, tmp_path: Path
) -> None:
    file = tmp_path / "learned.npz"
    with pytest.raises(FileNotFoundError, match="nothing has been learned yet"):
        example.Bot(file)
    school.network.save(file)
    assert file.stat().st_size < 100_000
    bot = example.Bot(file)
    match = Match(game("parade"), 2, chance=Seeded(1))
    while seats := seats_to_act(match.turn):
        action = decide(bot, match, seats[0], random.Random(1), Budget())
        assert action in match.legal(seats[0])
        match.play(seats[0], action)
    three = Match(game("parade"), 3, chance=Seeded(1))
    with pytest.raises(ValueError, match="two players"):
        decide(bot, three, seats_to_act(three.turn)[0], random.Random(1), Budget())


def test_it_predicts_the_results_of_its_decisions(example: Any) -> None:
    """The predicted table after a decision is the one the rules produce."""
    numbers, match, rng = (
        learning("parade"),
        Match(game("parade"), 2, chance=Seeded(2)),
        random.Random(1),
    )
    assert numbers is not None
    kinds = set()
    while seats := seats_to_act(match.turn):
        view, legal, state = match.view(seats[0]), match.legal(seats[0]), match.state
        allowed = np.frombuffer(mask(numbers, view, legal, 72), np.int8)[None]
        observation = np.frombuffer(numbers.observe(view), np.int8)[None]
        _, decisions, tables = example.afterstates(observation, allowed)
        for number, table in zip(decisions, tables, strict=True):
            action = numbers.action(view, int(number))
            kinds.add(type(action))
            assert table[0:6] * 4 == pytest.approx(colours_after(state, seats[0], action))
            if isinstance(action, PlayCard):
                parade = (*split_parade(state.parade, action.card)[1], action.card)
                places = {card: place for place, card in enumerate(reversed(parade), start=1)}
                shown = table[51 + 66 : 51 + 132] * 10
                assert shown == pytest.approx([places.get(card, 0) for card in range(66)])
        match.play(seats[0], rng.choice(legal))
    assert kinds == {PlayCard, KeepCards}


def colours_after(state: State, seat: int, action: Any) -> list[int]:
    """Return the number of cards of each colour in front of a seat after a decision."""
    gained = (
        [action.first, action.second]
        if isinstance(action, KeepCards)
        else split_parade(state.parade, action.card)[0]
    )
    zone = [*state.zones[seat], *gained]
    return [sum(card.colour == colour for card in zone) for colour in range(6)]
