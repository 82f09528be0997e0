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
from wonderland.web.assets import static

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
ServiceWorkerRegistration.prototype.showNotification = async (title) => { window.notes.push(title); };
"""

COVERED_CHOICES = """() => {
  const cover = document.querySelector(".proposal").getBoundingClientRect();
  return [...document.querySelectorAll(".pairs [data-play]")].filter((choice) => {
    const { left, top, right, bottom } = choice.getBoundingClientRect();
    return left < cover.right && cover.left < right && top < cover.bottom && cover.top < bottom;
  }).map((choice) => choice.dataset.play);
}"""
"""Script for a page: the choices that a player's request covers."""


def toggle(page: Any, label: str) -> None:
    """Switch a setting on or off by keyboard."""
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
    shown, aloud = page.locator("#preview").inner_text(), page.locator("#aloud").inner_text()
    assert re.findall(r"\w+", shown) == re.findall(r"\w+", aloud)  # with pictures of the cards it names
    assert page.evaluate("document.activeElement.classList.contains('marked')")
    assert table_version(page) == before, "a hint is not a move"
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#table:not([data-version="{before}"])')
    page = open_page()
    create_table(page, "parade", hints=False)
    page.wait_for_selector(".status.mine")
    assert page.get_by_role("button", name="Hint").count() == 0


