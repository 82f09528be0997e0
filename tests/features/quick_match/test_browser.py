"""Finding opponents in real browsers, on a server with two worker processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, expect
from support.server import ServerProcess, run_server

pytestmark = browser.MARKS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("tables"), "--workers", "2") as served:
        yield served


def search(page: Any, name: str, most: int = 2, *, bots: bool = True) -> None:
    """Fill in the form, and wait at the table."""
    page.get_by_label("Your name").fill(name)
    page.locator("[name=most]").select_option(str(most))
    page.get_by_label("Let bots join").set_checked(bots)
    page.get_by_role("button", name="Find opponents").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".seats .me .who")).to_have_text(name)


def test_two_strangers_meet_and_the_game_starts_by_itself(open_page: OpenPage) -> None:
    alice = open_page()
    alice.locator("article[data-game=parade]").get_by_role("link", name="Find opponents").click()
    search(alice, "Alice", bots=False)
    waited = alice.locator("[data-elapsed]")
    expect(waited).to_have_text(re.compile(r"^\d+:\d\d$"))
    before = waited.text_content()
    expect(waited).not_to_have_text(before)
    bill = open_page("/find?game=parade", **PHONE)
    search(bill, "Bill", most=4, bots=False)
    assert bill.url == alice.url
    expect(bill.locator("[data-remaining]")).to_have_text(re.compile(r"^0:0\d$"))
    for page in (alice, bill):
        expect(page.locator(".hand .card")).to_have_count(5)
        expect(page.locator(".seats .who")).to_have_text(["Alice", "Bill"])


def test_bots_are_announced_and_one_can_stop_looking(open_page: OpenPage) -> None:
    page = open_page("/find?game=letters")
    search(page, "Alice")
    expect(page.locator("[data-remaining]")).to_have_text(re.compile(r"^0:[0-3]\d$"))
    page.get_by_role("button", name="Stop looking").click()
    page.wait_for_url("**/find?game=letters")
    expect(page.locator(".open-tables")).to_have_count(0)


def test_open_tables_can_be_filtered_and_joined(open_page: OpenPage) -> None:
    host = open_page("/people")
    for game, seats in (("parade", 3), ("cookies", 2)):
        wish = {"game": game, "seats": seats, "access": "open"}
        assert host.request.post("/api/tables", data=wish).ok
    guest = open_page("/find", **PHONE)
    tables = guest.locator(".open-tables li")
    expect(tables).to_have_count(2)
    for row, choice, titles in (
        ("Players", "3", ["Parade"]),
        ("Players", "All", ["Cookies", "Parade"]),
        ("Game", "Cookies", ["Cookies"]),
        ("Type of game", "not rated", ["Cookies"]),
        ("Type of game", "rated", []),
        ("Type of game", "All", ["Cookies"]),
        ("Game", "All", ["Cookies", "Parade"]),
    ):
        filters = guest.get_by_role("navigation", name=row, exact=True)
        filters.get_by_role("link", name=choice, exact=True).click()
        chosen = filters.locator("[aria-current]")
        expect(chosen).to_have_text(choice)
        expect(tables).to_have_count(len(titles))
        assert sorted(tables.locator("strong").all_text_contents()) == titles
    tables.filter(has_text="Parade").get_by_role("link").click()
    guest.wait_for_url("**/tables/*")  # both pages ask for a name
    guest.get_by_label("Your name").fill("Bill")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".seats .me .who")).to_have_text("Bill")


def test_a_rated_match_needs_a_name_first(open_page: OpenPage) -> None:
    page = open_page("/find")
    expect(page.get_by_label("Rated game")).to_be_disabled()
    page.get_by_role("link", name="Choose a name").click()
    page.wait_for_url("**/people")


def test_the_range_of_players_stays_a_range(open_page: OpenPage) -> None:
    page = open_page("/find?game=parade")
    page.locator("[name=most]").select_option("3")
    page.locator("[name=fewest]").select_option("5")
    expect(page.locator("[name=most]")).to_have_value("5")
    page.get_by_role("radio", name="Letters").check()
    expect(page.locator("[name=most]")).to_have_value("4")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
