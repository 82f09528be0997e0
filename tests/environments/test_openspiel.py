"""The games in OpenSpiel: its own tests, unchanged, and what they don't cover."""

from __future__ import annotations

import pickle
import random
import unittest
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.observation import make_observation

import wonderland.environments.openspiel
from wonderland.components.learning import learning, rewards
from wonderland.engine import game, game_names
from wonderland.engine.protocol import Over
from wonderland.kernels.kernel import packing

pytestmark = pytest.mark.slow

PLAYERS = [
    f"wonderland_{name}(players={seats})" for name in game_names() for seats in game(name).info.seats
]
OPTIONS = [
    "wonderland_cookies(players=3,hands=open,hand_size=2,kind_hole=True)",
    "wonderland_cookies(board=T1-C2-p3-C1-R0-S2-L3-p9)",
    "wonderland_letters(duchess=True,claim=first,memory=open,colours=green+red)",
]
HIDING = [name for name in PLAYERS if "letters" not in name]
SAMPLER = pyspiel.UniformProbabilitySampler


def make_random_move(state: Any, rng: random.Random) -> None:
    """Make one random move."""
    if state.is_chance_node():
        numbers, likely = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(numbers, likely)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def states_of(name: str, seed: int) -> Iterator[Any]:
    """Every state of a random play."""
    rng, state = random.Random(seed), pyspiel.load_game(name).new_initial_state()
    yield state.clone()
    while not state.is_terminal():
        make_random_move(state, rng)
        yield state.clone()


def decisions_of(name: str, seed: int) -> list[Any]:
    return [state for state in states_of(name, seed) if state.is_player_node()]


def run_tests_of(case: type[unittest.TestCase], only: str = "") -> None:
    """Run a test class of OpenSpiel; all its tests pass, and there are some."""
    suite = unittest.TestSuite(
        test for test in unittest.TestLoader().loadTestsFromTestCase(case) if only in str(test)
    )
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun
    assert not [*result.failures, *result.errors, *result.skipped]


@pytest.mark.parametrize("name", [*PLAYERS, *OPTIONS])
def test_random_sim_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", game_names())
def test_games_sim_test(name: str) -> None:
    from open_spiel.python.tests import games_sim_test  # noqa: PLC0415 - it checks which games are registered

    run_tests_of(games_sim_test.GamesSimTest, f"wonderland_{name}")


@pytest.mark.parametrize("name", [*PLAYERS, *OPTIONS])
def test_api_test(name: str) -> None:
    its = {"game": pyspiel.load_game(name), "game_name": name}
    run_tests_of(type("Partial", (api_test.EnforceAPIOnPartialTreeBase,), its))


class OnWholePlays:
    """OpenSpiel's checks of all states of small games, applied to all states of some of our plays."""

    game_name: str
    all_states: set[Any]
    test_number_of_nodes = test_game_is_perfect_recall = None  # these need the whole tree

    @classmethod
    def setUpClass(cls) -> None:
        cls.all_states = {state for seed in range(2) for state in states_of(cls.game_name, seed)}


@pytest.mark.parametrize("name", [*PLAYERS, *OPTIONS])
def test_api_test_on_whole_plays(name: str) -> None:
    its = {"game": pyspiel.load_game(name), "game_name": name}
    run_tests_of(type("Whole", (OnWholePlays, api_test.EnforceAPIOnFullTreeBase), its))


def test_perfect_recall_and_secret_choices() -> None:
    """The whole tree below the last round of two-player Parade: OpenSpiel's own check, and a count."""
    *_, last_round, _ = (
        state for state in decisions_of("wonderland_parade", 2) if len(state.legal_actions()) == 5
    )
    first = last_round.current_player()
    found: dict[tuple[str, int], list[Any]] = {}
    api_test._assert_is_perfect_recall_recursive(last_round, [], found)
    of = [sum(player == seat for _, player in found) for seat in range(2)]
    # Each plays one of five cards in the open; then each keeps two, which others can't see.
    assert of[first] == 1 + 25
    assert of[1 - first] == 5 + 25


