"""The shipped puzzles are sound: what they claim holds, and nothing gives their answers away."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from math import hypot
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.bots.evaluation import can_evaluate, default_budget, evaluate
from wonderland.bots.puzzle import Puzzle, Question, name_of
from wonderland.components.bots import Budget
from wonderland.components.editor import editor_of
from wonderland.components.heuristics import equivalence_of, heuristics_of
from wonderland.components.scene import SceneContext
from wonderland.components.themes import themes_of
from wonderland.engine import game, game_names
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import FACE_DOWN
from wonderland.engine.registry import component
from wonderland.features.puzzles.candidates import FEWEST_CHOICES
from wonderland.features.puzzles.confirmation import LEAST, LEAST_IF_HARD, SURE
from wonderland.features.puzzles.finder import themes
from wonderland.features.puzzles.model import FILE, dump, puzzles

GAMES = game_names()
NAMES = ["Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat"]
AGAIN = 4000
"""Playouts that see a difference as large as in a puzzle."""
ROUNDED = 0.0002
"""Stored win probabilities are rounded to four digits."""
SAMPLE = 60
"""Puzzles of each game that are looked at closely."""


def shipped(name: str) -> Iterator[tuple[Puzzle, Question]]:
    """Every step of a sample of the puzzles, and of all that have several."""
    stock = puzzles(name).puzzles
    sample = random.Random(name).sample(stock, min(SAMPLE, len(stock)))
    for puzzle in stock:
        if puzzle in sample or len(puzzle.steps) > 1:
            for number in range(len(puzzle.steps)):
                yield puzzle, Question(name, puzzle, number)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_puzzles_of_several_kinds(name: str) -> None:
    stock = puzzles(name)
    assert len(stock.puzzles) >= 25
    assert len({puzzle.stars for puzzle in stock.puzzles}) > 2
    assert len(stock.themes) >= 4
    ids = [puzzle.id for puzzle in stock.puzzles]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_is_a_position_as_its_seat_knows_it(name: str) -> None:
    rules, editor = game(name), editor_of(name)
    assert editor is not None
    for puzzle, asked in shipped(name):
        assert puzzle.id == name_of(name, puzzle.seat, puzzle.position)
        assert asked.number or asked.position == puzzle.position
        assert puzzle.seat in seats_to_act(rules.turn(asked.state))
        assert can_evaluate(rules, asked.state, puzzle.seat)
        form = editor.form(editor.facts(asked.position, puzzle.seat), NAMES, ENGLISH)
        assert editor.line(form) == asked.position, "it says nothing that the seat can't see"
        hands = getattr(asked.state, "hands", ())
        others = [hand for seat, hand in enumerate(hands) if seat != puzzle.seat]
        assert all(card is FACE_DOWN for hand in others for card in hand)
        assert [option.action for option in asked.step.options] == list(map(rules.write, asked.legal))
        assert asked.events or not asked.number


@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_has_one_best_choice_that_a_heuristic_misses(name: str) -> None:
    rules, alike = heuristics_of(name), equivalence_of(name)
    for puzzle, asked in shipped(name):
        best, solutions = asked.best, [asked.action(word) for word in asked.step.solutions]
        assert len({alike(asked.view, action) for action in solutions}) == 1
        assert len(solutions) * FEWEST_CHOICES <= len(asked.legal), "guessing rarely helps"
        assert asked.is_solved_by(best.action)
        values = asked.judgement.action_values
        others = [value for value in values if value.action not in solutions]
        second = max(others, key=lambda value: value.chance)
        missing = [
            rule.key
            for rule in rules
            if all(rule.misses(asked.view, asked.legal, action) for action in solutions)
        ]
        least = LEAST_IF_HARD if rules[0].key in missing else LEAST
        assert asked.step.margin == best.chance - second.chance >= least - ROUNDED
        assert asked.step.margin > SURE * hypot(best.error, second.error) - 6 * ROUNDED
        assert asked.missed_by is not None
        assert asked.missed_by.key == missing[0]
        assert asked.tempting().chance <= best.chance - least + ROUNDED
        if not asked.number:
            assert puzzle.missed_by == tuple(missing)
            assert puzzle.themes == themes(name, puzzle)


@pytest.mark.parametrize("name", GAMES)
def test_the_name_of_a_theme_does_not_give_the_answer_away(name: str) -> None:
    """Choosing among the choices that fit a theme, or don't, is hardly better than guessing."""
    own: Any = component(name, "bots.themes")
    hits: dict[tuple[str, bool], list[float]] = {}
    for _, asked in shipped(name):
        alike = equivalence_of(name)
        kinds = {alike(asked.view, action): action for action in asked.legal}
        best = alike(asked.view, asked.best.action)
        always = set(own.of_position(asked.view))
        for theme in themes_of(name):
            fits = {
                kind for kind, action in kinds.items() if theme.key in own.of_choice(asked.view, action)
            }
            if theme.key in asked.puzzle.themes and theme.key not in always:
                for side, chosen in ((True, fits), (False, kinds.keys() - fits)):
                    hit = (best in chosen) / max(1, len(chosen))
                    hits.setdefault((theme.key, side), []).append(hit)
    for found in hits.values():
        assert all(hit < 1 for hit in found) or len(found) < 3 or sum(found) / len(found) < 0.6


