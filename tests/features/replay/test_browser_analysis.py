"""The analysis board in a real browser: by keyboard, by link on a phone, and a record with a fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, expect, piece_names
from support.paths import RECORDS
from support.server import ServerProcess, run_server

pytestmark = browser.MARKS
PARADE = (RECORDS / "parade" / "4-players-empty-pile.record").read_text()
CURRENT = "#variations [aria-current]"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose coach is quick."""
    with run_server(tmp_path_factory.mktemp("analysis"), "--coach-playouts", "100") as served:
        yield served


def open_replay(page: Any, at: int) -> None:
    page.get_by_label("Game record").fill(PARADE)
    page.get_by_role("button", name="Replay").press("Enter")
    page.wait_for_url("**/replay/*")
    page.goto(f"{page.url.partition('?')[0]}?at={at}")


def try_other_moves(page: Any) -> list[str]:
    """Try two moves that weren't played from here; return how they are listed."""
    listed = []
    for _ in range(2):
        # A place is named as soon as it is asked for; the move played there comes with its own choices.
        expect(page.locator("#choices .played")).to_have_count(1)
        page.locator("#choices [data-try]:not(.played)").nth(len(listed)).press("Enter")
        expect(page.locator("#where")).to_have_text("Variation: move 13")
        expect(page.locator(CURRENT)).to_contain_text("13. ")
        listed.append(page.locator(CURRENT).inner_text())
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#where")).to_have_text("Move 12 of 48")
    return listed


def test_variations_are_explored_by_keyboard_and_shared_with_a_phone(open_page: OpenPage) -> None:
    page = open_page("/replay", quiet=True)  # the browser logs a refused request as an error
    open_replay(page, 12)
    first, second = try_other_moves(page)
    assert first != second
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text("Move 13 of 48")
    for key, shown in (("ArrowDown", first), ("ArrowDown", second), ("ArrowUp", first)):
        page.keyboard.press(key)
        expect(page.locator(CURRENT)).to_have_text(shown)
    expect(page.locator("#aloud")).to_contain_text(re.compile(r"^Variation: move 13\. "))

    page.keyboard.press("c")
    expect(page.locator("#verdict")).to_be_focused()
    expect(page.locator("#choices .best")).to_have_count(1)
    expect(page.locator("#choices .an-chance b").first).to_have_text(re.compile(r"\d+%"))
    page.keyboard.press("e")
    expect(page.locator("#line-title")).to_be_focused()
    length = page.locator(".an-line li").count()
    page.get_by_role("button", name="Add to the variations").press("Enter")
    expect(page.locator("#where")).to_have_text("Variation: move 14")
    expect(page.locator("#variations [data-node]")).to_have_count(2 + length)

    page.get_by_text("Comment", exact=True).press("Enter")
    page.get_by_label("Comment on this position").fill("why <not>?")
    page.keyboard.press("Tab")
    expect(page.locator(".an-comment")).to_have_text("why <not>?")
    page.reload()
    expect(page.locator(".an-comment")).to_have_text("why <not>?")
    expect(page.locator("#where")).to_have_text("Variation: move 14")
    share_with_a_phone(page, open_page, length)

    page.get_by_role("button", name="Remove this variation").press("Enter")
    expect(page.locator("#variations [data-node]")).to_have_count(2)
    expect(page.locator("#where")).to_have_text("Variation: move 13")
    play_on(page)


def share_with_a_phone(page: Any, open_page: OpenPage, length: int) -> None:
    """A friend sees the same variation on a phone, and changes only their own copy."""
    page.get_by_role("button", name="Share").first.click()
    address = page.get_by_role("textbox", name="Link to this moment").input_value()
    page.keyboard.press("Escape")
    friend = open_page(address, **PHONE)
    expect(friend.locator("#where")).to_have_text("Variation: move 14")
    assert piece_names(friend, ".parade .card") == piece_names(page, ".parade .card")
    expect(friend.locator(".an-comment")).to_have_text("why <not>?")
    for width in (320, 360):
        friend.set_viewport_size({"width": width, "height": 740})
        assert friend.evaluate("document.documentElement.scrollWidth") == width
    friend.locator("#choices [data-try]").last.tap()
    expect(friend.locator("#where")).to_have_text("Variation: move 15")
    friend.locator("#ask-verdict").tap()
    expect(friend.locator("#choices .best")).to_have_count(1)
    friend.get_by_role("button", name="Back one move").tap()
    expect(friend.locator("#where")).to_have_text("Variation: move 14")
    expect(page.locator("#variations [data-node]")).to_have_count(2 + length)


def play_on(page: Any) -> None:
    """In one player's view, a card of the hand is a move to try; the game goes on from there."""
    name = page.locator("#status").inner_text().removesuffix(" to move")
    page.get_by_label("View as").select_option(name)
    page.locator("#scene .hand [data-play]").first.click()
    expect(page.locator("#where")).to_have_text("Variation: move 14")
    expect(page.locator("#scene [data-play]")).to_have_count(0)
    hand = sorted(piece_names(page, ".hand .card"))
    page.get_by_text("Play on from here").click()
    page.get_by_label("Play as").select_option(name)
    page.get_by_role("button", name="Try another move").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".seats .me .who")).to_have_text(name)
    assert sorted(piece_names(page, ".hand .card")) == hand


def test_a_faulty_record_opens_up_to_its_fault(open_page: OpenPage) -> None:
    page = open_page("/replay", quiet=True)  # the browser logs a refused request as an error
    lines = PARADE.splitlines()
    wrong = max(at for at, line in enumerate(lines[:30]) if line.startswith("Alice:"))
    lines[wrong] = "Alice: Z99"
    page.get_by_label("Game record").fill("\n".join(lines))
    page.get_by_role("button", name="Replay").press("Enter")
    page.get_by_role("button", name="Show the game up to there").press("Enter")
    page.wait_for_url("**/replay/*")
    expect(page.get_by_role("note")).to_contain_text(f"Line {wrong + 1}, column 8")
    last = page.locator("#table").get_attribute("data-last")
    expect(page.locator("#where")).to_have_text(f"Move {last} of {last}")
    assert int(last or 0) > 0
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("note")).to_be_hidden()
