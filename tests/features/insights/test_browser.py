"""Insights in a real browser: by keyboard on a desktop, and by touch on a phone."""

from __future__ import annotations

from support import browser
from support.browser import DESKTOP, PHONE, OpenPage, expect
from wonderland.features.insights.model import insights

pytestmark = browser.MARKS


def test_reading_with_the_keyboard(open_page: OpenPage) -> None:
    page = open_page("/insights/cookies", **DESKTOP)
    heading = page.get_by_role("heading", name="How much does skill matter?")
    expect(heading).to_be_visible()
    summary = page.locator("section:has(#skill) summary")
    summary.focus()
    page.keyboard.press("Enter")
    region = page.get_by_role("region", name="How much does skill matter?").locator("table")
    expect(region).to_be_visible()
    strongest = insights("cookies").meetings[-1]
    row = region.get_by_role("row").last
    expect(row).to_contain_text(f"{100 * strongest.wins.value:.1f}")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # scrolls the focused table
    page.keyboard.press("Tab")
    with page.expect_download() as taken:
        page.keyboard.press("Enter")
    assert taken.value.suggested_filename == "cookies-skill.csv"


def test_reading_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/insights/parade", **PHONE, color_scheme="dark")
    for name in ("Letters", "Cookies"):
        page.get_by_role("navigation").get_by_role("link", name=name).tap()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        for summary in page.locator("summary").all():
            summary.tap()
        expect(page.locator("details[open]")).to_have_count(page.locator("details").count())
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    words = page.locator(".plot .of, .plot .values span, .plot figcaption")
    wide = words.evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length")
    assert wide == 0
