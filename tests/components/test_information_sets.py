"""Histories of a play: what a seat observed, and which others are consistent with it."""

from __future__ import annotations

import random
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from support.paths import TESTS
from wonderland.components.information_sets import (
    ObservedMove,
    histories,
    observed_history,
    resample_by_search,
    resample_history,
)
from wonderland.engine import CHANCE, GameFailed, Match, Seeded, game, game_names, registry
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import FACE_DOWN, Over
from wonderland.engine.record_reader import AnyMatch

SETTINGS = [
    (name, seats, {option.name: text})
    for name in game_names()
    for option in game(name).info.options
    for text in option.examples
    for seats in (2,)
    if option.name != "colours"
] + [(name, seats, {}) for name in game_names() for seats in game(name).info.seats]


def match_of(name: str, seats: int, options: dict[str, str], seed: int) -> AnyMatch:
    the_game = game(name)
    return Match(the_game, seats, read_options(the_game, options), chance=Seeded(seed))


def play_on(match: AnyMatch, rng: random.Random, decisions: int = 1000) -> AnyMatch:
    """Play at random for some decisions, or to the end; of simultaneous actors any may be first."""
    for _ in range(decisions):
        if isinstance(match.turn, Over):
            break
        seat = rng.choice(seats_to_act(match.turn))
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def replay(match: AnyMatch, moves: list[Any]) -> AnyMatch:
    other: AnyMatch = Match(match.game, len(match.names), match.options)
    for move in moves:
        other.apply(move.actor, move.action)
    return other


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_no_play_exceeds_its_bounds(name: str, seats: int, options: dict[str, str]) -> None:
    its = histories(name)
    assert its is not None
    packing: Any = registry.component(name, "encoding.packing")
    for seed in range(5):
        match = play_on(match_of(name, seats, options, seed), random.Random(seed))
        bounds = its.bounds(seats, match.options)
        assert match.decisions <= bounds.decisions
        assert len(match.moves) - match.decisions <= bounds.outcomes
        for move in match.moves:
            if move.actor is CHANCE:
                assert packing.number(move.action) < bounds.chance_numbers
                assert 0 <= its.mark(packing.number(move.action), move.action) < bounds.marks


def test_the_longest_play_of_parade_reaches_its_bound() -> None:
    bounds = histories("parade").bounds(4, None)  # type: ignore[union-attr]
    plays = [play_on(match_of("parade", 4, {}, seed), random.Random(seed)) for seed in range(20)]
    assert max(play.decisions for play in plays) == bounds.decisions
    assert max(len(play.moves) for play in plays) == bounds.decisions + bounds.outcomes


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_a_resampled_history_is_witnessed_identically(
    name: str, seats: int, options: dict[str, str]
) -> None:
    """Seats that did not see the difference describe both histories identically."""
    differs = False
    for seed in range(4):
        rng = random.Random(seed)
        match = match_of(name, seats, options, seed)
        for decisions in (0, 2, 15, 30, 1 + 8 * seed):
            play_on(match, rng, decisions)
            if isinstance(match.turn, Over):
                break
            for seat in range(seats):
                other = replay(match, resample_history(match, seat, rng))
                assert other.events_seen_by(seat) == match.events_seen_by(seat)
                assert list(observed_history(other, seat)) == list(observed_history(match, seat))
                assert other.view(seat) == match.view(seat)
                assert other.turn.__class__ is match.turn.__class__
                assert list(other.legal(seat)) == list(match.legal(seat))
                assert resample_history(other, seat, random.Random(7)) == resample_history(
                    match, seat, random.Random(7)
                )
                differs = differs or other.moves != match.moves
    its = histories(name)
    assert its is not None
    assert differs != its.is_open(match.options)


