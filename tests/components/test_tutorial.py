"""Tutorials: what every game's tutorial must satisfy."""

from __future__ import annotations

import random

import pytest

from support.tutorial_plays import (
    GuideContext,
    guidance_for,
    play_tutorial,
    play_without_tutorial,
    sample_settings,
)
from wonderland.bots import level
from wonderland.components.tutorial import Guidance, Tutorial, tutorial_of, winner_sentence
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.outcome import Result
from wonderland.engine.record import read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names

TAUGHT = [name for name in game_names() if tutorial_of(name) is not None]
FIRST_TURNS = 4


def test_all_three_games_have_a_tutorial() -> None:
    assert TAUGHT == ["cookies", "letters", "parade"]


def test_a_tutorials_prepared_outcomes_are_read_stream_by_stream() -> None:
    plan = Tutorial(bots=("dodo", "dodo"), given={"start": "seat1", "card": "+R2  +G7"})
    assert plan.seats == 3
    rules = game("parade")
    given = read_given_chance(rules, plan.given_outcomes())
    assert {label: [rules.write(one) for one in its] for label, its in given.items()} == {
        "start": ["seat1"],
        "card": ["+R2", "+G7"],
    }


@pytest.mark.parametrize("name", TAUGHT)
def test_a_tutorial_table_can_be_created_and_the_learner_starts(name: str) -> None:
    tutorial, rules = tutorial_of(name), game(name)
    assert tutorial is not None
    for bot in tutorial.TUTORIAL.bots:
        assert level(name, bot).word == bot
    given = read_given_chance(rules, tutorial.TUTORIAL.given_outcomes())
    match: AnyMatch = Match(rules, tutorial.TUTORIAL.seats, given=given)
    assert seats_to_act(match.turn) == (0,), "the deal is given whole"


@pytest.mark.parametrize("name", TAUGHT)
def test_the_learner_gets_guidance_in_each_of_the_first_turns_and_at_the_end(name: str) -> None:
    for seed in range(20):
        play = play_tutorial(name, seed)
        own = [step for step in play if step.chosen is not None]
        assert all(step.text for step in own[:FIRST_TURNS]), seed
        assert play[-1].text, seed
        for step in play:
            assert len(step.guidance.says) <= 4, step.text
            assert all(
                sentence == sentence.strip() and sentence[-1] in ".!?" for sentence in step.guidance.says
            ), step.text
            assert "{" not in step.text


@pytest.mark.parametrize("name", TAUGHT)
def test_there_is_guidance_at_any_table_but_none_for_spectators(name: str) -> None:
    said = 0
    for seed, setting in enumerate(sample_settings(name, 30)):
        said += sum(bool(step.text) for step in play_without_tutorial(setting, seed))
    assert said > 100
    rules = game(name)
    match: AnyMatch = Match(rules, 2, chance=None)
    assert guidance_for(match, None) == Guidance()
    assert guidance_for(match, 0).says == (), "before the deal"


@pytest.mark.parametrize("name", TAUGHT)
def test_guidance_depends_only_on_what_the_learner_sees(name: str) -> None:
    """The same view and events, with other cards where the learner can't look."""
    rules, tutorial = game(name), tutorial_of(name)
    assert tutorial is not None
    match: AnyMatch = Match(rules, 2, given=read_given_chance(rules, tutorial.TUTORIAL.given_outcomes()))
    other = rules.sample_state(match.view(0), random.Random(1))
    assert rules.view(other, 0) == match.view(0)
    words = GuideContext(match.names)
    assert tutorial.guide(rules.view(other, 0), match.events_seen_by(0), words) == guidance_for(match, 0)


def test_the_end_names_the_winner_and_the_reason() -> None:
    words = GuideContext(("Alice", "Bill", "Dinah"))
    assert winner_sentence(Result((1,), (3, 1, 2), "lowest score", ""), words) == (
        "Bill wins with 1 point (lowest score)."
    )
    shared = Result((0, 1, 2), (3, 3, 3), "same score", "")
    assert winner_sentence(shared, words) == "Alice, Bill and Dinah share the win (same score)."
