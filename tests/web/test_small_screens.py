"""Small screens: names keep apart, places are legible, and captions draw the pieces that they name."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from support import browser
from support.browser import OpenPage, expect
from support.sample_tables import PAGES, lasting_visitor, server, visitor
from wonderland.components.catalogues import LANGUAGES

__all__ = ("lasting_visitor", "server", "visitor")

pytestmark = [pytest.mark.browser, *browser.MARKS]

SIDEWAYS: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "has_touch": True}
SHORT: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
TALL: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SIZES = {"sideways": SIDEWAYS, "short": SHORT, "tall": TALL}
SMALLEST_TYPE = 10
"""Pixels, for the smallest label on a phone."""
BOXES = """(selector) => [...document.querySelectorAll(selector)].map((element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
TOO_WIDE = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
  const box = element.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].some(({ left, right, width }) => width > 1
    && (left < Math.max(0, box.left - 1) || right > Math.min(innerWidth, box.right + 1)));
}).map((element) => element.textContent.trim())"""
"""Returns the labels that don't fit into their element, or into the screen."""


CUT_NAMES = """() => [...document.querySelectorAll(".plate .who")]
  .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent.trim())"""
REPLAYS = (
    "/replay/parade-end?at=30",
    "/replay/letters-end?at=20&seat=1",
    "/replay/cookies-end?at=9&seat=1",
)


