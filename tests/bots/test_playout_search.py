"""The generic playout search: plays well, keeps to its budget, and sees no more than it may."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from support.paths import SOURCE, TESTS
from support.stones_game import GAME as STONES
from wonderland.bots import PlayoutSearch, level, levels
from wonderland.components.bots import Budget
from wonderland.engine import Match, laws
from wonderland.engine.errors import UsageError
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import AnyGame, Over, Seat
from wonderland.engine.registry import game, game_names

ONE_EACH = Budget(playouts=1)


def positions(name: str, seed: int, number: int) -> list[tuple[Any, Seat]]:
    """States of a random play in which a seat has a choice, with that seat."""
    the_game, rng = game(name), random.Random(seed)
    match = laws.random_match(the_game, 2, the_game.options_type(), rng)
    found = [
        (state, seats_to_act(the_game.turn(state))[0])
        for state, _ in match.record.states()
        if seats_to_act(the_game.turn(state))
    ]
    return rng.sample([each for each in found if len(the_game.legal(*each)) > 1], number)


def choice_observer(bot: Any) -> laws.Observer:
    """Return a bot's choice as an observation of its seat, for law 7."""

    def choice(the_game: AnyGame, state: Any, seat: Seat | None) -> object:
        if seat is None or seat not in seats_to_act(the_game.turn(state)):
            return None
        legal = the_game.legal(state, seat)
        return bot.choose(the_game.view(state, seat), legal, random.Random(7), ONE_EACH)

    return choice


@pytest.mark.parametrize("name", game_names())
def test_law_7_hidden_information_changes_nothing(name: str) -> None:
    the_game, rng = game(name), random.Random(1)
    for state, _ in positions(name, 2, 4):
        laws.check_secrecy(the_game, 2, state, rng, [choice_observer(PlayoutSearch(the_game))])


def test_law_7_catches_a_bot_that_peeks() -> None:
    the_game, rng = game("parade"), random.Random(3)
    table: list[Any] = []

    class Cheat:
        def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, budget: Budget) -> object:
            return legal[hash(str(table[-1].hands)) % len(legal)]

    def peeking(a_game: AnyGame, state: Any, seat: Seat | None) -> object:
        table.append(state)
        return choice_observer(Cheat())(a_game, state, seat)

    def check() -> None:
        for state, _ in positions("parade", 4, 12):
            laws.check_secrecy(the_game, 2, state, rng, [peeking])

    with pytest.raises(laws.LawBroken, match="law 7"):
        check()


@pytest.mark.parametrize("name", game_names())
def test_the_same_random_numbers_give_the_same_choice(name: str) -> None:
    the_game = game(name)
    for state, seat in positions(name, 5, 3):
        legal, view = the_game.legal(state, seat), the_game.view(state, seat)
        choices = [
            PlayoutSearch(the_game).choose(view, legal, random.Random(6), Budget(playouts=2))
            for _ in range(2)
        ]
        assert choices[0] == choices[1]
        assert choices[0] in legal


def test_it_keeps_to_its_time_budget_and_skips_forced_choices() -> None:
    the_game = game("parade")
    ((state, seat),) = positions("parade", 8, 1)
    legal, view = the_game.legal(state, seat), the_game.view(state, seat)
    began = perf_counter()
    PlayoutSearch(the_game).choose(view, legal, random.Random(1), Budget(seconds=0.1))
    assert 0.1 <= perf_counter() - began < 2

    class Untouched(random.Random):
        def random(self) -> float:
            raise AssertionError("nothing to think about")

        getrandbits = None  # type: ignore[assignment]

    only = PlayoutSearch(the_game).choose(view, legal[:1], Untouched(), Budget(seconds=60))
    assert only == legal[0]


def test_it_wins_the_last_stone_game() -> None:
    bot = PlayoutSearch(STONES)
    wins = 0
    for seed in range(20):
        rng = random.Random(seed)
        match: Any = Match(STONES, 2, chance=None)
        match.decide(match.turn.outcomes[1])  # the bot starts
        while not isinstance(turn := match.turn, Over):
            (seat,) = seats_to_act(turn)
            legal = match.legal(seat)
            chooses = seat == 1
            action = (
                bot.choose(match.view(seat), legal, rng, Budget(playouts=60))
                if chooses
                else rng.choice(legal)
            )
            match.play(seat, action)
        wins += turn.result.winners == (1,)
    assert wins >= 18


def test_levels_start_with_the_dodo_and_are_found_by_name() -> None:
    for name in game_names():
        found = levels(name)
        assert found[0].name == "Dodo"
        assert len({each.word for each in found}) == len(found) >= 2
        for each in found:
            assert level(name, each.name.upper()) == level(name, each.word)
            assert each.about
    with pytest.raises(UsageError, match=r"no bot called 'Walrus'\. .* dodo, "):
        level("parade", "Walrus")


def test_a_new_game_gets_levels_and_the_lab_for_free(tmp_path: Path) -> None:
    """A package with a game and nothing else, found by its entry point."""
    (tmp_path / "stones").mkdir()
    (tmp_path / "stones" / "__init__.py").write_text((TESTS / "support" / "stones_game.py").read_text())
    metadata = tmp_path / "stones-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stones\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[wonderland.games]\nstones = stones\n")
    script = (
        "import json; from wonderland.bots import levels; "
        "from wonderland.lab.game_runner import GameSetup, Simulation; "
        "from wonderland.lab.run import Run; "
        "setup = GameSetup('stones', 2); "
        "run = Run((Simulation(setup, ('hatter@20', 'dodo'), 'tea'),), 20); run.play(); "
        "totals = run.totals[0]; "
        "print(json.dumps([[each.word for each in levels('stones')], dict(totals.endings), "
        "totals.share_of_seats([0]).total]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCE), str(tmp_path)])},
    )
    words, endings, wins = json.loads(done.stdout)
    assert words == ["dodo", "hatter"]
    assert endings == {"no stones": 20}
    assert wins > 60 * 12
