"""Rated accounts in real browsers: created, played with, moved to another device, and deleted."""

from __future__ import annotations

import re
from typing import Any

from support import browser
from support.browser import PHONE, OpenPage, expect, play_by_keyboard, play_by_touch, take_turn

pytestmark = browser.MARKS

FITS = "document.documentElement.scrollWidth <= innerWidth"


def is_signed_in(page: Any, name: str) -> None:
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def take_name(page: Any, name: str) -> str:
    """Create an account by keyboard; return the recovery code."""
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your recovery code")).to_be_focused()
    code: str = page.locator("#recovery").input_value()
    assert re.fullmatch(r"(\w{5}-){3}\w{5}", code)
    for _ in range(3):  # the code, the copy button, the continue button
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    is_signed_in(page, name)
    assert code not in page.content()
    return code


def join_and_sit(open_page: OpenPage, link: str, name: str) -> Any:
    """Follow a link to a rated table, at first without an account."""
    page = open_page(link, quiet=True)  # the browser logs refused requests as errors
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#toast")).to_contain_text("name for the ratings first")
    page.get_by_role("link", name="Your name in the ratings").click()
    page.wait_for_url("**/people?table=*")
    take_name(page, name)
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".seats .me .who")).to_have_text(name)
    return page


def leave_and_return(page: Any) -> None:
    """Leave the game, which no bot plays on, and come back within the grace period."""
    expect(page.get_by_role("button", name="Let a bot play")).to_have_count(0)
    page.once("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)


def play_to_the_end(*pages: Any) -> None:
    """Play on over HTTP, with the first legal choice."""
    path = f"/api/tables/{pages[0].url.rpartition('/tables/')[2].partition('#')[0]}"
    shown = pages[0].request.get(path).json()
    while shown["table"]["status"] == "playing":
        for page in pages:
            shown = page.request.get(path).json()
            if shown["legal"]:
                move = {"do": "play", "seat": shown["seat"], "action": shown["legal"][0]}
                whole = {**move, "at": shown["version"], "key": f"key-{shown['version']:06}"}
                assert page.request.post(f"{path}/commands", data=whole).ok
    for page in pages:
        page.wait_for_selector(".status.finished")


def rating(page: Any) -> str:
    """Return the player's rating in Cookies once the finished game has been counted."""
    page.goto("/people")
    while page.locator("form[data-game=cookies] .none").count():
        page.reload()
    text: str = page.locator("form[data-game=cookies] .number").inner_text()
    return text


def recover(page: Any, code: str, name: str) -> None:
    page.locator("#known").fill(code.lower().replace("-", " "))
    page.keyboard.press("Enter")
    is_signed_in(page, name)


def delete(page: Any, name: str) -> None:
    """Delete an account, with confirmation."""
    page.get_by_role("button", name="Delete my name…").click()
    expect(page.get_by_role("button", name="Keep my name")).to_be_focused()
    page.keyboard.press("Enter")
    is_signed_in(page, name)
    page.get_by_role("button", name="Delete my name…").click()
    page.get_by_role("button", name="Delete my name", exact=True).click()
    expect(page.get_by_role("button", name="Use this name")).to_be_visible()


def test_a_code_submitted_before_the_scripts_load_never_enters_an_address(open_page: OpenPage) -> None:
    page = open_page("about:blank", quiet=True)
    held: list[Any] = []
    is_held = True

    def hold(route: Any) -> None:
        if is_held:
            held.append(route)
        else:  # This request came after the click.
            route.continue_()

    page.route("**/ratings*.js", hold)
    page.goto("/people", wait_until="commit")
    page.wait_for_selector("#claim", state="attached")
    page.evaluate("document.querySelector('#claim [name=code]').value = 'AAAAA-BBBBB'")
    page.evaluate("document.querySelector('#claim button').click()")
    assert page.evaluate("document.querySelector('#claim [name=code]').value") == "AAAAA-BBBBB"
    is_held = False
    for route in held:
        route.continue_()
    page.wait_for_load_state()
    assert page.url.endswith("/people")
    page.evaluate("document.querySelector('#claim button').click()")
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert page.url.endswith("/people")


def test_from_creating_a_name_to_a_rating_and_deletion(open_page: OpenPage) -> None:
    alice = open_page("/people")
    code = take_name(alice, "Alice L.")
    alice.get_by_role("button", name=re.compile("rated table .*ookies")).focus()
    alice.keyboard.press("Enter")
    alice.wait_for_url("**/tables/*")
    expect(alice.locator(".seats .me .who")).to_have_text("Alice L.")
    expect(alice.locator("#link")).to_have_value(re.compile(r"/tables/\w+#[\w-]{10,}"))
    bill = join_and_sit(open_page, alice.locator("#link").input_value(), "Bill")
    alice.get_by_role("button", name="Start the game").click()
    alice.wait_for_selector(".status.playing")
    for page in (alice, bill) if alice.locator(".status.mine").count() else (bill, alice):
        assert take_turn(page, play_by_keyboard)
    leave_and_return(bill)
    play_to_the_end(alice, bill)
    expect(alice.get_by_role("link", name="Rated game")).to_be_visible()

    mine = rating(alice)
    rating(bill)
    expect(alice.locator(".played li")).to_contain_text("against Bill")
    expect(bill.locator(".played li")).to_contain_text("against Alice L.")
    other = open_page("/people")
    recover(other, code, "Alice L.")
    assert rating(other) == mine
    other.get_by_text("Your name and data").click()
    other.get_by_role("button", name="Sign out on other devices").click()
    expect(other.locator("#keeping")).not_to_have_attribute("open", "")
    alice.reload()
    expect(alice.get_by_role("button", name="Use this name")).to_be_visible()

    other.get_by_text("Your name and data").click()
    with other.expect_download() as saved:
        other.get_by_role("link", name="Download my data").click()
    assert b"Alice L." in saved.value.path().read_bytes()
    delete(other, "Alice L.")
    bill.reload()
    expect(bill.locator(".played li")).to_contain_text("against someone")


def test_a_rated_move_on_a_phone(open_page: OpenPage) -> None:
    dinah = open_page("/people", **PHONE)
    assert dinah.evaluate(FITS)
    dinah.get_by_label("Your name").fill("Dinah")
    dinah.get_by_role("button", name="Use this name").tap()
    expect(dinah.get_by_role("heading", name="Your recovery code")).to_be_visible()
    assert dinah.evaluate(FITS)
    dinah.get_by_role("button", name="I've written it down").tap()
    is_signed_in(dinah, "Dinah")
    assert dinah.evaluate(FITS)
    dinah.locator("form[data-game=parade]").get_by_role("button").tap()
    dinah.wait_for_url("**/tables/*")
    expect(dinah.locator("#link")).to_have_value(re.compile(r"/tables/\w+#[\w-]{10,}"))
    fish = join_and_sit(open_page, dinah.locator("#link").input_value(), "Fish")
    dinah.get_by_role("button", name="Start the game").tap()
    expect(dinah.locator(".hand .card")).to_have_count(5)
    if not dinah.locator(".status.mine").count():
        assert take_turn(fish, play_by_keyboard)
    assert take_turn(dinah, play_by_touch)
    dinah.goto("/leaderboard/parade")
    expect(dinah.get_by_text("Nobody is on the list yet.")).to_be_visible()
    assert dinah.evaluate(FITS)
