"""Setting up a position in a real browser and asking for advice: on a desktop, and on a phone."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from support import browser
from support.browser import PHONE, OpenPage, expect
from wonderland.engine.registry import game

pytestmark = browser.MARKS
HAND = ("B10", "P2", "G3", "Y9", "O6")
PARADE = ("P5", "G0", "R7", "B3", "P7", "R1")


def position(page: Any) -> Any:
    """Return the position in the address, as the rules read it."""
    query = parse_qs(urlsplit(page.url).query)
    return game("parade").read_position(query["position"][0])


def press_by_keyboard(page: Any, name: str) -> None:
    """Move to a piece with the arrow keys, and press it."""
    for _ in range(80):
        if page.evaluate("document.activeElement.dataset.lay") == name:
            break
        here = page.evaluate("document.activeElement.dataset.lay")
        page.keyboard.press("ArrowRight" if here[0] == name[0] else "ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"#piece-{name}")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.dataset.lay") == name, "the focus stays"


def test_setting_up_on_a_desktop_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/position/parade", reduced_motion="reduce")
    says, ask = page.locator("#says"), page.locator("#ask")
    expect(says).to_contain_text("Your hand: add 5 more.")
    expect(ask).to_be_disabled()
    page.locator("#place-hand").focus()
    page.keyboard.press("Tab")
    for name in HAND:
        press_by_keyboard(page, name)
    expect(says).to_contain_text("the parade")
    page.locator("#place-hand").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#place-parade")).to_be_focused()
    expect(page.locator(".ed-box b")).to_have_text("Parade, from the front")
    page.keyboard.press("Tab")
    for name in PARADE:
        press_by_keyboard(page, name)
    expect(says).to_have_text("It's your turn.")
    assert [str(card) for card in position(page).parade] == list(PARADE)
    ask.focus()
    page.keyboard.press("Enter")
    best = page.locator("[data-option]").first
    expect(best).to_be_visible()
    expect(page.locator(".ed-reason")).not_to_be_empty()
    marked = page.locator("#scene .marked")
    expect(marked).to_have_attribute("data-play", best.get_attribute("data-option"))
    other = page.locator("[data-option]").last
    other.focus()
    expect(marked).to_have_attribute("data-play", other.get_attribute("data-option"))
    expect(other).to_have_attribute("aria-current", "true")
    page.reload()
    expect(says).to_have_text("It's your turn.")
    expect(page.locator(".ed-place.at .ed-held button")).to_have_count(len(HAND))


def test_setting_up_on_a_phone_by_touch(open_page: OpenPage) -> None:
    page = open_page("/position/parade", **PHONE)
    page.locator("#choice-seats").select_option("3")
    expect(page.locator("#place-zone2")).to_be_visible()
    for name in HAND:  # quickly: no click is lost
        page.locator(f"#piece-{name}").tap()
    expect(page.locator(".ed-place.at .ed-held button")).to_have_count(5)
    page.locator("label:has(#place-parade)").tap()
    expect(page.locator(".ed-box b")).to_have_text("Parade, from the front")
    for name in (*PARADE, "O4"):
        page.locator(f"#piece-{name}").tap()
    page.locator("label:has(#place-zone1)").tap()
    expect(page.locator(".ed-box b")).to_have_text("In front of Bill")
    page.locator("#piece-R10").tap()
    page.locator("#piece-O4").tap()  # from the parade after all
    expect(page.locator("#piece-O4 .ed-marks")).to_have_text("B")
    page.get_by_role("button", name="Remove Orange 4").tap()
    expect(page.locator("#piece-O4 .ed-marks")).to_have_count(0)
    expect(page.locator("#says")).to_contain_text("can't")  # nobody has had a turn yet
    page.get_by_role("button", name="Remove Red 10").tap()
    expect(page.locator("#says")).to_have_text("It's your turn.")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("#ask").tap()
    option = page.locator("[data-option]").nth(1)
    option.tap()
    expect(option).to_have_attribute("aria-current", "true")
    assert len(position(page).hands) == 3


def test_a_line_can_be_pasted_and_other_games_work_the_same_way(open_page: OpenPage) -> None:
    page = open_page("/position/letters")
    page.locator("label:has(#place-space4)").click()
    expect(page.locator("#place-space4")).to_be_checked()
    for held in ("red C", "red C, face down again", None):
        page.locator("#piece-redC").click()
        name = "Space 5" if held is None else f"Space 5: {held}"
        expect(page.locator("label:has(#place-space4) .visually-hidden")).to_have_text(name)
    page.goto("/position/cookies")
    page.get_by_role("link", name="Example").click()
    expect(page.locator("#says")).to_have_text("It's your turn.")
    page.locator("#ed-more summary").click()
    page.locator("#choice-option-kind_hole").select_option("true")
    expect(page.locator("#line")).to_have_value(re.compile("options=kind_hole=true"))
    assert page.locator("#ed-more").get_attribute("open") is not None, "it stays open"
    page.locator("#line").fill("cookies is not a position")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#says")).to_contain_text("'is' doesn't belong here")
    expect(page.locator("#line")).to_have_value("cookies is not a position")
