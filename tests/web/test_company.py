"""Bots as company in a browser: captions and marks of their moves, skipping, pace, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, create_table, expect, play_by_mouse, take_turn
from wonderland.bots.characters import SHARED

pytestmark = browser.MARKS

PROFILES = pytest.mark.parametrize("wishes", [{}, PHONE], ids=["desktop", "phone"])
REMARKS = {text for group in SHARED.values() for each in group for text in each.remarks.values()}
WATCH = """() => {
  window.seen = { told: [], said: [], marks: [], laid: 0 };
  const note = (list, text) => text && list.at(-1) !== text && list.push(text);
  const byId = (name) => document.getElementById(name);
  new MutationObserver(() => note(seen.told, byId("told").textContent))
    .observe(byId("told"), { childList: true });
  const bubble = byId("bubble");
  new MutationObserver(() => bubble.hidden || note(seen.said, bubble.lastChild.textContent))
    .observe(bubble, { childList: true, attributes: true });
  new MutationObserver((all) => {
    for (const { target, addedNodes } of all) {
      for (const name of target.classList) if (name.startsWith("mark-")) note(seen.marks, name);
      for (const node of addedNodes) if (node.className === "laid") seen.laid++;
    }
  }).observe(byId("scene"), { childList: true, subtree: true, attributeFilter: ["class"] });
}"""
"""Script for a page: record captions, remarks, marks and pieces laid, which come and go quickly."""


def open_table(page: Any, bots: int, game: str = "parade", level: str = "dodo") -> None:
    levels = {str(seat): level for seat in range(1, bots + 1)}
    create_table(page, game, seats=bots + 1, bots=levels)
    page.wait_for_selector(".status.mine, .status.playing")
    page.evaluate(WATCH)


def names_of_bots(page: Any) -> list[str]:
    names: list[str] = page.locator(".seats [data-bot] .who").evaluate_all(
        "all => all.map(e => e.textContent)"
    )
    return names


@PROFILES
def test_every_bot_has_a_name_a_face_and_a_level(open_page: OpenPage, wishes: dict[str, Any]) -> None:
    page = open_page(**wishes)
    open_table(page, bots=5, level="queen")
    names = names_of_bots(page)
    assert len(set(names)) == 5
    faces = page.locator(".seats .portrait").evaluate_all("all => all.map(e => e.className)")
    assert len(set(faces)) == 6
    expect(page.locator(".seats [data-bot] .note").first).to_contain_text("hardest")
    expect(page.locator(".seats [data-bot] .about")).to_have_count(5)
    expect(page.locator(".player .bot-level")).to_have_count(5)


@pytest.mark.parametrize(("bots", "wishes"), [(3, {}), (1, PHONE)], ids=["desktop", "phone"])
def test_every_move_of_a_bot_has_a_caption_and_marks(
    open_page: OpenPage, bots: int, wishes: dict[str, Any]
) -> None:
    page = open_page(pace="350", **wishes)
    open_table(page, bots)
    names = names_of_bots(page)
    for _ in range(2):
        assert take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter"))
    page.wait_for_selector(".status.mine")
    seen = page.evaluate("seen")
    for name in (*names, "Alice"):
        assert any(text.startswith(f"{name} played ") for text in seen["told"]), (name, seen)
    assert seen["laid"] >= 2 * (bots + 1) - 1  # the table may have been loaded after the first move
    assert "mark-safe" in seen["marks"]
    expect(page.locator("#news .gist")).to_be_visible()
    expect(page.locator("#told")).to_be_empty()
    assert page.locator(".laid").count() == 0


@pytest.mark.parametrize("game", ["cookies", "letters"])
def test_other_games_have_captions_too(open_page: OpenPage, game: str) -> None:
    page = open_page(pace="350")
    open_table(page, 2, game)
    names = names_of_bots(page)
    for _ in range(3):
        assert take_turn(page, play_by_mouse)
    page.wait_for_selector(".status.mine")
    told = page.evaluate("seen.told")
    assert any(text.startswith(tuple(names)) for text in told), told


@PROFILES
def test_a_touch_or_the_space_bar_skips_to_the_players_turn(
    open_page: OpenPage, wishes: dict[str, Any]
) -> None:
    page = open_page(pace="1600", **wishes)
    open_table(page, 5)
    take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter"))
    page.wait_for_function("() => document.getElementById('told').textContent")
    laid = page.evaluate("seen.laid")
    if wishes:
        page.touchscreen.tap(180, 440)  # the middle of the stage
    else:
        page.locator("#main").focus()
        page.keyboard.press("Space")
    page.wait_for_selector(".status.mine")
    assert page.evaluate("seen.laid") <= laid + 1, "nothing more is laid card by card"
    assert take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter"))


def test_a_watched_game_is_explained_too(open_page: OpenPage) -> None:
    player = open_page()
    open_table(player, 2)
    watcher = open_page(player.url, pace="350")
    watcher.wait_for_selector("#connection.connected")
    watcher.evaluate(WATCH)
    name = names_of_bots(watcher)[0]
    for _ in range(2):
        assert take_turn(player, play_by_mouse)
    watcher.wait_for_function(f"() => seen.told.some(text => text.startsWith('{name} played '))")
    watcher.wait_for_function("() => seen.laid > 0")


@pytest.mark.parametrize(("setting", "wishes"), [("on", {}), ("off", PHONE)], ids=["on", "off"])
def test_bots_say_something_and_can_be_told_not_to(
    open_page: OpenPage, setting: str, wishes: dict[str, Any]
) -> None:
    page = open_page(**wishes)
    page.evaluate(f"localStorage.setItem('bot-remarks', '{setting}')")
    open_table(page, 3)
    while take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter")):
        pass
    if setting == "on":
        page.wait_for_function("() => seen.said.length")  # one of them has the last word
    else:
        expect(page.locator("[data-finale=picture]")).to_be_visible()
    said = page.evaluate("seen.said")
    assert bool(said) == (setting == "on")
    assert set(said) <= REMARKS
    assert len(set(said)) == len(said)


PACE = """async () => {
  const table = document.querySelector('script[src*="table.js"]').src;
  return (await import(table.replace("table.js", "settings.js"))).pace();
}"""


def test_the_pace_follows_experience_and_company_unless_it_is_chosen(open_page: OpenPage) -> None:
    paces = {}
    for bots, games in ((1, 0), (1, 12), (5, 0), (5, 12)):
        page = open_page(pace="auto")
        page.evaluate(f"localStorage.setItem('games-finished', '{games}')")
        open_table(page, bots)
        paces[bots, games] = page.evaluate(PACE)
    assert paces[1, 0] > paces[1, 12] > paces[5, 12] > 0
    assert paces[1, 0] > paces[5, 0] > paces[5, 12]
    page.locator("#settings summary").click()
    page.locator("#pace").select_option("1600")
    assert page.evaluate(PACE) == 1600
