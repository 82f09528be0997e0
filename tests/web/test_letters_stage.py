"""Letters on the stage, in a real browser: how cards are turned, and places that never move."""

from __future__ import annotations

from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, create_table, expect, take_turn
from support.sample_tables import server, visitor

__all__ = ("server", "visitor")
pytestmark = browser.MARKS

TURN_THREE = """async () => {
  const module = document.querySelector('link[href$="/animation.js"]').href;
  const { animateMoves, measurePositions } = await import(module);
  const before = measurePositions();
  const [played, ...turned] = [1, 2, 3].map((n) => document.querySelector(`[data-anchor="space-${n}"]`));
  const letter = document.createElement("span");
  letter.append("A");
  Object.assign(letter.dataset, { piece: "redA", from: "space-1" });
  played.replaceChildren();
  document.querySelector(".own .rail").prepend(letter);
  turned.forEach((place, n) => {
    place.dataset.turns = n + 1;
    const card = place.querySelector("[data-piece]").cloneNode();
    card.append("?");
    place.querySelector("[data-piece]").replaceWith(card);
  });
  animateMoves(before);
  const delays = (element) => element.getAnimations({ subtree: true })
    .filter((one) => !(one instanceof CSSTransition)).map((one) => one.effect.getTiming().delay);
  return [letter, ...turned].map(delays);
}"""
"""Script for a page: a card is turned up and played, and two others are turned over by the same move."""
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({type: "layout-shift", buffered: true});
}"""
MOST_SHIFT = 0.02
PLACES = "[...document.querySelectorAll('.space')].map(e => [e.offsetLeft, e.offsetTop])"


def test_a_card_is_turned_before_it_moves_and_others_follow_one_by_one(visitor: OpenPage) -> None:
    page = visitor("/tables/letters-opening", pace="800", reduced_motion="no-preference")
    letter, first, second = page.evaluate(TURN_THREE)
    half = min(letter)
    assert sorted(letter) == [half, 2 * half]  # turned up, then moved
    assert min(first) == 2 * half  # when the card that turns them over is up
    assert min(second) > min(first)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_mark_of_a_card_turned_back_goes_by_itself(visitor: OpenPage, motion: str) -> None:
    """It would tell those who see no motion for how long they like where a letter is."""
    page = visitor("/tables/letters-menace", reduced_motion=motion)
    assert page.request.get("/tables/letters-menace").text().count('class="turned"') > 1
    expect(page.locator(".space")).to_have_count(27)
    expect(page.locator(".space .turned")).to_have_count(0)


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_and_no_place_moves_during_a_game(
    open_page: OpenPage, wishes: dict[str, Any]
) -> None:
    page = open_page(**wishes)
    create_table(page, "letters")
    page.wait_for_selector(".status.mine")
    page.evaluate("document.fonts.ready")
    page.evaluate(SHIFTS)
    places = page.evaluate(PLACES)
    for _ in range(browser.MAX_TURNS):
        if not take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter")):
            break
        assert page.evaluate(PLACES) == places
    assert page.evaluate("window.shifted") < MOST_SHIFT
