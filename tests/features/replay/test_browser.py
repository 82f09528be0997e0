"""Replays in a real browser: pasted or uploaded, stepped by keyboard and touch, shared by link."""

from __future__ import annotations

import re
from typing import Any

from support import browser
from support.browser import DESKTOP, PHONE, RECORD_ANIMATIONS, OpenPage, expect, piece_names
from support.paths import RECORDS

pytestmark = browser.MARKS
PARADE = (RECORDS / "parade" / "4-players-empty-pile.record").read_text()
NOTED = RECORDS / "parade" / "noted-by-the-hatter.record"
DECISIONS, SEATS = 48, 4


def visible_cards(page: Any) -> list[list[str]]:
    """Return the parade, and the open hands."""
    return [
        piece_names(page, ".parade .card"),
        piece_names(page, ".open-hand .small"),
        piece_names(page, ".hand .card"),
    ]


def expect_position(page: Any, moment: int) -> None:
    expect(page.locator("#where")).to_have_text(f"Move {moment} of {DECISIONS}")
    expect(page).to_have_url(re.compile(rf"[?&]at={moment}\b"))


def paste_and_fix(page: Any) -> None:
    """Paste a record with an invalid word, see where it is, remove it, and continue."""
    wrong = PARADE.replace("\nAlice: +", "\nAlice: +Z99 +", 1)
    page.get_by_label("Game record").fill(wrong)
    page.get_by_role("button", name="Replay").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Line \d+, column 8: 'Z99'"))
    field = page.get_by_label("Game record")
    assert field.input_value() == wrong, "nothing that was pasted is lost"
    selected = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert field.evaluate(selected) == "+Z99"
    page.keyboard.press("Delete")  # which deletes the selected word
    expect(page.get_by_role("alert")).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/*")


def test_an_illegal_move_links_to_its_rule(open_page: OpenPage) -> None:
    page = open_page("/replay", quiet=True)  # the browser logs refused requests as errors
    page.get_by_label("Game record").fill("Game: parade\nRules: 1\nSeats: A, B\n\nStart: seat3\n")
    page.get_by_role("button", name="Replay").press("Enter")
    link = page.get_by_role("alert").get_by_role("link", name="Rule P2")
    expect(link).to_have_attribute("href", "/rules/parade#P2")


def test_a_record_is_pasted_fixed_stepped_through_and_shared(open_page: OpenPage) -> None:
    page = open_page("/replay", quiet=True)  # the browser logs refused requests as errors
    paste_and_fix(page)
    expect(page.locator("#where")).to_have_text(f"Move 0 of {DECISIONS}")
    assert len(visible_cards(page)[1]) == 5 * SEATS, "all cards are face up"

    page.keyboard.press(".")
    expect_position(page, 1)
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect_position(page, 3)
    page.keyboard.press(",")
    expect_position(page, 2)
    expect(page.locator("#aloud")).to_contain_text(re.compile(rf"Move 2 of {DECISIONS}\. .* plays "))
    assert page.locator("#log [aria-current]").first.get_attribute("data-look") == "2"
    page.keyboard.press("End")
    expect_position(page, DECISIONS)
    expect(page.locator("#status")).to_contain_text(re.compile(r" wins \(Alice: \d+, "))
    page.keyboard.press("Home")
    expect_position(page, 0)
    page.get_by_label("Move", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect_position(page, 1)
    page.locator("#log li[data-look='12']").first.click()
    expect_position(page, 12)

    view_and_share(page, open_page)
    with page.expect_download() as found:
        page.get_by_role("link", name="Download record").click()
    assert found.value.path().read_text() == PARADE

    hand = sorted(piece_names(page, ".hand .card"))
    page.get_by_text("Play on from here").click()
    expect(page.get_by_label("Play as")).to_have_value("1")
    page.get_by_role("button", name="Try another move").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".seats .me .who")).to_have_text("Hatter")
    assert sorted(piece_names(page, ".hand .card")) == hand


def view_and_share(page: Any, open_page: OpenPage) -> None:
    """Choose one player's viewpoint, and let a friend see the same."""
    page.get_by_label("View as").select_option("Hatter")
    expect(page.locator(".hand .card")).to_have_count(5)
    assert visible_cards(page)[1] == [], "other players' cards are hidden from the Hatter"
    expect(page).to_have_url(re.compile(r"at=12&seat=1$"))
    expect(page.locator("#log")).not_to_contain_text(re.compile(r"Queen draws (?!a card)"))
    then = visible_cards(page)
    page.get_by_role("button", name="Share").first.click()
    link = page.get_by_role("textbox", name="Link to this moment")
    expect(page.locator("#seat-here-only")).to_be_visible()  # this server is closed to the network
    address = link.input_value()
    page.keyboard.press("Escape")
    friend = open_page(address)
    assert visible_cards(friend) == then
    expect_position(friend, 12)
    expect(friend.get_by_label("View as")).to_have_value("1")


def test_a_handwritten_game_is_replayed_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/replay", pace="350", **PHONE)
    page.locator("#file").set_input_files(str(NOTED))
    page.wait_for_url("**/replay/*")
    where, total = page.locator("#where"), 45
    expect(where).to_have_text(f"Move 0 of {total}")
    assert len(visible_cards(page)[1]) == 5, "one hand was recorded, the others are hidden"
    forth = page.get_by_role("button", name="Forward one move")
    box, view = forth.bounding_box(), page.viewport_size
    assert box["y"] + box["height"] <= view["height"], "the controls are visible without scrolling"
    forth.tap()
    expect(where).to_have_text(f"Move 1 of {total}")
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(where).to_have_text(f"Move 4 of {total}")
    page.get_by_role("button", name="Pause").tap()
    stopped = where.inner_text()
    page.get_by_role("button", name="Go to the end").tap()
    expect(where).to_have_text(f"Move {total} of {total}")
    assert stopped != where.inner_text()
    page.get_by_label("View as").select_option("Spectator")
    page.get_by_role("button", name="Go to the start").tap()
    expect(where).to_have_text(f"Move 0 of {total}")
    expect(page).to_have_url(re.compile(r"[?&]at=0\b"))  # announced once it is shown
    assert visible_cards(page)[1:] == [[], []]
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size(DESKTOP["viewport"])
    assert page.evaluate("document.documentElement.scrollHeight") <= DESKTOP["viewport"]["height"]


def test_changing_viewpoint_during_a_step_shows_the_new_viewpoint(open_page: OpenPage) -> None:
    page = open_page("/replay")
    page.get_by_label("Game record").fill(PARADE)
    page.get_by_role("button", name="Replay").click()
    page.wait_for_url("**/replay/*")
    on_its_way: list[Any] = []

    def hold(route: Any) -> None:
        on_its_way.append(route)

    page.route("**/page?at=1&seat=open*", hold)
    with page.expect_request("**/page?at=1&seat=open*"):
        page.get_by_role("button", name="Forward one move").click()
    page.get_by_label("View as").select_option("Hatter")
    page.wait_for_timeout(300)  # for a response that may arrive first
    on_its_way[0].continue_()
    expect_position(page, 1)
    expect(page).to_have_url(re.compile(r"at=1&seat=1$"))
    assert visible_cards(page)[1] == [], "other players' cards are hidden from the Hatter"
    expect(page.locator("#log")).not_to_contain_text(re.compile(r"Queen draws (?!a card)"))


def test_adjacent_positions_animate_and_jumps_do_not(open_page: OpenPage) -> None:
    page = open_page("/replay", pace="1600")
    page.get_by_label("Game record").fill(PARADE)
    page.get_by_role("button", name="Replay").click()
    page.wait_for_url("**/replay/*")
    page.evaluate(RECORD_ANIMATIONS)
    page.keyboard.press(".")
    expect_position(page, 1)
    assert page.evaluate("glides.splice(0)"), "the card glides from the hand to the parade"
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press(".")
    expect_position(page, 2)
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press("End")
    expect_position(page, DECISIONS)
    assert page.evaluate("glides") == []