def test_no_puzzle_about_greed_is_solved_by_the_smallest_badge() -> None:
    """The rule of thumb counts as the badge on the card does."""
    ui: Any = component("parade", "ui.scene")
    checked = 0
    for puzzle, asked in shipped("parade"):
        context = SceneContext(NAMES[: puzzle.seats], asked.legal, (), ENGLISH)
        hand = ui.scene(asked.view, context)["hand"]
        badges = {
            card["play"]: int(card["cost"].replace("\N{MINUS SIGN}", "-"))
            for card in hand
            if card["play"]
        }
        if badges and not asked.number:
            checked += 1
            smallest = {play for play, badge in badges.items() if badge == min(badges.values())}
            is_greedy = bool(smallest & set(asked.step.solutions))
            assert is_greedy == ("fewest-points" not in puzzle.missed_by)
    assert checked > 20


@pytest.mark.parametrize("name", GAMES)
def test_another_search_finds_the_same_solution(name: str) -> None:
    rng = random.Random(name)
    for _, asked in rng.sample(list(shipped(name)), 4):
        usual = default_budget(name, asked.puzzle.seats).playouts or 1
        if usual < AGAIN:
            pytest.skip("the kernels are not compiled")
        found = evaluate(asked.game, asked.state, asked.puzzle.seat, Budget(AGAIN), rng=rng)
        assert asked.is_solved_by(found.best.action)


@pytest.mark.parametrize("name", GAMES)
def test_difficulty_is_stated_with_its_uncertainty(name: str) -> None:
    stock = puzzles(name).puzzles
    assert abs(sum(puzzle.rating for puzzle in stock) / len(stock) - 1500) < 5
    assert all(20 < puzzle.deviation < 400 for puzzle in stock)
    assert all(0 <= share <= 1 for puzzle in stock for _, share in puzzle.found_by)
    easy, hard = (Counter[int](), Counter[int]())
    for puzzle in stock:
        mean = sum(share for _, share in puzzle.found_by) / len(puzzle.found_by)
        (easy if mean > 0.6 else hard)[puzzle.rating >= 1500] += 1
    assert easy[False] >= easy[True]
    assert hard[True] >= hard[False]


@pytest.mark.parametrize("name", GAMES)
def test_the_file_round_trips_and_is_short(name: str) -> None:
    stored = puzzles(name).stored
    text = dump(stored)
    assert FILE.read(text.encode(), name) == stored
    assert len(text) / len(stored.rows) < 700


# The puzzle of the day


@given(st.sampled_from(GAMES), st.dates(date(2000, 1, 1), date(2200, 1, 1)), st.booleans())
def test_every_puzzle_is_used_before_one_repeats(name: str, first: date, themed: bool) -> None:
    stock = STOCKS[name]
    theme = next(iter(stock.themes)) if themed else None
    number = len(stock.about(theme))
    days = [first + timedelta(days=n) for n in range(number + 1)]
    shown = [stock.of(day, theme) for day in days]
    assert {puzzle.id for puzzle in shown[:number]} == {each.id for each in stock.about(theme)}
    assert shown[number] == shown[0]
    if number > 2:
        assert stock.beside(shown[1], theme) == (shown[0], shown[2])
    assert stock.called(shown[1].id) == shown[1]
    assert stock.called("nobody") is None


STOCKS = {name: puzzles(name) for name in GAMES}
