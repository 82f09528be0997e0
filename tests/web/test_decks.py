"""Decks: each draws all pieces of its game, is small, cached and sent alone; players may change it."""

from __future__ import annotations

import asyncio
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Http, site_in
from support import browser
from support.browser import OpenPage, expect
from support.sample_tables import server, visitor
from wonderland.components.catalogues import LANGUAGES
from wonderland.components.scene import decks_of
from wonderland.engine.registry import game_names
from wonderland.web.assets import assets, symbols
from wonderland.web.decks import ONLY, drawings, drawings_address

__all__ = ("server", "visitor")

MAX_DRAWINGS = 80_000
"""Bytes, before compression."""
CHOICES = [name for name in game_names() if decks_of(name)]
DRAWN = [(name, deck) for name in game_names() for deck in decks_of(name) or {ONLY: ""}]
SYMBOL = re.compile(r'<symbol id="([\w-]+)"')
REFERENCE = re.compile(r'(?:href="|url\()#([\w-]+)')


def text_of(game: str, deck: str, code: str = "en") -> str:
    return drawings(game, deck, code).decode()


def test_there_is_a_choice() -> None:
    assert any(len(decks_of(name)) > 1 for name in game_names())


@pytest.mark.parametrize(("game", "deck"), DRAWN)
def test_the_drawings_of_a_game_are_one_small_file(game: str, deck: str) -> None:
    for code in LANGUAGES:
        ET.fromstring(text_of(game, deck, code))  # noqa: S314 - a file of ours
        assert len(drawings(game, deck, code)) < MAX_DRAWINGS


@pytest.mark.parametrize(("game", "deck"), DRAWN)
def test_every_id_is_unique_and_every_reference_resolves(game: str, deck: str) -> None:
    drawn = str(symbols("scenery.svg")) + text_of(game, deck)
    ids = re.findall(r' id="([\w-]+)"', drawn)
    assert len(ids) == len(set(ids))
    if game in CHOICES:  # others may refer to what their scenes define
        assert set(REFERENCE.findall(drawn)) <= set(ids)
    assert "style=" not in drawn, "the content security policy forbids inline styles"


@pytest.mark.parametrize("game", CHOICES)
def test_all_decks_of_a_game_draw_the_same_pieces(game: str) -> None:
    default, *others = (set(SYMBOL.findall(text_of(game, deck))) for deck in decks_of(game))
    for drawn in others:
        missing = {name for name in default if re.match("card-|tile-|figure-|deck-", name)} - drawn
        assert not missing


@pytest.mark.parametrize(("game", "deck"), DRAWN)
def test_every_class_of_a_deck_has_a_rule(game: str, deck: str) -> None:
    """A class without a rule is black, which is easily overlooked."""
    name = f"{game}-{deck}.svg"
    sheets = b"".join(body for file, body in assets().items() if file.endswith(".css")).decode()
    used = re.findall(r' class="([^"]+)"', assets().get(name, b"").decode())
    for word in {word for words in used for word in words.split()}:
        assert re.search(rf"\.{word}[ ,:{{]", sheets), word


def test_a_browser_gets_the_chosen_deck_alone_and_keeps_it(tmp_path: Path) -> None:
    game = CHOICES[0]
    default, other = list(decks_of(game))[:2]

    async def main() -> None:
        async with site_in(tmp_path, limited=False) as here:
            http = Http(here.port)
            opened = await http.ask("POST", "/api/tables", {"game": game, "seats": 2})
            table = f"/tables/{opened.json()['table']}"

            async def preloaded(cookies: str, path: str = table) -> list[str]:
                answer = await http.ask("GET", path, headers={"Cookie": cookies})
                return re.findall(r'rel="preload" href="(/decks/[^"]+)"', answer.body.decode())

            assert await preloaded("") == [drawings_address(game, default, "en")]
            assert await preloaded(f"a=b; deck={other}") == [drawings_address(game, other, "en")]
            assert await preloaded("deck=../secret") == [drawings_address(game, default, "en")]
            assert await preloaded("language=de") == [drawings_address(game, default, "de")]

            answer = await http.ask("GET", drawings_address(game, other, "en"))
            assert answer.status == 200
            assert answer.header("content-type") == "image/svg+xml"
            assert "immutable" in answer.header("cache-control")
            assert answer.body == drawings(game, other, "en")

            known = drawings_address(game, other, "en")
            for gone in (known.replace(known.split("/")[2], "0" * 12), known.replace(other, "none")):
                assert (await http.ask("GET", gone)).status == 404
            rules = (await http.ask("GET", f"/rules/{game}", headers={"Cookie": f"deck={other}"})).body
            assert f'href="#{other}-'.encode() in rules
            assert f'href="#{other}-'.encode() not in (await http.ask("GET", f"/rules/{game}")).body

    asyncio.run(main())


