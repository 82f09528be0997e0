"""The home page in a real browser: its weight, and the ways from it to a table."""

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
    set_offline,
    start_from_home,
    take_turn,
)
from support.server import ServerProcess

pytestmark = browser.MARKS
LIGHT = 100_000
"""Bytes."""
ELSEWHERE = "wonderland.localhost"
"""A name that browsers take for this machine, as they would take a friend's address for theirs."""


def parade(page: Any) -> Any:
    return page.locator("article[data-game=parade]")


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["wide", "phone"])
def test_it_is_light_and_has_no_layout_shift(open_page: OpenPage, wishes: dict[str, Any]) -> None:
    page = open_page("about:blank", quiet=True, **wishes)
    asked = []
    page.on("requestfinished", lambda request: asked.append((request.url, request.sizes())))
    page.goto("/", wait_until="networkidle")
    kinds = [re.sub(r".*[./]", "", url) for url, _ in asked]
    assert sorted(kinds) == ["", "css", "js"]
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for _, size in asked) < LIGHT
    shifts = page.evaluate(
        "new Promise(r => { new PerformanceObserver(l => r(l.getEntries().map(e => e.value)))"
        ".observe({type: 'layout-shift', buffered: true}); setTimeout(() => r([]), 300) })"
    )
    assert sum(shifts) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert page.locator("link[rel=icon]").get_attribute("href").startswith("data:")


