"""From the end of a game to the next one in a real browser: alone, between two people, with one more."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support import browser
from support.browser import (
    PHONE,
    OpenPage,
    create_table,
    expect,
    play_over_http,
    start_from_home,
    two_players,
)
from support.clicks import clicks_on, count_clicks

pytestmark = browser.MARKS


def is_over(shown: dict[str, Any]) -> bool:
    return bool(shown["table"]["status"] == "finished")


def finish(*pages: Any) -> None:
    """Play the game of these pages to its end, which they then show, and count clicks from there."""
    play_over_http(*pages, until=is_over)
    for page in pages:
        expect(page.locator("#result")).to_be_visible()
        count_clicks(page)


def table_of(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("fetch('/api' + location.pathname).then(a => a.json())")
    return found


def press(page: Any, name: str) -> None:
    button = page.get_by_role("button", name=name, exact=True)
    button.wait_for()  # on a page that is still being loaded, nothing can be evaluated
    if button.evaluate("() => navigator.maxTouchPoints"):
        button.tap()
    else:
        button.click()


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["desktop", "phone"])
def test_alone_against_bots_it_takes_one_click(open_page: OpenPage, wishes: dict[str, Any]) -> None:
    page = open_page(**wishes)
    create_table(page, "parade", seats=3, bots={"1": "dodo", "2": "white-rabbit"})
    finish(page)
    before, first = table_of(page), page.url
    press(page, "Rematch")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".status.playing")
    assert clicks_on(page) == 1
    after = table_of(page)
    assert after["table"]["seats"] == before["table"]["seats"]
    assert after["table"]["earlier"] == before["table"]["id"]
    expect(page.locator(".hand .card")).to_have_count(5)
    if not wishes:
        return
    finish(page)
    press(page, "Play Cookies")
    page.wait_for_selector("[data-game=cookies] .status.playing")
    assert clicks_on(page) == 1
    assert [seat["level"] for seat in table_of(page)["table"]["seats"]] == ["", "dodo", "white-rabbit"]


def test_between_two_people_it_takes_one_click_each(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        alice.get_by_label("Write a message").fill("Have you had tea?")
        alice.keyboard.press("Enter")
        expect(alice.locator("#remarks")).to_contain_text("tea")
        finish(alice, bill)
        old = alice.url
        press(alice, "Rematch")
        alice.wait_for_url(lambda url: url != old)
        expect(alice.locator(".waiting-line")).to_contain_text("Bill")
        assert "Go to the rematch" in alice.request.get(old).text(), "she has joined already"
        expect(bill.locator(".asked")).to_contain_text("Alice L.")
        press(bill, "Join rematch")
        for page in (alice, bill):
            page.wait_for_selector(".status.playing")
            expect(page.locator(".hand .card")).to_have_count(5)
            expect(page.locator("#remarks")).to_contain_text("Alice L. Have you had tea?")
        assert alice.url == bill.url
        assert clicks_on(alice) + clicks_on(bill) == 2
        finish(alice, bill)  # and now something else, with one click each
        press(bill, "Play Letters")
        expect(alice.locator(".asked")).to_have_text("Bill would like to play Letters next.")
        expect(alice).to_have_title("● Letters · Parade")
        press(alice, "Join Letters")
        for page in (alice, bill):
            page.wait_for_selector("[data-game=letters] .status.playing")
            expect(page.locator("#remarks")).to_contain_text("Alice L. Have you had tea?")
        assert alice.url == bill.url
        assert clicks_on(alice) + clicks_on(bill) == 2


def test_on_a_shared_screen_everyone_keeps_their_seat_by_one_click(open_page: OpenPage) -> None:
    page = open_page()
    game = page.locator("article[data-game=letters]")
    game.get_by_text("More options").click()
    for number, name in ((1, "Tweedledum"), (2, "Tweedledee")):
        game.get_by_label(f"Player {number}'s name").fill(name)
    game.get_by_role("button", name="Play on this screen").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector("[data-play]")
    page.evaluate(
        """async () => {
          for (let turn = 0; ; turn++) {
            const seat = turn % 2;
            const shown = await (await fetch(`/api${location.pathname}?seat=${seat}`)).json();
            if (shown.table.status === "finished") return;
            if (!shown.legal.length) continue;
            const move = { do: "play", seat, at: shown.version, key: `move-number-${turn}` };
            await fetch(`/api${location.pathname}/commands`, {
              method: "POST", headers: { "Content-Type": "application/json" },
              body: JSON.stringify({ ...move, action: shown.legal[0] }),
            });
          }
        }"""
    )
    expect(page.locator("#result")).to_be_visible()
    old = page.url
    count_clicks(page)
    press(page, "Rematch")
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(".status.playing")
    assert clicks_on(page) == 1
    assert page.locator(".seats .me").count() == 2


def test_a_player_who_does_not_come_is_replaced_and_may_return(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        finish(alice, bill)
        old = alice.url
        press(alice, "Rematch")
        alice.wait_for_url(lambda url: url != old)
        alice.get_by_role("button", name="Let a bot play").click()
        alice.wait_for_selector(".status.playing")
        expect(alice.locator(".seats")).to_contain_text("a bot is standing in")
        press(bill, "Join rematch")
        bill.wait_for_url(alice.url)
        bill.get_by_role("button", name="I'm back").first.click()
        expect(alice.locator(".seats")).not_to_contain_text("a bot is standing in")


def test_one_more_player_joins_from_a_phone(open_page: OpenPage) -> None:
    alice = open_page()
    create_table(alice, "parade")
    finish(alice)
    old = alice.url
    press(alice, "One more player")
    alice.wait_for_url(lambda url: url != old)
    expect(alice.locator("#link")).to_have_value(re.compile(r"/tables/\w+#[\w-]{10,}"))
    dinah = open_page(alice.locator("#link").input_value(), **PHONE)
    dinah.get_by_label("Your name").fill("Dinah")
    dinah.get_by_role("button", name="Sit down").tap()
    for page in (alice, dinah):
        page.wait_for_selector(".status.playing")
        expect(page.locator(".player")).to_have_count(3)


def test_nobody_waits_for_a_player_who_does_not_come(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        finish(alice, bill)
        old = alice.url
        press(alice, "One more player")
        alice.wait_for_url(lambda url: url != old)
        press(bill, "Join rematch")
        bill.wait_for_url(lambda url: url != old)
        press(bill, "Remove")
        for page in (alice, bill):
            page.wait_for_selector(".status.playing")
            expect(page.locator(".player")).to_have_count(2)


def test_a_guest_who_came_too_late_watches_and_joins_the_rematch(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, link):
        dinah = open_page(link, **PHONE)
        expect(dinah.locator("#toast")).to_contain_text("already started")
        finish(alice, bill)
        expect(dinah.locator("#ending")).to_contain_text("Ask Alice L.")
        assert dinah.locator("[data-rematch]").count() == 0
        old = alice.url
        press(alice, "One more player")
        alice.wait_for_url(lambda url: url != old)
        press(bill, "Join rematch")
        dinah.get_by_role("link", name="Go to the rematch").tap()
        dinah.wait_for_url(lambda url: url.partition("#")[0] == alice.url.partition("#")[0])
        dinah.get_by_label("Your name").fill("Dinah")
        dinah.get_by_role("button", name="Sit down").tap()
        for page in (alice, bill, dinah):
            page.wait_for_selector(".status.playing")
            expect(page.locator(".player")).to_have_count(3)


def test_a_guest_needs_two_clicks_and_sits_in_every_tab(open_page: OpenPage) -> None:
    alice = open_page()
    alice.get_by_label("Your name").fill("Alice L.")
    start_from_home(alice, "Invite friends")
    link = alice.locator("#link").input_value()
    bill = open_page(link, quiet=True, **PHONE)  # the refusal is logged
    other = bill.context.new_page()
    other.goto(link)
    count_clicks(bill)
    bill.get_by_label("Your name").tap()
    bill.keyboard.type("alice l.")
    press(bill, "Sit down")
    expect(bill.locator("#toast")).to_contain_text("already called")
    bill.keyboard.type("Bill")  # the name is selected
    press(bill, "Sit down")
    for page in (bill, other):
        expect(page.locator(".seats .me .who")).to_have_text("Bill")
    assert clicks_on(bill) == 3, "two, and one more for the name that was taken"
    press(alice, "Start the game")
    for page in (bill, other):
        expect(page.locator(".hand .card")).to_have_count(5)