@pytest.mark.parametrize("name", [*PLAYERS, *OPTIONS])
def test_actions_and_outcomes_use_the_games_numbers(name: str) -> None:
    numbers = learning(name.partition("(")[0].removeprefix("wonderland_"))
    meaning = packing(name.partition("(")[0].removeprefix("wonderland_"))
    assert numbers is not None
    for state in states_of(name, 1):
        match = state.play.match
        if state.is_player_node():
            seat = state.current_player()
            view, legal = match.view(seat), match.legal(seat)
            assert state.legal_actions() == sorted(numbers.number(view, action) for action in legal)
            names = numbers.action_names(state.num_players(), match.options)
            assert [state.action_to_string(it) for it in state.legal_actions()] == [
                names[it] for it in state.legal_actions()
            ]
            assert list(numbers.observe(view)) == state.observation_tensor(seat)
        elif state.is_chance_node():
            expected = {meaning.number(it): its / match.turn.total for it, its in match.turn.weighted()}
            assert dict(state.chance_outcomes()) == pytest.approx(expected, abs=1e-15)
        else:
            assert isinstance(match.turn, Over)
            assert state.returns() == list(rewards(match.turn.result.winners, state.num_players()))


def test_chance_outcomes_have_the_weights_of_the_rules() -> None:
    """Two of each card and one Joker in a pile of eleven (C2)."""
    state = pyspiel.load_game("wonderland_cookies").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    expected = [(1, 2 / 11), (2, 2 / 11), (3, 2 / 11), (4, 2 / 11), (5, 2 / 11), (6, 1 / 11)]
    assert state.chance_outcomes() == expected


def decisions_seen_by(state: Any, player: int) -> list[tuple[str, tuple[float, ...], int]]:
    """Return a player's information and action at each of its decisions."""
    known, again = [], state.get_game().new_initial_state()
    for action in state.history():
        if again.current_player() == player:
            text, numbers = again.information_state_string(), again.information_state_tensor()
            known.append((text, tuple(numbers), action))
        again.apply_action(action)
    return known


