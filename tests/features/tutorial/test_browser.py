"""Tutorials in a real browser: from the home page to the end, following only what is offered."""

from __future__ import annotations

from typing import Any

import pytest

from support import browser
from support.browser import (
    MAX_TURNS,
    PHONE,
    OpenPage,
    expect,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    take_turn,
)
from wonderland.components.tutorial import tutorial_of
from wonderland.engine.registry import game_names

pytestmark = browser.MARKS
TAUGHT = [name for name in game_names() if tutorial_of(name) is not None]


def open_tutorial(page: Any, game: str) -> None:
    """Open a tutorial table from the home page."""
    page.locator(f"article[data-game={game}]").get_by_role("link", name="Learn").click()
    page.get_by_role("button", name="Start the tutorial").click()
    page.wait_for_url("**/tables/*")


def follow_guide(page: Any) -> None:
    """Do what the guide points at if possible, else the first choice."""
    told = page.locator(".pointed-at[data-play]")
    (told if told.count() else page.locator("[data-play]")).first.click()


@pytest.mark.parametrize("game", TAUGHT)
def test_a_tutorial_is_played_from_the_first_page_to_its_end(open_page: OpenPage, game: str) -> None:
    page = open_page()
    open_tutorial(page, game)
    advice = page.locator("#guide .advice")
    texts = set()
    for _ in range(MAX_TURNS):
        page.wait_for_selector(".status.mine, .status.finished")
        texts.add(advice.inner_text() if advice.count() else "")
        if not take_turn(page, follow_guide):
            break
    expect(page.locator(".status.finished")).to_contain_text("Game over: ")
    expect(advice).not_to_be_empty()
    assert len(texts) > 2, "a first word, a last one, and something in between"
    page.locator("#guide").get_by_role("link", name="Play against bots").click()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()


def test_the_guide_points_at_the_cards_it_mentions(open_page: OpenPage) -> None:
    page = open_page("/learn/letters")
    page.get_by_role("button", name="Start the tutorial").click()
    number = page.locator(".pointed-at").get_attribute("data-play")
    expect(page.locator(f".pointed-at[data-piece=space-{number}]")).to_have_count(1)
    expect(page.locator("#guide")).to_contain_text(f"number {number}?")
    take_turn(page, follow_guide)
    page.wait_for_selector(".status.mine")
    expect(page.locator(f".pointed-at[data-piece=space-{number}]")).to_have_count(0)


def test_explanations_can_be_skipped_and_requested_again(open_page: OpenPage) -> None:
    page = open_page("/learn/parade")
    page.get_by_role("button", name="Start the tutorial").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("#guide .advice")).to_be_visible()
    page.get_by_role("button", name="Skip the tips").click()
    expect(page.locator("#guide .advice")).to_be_hidden()
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    page.reload()
    expect(page.locator("#guide .advice")).to_be_hidden()
    expect(page.locator(".pointed-at")).to_have_count(0)
    again = page.get_by_role("button", name="Show tips again")
    again.press("Enter")
    expect(page.locator("#guide .advice")).to_be_visible()
    expect(page.locator(".pointed-at")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Skip the tips")).to_be_focused()


def test_a_tutorial_on_a_phone_keeps_the_hand_and_the_guide_visible(open_page: OpenPage) -> None:
    page = open_page("/learn/parade", **PHONE)
    page.get_by_role("button", name="Start the tutorial").click()
    page.wait_for_url("**/tables/*")
    for _ in range(3):
        assert take_turn(page, play_by_touch)
        expect(page.locator("#guide")).to_be_in_viewport()


def test_on_a_phone_a_considered_choice_is_more_important_than_the_advice(open_page: OpenPage) -> None:
    page = open_page("/learn/parade", **PHONE)
    page.get_by_role("button", name="Start the tutorial").tap()
    expect(page.locator("#guide .advice")).to_be_visible()
    page.locator("[data-play]").first.tap()
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#guide .advice")).to_be_hidden()
    page.locator("#confirm").tap()
    expect(page.locator("#guide .advice")).to_be_visible()


def test_on_a_phone_the_advice_covers_no_card_to_turn(open_page: OpenPage) -> None:
    page = open_page("/learn/letters", **PHONE)
    page.get_by_role("button", name="Start the tutorial").tap()
    expect(page.locator("#guide .advice")).to_be_visible()
    top = page.locator(".guide").bounding_box()["y"]
    cards = page.locator("[data-play]").evaluate_all(
        "all => all.map((card) => card.getBoundingClientRect().bottom)"
    )
    assert max(cards) <= top


def test_the_advice_waits_until_the_finale_is_over(open_page: OpenPage) -> None:
    page = open_page("/learn/letters", pace="100")
    page.get_by_role("button", name="Start the tutorial").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector(".status.mine")
    page.evaluate("document.getElementById('table').classList.add('in-finale')")
    expect(page.locator(".guide")).to_be_hidden()
    page.evaluate("document.getElementById('table').classList.remove('in-finale')")
    expect(page.locator(".guide")).to_be_visible()


def test_how_to_choose_is_explained_until_the_first_choice(open_page: OpenPage) -> None:
    page = open_page()
    browser.start_from_home(page)
    said = "getComputedStyle(document.getElementById('preview'), '::before').content"
    page.wait_for_selector(".status.mine")
    page.mouse.move(0, 0)
    page.wait_for_function(f"() => {said}.includes('Point at a card')")
    take_turn(page, play_by_keyboard)
    page.reload()
    page.wait_for_selector(".status.mine")
    page.wait_for_function(f"() => {said} === 'none'")


def test_on_a_phone_the_advice_covers_neither_the_ring_nor_a_considered_choice(
    open_page: OpenPage,
) -> None:
    page = open_page("/learn/cookies", **PHONE | {"viewport": {"width": 390, "height": 844}})
    page.get_by_role("button", name="Start the tutorial").tap()
    expect(page.locator("#guide .advice")).to_be_visible()
    ring, guide = (page.locator(name).first.bounding_box() for name in (".ring", ".guide"))
    assert ring["y"] + ring["height"] <= guide["y"] + 1
    page.locator("[data-play]").first.tap()
    expect(page.locator("#guide .advice")).to_be_hidden()
    preview, guide = (page.locator(name).bounding_box() for name in ("#preview", ".guide"))
    assert guide["y"] + guide["height"] <= preview["y"] + 1


def test_a_short_tutorial_on_a_phone_ends_with_puzzles(open_page: OpenPage) -> None:
    page = open_page("/learn/parade", **PHONE)
    page.get_by_role("button", name="Start: Majorities").tap()
    page.wait_for_url("**/tables/*")
    expect(page.locator("#guide .advice")).to_be_in_viewport()
    puzzles = page.locator("#guide").get_by_role("link", name="Now try three puzzles")
    expect(puzzles).to_have_count(0)
    for _ in range(2):
        assert take_turn(page, play_by_touch)
    puzzles.tap()
    page.wait_for_url("**/puzzles/parade?theme=majority")