def test_it_can_be_read_without_javascript(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    expect(page.locator("noscript p")).to_be_visible()
    for name in ("Cookies", "Letters", "Parade"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    parade(page).get_by_role("link", name="Rules").click()
    expect(page.locator("#P6")).to_be_visible()


def test_one_click_to_play_and_one_to_return(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_label("Your name").fill("Edith")
    parade(page).get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".seats .me .who")).to_have_text("Edith")
    page.wait_for_selector(".status.mine")
    hints = page.evaluate(
        "fetch('/api' + location.pathname).then(a => a.json()).then(t => t.table.hints)"
    )
    assert hints is True
    page.goto("/")
    expect(page.get_by_label("Your name")).to_have_value("Edith")
    card = page.locator(".cards .my-move")
    expect(card).to_contain_text("your move")
    expect(card).to_contain_text("Edith, Cheshire")
    card.click()
    assert take_turn(page, play_by_mouse)


def test_invited_friends_get_a_link_and_a_qr_code(open_page: OpenPage, server: ServerProcess) -> None:
    page = open_page(f"http://{ELSEWHERE}:{server.port}/")
    start_from_home(page, "Invite friends")
    assert page.locator("#link").input_value().startswith(f"http://{ELSEWHERE}:{server.port}/tables/")
    code = page.locator("#code svg")
    expect(code).to_be_visible()
    assert code.evaluate("e => getComputedStyle(e.parentNode).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".local-only")).to_be_hidden()
    page.get_by_role("button", name="Bot").click()  # the lobby is redrawn, with the code
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    expect(code).to_be_visible()


def test_a_link_that_works_only_here_says_so(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends")
    expect(page.locator(".local-only")).to_contain_text("make play HOST=0.0.0.0")
    expect(page.locator("#code")).to_be_hidden()


def test_a_link_can_be_shared_where_the_system_supports_it(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script("navigator.share = async (what) => { window.shared = what.url }")
    start_from_home(page, "Invite friends")
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared") == page.locator("#link").input_value()


def test_several_players_and_a_bot_at_one_screen(open_page: OpenPage) -> None:
    page = open_page()
    game = parade(page)
    game.get_by_role("radio", name="3").check()
    game.get_by_text("More").click()
    expect(game.locator(".people input:visible")).to_have_count(3)
    game.get_by_label("Name of player 1").fill("Tweedledum")
    game.get_by_label("Name of player 3").fill("Tweedledee")
    game.get_by_role("button", name="Play at one screen").click()
    page.wait_for_url("**/tables/*")
    names = page.locator(".seats .who").all_inner_texts()
    assert names == ["Tweedledum", "Cheshire", "Tweedledee"]
    assert page.locator(".seats .me").count() == 2


def test_text_typed_before_the_first_socket_message_is_kept(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(HOLD_MESSAGES)
    page.get_by_label("Your name").fill("Duchess")
    start_from_home(page, "Invite friends", 3)
    other = page.get_by_label("Another player at this screen")
    other.fill("Coo")
    page.evaluate("window.field = document.activeElement; letIn()")
    expect(page.locator(".seats .me.here")).to_be_visible()  # which is sent after the first page
    other.press_sequentially("k")
    expect(other).to_have_value("Cook")
    assert page.evaluate("field.isConnected"), "unchanged parts are not replaced"


def test_choices_marked_before_the_first_socket_message_are_kept(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(HOLD_MESSAGES)
    create_table(page, "cookies")
    while not page.locator("[data-play]").count():  # the bot starts
        page.reload()
    page.keyboard.press("ArrowRight")
    says = page.locator("#preview").inner_text()
    assert says
    page.evaluate("letIn()")
    expect(page.locator(".seats .me.here")).to_be_visible()
    expect(page.locator("#preview")).to_have_text(says)
    assert page.locator(".marked[data-play]").count() == 1


def test_choices_are_kept_when_others_sit_down(open_page: OpenPage) -> None:
    host = open_page()
    host.get_by_label("Your name").fill("Duchess")
    start_from_home(host, "Invite friends", 3)
    expect(host.locator("#link")).not_to_have_value("")
    host.locator("#level-2").select_option(index=0)
    guest = open_page(host.locator("#link").input_value())
    guest.get_by_label("Your name").fill("Cook")
    guest.get_by_role("button", name="Sit here").first.click()
    expect(host.locator(".seats .who").nth(1)).to_have_text("Cook")
    expect(host.locator("#level-2")).to_have_value("dodo")


def test_others_can_find_an_open_table(open_page: OpenPage) -> None:
    host = open_page()
    host.get_by_label("Your name").fill("Duchess")
    game = parade(host)
    game.get_by_text("More").click()
    game.get_by_label("Friends come").select_option("open")
    game.get_by_label("Time for a move").select_option("300")
    game.get_by_label("Hints among friends").check()
    start_from_home(host, "Invite friends")
    guest = open_page()
    guest.get_by_role("link", name=re.compile("Parade.*1 seat is free.*Duchess", re.DOTALL)).click()
    guest.wait_for_url("**/tables/*")  # the home page also asks for a name
    guest.get_by_label("Your name").fill("Cook")
    guest.get_by_role("button", name="Sit here").click()
    expect(guest.locator(".seats .me .who")).to_have_text("Cook")
    table = guest.evaluate("fetch('/api' + location.pathname).then(a => a.json()).then(t => t.table)")
    assert (table["clock"], table["hints"], table["access"]) == (300, True, "open")
    host.get_by_role("button", name="Start the game").click()
    expect(guest.locator(".hand .card")).to_have_count(5)
    assert set(piece_names(guest)).isdisjoint(piece_names(host))


def test_refusals_are_shown(open_page: OpenPage) -> None:
    page = open_page(quiet=True)
    game = parade(page)
    game.get_by_text("More").click()
    for number in (1, 2):
        game.get_by_label(f"Name of player {number}").fill("Alice")
    button = game.get_by_role("button", name="Play at one screen")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("Alice")
    expect(button).to_be_enabled()


@pytest.mark.parametrize("path", ["/", "/learn/parade", "/replay", "/people"])
def test_an_unreachable_server_is_reported_in_the_pages_language(open_page: OpenPage, path: str) -> None:
    page = open_page(f"{path}?lang=de", quiet=True)
    set_offline(page, offline=True)
    form = page.locator("form:has(button.main)").first
    for field in form.locator("textarea, input[required]").all():
        field.fill("Alice")
    form.locator("button.main").first.click()
    says = "Der Server ist nicht erreichbar; versuch es noch einmal."
    expect(page.locator("#problem")).to_have_text(says)
