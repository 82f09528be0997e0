"""The stage: portraits, symbols, the drawer, and a layout that stays where it is."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from support import browser
from support.browser import PHONE, OpenPage, expect, play_by_mouse, start_from_home, take_turn
from support.sample_tables import lasting_visitor, server, visitor
from wonderland.web.assets import assets, static, symbols
from wonderland.web.portraits import BOTS, COMPANY, assign_portraits

__all__ = ("lasting_visitor", "server", "visitor")

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({type: "layout-shift", buffered: true});
}"""
MOST_SHIFT = 0.02
ENOUGH_PORTRAITS = 14


def test_nobody_shares_a_portrait() -> None:
    names = [*(bot.replace("-", " ").title() for bot in BOTS), "Alice", "Bill", "Alice 2", "queen", "Q"]
    for company in combinations(names, 6):
        found = assign_portraits(company)
        assert len(set(found)) == len(company)
        assert set(found) <= {*BOTS, *COMPANY}
        for name, portrait in zip(company, found, strict=True):
            level = name.lower().replace(" ", "-")
            assert (
                portrait == level or level not in BOTS or company.count(name) + ("queen" in company) > 1
            )


def test_there_are_many_portraits_to_choose_from() -> None:
    assert len(COMPANY) >= ENOUGH_PORTRAITS
    assert not {*BOTS} & {*COMPANY}


def test_portraits_stay_when_others_leave() -> None:
    assert assign_portraits(["Alice", "", "Hatter"])[0] == assign_portraits(["Alice", "Hatter"])[0]


def test_every_portrait_has_a_row_of_the_sprite() -> None:
    styles, sprite = assets()["wonderland.css"].decode(), assets()["portraits.svg"].decode()
    rows = {
        name: int(row) for name, row in re.findall(r"\.portrait\.([\w-]+) { --row: (\d+); }", styles)
    }
    rows[BOTS[0]] = 0
    drawn = re.findall(r"<!-- ([\w-]+) -->", sprite)
    assert {name: drawn.index(name) for name in (*BOTS, *COMPANY)} == rows


@pytest.mark.parametrize("name", [*BOTS, *COMPANY])
def test_no_other_style_applies_to_a_portrait(name: str) -> None:
    sheets = [text.decode() for file, text in assets().items() if file.endswith(".css")]
    assert len(sheets) > 3
    alone = re.compile(rf"(?:^|[\s,>+~}}])\.{name}(?![\w-])", re.MULTILINE)
    assert not [match[0] for text in sheets for match in alone.finditer(text)]


def test_style_sheets_find_their_fonts_and_pictures() -> None:
    folder = static("wonderland.css").rpartition("/")[0]
    assert static("fraunces-latin.woff2").startswith(folder)
    assert static("portraits.svg").startswith(folder)


@pytest.mark.parametrize(
    "name", ["scenery.svg", "characters.svg", "parade-theatre.svg", "parade-ink.svg"]
)
def test_symbols_need_no_styles_of_their_own(name: str) -> None:
    drawn = symbols(name)
    assert "style" not in drawn
    assert "<!--" not in drawn


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.skipif(browser.sync_playwright is None, reason="Playwright is not installed")
@pytest.mark.parametrize("game", ["parade", "cookies"])
def test_nothing_shifts_during_a_game(open_page: OpenPage, wishes: dict[str, Any], game: str) -> None:
    page = open_page(**wishes)
    start_from_home(page, seats=4, game=game)
    page.wait_for_selector(".status.mine")
    page.evaluate("document.fonts.ready")
    page.evaluate(SHIFTS)
    for _ in range(browser.MAX_TURNS):
        if not take_turn(page, lambda page: page.locator("[data-play]").first.press("Enter")):
            break
    assert page.evaluate("window.shifted") < MOST_SHIFT


@pytest.mark.skipif(browser.sync_playwright is None, reason="Playwright is not installed")
def test_the_drawer_counts_what_was_said_meanwhile(visitor: OpenPage) -> None:
    page = visitor("/tables/parade-middle", reduced_motion="reduce")
    handle = page.locator("#drawer-handle")
    if page.locator("#drawer").is_visible():
        page.get_by_role("button", name="Close").click()
    expect(handle).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#drawer")).to_be_hidden()
    handle.click()
    expect(page.locator("#drawer")).to_be_visible()
    expect(page.get_by_label("Write a message")).to_be_visible()


@pytest.mark.skipif(browser.sync_playwright is None, reason="Playwright is not installed")
def test_a_move_is_shown_in_beats(open_page: OpenPage) -> None:
    page = open_page(pace="350")
    start_from_home(page)
    page.evaluate(
        "window.laid = 0; new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach("
        "(node) => (window.laid += node.className === 'laid' && node.offsetWidth ? 1 : 0))))"
        ".observe(document.getElementById('scene'), {childList: true, subtree: true})"
    )
    for _ in range(browser.MAX_TURNS):
        assert take_turn(page, play_by_mouse), "somebody takes a card before the end"
        if page.evaluate("window.laid"):
            break
    page.wait_for_selector(".status.mine")
    assert page.locator(".laid").count() == 0


def test_no_change_restyles_everything() -> None:
    """After `:has(…)` for a large part of the page, `*` made each change of a caption restyle it all."""
    for name, content in assets().items():
        if name.endswith(".css"):
            text = re.sub(r"/\*.*?\*/", "", content.decode(), flags=re.DOTALL)
            selectors = ",".join(re.findall(r"([^{};]+)\{", text))
            while "(" in selectors and selectors != (inner := re.sub(r"\([^()]*\)", "", selectors)):
                selectors = inner
            assert re.findall(r":has[^,~+]*[ >]\*", selectors) == [], name


def test_style_sheets_move_only_what_needs_no_layout() -> None:
    cheap = {"transform", "translate", "rotate", "scale", "opacity", "none"}
    moved: set[str] = set()
    for text in (content.decode() for name, content in assets().items() if name.endswith(".css")):
        for value in re.findall(r"transition: *([^;}]+)", text):
            moved |= {each.split()[0] for each in re.sub(r"\(.*?\)", "", value).split(",")}
        for frames in re.findall(r"@keyframes[^{]+\{((?:[^{}]*\{[^{}]*\})*)", text):
            moved |= set(re.findall(r"([\w-]+):", frames))
    assert moved > {"translate", "opacity", "rotate"}
    assert moved <= cheap
