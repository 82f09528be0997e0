"""Stepping back in a real browser: by button, key and log, while the game continues."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support import browser
from support.browser import (
    HOLD_MESSAGES,
    PHONE,
    OpenPage,
    create_table,
    expect,
    piece_names,
    play_by_mouse,
    play_over_http,
    start_from_home,
    take_turn,
    two_players,
)
from wonderland.web.history import MEMORY_GAME_NOTE

pytestmark = browser.MARKS


def moves(page: Any) -> int:
    return int(page.locator("#table").get_attribute("data-moves"))


def visible_cards(page: Any) -> list[list[str]]:
    """Return the parade and the player's own hand."""
    return [piece_names(page, ".parade .card"), piece_names(page)]


def press_history_button(page: Any, name: str) -> None:
    page.locator("#past").get_by_role("button", name=name).click()


def test_stepping_back_shows_what_the_player_saw(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    seen = {}
    for _ in range(3):
        page.wait_for_selector(".status.mine")
        seen[moves(page)] = visible_cards(page)
        take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    total, now = moves(page), visible_cards(page)
    banner = page.locator("#history-banner")
    expect(banner).to_be_hidden()
    for moment in range(total - 1, -1, -1):
        press_history_button(page, "Back one move")
        expect(banner).to_contain_text(f"Move {moment} of {total}")
        if moment in seen:
            assert visible_cards(page) == seen.pop(moment)
        assert page.locator("[data-play]").count() == 0, "nothing can be played"
        assert page.locator("#preview").inner_text() == ""
    assert seen == {}
    press_history_button(page, "Back one move")
    expect(banner).to_contain_text(f"Move 0 of {total}")
    press_history_button(page, "Forward one move")
    expect(banner).to_contain_text(f"Move 1 of {total}")
    expect(page.locator("#aloud")).to_have_text(re.compile(rf"Move 1 of {total}\. .+ plays "))
    banner.get_by_role("button", name="Back to the game").click()
    expect(banner).to_be_hidden()
    assert visible_cards(page) == now
    assert take_turn(page, play_by_mouse)


def test_keys_and_the_log_step_back(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends")  # somebody to chat with
    page.locator("#level-1").select_option(index=0)
    page.get_by_role("button", name="Add bot", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    for _ in range(2):
        take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    total, banner = moves(page), page.locator("#history-banner")
    page.keyboard.press(",")
    expect(banner).to_contain_text(f"Move {total - 1} of {total}")
    page.keyboard.press(",")
    expect(banner).to_contain_text(f"Move {total - 2} of {total}")
    page.keyboard.press(".")
    expect(banner).to_contain_text(f"Move {total - 1} of {total}")
    page.keyboard.press("Escape")
    expect(banner).to_be_hidden()
    page.get_by_label("Write a message").press_sequentially("so, then")
    expect(banner).to_be_hidden()
    assert page.get_by_label("Write a message").input_value() == "so, then"
    line = page.locator("#log li", has_text="plays").last
    moment = line.get_attribute("data-look")
    line.click()
    expect(banner).to_contain_text(f"Move {moment} of {total}")
    assert line.get_attribute("aria-current") == "true"
    page.keyboard.press("Escape")
    expect(page.locator("#log [aria-current]")).to_have_count(0)

    page.locator("main").focus()
    page.keyboard.press("?")
    panel = page.locator("#settings .panel")
    expect(panel).to_contain_text("Step back or forward one move")
    panel.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.locator("main").focus()
    page.keyboard.press(",")
    page.keyboard.press("?")
    expect(panel).to_be_hidden()
    press_history_button(page, "Go to the start")  # everyone has the buttons
    expect(banner).to_contain_text(f"Move 0 of {total}")


def test_the_game_continues_while_a_player_steps_back(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        for page in (mover, other):
            take_turn(page, play_by_mouse)
        mover.wait_for_selector(".status.mine")
        press_history_button(other, "Go to the start")
        banner = other.locator("#history-banner")
        expect(banner).to_contain_text("Move 0 of 2")
        then = visible_cards(other)
        take_turn(mover, play_by_mouse)
        expect(banner).to_contain_text("Move 0 of 3")
        expect(banner.locator(".meanwhile")).to_contain_text(" plays ")
        assert visible_cards(other) == then
        assert other.locator("[data-play]").count() == 0
        assert "Your turn" in other.title()
        press_history_button(other, "Latest move")
        expect(banner).to_be_hidden()
        assert take_turn(other, play_by_mouse)


def test_a_spectator_can_step_back(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, link):
        mover = alice if alice.locator(".status.mine").count() else bill
        take_turn(mover, play_by_mouse)
        hands = piece_names(alice) + piece_names(bill)
        dinah = open_page(link.partition("#")[0])
        press_history_button(dinah, "Go to the start")
        expect(dinah.locator("#history-banner")).to_contain_text("Move 0 of 1")
        shown = dinah.content()
        assert not [card for card in hands if f'data-piece="{card}"' in shown]


def test_stepping_back_works_before_the_first_socket_message(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    page.add_init_script(HOLD_MESSAGES)
    page.reload()
    total, now = moves(page), visible_cards(page)
    banner = page.locator("#history-banner")
    press_history_button(page, "Go to the start")
    expect(banner).to_contain_text(f"Move 0 of {total}")
    press_history_button(page, "Latest move")
    expect(banner).to_be_hidden()
    assert visible_cards(page) == now
    press_history_button(page, "Back one move")
    expect(banner).to_contain_text(f"Move {total - 1} of {total}")
    then = visible_cards(page)
    page.evaluate("letIn()")
    expect(page.locator(".seats .me.here")).to_be_visible()
    assert visible_cards(page) == then
    expect(banner.locator(".meanwhile")).to_have_text("")


@pytest.mark.parametrize("memory", ["closed", "open"])
def test_a_memory_game_opens_its_history_when_it_is_over(open_page: OpenPage, memory: str) -> None:
    page = open_page()
    create_table(page, "letters", options={"memory": memory})
    take_turn(page, play_by_mouse)
    note = page.get_by_text(MEMORY_GAME_NOTE)
    if memory == "open":
        press_history_button(page, "Go to the start")
        expect(page.locator("#history-banner")).to_be_visible()
        return
    expect(note).to_be_visible()
    assert page.locator("[data-look]:visible").count() == 0
    page.keyboard.press(",")
    expect(page.locator("#history-banner")).to_be_hidden()
    play_over_http(page, until=lambda shown: shown["table"]["status"] == "finished")
    expect(note).to_have_count(0)
    press_history_button(page, "Go to the start")
    expect(page.locator("#history-banner")).to_contain_text("Move 0 of")


def test_on_a_phone_nothing_is_wider_than_the_screen(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start_from_home(page, seats=4)
    take_turn(page, play_by_mouse)
    page.locator("#drawer-handle").click()
    press_history_button(page, "Go to the start")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#history-banner")).to_be_visible()
    page.locator("#settings summary").click()
    box = page.locator("#settings .panel").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