@pytest.mark.parametrize("name", HIDING)
def test_resampled_states_are_consistent_with_what_the_player_witnessed(name: str) -> None:
    decisions, differs = decisions_of(name, 3), 0
    for state in [decisions[2], decisions[len(decisions) // 2], decisions[-1]]:
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, SAMPLER(0.0, 1.0))
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert decisions_seen_by(other, player) == decisions_seen_by(state, player)
            differs += other.history() != state.history()
            # Only the player's information matters: resampling from there gives the same result.
            samples = [it.resample_from_infostate(player, lambda: 0.25) for it in (state, other)]
            assert samples[0].history() == samples[1].history()
    assert differs


def test_a_fully_informed_player_resamples_the_same_state() -> None:
    for state in decisions_of("wonderland_letters", 1)[::5]:
        assert state.resample_from_infostate(0, SAMPLER(0.0, 1.0)).history() == state.history()


def test_terminal_states_are_not_resampled() -> None:
    *_, last = states_of("wonderland_parade", 1)
    with pytest.raises(wonderland.GameOver):
        last.resample_from_infostate(0, SAMPLER(0.0, 1.0))


@pytest.mark.parametrize("name", [*PLAYERS, *OPTIONS])
def test_games_and_states_can_be_pickled_and_copied(name: str) -> None:
    the_game = pyspiel.load_game(name)
    again = pickle.loads(pickle.dumps(the_game))  # noqa: S301 - our own
    assert str(again) == str(the_game)
    assert str(again.new_initial_state()) == str(the_game.new_initial_state())
    states = list(states_of(name, 4))
    for state in (states[0], states[len(states) // 2], states[-1]):
        text = pyspiel.serialize_game_and_state(the_game, state)
        for kept in (
            pyspiel.deserialize_game_and_state(text)[1],
            the_game.deserialize_state(state.serialize()),
            pickle.loads(pickle.dumps(state)),  # noqa: S301 - our own
            state.clone(),
        ):
            assert str(kept) == str(state)
            assert str(kept.get_game()) == str(the_game)
            assert str(kept.get_game().new_initial_state()) == str(states[0])
            assert kept.history() == state.history()
            assert kept.returns() == state.returns()
            for player in range(state.num_players()):
                expected = state.information_state_string(player)
                assert kept.information_state_string(player) == expected


def test_copies_are_independent() -> None:
    state = decisions_of("wonderland_parade", 1)[3]
    before = str(state), state.information_state_string(0)
    for action in state.legal_actions():
        assert str(state.child(action)) != before[0]
    assert (str(state), state.information_state_string(0)) == before


def test_options_are_parameters() -> None:
    the_game = pyspiel.load_game("wonderland_letters", {"players": 3, "colours": "red,blue,green"})
    assert "colours=red+blue+green" in str(the_game)
    again = pickle.loads(pickle.dumps(the_game))  # noqa: S301 - our own
    assert again.setting.options == the_game.setting.options
    assert [colour.word for colour in again.setting.options.colours] == ["red", "blue", "green"]
    cookies = pyspiel.load_game("wonderland_cookies(hand_size=2,kind_hole=True,hands=open)")
    options = cookies.setting.options
    assert (options.hand_size, options.kind_hole, options.hands) == (2, True, "open")
    assert cookies.num_distinct_actions() == 34
    with pytest.raises(wonderland.UsageError, match="Parade is for 2 to 6 players, not 7"):
        pyspiel.load_game("wonderland_parade(players=7)")
    with pytest.raises(wonderland.UsageError, match=r"claim must be .*after, first"):
        pyspiel.load_game("wonderland_letters(claim=never)")


def test_a_game_without_secrets_has_perfect_information() -> None:
    kinds = pyspiel.GameType.Information
    for name, known in [
        ("wonderland_parade", kinds.IMPERFECT_INFORMATION),
        ("wonderland_letters", kinds.PERFECT_INFORMATION),
        ("wonderland_cookies", kinds.IMPERFECT_INFORMATION),
        ("wonderland_cookies(hands=open)", kinds.PERFECT_INFORMATION),
    ]:
        assert pyspiel.load_game(name).get_type().information == known


def observer(name: str, **kind: Any) -> Any:
    return make_observation(pyspiel.load_game(name), pyspiel.IIGObservationType(**kind))


@pytest.mark.parametrize("recall", [False, True])
def test_observers_separate_public_from_private_information(recall: bool) -> None:
    name, kinds = "wonderland_parade(players=3)", pyspiel.PrivateInfoType
    public = observer(name, perfect_recall=recall, public_info=True, private_info=kinds.NONE)
    secret = observer(name, perfect_recall=recall, public_info=False, private_info=kinds.SINGLE_PLAYER)
    everything = observer(name, perfect_recall=recall, public_info=True, private_info=kinds.ALL_PLAYERS)
    nothing = observer(name, perfect_recall=recall, public_info=False, private_info=kinds.NONE)
    state = decisions_of(name, 6)[9]
    player = state.current_player()
    other = state.resample_from_infostate(player, lambda: 0.75)
    assert public.string_from(state, 0) == public.string_from(other, 2)
    assert secret.string_from(state, player) == secret.string_from(other, player)
    following = (player + 1) % 3
    assert secret.string_from(state, following) != secret.string_from(other, following)
    assert everything.string_from(state, 0) != everything.string_from(other, 0)
    assert nothing.string_from(state, 0) == ""
    hand = [str(card) for card in state.play.match.state.hands[player]]
    assert all(f'"{card}"' in secret.string_from(state, player) for card in hand)
    assert not any(f'"{card}"' in public.string_from(state, player) for card in hand)
    assert public.tensor is None


def test_tensor_pieces_are_named_after_the_features() -> None:
    name = "wonderland_parade(players=4)"
    now, whole = observer(name, perfect_recall=False), observer(name, perfect_recall=True)
    state = decisions_of(name, 2)[6]
    seat, setting = state.current_player(), state.play.setting
    for each in (now, whole):
        each.set_from(state, seat)
    assert list(now.dict) == [feature.name for feature in setting.features]
    assert list(whole.dict) == [*now.dict, "player", "history"]
    assert np.flatnonzero(whole.dict["player"]).tolist() == [seat]
    assert np.flatnonzero(now.dict["hand"]).tolist() == list(state.play.match.state.hands[seat])
    rows = whole.dict["history"]
    assert rows[: len(state.history())].sum(axis=1).tolist() == [2.0] * len(state.history())
    assert not rows[len(state.history()) :].any()
    chance, hidden = 4, rows.shape[1] - 1
    dealt = rows[1:21]  # five cards to each of four players, seat by seat
    assert dealt[:, chance].all()
    assert [bool(row[hidden]) for row in dealt] == [place // 5 != seat for place in range(20)]
    with pytest.raises(ValueError, match="take no parameters"):
        make_observation(pyspiel.load_game(name), None, {"colour": "red"})
