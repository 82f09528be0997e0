"""One's own games on a phone: a file of records is added and filtered, and mistakes are retried."""

from __future__ import annotations

import re
from typing import Any

from support import browser
from support.browser import PHONE, OpenPage, expect
from support.paths import RECORDS

pytestmark = browser.MARKS
LETTERS = (RECORDS / "letters/turned-two-players.record").read_text()
PARADE = (RECORDS / "parade/2-players-sixth-colour.record").read_text()
FAULTY = "Game: parade\nRules: 77\n\n"


def fits(page: Any) -> bool:
    """Whether the page is as wide as the screen."""
    width = page.viewport_size["width"]
    return bool(page.evaluate("document.documentElement.scrollWidth") <= width)


def test_games_are_added_found_coached_and_their_mistakes_retried(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    page.get_by_role("link", name="All my games").tap()
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    page.get_by_label("Your name in these games").fill("Alice")
    text = f"{LETTERS}\n{FAULTY}\n{PARADE}"
    page.locator("#file").set_input_files(
        {"name": "games.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(page.locator("#imported")).to_contain_text("Games added: 2")
    expect(page.locator("#imported")).to_contain_text("Game 2, line ")
    page.locator("#imported").get_by_role("link", name="My games").tap()
    rows = page.locator(".games-list li")
    expect(rows).to_have_count(2)
    assert fits(page)
    for code in ("de", "es", "fr", "pl", "en"):
        page.goto(f"/games?lang={code}")
        expect(page.locator(".results").first).to_be_visible()
        assert fits(page), code

    page.locator("select[name=game]").select_option("letters")
    page.get_by_role("button", name="Find").tap()
    page.wait_for_url("**/games?game=letters")
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="Ask the coach").tap()
    expect(page.locator("#table")).to_have_attribute("data-state", "done")
    page.goto("/games?game=letters")
    expect(rows.locator(".study a")).to_have_accessible_name(re.compile("^Accuracy: "))
    expect(page.locator(".trend svg")).to_be_visible()

    page.get_by_role("link", name="Try again").first.tap()
    expect(page.locator(".about-it")).to_contain_text("Mistake 1 of ")
    assert fits(page)
    choice = page.locator("#scene [data-play]").first
    choice.tap()
    choice.tap()
    verdict = page.locator(".verdict")
    expect(verdict.locator("h2")).to_be_focused()
    expect(verdict.locator(".chances .chosen")).to_have_count(1)
    verdict.locator(".best").tap()
    expect(page.locator(".verdict h2.right")).to_be_visible()
    assert fits(page)

    page.goto("/games?game=parade")
    rows.get_by_role("button", name="Remove from my games").tap()
    expect(rows).to_have_count(0)