def test_sound_is_on_after_the_first_click_until_it_is_switched_off(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(LISTENING)
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    assert page.evaluate("window.tones") == 0, "browsers allow no sound before the first click"
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    heard = page.evaluate("window.tones")
    assert heard > 0
    toggle(page, "Sound")
    take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    assert page.evaluate("window.tones") == heard
    page.reload()
    assert not page.locator("#sound").is_checked()
    toggle(page, "Sound")
    assert page.evaluate("window.tones") > 0, "switching it on plays a sample"


RENDER_SOUNDS = """async (script) => {
  const { addSound, SOUND_NAMES } = await import(script);
  const found = {};
  for (const name of SOUND_NAMES) {
    const context = new OfflineAudioContext(1, 2 * 44100, 44100);
    addSound(context, name, 0);
    const samples = (await context.startRendering()).getChannelData(0);
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const last = samples.findLastIndex((sample) => Math.abs(sample) > 0.001);
    found[name] = [peak, last / 44.1];
  }
  return found;
}"""


def test_every_sound_is_short_and_soft(open_page: OpenPage) -> None:
    found = open_page().evaluate(RENDER_SOUNDS, static("sound.js"))
    assert found.keys() == {"card", "sweep", "flip", "spin", "cookie", "turn", "win"}
    for name, (peak, milliseconds) in found.items():
        assert 0.05 < peak < 0.5, name  # below -6 dBFS
        assert 60 < milliseconds < 900, name


def test_a_player_in_another_tab_is_notified_of_their_turn(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        mover, other = (alice, bill) if alice.locator(".status.mine").count() else (bill, alice)
        other.add_init_script(NOTICING)
        other.reload()
        toggle(other, "Notify me when it's my turn")
        assert other.evaluate("window.asked")
        take_turn(mover, play_by_mouse)
        take_turn(other, play_by_mouse)
        assert other.evaluate("window.notes") == [], "a player who sees the page is not notified"
        mover.wait_for_selector(".status.mine")
        other.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
        take_turn(mover, play_by_mouse)
        other.wait_for_selector(".status.mine")
        other.wait_for_function("() => window.notes.length")
        assert other.evaluate("window.notes") == ["● Your turn · Parade"]


def test_a_browser_that_blocks_notifications_is_respected(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(NOTICING.replace('return "granted"', 'return "denied"'))
    start_from_home(page)
    toggle(page, "Notify me when it's my turn")
    expect(page.locator("#toast")).to_contain_text("doesn't allow notifications")
    assert not page.locator("#notify").is_checked()


def test_a_player_continues_on_another_device(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    page.locator(".seats .me summary").click()
    page.get_by_role("button", name="Play on another device").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("#seat-here-only")).to_be_visible()  # this server is closed to the network
    assert dialog.locator("svg").count() == 0
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


def test_the_host_closes_the_chat_and_gives_no_seat_away(open_page: OpenPage) -> None:
    with two_players(open_page) as (alice, bill, _):
        for page in (alice, bill):  # a new link to a seat would show its hand
            assert page.get_by_role("button", name="New link for this seat").count() == 0

        assert bill.get_by_role("button", name="Turn chat off").count() == 0
        alice.get_by_role("button", name="Turn chat off").click()
        for page in (alice, bill):
            expect(page.locator(".silent")).to_be_visible()
            expect(page.locator("#say")).to_be_hidden()
        alice.get_by_role("button", name="Turn chat on").click()
        expect(bill.locator("#say")).to_be_visible()


def test_the_host_chooses_who_fills_a_seat(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page, "Invite friends", seats=3)
    page.locator("#level-1").select_option(index=0)
    chosen = page.locator("#level-1 option").first.inner_text()
    page.get_by_role("button", name="Add bot", exact=True).first.click()
    expect(page.locator(".seats li").nth(1).locator(".note")).to_contain_text(chosen.lower())


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
            expect(alice.locator(".proposal")).to_contain_text("Waiting for Bill to agree.")
            for width, height in ((1366, 768), (1280, 720), (390, 844), (360, 640), (844, 390)):
                bill.set_viewport_size({"width": width, "height": height})
                expect(bill.locator(".pairs [data-play]")).to_have_count(6)
                assert bill.evaluate(COVERED_CHOICES) == []
            bill.get_by_role("button", name=answer).click()
            expect(bill.locator(".proposal")).to_have_count(0)
            told = ["Bill declined. Your move stands."] if answer == "Decline" else []
            expect(alice.locator(".proposal")).to_have_text(told)
            expect(alice.locator(".pairs")).to_have_count(choices)


def test_a_page_of_an_older_server_offers_to_reload(open_page: OpenPage) -> None:
    page = open_page()
    start_from_home(page)
    page.wait_for_selector(".status.mine")
    expect(page.locator("#new-version")).to_be_hidden()
    page.evaluate("document.getElementById('table').dataset.release = 'older'")
    take_turn(page, play_by_mouse)
    expect(page.locator("#new-version")).to_be_visible()
    page.get_by_role("button", name="Reload").click()
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
            alice.get_by_label("Write a message").fill(text)
            alice.get_by_role("button", name="Send", exact=True).click()
            for page in (alice, bill):
                expect(page.locator("#remarks li").last).to_contain_text(text.strip())
        for page in (alice, bill):
            expect(page.locator("#remarks li").first).not_to_be_in_viewport()
            expect(page.locator("#remarks li").last).to_be_in_viewport(ratio=1)
        bill.reload()
        expect(bill.locator("#remarks li").last).to_be_in_viewport(ratio=1)
        alice.get_by_label("Write a message").fill("back\u202ewards")
        alice.get_by_role("button", name="Send", exact=True).click()
        expect(alice.locator("#toast")).to_contain_text("single line of text")
        expect(alice.get_by_label("Write a message")).to_have_value("back\u202ewards")


def test_on_a_phone_a_chat_message_is_visible_without_scrolling(open_page: OpenPage) -> None:
    with two_players(open_page, **PHONE) as (alice, bill, _):
        expect(bill.locator("#chat-preview")).to_be_hidden()
        alice.locator("#drawer-handle").click()
        alice.get_by_label("Write a message").fill("Curiouser <and> curiouser")
        alice.get_by_role("button", name="Send", exact=True).click()
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
        line = page.locator("#preview").bounding_box()
        for choice in page.locator("[data-play]").all():
            box = choice.bounding_box()
            assert box["y"] + box["height"] <= 360, game
            is_above, is_below = (
                box["y"] + box["height"] <= line["y"],
                line["y"] + line["height"] <= box["y"] + 8,
            )
            assert is_above or is_below, game
