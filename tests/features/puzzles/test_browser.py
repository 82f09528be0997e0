"""Solving puzzles in a real browser: on a desktop by keyboard, and on a phone by touch."""

from __future__ import annotations

from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, expect
from wonderland.bots.puzzle import Puzzle, Question
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles.model import puzzles
from wonderland.features.puzzles.progress import PuzzleRating

pytestmark = browser.MARKS

_RATE = """async ([module, player, puzzle, solved]) =>
    (await import(module)).rateAttempt(player, puzzle, solved)"""


def puzzle_on_page(page: Any, name: str) -> Puzzle:
    """Return the puzzle on the page."""
    found = puzzles(name).called(page.locator("#table").get_attribute("data-table"))
    assert found is not None
    return found


def choose_by_keyboard(page: Any, number: int, word: str) -> None:
    """Focus a choice with the arrow keys and play it."""
    for _ in range(number):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.play") == word:
            break
    expect(page.locator("#preview")).not_to_be_empty()
    page.keyboard.press("Enter")


def test_solving_on_a_desktop_by_keyboard(open_page: OpenPage) -> None:
    single = next(each for each in puzzles("parade").puzzles if len(each.steps) == 1)
    page = open_page(f"/puzzles/parade/{single.id}", reduced_motion="reduce")
    puzzle = puzzle_on_page(page, "parade")
    asked = Question("parade", puzzle)
    solution = asked.step.solutions[0]
    choose_by_keyboard(page, len(asked.legal), game("parade").write(asked.tempting().action))
    answer = page.locator("#answer")
    expect(answer).to_be_focused()
    expect(answer).to_have_text("There's a better move.")
    expect(page.locator(f'#scene [data-play="{solution}"]')).to_have_class("card marked")
    tally, rating = page.locator("#tally"), page.locator("#own-rating")
    expect(tally).to_have_text(f"Solved first time: 0 of {len(puzzles('parade').puzzles)}")
    after = PuzzleRating().after(puzzle, solved=False)
    expect(rating).to_contain_text(f"{after.rating:,.0f} (probably between")
    page.keyboard.press("Tab")
    best = page.locator("[data-option]").first
    expect(best).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer).to_have_text("That's the best move.")
    expect(tally).to_contain_text("Solved first time: 0 of")  # only the first answer counts
    expect(rating).to_contain_text(f"{after.rating:,.0f} (probably between")
    module = page.evaluate(
        "[...document.querySelectorAll('link[rel=modulepreload]')].map(each => each.href)"
        ".find(href => href.includes('puzzle-record'))"
    )
    for solved in (True, False):
        found = page.evaluate(
            _RATE,
            [module, {"rating": 1500, "deviation": 200}, {"rating": 1700, "deviation": 90}, solved],
        )
        other = Puzzle("other", 2, 0, "", (), rating=1700, deviation=90)
        expected = PuzzleRating(1500.0, 200.0).after(other, solved=solved)
        assert found["rating"] == pytest.approx(expected.rating)
        assert found["deviation"] == pytest.approx(expected.deviation)
    page.get_by_role("link", name="Explore this position").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#says")).to_have_text("It's your turn.")
    assert page.locator("#line").input_value() == puzzle.position


def test_two_steps_a_theme_and_the_next_puzzle(open_page: OpenPage) -> None:
    name, puzzle = next(
        (name, each)
        for name in game_names()
        for each in puzzles(name).puzzles
        if len(each.steps) == 2 and each.themes
    )
    theme = puzzle.themes[0]
    page = open_page(f"/puzzles/{name}/{puzzle.id}?theme={theme}", reduced_motion="reduce")
    for step in puzzle.steps:
        choose_by_keyboard(page, len(step.options) + 1, step.solutions[0])
        if step is puzzle.steps[0]:
            expect(page.locator(".happened")).to_be_visible()
            expect(page.locator("#tally")).to_be_hidden()
    expect(page.locator("#answer")).to_have_text("That's the best move.")
    expect(page.locator("#tally")).to_contain_text("Solved first time: 1 of")
    expect(page.locator("#theme")).to_have_value(theme)
    page.locator("#next").click()
    expect(page.locator("#answer")).to_have_count(0)
    following = puzzle_on_page(page, name)
    assert following.id != puzzle.id
    assert theme in following.themes
    page.locator("#theme").select_option("")
    expect(page.locator("#table[data-day]:not([data-theme])")).to_be_visible()


def test_solving_several_on_a_phone_by_touch(open_page: OpenPage) -> None:
    page = open_page("/puzzles/cookies", **PHONE)
    today = puzzle_on_page(page, "cookies")
    yesterday = int(page.locator("#table").get_attribute("data-day")) - 1
    memory = {"first": {"another": 1}, "row": {"day": yesterday, "length": 1}}
    page.evaluate("memory => localStorage.setItem('puzzles-cookies', JSON.stringify(memory))", memory)
    for number, step in enumerate(today.steps):
        expect(page.locator(".happened")).to_have_count(min(number, 1))
        choice = page.locator(f'#scene [data-play="{step.solutions[0]}"]')
        choice.tap()
        if choice.count() and choice.get_attribute("data-at-once") is None:
            expect(page.locator("#preview")).not_to_be_empty()
            choice.tap()
    expect(page.locator("#answer")).to_have_text("That's the best move.")
    expect(page.locator("#answer")).to_be_in_viewport()
    expect(page.locator("#tally")).to_contain_text("Solved first time: 2 of")
    expect(page.locator("#tally")).to_contain_text("Days in a row: 2")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("link", name="Next").tap()
    expect(page.locator("#answer")).to_have_count(0)
    assert puzzle_on_page(page, "cookies").id != today.id
    page.get_by_role("link", name="The puzzle of the day").tap()
    expect(page.locator("#table")).to_have_attribute("data-table", today.id)