def overlap(a: list[float], b: list[float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("table", ["parade-names", "letters-names", "cookies-names"])
def test_long_names_keep_apart(lasting_visitor: OpenPage, table: str, size: str) -> None:
    page = lasting_visitor(f"/tables/{table}", **SIZES[size])
    plates = page.evaluate(BOXES, ".player > .plate")
    assert len(plates) >= 4
    assert not [pair for pair in combinations(plates, 2) if overlap(*pair)]
    width = SIZES[size]["viewport"]["width"]
    assert all(left >= 0 and right <= width for left, _, right, _ in plates)


@pytest.mark.parametrize("size", SIZES)
def test_the_names_of_places_can_be_read(lasting_visitor: OpenPage, size: str) -> None:
    page = lasting_visitor("/tables/cookies-middle", **SIZES[size])
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".ring .name text")]
          .filter((text) => text.getBoundingClientRect().width)
          .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d)"""
    )
    assert len(sizes) >= 5
    assert min(sizes) >= SMALLEST_TYPE
    width = SIZES[size]["viewport"]["width"]
    tags = page.evaluate(BOXES, ".ring .name rect")
    shown = [box for box in tags if box[2] > box[0]]
    assert all(left > -1 and right < width + 1 for left, _, right, _ in shown)
    assert not [pair for pair in combinations(shown, 2) if overlap(*pair)]


@pytest.mark.parametrize("code", ["en", "de", "pl"])
def test_names_on_the_small_stage_of_a_replay_are_whole(lasting_visitor: OpenPage, code: str) -> None:
    for path in REPLAYS:
        page = lasting_visitor(path, **SHORT | {"locale": code})
        assert page.locator(".own > .plate .who").count() == 1
        assert page.evaluate(CUT_NAMES) == [], path


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_last_line_of_a_result_keeps_clear_of_its_edge(lasting_visitor: OpenPage, code: str) -> None:
    page = lasting_visitor("/tables/parade-end", **SHORT | {"locale": code})
    expect(page.locator("#shuffle summary")).to_be_visible()
    [line], [sheet] = (page.evaluate(BOXES, each) for each in ("#shuffle summary", "#ending"))
    assert line[3] <= sheet[3] - 8, "the summary ends above the border of the sheet"


def test_a_caption_draws_the_cards_it_names(visitor: OpenPage) -> None:
    page = visitor("/tables/parade-marked", **SHORT)
    choice = page.locator("[data-play]").first
    choice.tap()
    preview = page.locator("#preview")
    expect(preview).to_have_text(choice.get_attribute("aria-label"))
    marks = [mark for mark in choice.get_attribute("data-marks").split() if mark.endswith(":taken")]
    drawn = preview.locator("svg use").evaluate_all("all => all.map(e => e.getAttribute('href'))")
    taken = [f"#tile-{mark.partition(':')[0]}" for mark in marks]
    assert drawn == [f"#tile-{choice.get_attribute('data-play')}", *taken]
    height = preview.evaluate("e => e.getBoundingClientRect().height")
    assert height < 2.6 * preview.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"), "one line"


def test_the_last_move_draws_its_cards_after_an_update_too(open_page: OpenPage) -> None:
    page = open_page()
    browser.start_from_home(page)
    page.wait_for_selector(".status.mine")
    page.locator("[data-play]").first.press("Enter")
    page.wait_for_selector("#news .pictured")
    assert page.locator("#news .pictured + .visually-hidden").count() > 0


def test_the_drawer_shows_which_menaces_have_been_found(visitor: OpenPage) -> None:
    page = visitor("/tables/letters-menace")
    if not page.locator("#drawer").is_visible():
        page.locator("#drawer-handle").click()
    found = page.locator("#of-scene .found use").evaluate_all(
        "all => all.map(e => e.getAttribute('href'))"
    )
    on_board = page.locator(".space.menace use").evaluate_all(
        "all => all.map(e => e.getAttribute('href'))"
    )
    assert page.locator("#of-scene li").count() == 7
    assert set(found) == set(on_board) != set()


def test_your_cards_stay_on_the_screen_beside_a_long_name(lasting_visitor: OpenPage) -> None:
    page = lasting_visitor("/tables/parade-names", **TALL)
    taken = page.evaluate(BOXES, ".own .small")
    assert len(taken) >= 5
    assert all(right <= TALL["viewport"]["width"] for _, _, right, _ in taken)


@pytest.mark.parametrize("table", ["parade-end", "letters-end", "cookies-end"])
def test_a_result_fits_a_phone_on_its_side(lasting_visitor: OpenPage, table: str) -> None:
    page = lasting_visitor(f"/tables/{table}", **SIDEWAYS)
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator(".drawer-handle .brief")).to_be_visible()
    actions = page.evaluate(BOXES, "#ending .actions > *")
    assert len(actions) >= 5
    (places,) = page.evaluate(BOXES, "#ending .places")
    (handle,) = page.evaluate(BOXES, ".drawer-handle")
    assert all(bottom <= SIDEWAYS["viewport"]["height"] for _, _, _, bottom in actions)
    assert not [box for box in actions if overlap(box, handle) or overlap(box, places)]


def test_the_answer_to_a_puzzle_is_not_covered(visitor: OpenPage) -> None:
    page = visitor(PAGES["puzzle"], **TALL)
    expect(page.locator("#preview")).not_to_be_empty()
    (answer,) = page.evaluate(BOXES, "#answer")
    (preview,) = page.evaluate(BOXES, "#preview")
    assert not overlap(answer, preview)


@pytest.mark.parametrize("size", SIZES)
def test_the_values_of_a_crowded_parade_are_in_view(lasting_visitor: OpenPage, size: str) -> None:
    page = lasting_visitor("/tables/parade-crowd", **SIZES[size])
    in_view = page.evaluate(
        """() => [...document.querySelectorAll(".parade > .card")].map((card) => {
          const { left, top, width, height } = card.getBoundingClientRect();
          const value = document.elementFromPoint(left + width * .2, top + height * .16);
          return value?.closest(".card") === card;
        })"""
    )
    assert len(in_view) >= 18
    assert all(in_view)


@pytest.mark.parametrize("code", LANGUAGES)
def test_labels_fit_in_every_language(lasting_visitor: OpenPage, code: str) -> None:
    wishes = SHORT | {"locale": code}
    page = lasting_visitor("/tables/parade-end", **wishes)
    assert page.locator(".playbill .actions > *").count() > 5
    assert page.evaluate(TOO_WIDE, ".playbill .actions > *") == []
    page = lasting_visitor("/tables/parade-pairs", **wishes)
    page.locator("[data-play]").last.tap()
    expect(page.locator("#confirm")).to_be_visible()
    assert page.evaluate(TOO_WIDE, "#confirm") == []
    page = lasting_visitor("/tables/cookies-tea", **wishes)
    assert page.evaluate(TOO_WIDE, ".choices button") == []
    tags = [box for box in page.evaluate(BOXES, ".ring .name rect") if box[2] > box[0]]
    assert len(tags) == 5
    assert all(left > -1 and right < SHORT["viewport"]["width"] + 1 for left, _, right, _ in tags)
    page = lasting_visitor("/score/cookies", **wishes)
    assert page.evaluate(TOO_WIDE, ".bar h1") == []


@pytest.mark.parametrize("code", ["en", "de"])
def test_what_the_dots_of_a_seat_open_is_on_the_screen(lasting_visitor: OpenPage, code: str) -> None:
    page = lasting_visitor("/tables/lobby", **SHORT | {"locale": code})
    dots = page.locator(".seats .more")
    assert dots.count() == 2
    for number in range(2):
        dots.nth(number).locator("summary").tap()
        expect(dots.nth(number).locator("button")).to_be_visible()
        assert page.evaluate(TOO_WIDE, ".seats .more[open] button") == []
        dots.nth(number).locator("summary").tap()


def test_a_puzzles_verdict_is_not_covered(lasting_visitor: OpenPage) -> None:
    page = lasting_visitor(PAGES["puzzle"], **SHORT)
    expect(page.locator("#preview")).not_to_be_empty()
    (verdict,), (preview,) = (page.evaluate(BOXES, each) for each in (".answer h2", "#preview"))
    assert not overlap(verdict, preview)
