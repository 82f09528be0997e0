"""Games of all three in real browsers: in pairs with hostile names, by keyboard, by touch.

Whole games by mouse, keyboard and touch are in `test_browser.py`; here, the middle is played over HTTP.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.browser import (
    MARKS,
    PHONE,
    OpenPage,
    create_table,
    expect,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    play_over_http,
    start_from_home,
    table_version,
    take_turn,
)
from wonderland.engine import game_names

pytestmark = MARKS
RUDE = ('"><img src=x onerror=alert(1)>', "<script>alert(2)</script>")
OTHERS = ("cookies", "letters")  # `test_browser.py` has such games of Parade
TURNS = 6
"""Turns of each player that are played on the page."""


def play_to_the_end(page: Any, act: Callable[[Any], None]) -> None:
    """Play some turns on the page and the others over HTTP, and see the end on the page."""
    for _ in range(TURNS):
        take_turn(page, act)
    play_over_http(page, until=is_over)
    expect(page.locator(".status.finished")).to_contain_text("Game over: ")


def is_over(shown: Any) -> bool:
    return bool(shown["table"]["status"] == "finished")


@pytest.mark.parametrize("game", game_names())
def test_two_browsers_play_a_game_whatever_their_names(open_page: OpenPage, game: str) -> None:
    alice = open_page()
    alice.get_by_label("Your name").fill(RUDE[0])
    start_from_home(alice, "Invite friends", game=game)
    bill = open_page(alice.locator("#link").input_value(), **PHONE)
    bill.get_by_label("Your name").fill(RUDE[1])
    bill.get_by_role("button", name="Sit down").click()
    expect(alice.locator(".seats .who").nth(1)).to_have_text(RUDE[1])
    alice.get_by_role("button", name="Start the game").click()
    for page in (alice, bill):
        page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
    alice.get_by_label("Write a message").fill(RUDE[1])
    alice.keyboard.press("Enter")
    expect(bill.locator("#remarks")).to_contain_text(f"{RUDE[0]} {RUDE[1]}")
    for _ in range(2 * TURNS):
        latest = max(table_version(alice), table_version(bill))
        for page in (alice, bill):
            page.wait_for_selector(f'#table[data-version="{latest}"]')
        mover = next((page for page in (alice, bill) if page.locator(".status.mine").count()), None)
        if mover is None:
            break
        take_turn(mover, play_by_mouse)
    play_over_http(alice, bill, until=is_over)
    for page in (alice, bill):
        expect(page.locator(".status.finished")).to_contain_text("Game over: ")
        assert page.locator("img:not([src^='/static/']), #main script, #drawer script").count() == 0
        expect(page.locator("#log")).to_contain_text(RUDE[0])


@pytest.mark.parametrize("game", OTHERS)
def test_a_game_by_keyboard(open_page: OpenPage, game: str) -> None:
    page = open_page()
    create_table(page, game)
    play_to_the_end(page, play_by_keyboard)


@pytest.mark.parametrize("game", OTHERS)
def test_a_game_by_touch_on_a_phone(open_page: OpenPage, game: str) -> None:
    page = open_page(**PHONE)
    create_table(page, game)
    play_to_the_end(page, play_by_touch)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_another_language_is_chosen_and_remembered(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/")
    assert page.evaluate("document.documentElement.lang") == "de"
    create_table(page, "parade")
    expect(page.locator(".status.mine")).to_contain_text("Du bist am Zug")
    take_turn(page, play_by_mouse)  # messages over the WebSocket are in the same language
    page.wait_for_selector(".status.mine")
    expect(page.locator(".status")).to_contain_text("Du bist am Zug")
    expect(page.locator("#log")).not_to_contain_text("plays")
    page.goto("/?lang=en")
    assert page.evaluate("document.documentElement.lang") == "en"


def test_the_browsers_language_is_used(open_page: OpenPage) -> None:
    page = open_page(locale="pl-PL")
    assert page.evaluate("document.documentElement.lang") == "pl"
    create_table(page, "letters")
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    expect(page.locator("#log")).not_to_contain_text("turns card")
