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
    find_offer,
    piece_names,
    play_by_mouse,
    set_offline,
    start_from_home,
    take_turn,
)
from support.server import ServerProcess
from wonderland.bots.characters import home_level

pytestmark = browser.MARKS
LIGHT = 150_000
"""Bytes until the page can be used."""
MAX_REQUESTS = 4
"""The page, its style sheet, its script and the typeface."""
ELSEWHERE = "wonderland.localhost"
"""A name that browsers take for this machine, as they would take a friend's address for theirs."""


def test_the_address_is_the_invitation_and_messages_lie_above_the_panel(open_page: OpenPage) -> None:
    host = open_page(viewport={"width": 1280, "height": 640})
    start_from_home(host, "Invite friends")
    expect(host).to_have_url(host.locator("#link").input_value())
    host.get_by_role("button", name="Add a player").click()
    toast = host.locator("#toast")
    expect(toast).to_be_visible()
    assert toast.evaluate("""toast => {
      const { left, top, width, height } = toast.getBoundingClientRect();
      return toast.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")
    guest = open_page(host.url, **PHONE)
    own = host.locator(".seats .portrait").get_attribute("class").split()[1]
    expect(guest.locator("[name=portrait]:checked")).not_to_have_value(own)
    guest.get_by_label("Your name").fill("Bill")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".seats .me .who")).to_have_text("Bill")
    expect(host).not_to_have_url(re.compile("#"))


def parade(page: Any) -> Any:
    return page.locator("article[data-game=parade]")


SCREENS = [{}, PHONE, {**PHONE, "viewport": {"width": 320, "height": 640}}]


def is_prefetch(request: Any) -> bool:
    """Whether a request is for a later page, which browsers send when they have nothing else to do."""
    return "prefetch" in request.headers.get("sec-purpose", request.headers.get("purpose", ""))


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["wide", "phone"])
def test_it_is_usable_after_four_requests(open_page: OpenPage, wishes: dict[str, Any]) -> None:
    page = open_page("about:blank", quiet=True, **wishes)
    needed = re.compile(r"/$|\.css$|\.js$|\.woff2$")
    page.route(re.compile(r"/static/.*\.(svg|png)$"), lambda route: route.abort())
    asked = []
    page.on("requestfinished", lambda request: is_prefetch(request) or asked.append(request))
    page.goto("/", wait_until="networkidle")
    assert all(needed.search(request.url) for request in asked)
    assert len(asked) <= MAX_REQUESTS
    sizes = [request.sizes() for request in asked]
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) < LIGHT
    assert page.locator("link[rel=icon]").first.get_attribute("href").startswith("data:")
    start_from_home(page)


@pytest.mark.parametrize("wishes", SCREENS, ids=["wide", "phone", "small phone"])
def test_nothing_moves_while_it_loads_and_nothing_is_too_wide(
    open_page: OpenPage, wishes: dict[str, Any]
) -> None:
    page = open_page(**wishes)
    page.wait_for_load_state("networkidle")
    shifts = page.evaluate(
        "new Promise(r => { new PerformanceObserver(l => r(l.getEntries().map(e => e.value)))"
        ".observe({type: 'layout-shift', buffered: true}); setTimeout(() => r([]), 300) })"
    )
    assert sum(shifts) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    pictures = page.locator(".little-stage img")
    assert pictures.count() > 3, "each game draws its little stage in layers"


def test_the_little_stages_keep_still_if_asked_to(open_page: OpenPage) -> None:
    moving = "all => all.filter(e => e.getAnimations().length).length"
    for motion in ("no-preference", "reduce"):
        pictures = open_page(reduced_motion=motion, scenery=True).locator(".little-stage img")
        assert (pictures.evaluate_all(moving) > 0) == (motion == "no-preference")


def test_a_portrait_is_chosen_once_and_shown_at_the_table(open_page: OpenPage) -> None:
    page = open_page()
    given = page.evaluate("document.querySelector('[name=portrait]:checked').value")
    page.reload()
    assert page.evaluate("document.querySelector('[name=portrait]:checked').value") == given
    page.get_by_role("radio", name="Flamingo").check(force=True)  # the picture covers it
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    expect(page.locator(".player.mine .portrait")).to_have_class(re.compile("flamingo"))
    page.goto("/")
    expect(page.get_by_role("radio", name="Flamingo")).to_be_checked()


def test_settings_are_kept_for_the_tables(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_label("Sound").uncheck()
    start_from_home(page)
    expect(page.locator("#sound")).not_to_be_checked()


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
    expect(card).to_contain_text("Edith, ")  # and a bot, whose name varies
    card.click()
    assert take_turn(page, play_by_mouse)


def test_invited_friends_get_a_link_and_a_qr_code(open_page: OpenPage, server: ServerProcess) -> None:
    page = open_page(f"http://{ELSEWHERE}:{server.port}/")
    start_from_home(page, "Invite friends", seats=3)
    assert page.locator("#link").input_value().startswith(f"http://{ELSEWHERE}:{server.port}/tables/")
    code = page.locator("#code svg")
    expect(code).to_be_visible()
    assert code.evaluate("e => getComputedStyle(e.parentNode).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".local-only")).to_be_hidden()
    page.get_by_role("button", name="Add bot").first.click()  # the lobby is redrawn, with the code
    expect(page.locator(".seats [data-bot]")).to_have_count(1)
    expect(code).to_be_visible()


def test_a_link_that_works_only_here_comes_with_a_switch(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends")
    expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "false")
    expect(page.locator(".local-only")).to_be_hidden()
    expect(page.locator(".invite code:visible")).to_have_count(0)  # no shell command
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
    game.get_by_text("More options").click()
    expect(game.locator(".people input:visible")).to_have_count(3)
    game.get_by_label("Player 1's name").fill("Tweedledum")
    game.get_by_label("Player 3's name").fill("Tweedledee")
    game.get_by_role("button", name="Play on this screen").click()
    page.wait_for_url("**/tables/*")
    names = page.locator(".seats .who").all_inner_texts()
    assert names[::2] == ["Tweedledum", "Tweedledee"]
    assert home_level("parade", names[1]) == "dodo"
    assert page.locator(".seats .me").count() == 2


def test_text_typed_before_the_first_socket_message_is_kept(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(HOLD_MESSAGES)
    page.get_by_label("Your name").fill("Duchess")
    start_from_home(page, "Invite friends", 3)
    other = page.get_by_label("Another player on this screen")
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
    guest.get_by_role("button", name="Sit down").click()
    expect(host.locator(".seats .who").nth(1)).to_have_text("Cook")
    expect(host.locator("#level-2")).to_have_value("dodo")


def test_a_double_click_clears_a_seat_and_keeps_it(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends", 3)
    page.wait_for_url("**/tables/*")
    find_offer(page, "seatbot").first.click()
    expect(page.locator(".seats [data-bot]")).to_have_count(1)
    clear = page.locator(".seats [data-bot] [data-do=leave]")
    clear.hover()
    with page.expect_navigation():
        page.mouse.down()
        page.mouse.up()
    expect(page.locator("#connection")).to_have_class("connected")
    expect(page.locator(".seats [data-bot]")).to_have_count(0)
    page.mouse.down(click_count=2)  # the seat is shown as free by now, at the same place
    page.mouse.up(click_count=2)
    page.reload()
    expect(page.locator(".seats > li")).to_have_count(3)


def test_unfinished_tables_after_the_third_are_folded(open_page: OpenPage) -> None:
    page = open_page()
    for _ in range(5):
        create_table(page, "parade", seats=2, bots={"1": "dodo"})
    page.goto("/")
    tickets = page.locator(".going .ticket")
    expect(tickets).to_have_count(5)
    assert [tickets.nth(number).is_visible() for number in range(5)] == [True] * 3 + [False] * 2
    more = page.locator(".going summary")
    assert "2" in more.inner_text()
    more.focus()
    page.keyboard.press("Enter")
    expect(tickets.nth(4)).to_be_visible()
    page.keyboard.press("Tab")
    expect(tickets.nth(3)).to_be_focused()


def test_others_can_find_an_open_table(open_page: OpenPage) -> None:
    host = open_page()
    host.get_by_label("Your name").fill("Duchess")
    game = parade(host)
    game.get_by_text("More options").click()
    game.get_by_label("Who can join").select_option("open")
    game.get_by_label("Time per move").select_option("300")
    game.get_by_label("Allow hints").check()
    start_from_home(host, "Invite friends")
    guest = open_page()
    guest.get_by_role("link", name=re.compile("Parade.*1 free seat.*Duchess", re.DOTALL)).click()
    guest.wait_for_url("**/tables/*")  # the home page also asks for a name
    guest.get_by_label("Your name").fill("Cook")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".seats .me .who")).to_have_text("Cook")
    table = guest.evaluate("fetch('/api' + location.pathname).then(a => a.json()).then(t => t.table)")
    assert (table["clock"], table["hints"], table["access"]) == (300, True, "open")
    host.get_by_role("button", name="Start the game").click()
    expect(guest.locator(".hand .card")).to_have_count(5)
    assert set(piece_names(guest)).isdisjoint(piece_names(host))


def test_refusals_are_shown(open_page: OpenPage) -> None:
    page = open_page(quiet=True)
    game = parade(page)
    game.get_by_text("More options").click()
    for number in (1, 2):
        game.get_by_label(f"Player {number}'s name").fill("Alice")
    button = game.get_by_role("button", name="Play on this screen")
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
    expect(page.locator("#problem")).to_contain_text("nicht erreichbar")
