"""Table settings in a real browser: hints, sound, notifications, links, and the host's controls."""

from __future__ import annotations

import re
from typing import Any

from support import browser
from support.browser import (
    PHONE,
    OpenPage,
    create_table,
    expect,
    piece_names,
    play_by_mouse,
    play_over_http,
    set_offline,
    start_from_home,
    table_version,
    take_turn,
    two_players,
)

pytestmark = browser.MARKS

LISTENING = """
window.tones = 0;
window.OscillatorNode = class extends OscillatorNode {
  constructor(...given) { super(...given); window.tones++; }
};
"""
NOTICING = """
window.notes = [];
window.Notification = class {
  static permission = "granted";
  static async requestPermission() { window.asked = true; return "granted"; }
  constructor(title) { window.notes.push(title); }
  close() {}
};
"""


def switch_on(page: Any, label: str) -> None:
    """Switch a setting on by keyboard."""
    page.locator("#settings summary").focus()
    page.keyboard.press("Enter")
    box = page.get_by_label(label)
    box.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(page.locator("#settings .panel")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('#settings summary')")


def test_a_hint_is_marked_and_announced(open_page: OpenPage) -> None:
    page = open_page()
    create_table(page, "parade", hints=True)
    page.wait_for_selector(".status.mine")
    before = table_version(page)
    page.get_by_role("button", name="Hint").click()
    marked = page.locator("[data-play].marked")
    expect(marked).to_have_count(1)
    expect(page.locator("#aloud")).not_to_be_empty()
    assert page.locator("#preview").inner_text() == page.locator("#aloud").inner_text()
    assert page.evaluate("document.activeElement.classList.contains('marked')")
    assert table_version(page) == before, "a hint is not a move"
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#table:not([data-version="{before}"])')
    page = open_page()
    create_table(page, "parade", hints=False)
    page.wait_for_selector(".status.mine")
    assert page.get_by_role("button", name="Hint").count() == 0


def test_sound_is_off_until_it_is_switched_on(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(LISTENING)
    start_from_home(page)
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    assert page.evaluate("window.tones") == 0
    switch_on(page, "Sound")
    heard = page.evaluate("window.tones")
    assert heard > 0
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    assert page.evaluate("window.tones") > heard
    page.reload()
    assert page.locator("#sound").is_checked()


def test_a_player_in_another_tab_is_notified_of_their_turn(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        other.add_init_script(NOTICING)
        other.reload()
        switch_on(other, "Tell me when it is my turn")
        assert other.evaluate("window.asked")
        take_turn(mover, play_by_mouse)
        take_turn(other, play_by_mouse)
        assert other.evaluate("window.notes") == [], "a player who sees the page is not notified"
        mover.wait_for_selector(".status.mine")
        other.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
        take_turn(mover, play_by_mouse)
        other.wait_for_selector(".status.mine")
        assert other.evaluate("window.notes") == ["● Your turn · Parade"]


def test_a_browser_that_blocks_notifications_is_respected(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(NOTICING.replace('return "granted"', 'return "denied"'))
    start_from_home(page)
    switch_on(page, "Tell me when it is my turn")
    expect(page.locator("#toast")).to_contain_text("does not allow notifications")
    assert not page.locator("#notify").is_checked()


def test_a_player_continues_on_another_device(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    page.locator(".seats .me summary").click()
    page.get_by_role("button", name="Play on another device").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("svg")).to_be_visible()
    link = dialog.locator("input").input_value()
    assert re.search(r"/tables/\w+#seat\.0\.[\w-]{20,}$", link)
    phone = open_page(link.replace("localhost", "127.0.0.1"), **browser.PHONE)
    expect(phone.locator(".hand .card")).to_have_count(5)
    assert "#" not in phone.url
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.locator("#seat-link").input_value() == ""
    assert sorted(piece_names(phone)) == sorted(piece_names(page))
    take_turn(phone, play_by_mouse)
    late = open_page(link, quiet=True)
    expect(late.locator("#toast")).to_be_visible()
    assert late.locator(".hand").count() == 0


def test_the_host_reassigns_a_seat_and_closes_the_chat(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        assert bill.locator("summary[aria-label='More for Alice L.']").count() == 0
        alice.locator("summary[aria-label='More for Bill']").click()
        alice.once("dialog", lambda dialog: dialog.accept())
        alice.get_by_role("button", name="New link to this seat").click()
        link = alice.locator("#seat-link")
        expect(link).to_have_value(re.compile(r"#seat\.1\."))
        expect(bill.locator(".hand")).to_have_count(0)
        expect(bill.locator("#toast")).to_contain_text("no longer yours")
        assert bill.locator("#say").count() == 0
        dinah = open_page(link.input_value())
        expect(dinah.locator(".hand .card")).to_have_count(5)
        alice.keyboard.press("Escape")

        assert dinah.get_by_role("button", name="Switch talking off").count() == 0
        alice.get_by_role("button", name="Switch talking off").click()
        for page in (alice, dinah):
            expect(page.locator(".silent")).to_be_visible()
            expect(page.locator("#say")).to_be_hidden()
        alice.get_by_role("button", name="Let people talk").click()
        expect(dinah.locator("#say")).to_be_visible()


def test_the_host_chooses_who_fills_a_seat(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends", seats=3)
    page.locator("#level-1").select_option(index=0)
    chosen, easiest = page.locator("#level-1 option").first.inner_text().split(" ", 1)
    assert easiest == "(easiest)"
    page.get_by_role("button", name="Bot", exact=True).first.click()
    expect(page.locator(".seats li").nth(1).locator(".who")).to_have_text(re.compile(chosen))


def test_an_undo_is_requested_and_answered(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        undo = alice.get_by_role("button", name="Ask to take back")
        expect(undo).to_have_count(0)  # there is nothing yet
        for page in (alice, bill) if alice.locator(".status.mine").count() else (bill, alice):
            take_turn(page, play_by_mouse)
        alice.wait_for_selector(f'#table[data-version="{table_version(page)}"]')
        expect(undo).to_have_count(0)  # both have drawn a card since
        # In the end both choose in secret, which can be taken back.
        play_over_http(alice, bill, until=lambda shown: len(shown["to_act"]) > 1)
        take_turn(alice, play_by_mouse)
        expect(alice.locator(".pairs")).to_have_count(0)
        for answer, choices in (("Decline", 0), ("Agree", 1)):
            undo.click()
            expect(bill.locator(".proposal")).to_contain_text("Alice L. would like to take")
            bill.get_by_role("button", name=answer).click()
            expect(alice.locator(".proposal")).to_have_count(0)
            expect(alice.locator(".pairs")).to_have_count(choices)


def test_a_page_of_an_older_server_offers_to_reload(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    expect(page.locator("#new-version")).to_be_hidden()
    page.evaluate("document.getElementById('table').dataset.release = 'older'")
    take_turn(page, play_by_mouse)
    expect(page.locator("#new-version")).to_be_visible()
    page.get_by_role("button", name="Load it").click()
    page.wait_for_selector(".status.mine")
    expect(page.locator("#new-version")).to_be_hidden()


def test_a_restored_network_is_used_at_once(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    expect(page.locator("#connection")).to_have_text("Connected")
    with page.expect_websocket() as opened:
        page.evaluate("window.dispatchEvent(new Event('online'))")
    assert "/live" in opened.value.url
    assert take_turn(page, play_by_mouse)


def test_an_open_menu_and_the_focus_survive_moves_of_others(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        other.locator(".seats .me summary").click()
        button = other.get_by_role("button", name="Play on another device")
        button.focus()
        take_turn(mover, play_by_mouse)
        other.wait_for_selector(".status.mine")
        expect(button).to_be_visible()
        assert other.evaluate("document.activeElement.dataset.do") == "link"


def test_the_last_chat_message_is_visible_and_a_refused_one_can_be_edited(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        for text in ("one " * 50, "two " * 50, "three " * 33, "\N{WOMAN}\u200d\N{MICROSCOPE} last"):
            alice.get_by_label("Say something").fill(text)
            alice.get_by_role("button", name="Say", exact=True).click()
            for page in (alice, bill):
                expect(page.locator("#remarks li").last).to_contain_text(text.strip())
        for page in (alice, bill):
            expect(page.locator("#remarks li").first).not_to_be_in_viewport()
            expect(page.locator("#remarks li").last).to_be_in_viewport(ratio=1)
        bill.reload()
        expect(bill.locator("#remarks li").last).to_be_in_viewport(ratio=1)
        alice.get_by_label("Say something").fill("back\u202ewards")
        alice.get_by_role("button", name="Say", exact=True).click()
        expect(alice.locator("#toast")).to_contain_text("printable")
        expect(alice.get_by_label("Say something")).to_have_value("back\u202ewards")


def test_on_a_phone_a_chat_message_is_visible_without_scrolling(open_page: OpenPage) -> None:
    with two_players(open_page, **PHONE) as (alice, bill, _):
        expect(bill.locator("#chat-preview")).to_be_hidden()
        alice.get_by_label("Say something").fill("Curiouser <and> curiouser")
        alice.get_by_role("button", name="Say", exact=True).click()
        expect(bill.locator("#chat-preview")).to_have_text("Alice L. Curiouser <and> curiouser")
        expect(bill.locator("#chat-preview")).to_be_in_viewport(ratio=1)
        expect(alice.locator("#chat-preview")).to_be_hidden()  # visible in the chat itself


def test_a_lost_network_is_indicated(open_page: OpenPage) -> None:
    page = open_page(quiet=True)
    start_from_home(page)
    page.wait_for_selector("#connection.connected")
    set_offline(page, offline=True)
    page.wait_for_selector("#connection.lost")
    set_offline(page, offline=False)
    page.wait_for_selector("#connection.connected")


def test_on_a_low_screen_the_hand_is_visible(open_page: OpenPage) -> None:
    for game, seats in (("parade", 6), ("cookies", 4)):
        page = open_page(viewport={"width": 740, "height": 360})
        start_from_home(page, seats=seats, game=game)
        page.wait_for_selector(".status.mine")
        expect(page.locator("[data-play]").first).to_be_in_viewport(ratio=1)
        below = page.locator("#preview").bounding_box()["y"]
        for choice in page.locator("[data-play]").all():
            box = choice.bounding_box()
            assert box["y"] + box["height"] <= below, game
