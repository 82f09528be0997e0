"""Inviting a phone from a laptop, in real browsers: 127.0.0.2 stands in for the home network."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support import browser
from support.browser import (
    PHONE,
    OpenPage,
    create_table,
    expect,
    play_over_http,
    start_from_home,
)
from support.server import ServerProcess, run_server
from wonderland.web.startup import lan_host

HOME = "127.0.0.2"
pytestmark = [
    *browser.MARKS,
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 as loopback addresses"
    ),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("tables"), "--home-network", HOME) as served:
        yield served


def invite(open_page: OpenPage, seats: int = 2, **wishes: Any) -> Any:
    """Open the invitation panel of a new table on the laptop."""
    host = open_page(**wishes)
    host.get_by_label("Your name").fill("Alice")
    start_from_home(host, "Invite friends", seats)
    return host


def switch(page: Any) -> Any:
    return page.get_by_role("switch")


def open_network(host: Any) -> str:
    """Switch it on, unless it is, and return the link."""
    expect(switch(host)).to_be_visible()
    if switch(host).get_attribute("aria-checked") == "false":
        switch(host).click()
    expect(host.locator("#link")).to_have_value(re.compile(HOME))
    return str(host.locator("#link").input_value())


COUNT_CLICKS = """sessionStorage.clicks ??= 0;
addEventListener('click', (event) => event.isTrusted && sessionStorage.clicks++, true);"""


def test_a_guest_comes_from_the_link_to_a_seat_in_two_clicks(
    open_page: OpenPage, server: ServerProcess
) -> None:
    host = invite(open_page)
    expect(switch(host)).to_have_attribute("aria-checked", "false")
    expect(host.locator("#code")).to_be_hidden()
    expect(host.locator(".here-only")).to_be_visible()
    expect(host.locator(".reachable")).to_be_hidden()
    switch(host).click()
    expect(switch(host)).to_have_attribute("aria-checked", "true")
    expect(host.locator(".here-only")).to_be_hidden()
    expect(host.locator(".reachable")).to_be_visible()
    expect(host.locator("#link")).to_have_value(
        re.compile(rf"^http://{re.escape(HOME)}:{server.port}/tables/\w+#[\w-]+$")
    )
    expect(host.locator("#code svg")).to_be_visible()
    guest = open_page(host.locator("#link").input_value(), **PHONE)
    guest.add_init_script(COUNT_CLICKS)
    guest.reload()
    expect(guest.locator(".invitation")).to_contain_text("Alice")
    expect(guest.locator(".invitation")).to_contain_text("Parade")
    expect(switch(guest)).to_have_count(0)
    expect(guest.locator("#link")).to_have_count(0)
    expect(guest.locator(".sit-down [name=portrait]:checked")).to_have_count(1)
    guest.get_by_label("Your name").tap()
    guest.keyboard.type("Bill")
    guest.get_by_role("button", name="Sit down").tap()
    expect(guest.locator(".seats .me .who")).to_have_text("Bill")
    assert guest.evaluate("Number(sessionStorage.clicks)") == 2
    expect(guest.locator(".waiting-line")).to_contain_text("Alice")
    expect(host.locator(".seats .who").nth(1)).to_have_text("Bill")
    host.locator("button.main", has_text="Start the game").click()
    for page in (host, guest):
        expect(page.locator(".hand .card")).to_have_count(5)
    expect(guest.locator("#connection")).to_have_class("connected")


def test_the_guests_see_whom_they_are_waiting_for(open_page: OpenPage) -> None:
    host = invite(open_page, seats=3)
    expect(host.locator(".waiting-line")).to_contain_text("2")
    link = open_network(host)
    for name, waiting in (("Bill", "one more"), ("Dinah", "Alice")):
        guest = open_page(link, **PHONE)
        guest.get_by_label("Your name").fill(name)
        guest.get_by_label("Your name").press("Enter")
        expect(guest.locator(".seats .me .who")).to_have_text(name)
        expect(guest.locator(".waiting-line")).to_contain_text(waiting)
    late = open_page(link, **PHONE)
    expect(late.get_by_role("button", name="Sit down")).to_have_count(0)
    expect(late.locator(".invite")).to_contain_text("watch")


def test_switching_off_disconnects_guests_but_not_the_host(open_page: OpenPage) -> None:
    host = invite(open_page)
    guest = open_page(open_network(host), quiet=True, **PHONE)
    expect(guest.locator("#connection")).to_have_class("connected")
    switch(host).click()
    expect(switch(host)).to_have_attribute("aria-checked", "false")
    expect(guest.locator("#connection")).to_have_class("lost")
    expect(host.locator("#connection")).to_have_class("connected")
    expect(host.locator("#code")).to_be_hidden()
    assert "127.0.0.1" in host.locator("#link").input_value()
    switch(host).click()  # the guest comes back by itself
    expect(guest.locator("#connection")).to_have_class("connected")
    host.reload()
    expect(switch(host)).to_have_attribute("aria-checked", "true")
    expect(host.locator("#link")).to_have_value(re.compile(HOME))
    switch(host).click()
    expect(switch(host)).to_have_attribute("aria-checked", "false")


def test_after_a_restart_the_host_opens_it_again(open_page: OpenPage, server: ServerProcess) -> None:
    host = invite(open_page, quiet=True)
    guest = open_page(open_network(host), quiet=True, **PHONE)
    guest.get_by_label("Your name").fill("Bill")
    guest.get_by_role("button", name="Sit down").tap()
    host.get_by_role("button", name="Start the game").click()
    guest.wait_for_selector(".status.playing")
    server.stop()
    expect(guest.locator("#connection")).to_have_class("lost")
    server.start()
    host.locator(".notices").get_by_role("button", name="Open to my home network").click()
    expect(guest.locator("#connection")).to_have_class("connected")
    expect(host.locator(".unreachable")).to_have_count(0)


def test_a_guest_may_learn_the_game_first_and_come_back(open_page: OpenPage) -> None:
    host = invite(open_page)
    link = open_network(host)
    guest = open_page(link, **PHONE)
    guest.get_by_role("link", name="Learn the game first").tap()
    guest.get_by_role("link", name="Back to the invitation").tap()
    expect(guest.locator("#connection.connected")).to_be_attached()
    guest.get_by_role("link", name="Learn the game first").tap()
    guest.get_by_role("button", name="Start the tutorial").tap()
    guest.wait_for_url("**/tables/*")
    guest.get_by_role("link", name="Back to the invitation").tap()
    guest.wait_for_url(f"**{urlsplit(link).path}")
    guest.get_by_label("Your name").fill("Bill")
    guest.get_by_role("button", name="Sit down").tap()
    expect(guest.locator(".seats .me .who")).to_have_text("Bill")
    switch(host).click()
    expect(switch(host)).to_have_attribute("aria-checked", "false")


def test_a_shared_replay_offers_the_switch(open_page: OpenPage) -> None:
    host = open_page()
    create_table(host, "letters")
    play_over_http(host, until=lambda shown: bool(shown["table"]["status"] == "finished"))
    host.goto(host.url.replace("/tables/", "/replay/"))
    host.get_by_role("button", name="Share").first.click()
    expect(host.locator("#seat-here-only")).to_be_visible()
    expect(host.locator("#seat-code svg")).to_have_count(0)
    switch(host).click()
    expect(host.locator("#seat-here-only")).to_be_hidden()
    expect(host.locator("#seat-code svg")).to_be_visible()
    friend = open_page(host.locator("#seat-link").input_value(), **PHONE)
    assert HOME in friend.url
    expect(friend.locator("#where")).to_be_visible()
    friend.get_by_role("button", name="Share").first.tap()
    expect(friend.locator("#sharing")).to_be_visible()
    expect(switch(friend)).to_be_hidden()
    switch(host).click()
    expect(host.locator("#seat-here-only")).to_be_visible()


def test_the_switch_stays_where_somebody_sits_down(open_page: OpenPage) -> None:
    host = invite(open_page, seats=3)
    expect(switch(host)).to_be_visible()
    host.get_by_role("button", name="Add bot").first.click()
    expect(host.locator(".seats [data-bot]")).to_have_count(1)
    expect(switch(host)).to_be_visible()
    expect(host.locator(".local-only")).to_be_hidden()


def test_a_guest_joins_through_the_machines_own_network_address(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """Browsers trust it less than a loopback address: there is no clipboard, for example."""
    if not lan_host():
        pytest.skip("this machine has no network")
    with run_server(tmp_path, "--home-network", lan_host()) as served:
        host = open_page(served.address)
        start_from_home(host, "Invite friends")
        switch(host).click()
        expect(host.locator("#link")).to_have_value(re.compile(re.escape(lan_host())))
        guest = open_page(host.locator("#link").input_value(), quiet=True, **PHONE)
        errors: list[str] = []
        guest.on("pageerror", lambda error: errors.append(str(error)))
        assert guest.evaluate("isSecureContext") is False
        guest.get_by_label("Your name").fill("Bill")
        guest.get_by_role("button", name="Sit down").tap()
        host.get_by_role("button", name="Start the game").click()
        expect(guest.locator(".hand .card")).to_have_count(5)
        assert switch(guest).count() == 0
        state = guest.evaluate("fetch('/api/network').then((answer) => answer.json())")
        assert state == {"can_switch": False, "address": "", "hosts": []}
        assert errors == []
        switch(host).click()  # also during the game
        expect(guest.locator("#connection")).to_have_class("lost")
        expect(host.locator("#connection")).to_have_class("connected")
        for page in (host, guest):
            page.close()
