"""Rulebooks in a real browser: their illustrations on a small phone."""

from __future__ import annotations

import pytest

from support import browser
from support.browser import PHONE, OpenPage
from wonderland.components.scene import illustrations_of
from wonderland.engine.registry import game_names

pytestmark = browser.MARKS
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
CUT_WORDS = """() => [...document.querySelectorAll("figure .who, figure .coin, figure .flag")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.trim())"""
"""Names and numbers in the illustrations that don't fit where they are."""


@pytest.mark.parametrize("game", [name for name in game_names() if illustrations_of(name)])
def test_names_in_illustrations_are_whole_on_a_phone(open_page: OpenPage, game: str) -> None:
    page = open_page(f"/rules/{game}", **SMALL)
    assert page.locator("figure .stage").count()
    assert page.evaluate(CUT_WORDS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