def test_secret_choices_are_resampled() -> None:
    match = match_of("parade", 3, {}, 5)
    while len(seats_to_act(match.turn)) < 3:
        seat = seats_to_act(match.turn)[0]
        match.play(seat, match.legal(seat)[0])
    match.play(0, match.legal(0)[0])
    match.play(1, match.legal(1)[2])
    told = [replay(match, resample_history(match, 2, random.Random(seed))) for seed in range(100)]
    for seat in (0, 1):
        chosen = Counter(other.moves[-2 + seat].action for other in told)
        assert len(chosen) > 20
        assert match.legal(seat) == ()
    assert all(other.view(2) == match.view(2) for other in told)
    kept = [
        replay(match, resample_history(match, 1, random.Random(seed))).moves[-1] for seed in range(20)
    ]
    assert set(kept) == {match.moves[-1]}  # the player's own choice is known


def test_every_card_is_equally_likely_to_be_in_a_hand() -> None:
    match = play_on(match_of("parade", 2, {}, 3), random.Random(3), 8)
    other_hand: Counter[Any] = Counter()
    trials = 600
    for seed in range(trials):
        other_hand.update(hand_in_replay(match, resample_history(match, 0, random.Random(seed))))
    unseen = [*match.state.unseen, *match.state.hands[1]]
    assert set(other_hand) == set(unseen)
    expected = trials * 5 / len(unseen)
    assert all(abs(times - expected) < 5 * expected**0.5 for times in other_hand.values())


def hand_in_replay(match: AnyMatch, moves: list[Any]) -> Any:
    return replay(match, moves).state.hands[1]


def test_the_time_a_card_was_drawn_is_resampled_too() -> None:
    """A played card may have been drawn at any time the player held that many cards."""
    match = match_of("parade", 2, {}, 3)
    while not match.decisions:
        seat = seats_to_act(match.turn)[0]
        match.play(seat, match.legal(seat)[0])
    (played,) = [move for move in match.moves if move.actor == seat]
    drawn: Counter[int] = Counter()
    for seed in range(800):
        moves = resample_history(match, 1 - seat, random.Random(seed))
        drawn[[move.action for move in moves].index(played.action.card)] += 1
    assert len(drawn) == 5
    assert all(110 < times < 210 for times in drawn.values())


@pytest.mark.parametrize(("name", "decisions"), [("parade", 3), ("cookies", 4)])
def test_resampling_by_search_finds_a_consistent_history(name: str, decisions: int) -> None:
    """For games that don't sample histories themselves."""
    match = play_on(match_of(name, 2, {}, 2), random.Random(2), decisions)
    for seat in range(2):
        noted = tuple(observed_history(match, seat))
        moves = resample_by_search(match, noted, seat, random.Random(1))
        other = replay(match, moves)
        assert list(observed_history(other, seat)) == list(noted)
        assert other.view(seat) == match.view(seat)
        assert moves != list(match.moves)
        assert any(note.action is FACE_DOWN for note in noted)


def test_a_game_without_history_sampling_can_be_resampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stones has no events at all: nobody is told who took what; only the stones left are visible."""
    (tmp_path / "silent_stones").mkdir()
    stones = (TESTS / "support" / "stones_game.py").read_text()
    (tmp_path / "silent_stones" / "__init__.py").write_text(stones)
    point = EntryPoint("stones", "silent_stones", registry.HOME)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [point] * (group == registry.HOME)
    )
    registry.refresh()
    try:
        match: AnyMatch = Match(game("stones"), 2)
        for actor, action in ((CHANCE, 0), (0, 1), (1, 2), (0, 2), (1, 1)):
            match.apply(actor, action)
        told = [resample_history(match, 0, random.Random(seed)) for seed in range(30)]
    finally:
        monkeypatch.undo()
        registry.refresh()
    assert {(moves[1].action, moves[3].action) for moves in told} == {(1, 2)}  # the player's own
    assert {(moves[2].action, moves[4].action) for moves in told} == {(1, 2), (2, 1)}
    assert {moves[0].action for moves in told} == {0}  # or it would not have been their turn


def test_an_impossible_observation_yields_no_history() -> None:
    match = match_of("letters", 2, {}, 1)
    never = [ObservedMove(CHANCE, FACE_DOWN, ("a teapot fell",))]
    with pytest.raises(GameFailed, match="no game of Letters could be found"):
        resample_by_search(match, never, 0, random.Random(1))
