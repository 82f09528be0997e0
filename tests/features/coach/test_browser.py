"""The coach in a real browser: a pasted game by keyboard, and a handwritten one on a phone by touch."""

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
NOTED = RECORDS / "parade" / "noted-by-the-hatter.record"
WATCHED = (RECORDS / "cookies" / "noted-by-a-spectator.record").read_text()
FOCUSED = "document.activeElement.id"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose coach is quick."""
    with run_server(tmp_path_factory.mktemp("coach"), "--coach-playouts", "200") as served:
        yield served


def number(page: Any) -> int:
    """Return the number of the decision shown, which must match the address."""
    title = page.locator("#moment-title").inner_text()
    found = int(re.search(r"\d+", title)[0])  # type: ignore[index]
    expect(page).to_have_url(re.compile(rf"[?&]at={found}$"))
    return found


def decisions(page: Any, kind: str = "", of: str = "") -> list[int]:
    """Return the decisions that have a point in the graph."""
    marks = page.locator(f"#graph svg[data-at]{kind}{of}")
    return [int(each) for each in marks.evaluate_all("all => all.map(e => e.dataset.at)")]


def expect_decision(page: Any, wanted: int) -> None:
    expect(page.locator("#moment-title")).to_contain_text(f"Move {wanted}:")
    expect(page.locator("#slider")).to_have_value(str(wanted))


def open_coach_by_keyboard(page: Any) -> None:
    """Paste a record, and open the coach."""
    page.get_by_label("Game record").fill(PARADE)
    page.get_by_role("button", name="Replay").press("Enter")
    page.wait_for_url("**/replay/*")
    page.get_by_role("link", name="Ask the coach").press("Enter")
    page.wait_for_url("**/coach*")
    expect(page.locator("#table")).to_have_attribute("data-state", "done")
    expect(page.locator("#progress")).to_be_hidden()
    expect(page.locator("#aloud")).to_contain_text("win chance")


def test_a_pasted_game_is_reviewed_and_stepped_through_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/replay")
    open_coach_by_keyboard(page)
    expect(page.locator("#players li")).to_have_count(4)
    assert len(decisions(page)) == 48
    mistakes = decisions(page, ".mistake")
    first = number(page)
    assert first in mistakes, "the costliest comes first"

    page.keyboard.press(".")
    expect_decision(page, first + 1)
    page.keyboard.press(",")
    expect_decision(page, first)
    page.keyboard.press("<")
    expect_decision(page, mistakes[mistakes.index(first) - 1])
    page.get_by_label("Moves by").select_option("Queen")
    page.get_by_role("button", name="Next move").press("Enter")
    queen = decisions(page, of='[data-of="3"]')
    expect(page.locator("#moment-title")).to_contain_text("Queen")
    assert number(page) in queen
    page.get_by_label("Move number", exact=True).focus()
    before = number(page)
    page.keyboard.press("ArrowRight")
    expect_decision(page, before + 1)

    page.get_by_text("All moves").press("Enter")
    page.get_by_role("link", name="Move 12", exact=True).press("Enter")
    expect_decision(page, 12)
    assert page.evaluate(FOCUSED) == "moment-title"
    explore_by_keyboard(page)


def explore_by_keyboard(page: Any) -> None:
    """Preview each choice, open the editor and the replay there, and try another move."""
    chosen = page.locator("[data-option].chosen").get_attribute("data-option")
    expect(page.locator("#scene .marked")).to_have_attribute("data-play", chosen)
    other = page.locator("[data-option]:not(.chosen)").first
    other.focus()
    wanted = other.get_attribute("data-option")
    expect(page.locator("#scene .marked")).to_have_attribute("data-play", wanted)
    hand = sorted(piece_names(page, "#scene .hand .card"))
    assert len(hand) == 5

    here = page.url
    page.locator(".co-links").get_by_role("link", name="Position").press("Enter")
    page.wait_for_url("**/position/parade*")
    assert sorted(piece_names(page, ".hand .card")) == hand
    page.goto(here)
    expect_decision(page, 12)
    page.locator(".co-links").get_by_role("link", name="Replay").press("Enter")
    expect(page.locator("#where")).to_have_text("Move 11 of 48")
    assert sorted(piece_names(page, ".hand .card")) == hand
    page.goto(here)
    page.get_by_role("button", name="Try another move").press("Enter")
    page.wait_for_url("**/tables/*")
    assert sorted(piece_names(page, ".hand .card")) == hand


def test_a_handwritten_game_is_reviewed_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/replay", **PHONE)
    page.locator("#file").set_input_files(str(NOTED))
    page.wait_for_url("**/replay/*")
    page.get_by_role("link", name="Ask the coach").tap()
    expect(page.locator("#table")).to_have_attribute("data-state", "done")
    expect(page.get_by_text("Only Hatter")).to_be_visible()
    judged = decisions(page)
    assert len(judged) == 15
    for link in (page.locator("#costly a").last, page.locator("#turns a").first):
        wanted = int(link.get_attribute("data-at"))
        link.tap()
        expect_decision(page, wanted)
        top = page.locator("#one").bounding_box()["y"]
        assert 0 <= top < PHONE["viewport"]["height"] / 2, "it is scrolled into view"
    point = page.locator(f'#graph svg[data-at="{judged[3]}"]')
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 30)  # close is enough
    expect_decision(page, judged[3])
    page.get_by_role("button", name="Next move").tap()
    expect_decision(page, judged[4])
    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.reload()
    expect_decision(page, judged[4])


def test_the_reason_a_game_cannot_be_reviewed_stays_visible(open_page: OpenPage) -> None:
    page = open_page("/replay", quiet=True)
    page.get_by_label("Game record").fill(WATCHED)
    page.get_by_role("button", name="Replay").click()
    page.wait_for_url("**/replay/*")
    page.get_by_role("link", name="Ask the coach").click()
    says = "There's nothing to analyse here, because the hands weren't recorded."
    expect(page.locator("#says")).to_have_text(says)
    expect(page.locator("#aloud")).to_have_text(says)
    expect(page.locator("#bar")).to_be_hidden()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.locator("#says")).to_have_text(says)
