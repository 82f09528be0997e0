"""Tables in a real browser: whole games by mouse, keyboard and touch, alone and together.

Needs Chromium on this machine and Playwright's Python package; nothing is downloaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from support import browser
from support.browser import (
    MAX_TURNS,
    PHONE,
    RECORD_ANIMATIONS,
    OpenPage,
    expect,
    play_by_keyboard,
    play_by_mouse,
    play_by_touch,
    start_from_home,
    take_turn,
    two_players,
)
from support.server import ServerProcess

pytestmark = browser.MARKS


def whole_game(page: Any, act: Callable[[Any], None]) -> None:
    for _ in range(MAX_TURNS):
        if not take_turn(page, act):
            break
    expect(page.locator(".status.finished")).to_contain_text("Game over: ")
    expect(page.locator(".player.won")).not_to_have_count(0)


def test_a_whole_game_by_mouse_and_a_rematch(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, seats=3)
    whole_game(page, play_by_mouse)
    assert page.title() == "Parade"
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != first)
    assert take_turn(page, play_by_mouse)


def test_a_whole_game_by_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    for _ in range(60):
        page.keyboard.press("Tab")
        at = page.evaluate("[document.activeElement.value, document.activeElement.form?.dataset.game]")
        if at == ["now", "parade"]:
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")
    whole_game(page, play_by_keyboard)


def test_a_whole_game_by_touch_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    game = page.locator("article[data-game=parade]")
    game.get_by_role("radio", name="6").check()
    game.get_by_role("button", name="Play now").tap()
    page.wait_for_url("**/tables/*")
    whole_game(page, play_by_touch)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_marked_cards_are_the_ones_taken(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    for _ in range(MAX_TURNS):
        page.wait_for_selector(".status.mine, .status.finished")
        choice = page.locator(".hand [data-play]").first
        assert choice.count(), "a card that takes something comes before the end"
        choice.hover()
        taken = page.locator(".mark-taken").evaluate_all("all => all.map(e => e.dataset.piece)")
        marks = choice.get_attribute("data-marks")
        assert sorted(taken) == sorted(re.findall(r"(\w+):taken", marks))
        before = page.locator("#table").get_attribute("data-version")
        choice.click()
        page.wait_for_selector(f'#table:not([data-version="{before}"])')
        if taken:
            mine = page.locator(".mine .small")
            assert set(taken) <= set(mine.evaluate_all("all => all.map(e => e.dataset.piece)"))
            return


def test_two_browsers_and_a_spectator(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, link):
        dinah = open_page(link.partition("#")[0])
        expect(dinah.locator(".player")).to_have_count(2)
        assert dinah.locator(".hand, [data-play], #say").count() == 0
        for page in (alice, bill):
            cards = page.locator(".hand .card").evaluate_all("all => all.map(e => e.dataset.piece)")
            shown = dinah.content()
            assert not [card for card in cards if f'"{card}"' in shown]

        alice.get_by_label("Write a message").fill("<b>Curiouser</b>")
        alice.keyboard.press("Enter")
        for page in (bill, dinah):
            expect(page.locator("#remarks")).to_contain_text("Alice L. <b>Curiouser</b>")

        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        take_turn(mover, play_by_mouse)
        expect(other.locator(".status.mine")).to_be_visible()
        assert "Your turn" in other.title()
        other.get_by_role("button", name="Leave").click()  # asks first; nobody answers: no
        other.once("dialog", lambda dialog: dialog.accept())
        other.get_by_role("button", name="Leave").click()
        expect(mover.locator(".seats")).to_contain_text("a bot is standing in")
        other.get_by_role("button", name="I'm back").click()
        expect(mover.locator(".seats")).not_to_contain_text("a bot is standing in")


def test_the_server_dies_and_restarts(open_page: OpenPage, server: ServerProcess) -> None:
    with two_players(open_page, quiet=True) as (alice, bill, _):
        server.kill()
        expect(alice.locator("#connection")).to_contain_text("Connection lost")
        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        mover.locator("[data-play]").first.click()  # sent once there is somebody to send it to
        server.start()
        expect(other.locator(".status.mine")).to_be_visible()
        expect(alice.locator("#connection")).to_have_text("Connected")
        assert take_turn(other, play_by_mouse)


def test_bot_moves_are_shown_one_at_a_time(open_page: OpenPage) -> None:
    page = open_page(pace="350")
    start_from_home(page, seats=6)
    page.wait_for_selector(".status.mine")
    page.evaluate(
        "window.steps = 0; new MutationObserver(() => window.steps++)"
        ".observe(document.getElementById('scene'), {childList: true})"
    )
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    assert page.evaluate("window.steps") == 6  # the player's own, and five of bots


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_nothing_is_animated_with_reduced_motion(open_page: OpenPage, wish: str) -> None:
    page = open_page(pace="1600", reduced_motion=wish)
    start_from_home(page)
    page.evaluate(RECORD_ANIMATIONS)
    take_turn(page, play_by_mouse)
    assert (page.evaluate("glides") == []) == (wish == "reduce")


def test_rules_and_missing_pages(open_page: OpenPage) -> None:
    page = open_page("/rules/parade#P6")
    expect(page.locator("#P6")).to_contain_text("the cards at risk")
    assert page.locator("li:target").count() == 1
    page = open_page("/tables/nowhere", quiet=True)
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_role("main").get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", name="Wonderland")).to_be_visible()
