"""No language falls back to English on any page: each is compared with the English one."""

from __future__ import annotations

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from support.pseudo_locale import VisibleText
from support.sample_tables import COOKIE, NAMES, PAGES, SAMPLE_TABLES, UNUSUAL, server
from support.server import ServerProcess
from test_catalogues import SAME
from wonderland.components.catalogues import LANGUAGES
from wonderland.engine.registry import game_names
from wonderland.web import app

__all__ = ("server",)

pytestmark = pytest.mark.slow

CODES = [code for code in LANGUAGES if code != "en"]
PATHS = sorted(
    {
        *PAGES.values(),
        *(f"/tables/{each.name}" for each in SAMPLE_TABLES),
        *(f"/{kind}/{name}" for kind in ("rules", "learn", "insights") for name in game_names()),
        *("/offline", "/games/mistakes", "/nowhere"),
    }
)
FOR_PROGRAMS = {
    "/games/mistakes/{replay}/{number}",  # where /games/mistakes leads
    "/insights/{game}/insights.json",
    "/insights/{game}/{section}.csv",
    "/manifest.webmanifest",
    "/puzzles/{game}/stock",
    "/score/worker.js",
    "/score/{game}/manifest",
    "/worker.js",
    "/decks/{hash}/{game}/{deck}/{code}.svg",
    "/static/{hash}/{name}",
}
"""Addresses that nobody reads as a page, or that another one leads to."""
LIKE_ENGLISH = {
    *("In", "minute", "minutes", "option", "options", "to"),
    "removal mode",  # the original's own term, which the rulebook of Parade quotes
}
"""Words that some language has as well, besides those that its catalogues may leave."""
PROPER_NAMES = {
    *(*NAMES, *UNUSUAL, *LANGUAGES.values()),
    *("Wonderland", "Duchess", "Gryphon", "Lory", "Pat"),
    *("Alice in Wonderland", "Alice's Adventures in Wonderland"),
    *("Naoki Homma", "Z-Man Games", "Parker Brothers", "Salem", "Massachusetts", "Granna"),
    *("Martino Chiacchiera", "Remo Conzadori", "Conzadori", "Maciej Szymanowicz"),
}
"""What is the same in every language."""
WORD = re.compile(r"[^\W\d_]{2,}")


def get(server: ServerProcess, path: str, code: str) -> str:
    """Return a page as the first player gets it in a language."""
    headers = {"Accept-Language": code, "Accept": "text/html", "Cookie": f"wonderland={COOKIE}"}
    request = Request(server.address + path, headers=headers)  # noqa: S310 - our own server
    try:
        answer = urlopen(request)  # noqa: S310 - the same
    except HTTPError as problem:  # a page as well
        answer = problem
    with answer:
        assert answer.headers["Content-Language"] == code, path
        found: str = answer.read().decode()
    return found


def sentences(page: str) -> set[str]:
    """Return what people read or hear on a page, sentence by sentence, rulebooks included."""
    texts = VisibleText(page.replace('rulebook"', '"')).texts
    return {part.strip() for text in texts for part in re.split(r"(?<=[.!?…])\s+|\n", text)}


def repeated(english: str, other: str) -> list[str]:
    """Return the sentences with words that are the same on both pages, without names."""
    same = sentences(english) & sentences(other)
    return sorted(text for text in same if WORD.search(_without_names(text)))


def _without_names(text: str) -> str:
    text = re.sub(r"\{\w+\}", " ", text)  # what a script fills in
    for name in sorted(PROPER_NAMES | LIKE_ENGLISH | SAME, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def test_a_text_left_in_english_would_be_found() -> None:
    same = '<h1>Alice</h1><ul class="rulebook"><li>Cards</li></ul><b title="Red">3</b>'
    english, other = f"<p>Your turn. Go on!</p>{same}", f"<p>Dein Zug. Go on!</p>{same}"
    assert repeated(english, other) == ["Cards", "Go on!", "Red"]
    assert repeated(english, "<h1>Alice</h1><p>Dein Zug. Weiter!</p><b>3</b>") == []


def test_every_page_is_looked_at() -> None:
    """Each route of the site is among the paths, or known not to be a page."""
    routes = {route: re.sub(r"\{\w+\}", "[^/?]+", route) for route, _ in app.PAGES}
    seen = {
        route
        for route, pattern in routes.items()
        if any(re.fullmatch(pattern, path.partition("?")[0]) for path in PATHS)
    }
    assert routes.keys() - seen == FOR_PROGRAMS


@pytest.mark.release
@pytest.mark.parametrize("code", CODES)
def test_no_page_repeats_the_english_one(server: ServerProcess, code: str) -> None:
    left = {path: repeated(get(server, path, "en"), get(server, path, code)) for path in PATHS}
    assert {path: texts for path, texts in left.items() if texts} == {}