def test_a_game_without_a_choice_is_drawn_all_the_same(tmp_path: Path) -> None:
    game = next(name for name in game_names() if not decks_of(name))

    async def main() -> None:
        async with site_in(tmp_path, limited=False) as here:
            http = Http(here.port)
            opened = await http.ask("POST", "/api/tables", {"game": game, "seats": 2})
            page = (await http.ask("GET", f"/tables/{opened.json()['table']}")).body.decode()
            assert f'data-drawings="{drawings_address(game, ONLY, "en")}"' in page
            assert "deck-choice" not in page
            assert (await http.ask("GET", drawings_address(game, ONLY, "en"))).status == 200

    asyncio.run(main())


def drawn_cards(page: Any) -> set[str]:
    """Return the first drawing inside each visible card."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.hand use')].map((use) => document.querySelector("
        "use.getAttribute('href'))?.querySelector('use').getAttribute('href'))"
    )
    return set(found)


@pytest.mark.browser
@pytest.mark.skipif(browser.sync_playwright is None, reason="Playwright is not installed")
def test_the_deck_changes_without_a_reload_and_is_remembered(visitor: OpenPage) -> None:
    page = visitor("/tables/parade-middle")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.wait_for_selector("#deck symbol", state="attached")
    before = drawn_cards(page)
    assert before
    assert not any("ink-" in name for name in before)
    page.evaluate("window.same = true")
    page.locator("#settings summary").click()
    page.locator("#deck-choice").select_option("ink")
    page.wait_for_selector("#deck [id=ink-paper]", state="attached")
    assert all("ink-" in name for name in drawn_cards(page))
    assert page.evaluate("window.same")
    expect(page.locator("#deck-style")).to_have_count(1)

    del requested[:]
    page.reload()
    page.wait_for_selector("#deck [id=ink-paper]", state="attached")
    assert page.locator("#deck-choice").input_value() == "ink"
    assert not [url for url in requested if "/decks/" in url and "/ink/" not in url]

    page.locator("#settings summary").click()
    page.locator("#deck-choice").select_option("theatre")
    page.wait_for_selector("#deck [id=ink-paper]", state="detached")
    assert drawn_cards(page) == before
    expect(page.locator("#deck-style")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.skipif(browser.sync_playwright is None, reason="Playwright is not installed")
@pytest.mark.parametrize("deck", list(decks_of(CHOICES[0])))
def test_values_are_readable_on_small_cards(visitor: OpenPage, deck: str) -> None:
    """On a card 40 pixels wide, the type of the value is at least 12 pixels high."""
    page = visitor("/tables/parade-middle")
    page.context.add_cookies([{"name": "deck", "value": deck, "url": page.url}])
    page.reload()
    page.wait_for_selector("#deck symbol", state="attached")
    sizes = page.evaluate(
        """[...document.querySelectorAll("#deck symbol[id^=card-]")].flatMap((card) =>
          [...card.querySelectorAll("use")]
            .map((use) => document.querySelector(use.getAttribute("href")))
            .flatMap((drawing) => [drawing, ...drawing.querySelectorAll("text")])
            .filter((each) => each.matches("text") && /^[0-9]$/.test(each.textContent))
            .map((text) => parseFloat(getComputedStyle(text).fontSize))
            .map((size) => (40 * size) / card.viewBox.baseVal.width))"""
    )
    assert len(sizes) >= 60
    assert min(sizes) >= 12
