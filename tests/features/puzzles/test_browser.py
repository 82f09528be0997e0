"""Solving puzzles in a real browser: at a desk by keyboard, and on a phone by touch."""

from __future__ import annotations

from typing import Any

from support import browser
from support.browser import PHONE, OpenPage, expect
from wonderland.engine.registry import game
from wonderland.features.puzzles.model import Position, Puzzle, puzzles

pytestmark = browser.MARKS


def puzzle_on_page(page: Any, name: str) -> Puzzle:
    """Return the puzzle on the page."""
    found = puzzles(name).called(page.locator("#table").get_attribute("data-table"))
    assert found is not None
    return found


def test_solving_at_a_desk_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/puzzles/parade", reduced_motion="reduce")
    puzzle = puzzle_on_page(page, "parade")
    position = Position("parade", puzzle)
    tempting = game("parade").write(position.tempting().action)
    for _ in range(len(puzzle.options)):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.play") == tempting:
            break
    expect(page.locator("#preview")).not_to_be_empty()
    page.keyboard.press("Enter")
    answer = page.locator("#answer")
    expect(answer).to_be_focused()
    expect(answer).to_have_text("There is something better.")
    expect(page.locator(f'#scene [data-play="{puzzle.solutions[0]}"]')).to_have_class("card marked")
    expect(page.locator("#tally")).to_have_text(f"Solved at once: 0 of {len(puzzles('parade').puzzles)}")
    page.keyboard.press("Tab")
    best = page.locator("[data-option]").first
    expect(best).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer).to_have_text("That is best.")
    (
        expect(page.locator("#tally")).to_contain_text("Solved at once: 0 of"),
        "only the first answer counts",
    )
    page.get_by_role("link", name="Try things in this position").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#says")).to_have_text("It is your turn.")
    assert page.locator("#line").input_value() == puzzle.position


def test_solving_several_on_a_phone_by_touch(open_page: OpenPage) -> None:
    page = open_page("/puzzles/cookies", **PHONE)
    today = puzzle_on_page(page, "cookies")
    yesterday = int(page.locator("#table").get_attribute("data-day")) - 1
    memory = {"first": {"another": 1}, "row": {"day": yesterday, "length": 1}}
    page.evaluate("memory => localStorage.setItem('puzzles-cookies', JSON.stringify(memory))", memory)
    choice = page.locator(f'#scene [data-play="{today.solutions[0]}"]')
    choice.tap()
    if choice.count() and choice.get_attribute("data-at-once") is None:
        expect(page.locator("#preview")).not_to_be_empty()
        choice.tap()
    expect(page.locator("#answer")).to_have_text("That is best.")
    expect(page.locator("#answer")).to_be_in_viewport()
    expect(page.locator("#tally")).to_contain_text("Solved at once: 2 of")
    expect(page.locator("#tally")).to_contain_text("Days in a row: 2")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("link", name="Next").tap()
    expect(page.locator("#answer")).to_have_count(0)
    assert puzzle_on_page(page, "cookies") == puzzles("cookies").beside(today)[1]
    page.get_by_role("link", name="The puzzle of the day").tap()
    expect(page.locator("#table")).to_have_attribute("data-table", today.id)
