"""The finale in a real browser: its beats in order, ways to its end, the playbill and its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, create_table, expect, play_by_mouse, play_over_http

axe_page = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
pytestmark = browser.MARKS

MOVING = {"pace": "350", "reduced_motion": "no-preference"}
BEATS = ["reveal", "flip", "count", "place", "bow", "curtain"]
LONGEST = 12_000
"""Milliseconds that a finale may take."""
PAIRS = 6
"""The ways to keep two of four cards: the last decision of a player."""

WATCH = """() => {
  window.beats = [];
  window.hidden = [];
  const table = document.getElementById("table");
  new MutationObserver((changes) => {
    const { beat } = table.dataset;
    for (const each of [...changes.map(({ oldValue }) => oldValue), beat])
      if (each && each !== window.beats.at(-1)) window.beats.push(each);
    if (beat && beat !== "curtain") window.hidden.push(getComputedStyle(ending).visibility === "hidden");
  }).observe(table, {attributeFilter: ["data-beat"], attributeOldValue: true});
  const animate = Element.prototype.animate;
  window.animated = new Set();
  Element.prototype.animate = function (frames, timing) {
    if (table.classList.contains("in-finale")) {
      frames.flatMap(Object.keys).forEach((name) => window.animated.add(name));
      if (!frames.length) window.lasts = timing.duration; // the clock
    }
    return animate.call(this, frames, timing);
  };
}"""
STATE = """() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) =>
    e.checkVisibility({visibilityProperty: true, opacityProperty: true})).length;
  return {
    beat: document.getElementById("table").dataset.beat,
    scene: document.getElementById("scene").innerHTML,
    ending: document.getElementById("ending").innerHTML,
    curtain: shown(".drop > svg"),
    playbill: shown(".playbill h2"),
    left: shown(".for-finale, .skip-finale, .finale, .in-finale, .bowing"),
    moving: document.getAnimations().filter((each) => each.constructor === Animation).length,
  };
}"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CHECK = """rules => axe.run(document, {runOnly: rules, resultTypes: ["violations"]}).then((found) =>
  found.violations.map((each) => [each.id, each.nodes[0].html]))"""


def play_to_the_last_decision(page: Any, seats: int = 4) -> None:
    bots = {str(seat): "dodo" for seat in range(1, seats)}
    create_table(page, "parade", seats=seats, bots=bots)
    play_over_http(page, until=lambda shown: len(shown["legal"]) == PAIRS)
    expect(page.locator("#connection.connected")).to_be_visible()
    page.evaluate(WATCH)


def start_finale(page: Any) -> None:
    play_to_the_last_decision(page)
    play_by_mouse(page)
    expect(page.locator(".in-finale[data-beat]")).to_be_visible()


def expect_end(page: Any) -> Any:
    """Wait for the end of the finale, and return what is shown then."""
    expect(page.locator("#table:not(.in-finale) #result")).to_be_focused()
    expect(page.locator("#shuffle[data-state]")).to_be_visible()
    page.wait_for_timeout(100)
    return page.evaluate(STATE)


def check_reload(page: Any, ended: Any) -> None:
    """The page is the same after a reload, at once."""
    page.reload()
    expect(page.locator("#connection.connected")).to_be_visible()
    expect(page.locator("#shuffle[data-state]")).to_be_visible()
    assert page.evaluate(STATE) == ended


def test_the_beats_come_in_order_and_end_with_the_playbill(open_page: OpenPage) -> None:
    page = open_page(**MOVING)
    start_finale(page)
    # Screen readers get the result at once, and nobody sees it early.
    headline = page.locator("#result").text_content()
    assert headline in page.locator("#aloud").text_content()
    assert set(page.locator(".player .coin").evaluate_all("all => all.map(e => e.firstChild.data)")) == {
        "0"
    }
    assert page.locator(".player .portrait:is(.pleased, .dismayed)").count() == 0
    ended = expect_end(page)
    assert page.evaluate("beats") == BEATS
    assert all(page.evaluate("hidden"))
    assert page.evaluate("lasts") < LONGEST
    allowed = {"opacity", "transform", "translate", "scale", "rotate", "offset"}
    assert set(page.evaluate("[...animated]")) <= allowed
    assert (ended["curtain"], ended["playbill"], ended["left"], ended["moving"]) == (3, 1, 0, 0)
    places = page.locator(".places li").evaluate_all("all => all.map(e => Number(e.dataset.place))")
    assert places == sorted(places)
    assert places[0] == 1
    expect(page.locator(".places .me .who")).to_have_text("You")
    check_reload(page, ended)


def press_skip(page: Any) -> None:
    page.get_by_role("button", name="Skip", exact=True).dispatch_event("click")


def press_escape(page: Any) -> None:
    page.keyboard.press("Escape")


def tap_the_stage(page: Any) -> None:
    page.touchscreen.tap(180, 330)


@pytest.mark.parametrize(
    ("skip", "device"), [(press_skip, {}), (press_escape, {}), (tap_the_stage, PHONE)]
)
def test_skipping_leads_to_the_same_end(
    open_page: OpenPage, skip: Callable[[Any], None], device: dict[str, Any]
) -> None:
    page = open_page(**MOVING, **device)
    start_finale(page)
    skip(page)
    check_reload(page, expect_end(page))


CLICK_AT_ONCE = """(where) => {
  const table = document.getElementById("table");
  new MutationObserver((_, observer) => {
    if (!table.classList.contains("in-finale")) return;
    observer.disconnect();
    document.querySelector(where).click();
  }).observe(table, {attributeFilter: ["class"]});
}"""
"""The second click of a double click on the last choice, which something has replaced meanwhile."""


@pytest.mark.parametrize("where", ["#scene", ".skip-finale"])
def test_a_double_click_on_the_last_choice_does_not_skip_it(open_page: OpenPage, where: str) -> None:
    page = open_page(**MOVING)
    play_to_the_last_decision(page, seats=2)
    page.evaluate(CLICK_AT_ONCE, where)
    play_by_mouse(page)
    expect_end(page)
    assert page.evaluate("beats") == BEATS


def test_reduced_motion_shows_the_end_at_once(open_page: OpenPage) -> None:
    page = open_page(pace="350", reduced_motion="reduce")
    play_to_the_last_decision(page)
    play_by_mouse(page)
    ended = expect_end(page)
    assert page.evaluate("beats") == []
    assert page.locator("#result").text_content() in page.locator("#aloud").text_content()
    check_reload(page, ended)


@pytest.mark.parametrize("game", ["letters", "cookies"])
def test_a_game_without_beats_has_places_a_bow_and_the_curtain(open_page: OpenPage, game: str) -> None:
    page = open_page(**MOVING)
    create_table(page, game)
    page.wait_for_selector("#connection.connected")
    page.evaluate(WATCH)
    other = page.context.new_page()
    other.goto(page.url)
    play_over_http(other, until=lambda shown: shown["table"]["status"] == "finished")
    other.close()
    expect_end(page)
    assert page.evaluate("beats") == ["place", "bow", "curtain"]


def test_the_playbill_offers_what_comes_next(open_page: OpenPage) -> None:
    page = open_page()
    play_to_the_last_decision(page, seats=2)
    play_by_mouse(page)
    expect_end(page)
    page.evaluate(axe_page.AXE_SCRIPT)
    assert page.evaluate(CHECK, RULES) == []

    page.get_by_role("button", name="See the table").click()
    expect(page.locator(".drop")).to_be_hidden()
    expect(page.locator(".playbill")).to_be_hidden()
    assert page.evaluate(CHECK, RULES) == []
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator("#result")).to_be_focused()

    with page.expect_download() as download:
        page.get_by_role("button", name="Share picture").click()
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000, "there is something on it"

    for name, address in (("Ask the coach", "/coach"), ("Replay", "/replay/"), ("Home", "/")):
        assert address in page.get_by_role("link", name=name, exact=True).get_attribute("href")
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != first)


def test_stepping_back_lifts_the_curtain(open_page: OpenPage) -> None:
    page = open_page(**MOVING)
    start_finale(page)
    page.keyboard.press(",")
    expect(page.locator("#table.past:not(.in-finale) .drop")).to_be_hidden()
    expect(page.locator("#history-banner")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".playbill h2")).to_be_visible()
