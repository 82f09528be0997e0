"""Encodings for learning agents: what the numbers mean, and that they reveal no more than a view."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from support.game_variants import all_variants
from wonderland.components import learning as learnings
from wonderland.components.learning import Learning, learning, length, mask, rewards
from wonderland.engine import Match, Seeded, UsageError, game, game_names
from wonderland.engine.laws import LawBroken, check_secrecy, random_match
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import FACE_DOWN, AnyGame, Seat

GAMES = game_names()


def numbers_of(name: str) -> Learning:
    numbers = learning(name)
    assert numbers is not None
    return numbers


def check_numbers(numbers: Learning, rules: AnyGame, seats: int, options: Any, state: Any) -> None:
    """Check one state: every number within its bounds, every legal action with its own number."""
    actions, features = numbers.actions(seats, options), numbers.features(seats, options)
    for seat in range(seats):
        view, legal = rules.view(state, seat), rules.legal(state, seat)
        observation = numbers.observe(view)
        assert len(observation) == length(features)
        at = 0
        for feature in features:
            there = observation[at : at + feature.size]
            assert feature.low <= min(there), feature
            assert max(there) <= feature.high, feature
            at += feature.size
        assert sum(mask(numbers, view, legal, actions)) == len(legal)
        for action in legal:
            assert numbers.action(view, numbers.number(view, action)) == action


@pytest.mark.parametrize("name", GAMES)
def test_every_state_can_be_encoded_and_every_decision_has_a_number(name: str) -> None:
    rules, numbers, rng = game(name), numbers_of(name), random.Random(1)
    for seats, options in all_variants(name):
        names = numbers.action_names(seats, options)
        assert len(names) == len(set(names)) == numbers.actions(seats, options)
        states = [state for state, _ in random_match(rules, seats, options, rng).record.states()]
        for state in rng.sample(states, 8) + states[-1:]:
            check_numbers(numbers, rules, seats, options, state)


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_reveals_nothing_hidden_from_the_seat(name: str) -> None:
    rules, numbers, rng = game(name), numbers_of(name), random.Random(2)

    def observed(game: AnyGame, state: Any, seat: Seat | None) -> object:
        return None if seat is None else numbers.observe(game.view(state, seat))

    for seats, options in rng.sample(all_variants(name), min(6, len(all_variants(name)))):
        states = [state for state, _ in random_match(rules, seats, options, rng).record.states()]
        for state in rng.sample(states, 8):
            check_secrecy(rules, seats, state, rng, [observed])


def test_a_leak_is_found() -> None:
    rules, numbers, rng = game("parade"), numbers_of("parade"), random.Random(2)

    def leaking(game: AnyGame, state: Any, seat: Seat | None) -> object:
        return numbers.observe(game.view(state, 0))

    match = random_match(rules, 3, rules.options_type(), rng)
    states = [state for state, _ in match.record.states()][30:60]
    with pytest.raises(LawBroken):  # noqa: PT012 - not every state shows it
        for state in states:
            check_secrecy(rules, 3, state, rng, [leaking])


@pytest.mark.parametrize("name", GAMES)
def test_seats_are_numbered_relative_to_the_observer(name: str) -> None:
    """The seat to move is first in `turn`; the previous seat sees it one place later."""
    rules, numbers, rng = game(name), numbers_of(name), random.Random(3)
    for seats, options in rng.sample(all_variants(name), 4):
        features = numbers.features(seats, options)
        at = length(features[: [feature.name for feature in features].index("turn")])
        match = random_match(rules, seats, options, rng)
        for state, move in match.record.states():
            if move is not None and isinstance(move.actor, int):
                before = (move.actor - 1) % seats
                assert numbers.observe(rules.view(state, move.actor))[at] == 1
                assert numbers.observe(rules.view(state, before))[at + 1] == 1


@pytest.mark.parametrize("name", GAMES)
def test_an_invalid_decision_number_is_rejected(name: str) -> None:
    rules, numbers = game(name), numbers_of(name)
    match = random_match(rules, 2, rules.options_type(), random.Random(4))
    (before, drawn), *_ = match.record.states()
    view = rules.view(before, 0)
    assert drawn is not None
    with pytest.raises(UsageError, match="isn't "):
        numbers.number(view, drawn.action)
    for number in (-1, numbers.actions(2, rules.options_type())):
        with pytest.raises(UsageError, match="isn't "):
            numbers.action(view, number)
    with pytest.raises(UsageError, match="spectator"):
        numbers.observe(rules.view(before, None))


@pytest.mark.parametrize("name", ["cookies", "parade"])
def test_an_agent_must_observe_its_own_hand(name: str) -> None:
    """As in a play recorded from another seat."""
    rules, numbers = game(name), numbers_of(name)
    match = random_match(rules, 2, rules.options_type(), random.Random(5))
    seen = 0
    for state, move in match.record.states():
        if move is not None and isinstance(move.actor, int):
            view = rules.view(state, move.actor)
            number = numbers.number(view, move.action)
            hidden = replace(view, hands=tuple((FACE_DOWN,) * len(hand) for hand in view.hands))
            if (name == "cookies" and number < 20) or number >= 66:
                seen += 1
                with pytest.raises(UsageError, match="must see"):
                    numbers.action(hidden, number)
                if name == "parade":
                    with pytest.raises(UsageError, match="isn't "):
                        numbers.number(replace(view, hands=((), ())), move.action)
    assert seen


def test_rewards_sum_to_zero() -> None:
    for seats in range(2, 7):
        for winners in ((0,), (0, 1), tuple(range(seats))):
            assert sum(rewards(winners, seats)) == pytest.approx(0)
    assert rewards((0, 1), 2) == (0.0, 0.0)


def test_a_game_without_an_encoding_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learnings, "component", lambda name, which: None)
    assert learning("parade") is None
    assert learnings.batch("parade", 2, game("parade").options_type(), 1) is None


def test_a_match_can_be_played_by_decision_numbers_alone() -> None:
    for name in GAMES:
        match, numbers = Match(game(name), 2, chance=Seeded(5)), numbers_of(name)
        while seats := seats_to_act(match.turn):
            view, legal = match.view(seats[-1]), match.legal(seats[-1])
            allowed = mask(numbers, view, legal, numbers.actions(2, match.options))
            match.play(seats[-1], numbers.action(view, allowed.index(1)))
        assert match.decisions > 5
