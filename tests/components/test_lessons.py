"""Short tutorials: whatever the learner does, the guide says something true, and the theme is taught."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from support.tutorial_plays import GuideContext
from wonderland.components.tutorial import Guidance, Lesson, guide_in_lesson, lessons_of
from wonderland.engine.chance import Seeded
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.record import Record, read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names

EVERY = [(name, key) for name in game_names() for key in lessons_of(name)]
EACH = pytest.mark.parametrize(("name", "key"), EVERY, ids=[f"{name}-{key}" for name, key in EVERY])
NAMES = ("Alice", "Dodo")
SEEDS = range(30)


def start(name: str, lesson: Lesson, seed: int) -> AnyMatch:
    """Begin a lesson as its table does."""
    rules, setup = game(name), lesson.setup
    given = read_given_chance(rules, setup.given_outcomes())
    fixed = tuple((label, tuple(words)) for label, words in given.items())
    options, moves = read_options(rules, setup.options), tuple(setup.first_moves(rules))
    if not moves:
        return Match(rules, NAMES, options, chance=Seeded(seed), given=given)
    record: Any = Record(rules, NAMES, options, moves, fixed)
    return Match.resume(record, chance=Seeded(seed))


def guidance(match: AnyMatch, key: str, seat: int | None = 0) -> Guidance:
    events = match.events_seen_by(seat)
    return guide_in_lesson(match.game.info.name, key, match.view(seat), events, GuideContext(NAMES))


def play(name: str, key: str, seed: int, suggestions: int = 0) -> Iterator[tuple[bool, Guidance]]:
    """Play a lesson at random, following the guide's first suggestions; yield what it says."""
    match, rng, turns = start(name, lessons_of(name)[key], seed), random.Random(seed), 0
    while acting := seats_to_act(match.turn):
        seat = rng.choice(acting)
        found = guidance(match, key)
        yield seat == 0, found
        action = rng.choice(match.legal(seat))
        pointed = [re.sub(r"^space-", "", piece) for piece in found.points_at]
        if seat == 0 and turns < suggestions and pointed:
            wanted = [each for each in match.legal(0) if match.game.write(each) in pointed]
            action = wanted[0] if wanted else action
        turns += seat == 0
        match.play(seat, action)
    yield False, guidance(match, key)


def test_every_game_has_lessons() -> None:
    assert {name for name, _ in EVERY} == set(game_names())


@EACH
def test_a_lesson_starts_with_the_learner_and_every_time_alike(name: str, key: str) -> None:
    lesson = lessons_of(name)[key]
    one, other = start(name, lesson, 1), start(name, lesson, 2)
    assert one.view(0) == other.view(0)
    assert seats_to_act(one.turn) == (0,)
    assert len(NAMES) == lesson.setup.seats
    assert guidance(one, key).says
    assert not guidance(one, key).is_done


@EACH
def test_a_lesson_says_something_at_every_turn_and_comes_to_an_end(name: str, key: str) -> None:
    for seed in SEEDS:
        taught, turns = False, 0
        for is_turn, found in play(name, key, seed, suggestions=seed % 3 * 10):
            turns += is_turn and not taught
            assert found.says or not is_turn
            assert all(text and "{" not in text for text in found.says)
            assert found.is_done or not taught, "what was taught stays so"
            taught = found.is_done
        assert taught
        assert turns <= 16


@EACH
def test_a_lesson_says_different_things_on_the_way(name: str, key: str) -> None:
    told = {found.says for is_turn, found in play(name, key, 5) if is_turn}
    assert len(told) >= 2


@EACH
def test_spectators_are_told_nothing(name: str, key: str) -> None:
    match = start(name, lessons_of(name)[key], 1)
    assert guidance(match, key, None) == Guidance()


def test_a_lesson_that_no_longer_exists_has_no_guidance() -> None:
    match = start("parade", lessons_of("parade")["majorities"], 1)
    assert guidance(match, "croquet") == Guidance()
