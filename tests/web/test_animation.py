"""Explanatory animation: pawns move along the ring, and cards are visibly turned over."""

from __future__ import annotations

from typing import Any

import pytest

from support import browser
from support.browser import RECORD_ANIMATIONS, OpenPage, expect, play_by_mouse
from support.sample_tables import server, visitor

__all__ = ("server", "visitor")  # fixtures: a server with the sample tables, and their player
pytestmark = browser.MARKS
COMPOSITED = {"translate", "rotate", "scale", "transform", "opacity"}
"""What a browser can animate without drawing a piece again."""
TIMING = {"offset", "easing"}
TURNED = """() => {
  window.turned = 0;
  const seen = (node) => (window.turned += node.classList?.contains("turning-away") ? 1 : 0);
  new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(seen)))
    .observe(document.getElementById("scene"), {childList: true, subtree: true});
}"""


def play_turn(page: Any) -> None:
    """Take a turn, and return the animations that start."""
    expect(page.locator("#connection.connected")).to_be_visible()
    play_by_mouse(page)
    expect(page.locator(".status.mine")).to_have_count(0)


def test_pawns_move_along_the_ring(visitor: OpenPage) -> None:
    page = visitor("/tables/cookies-opening", pace="1600", reduced_motion="no-preference")
    page.evaluate(RECORD_ANIMATIONS)
    play_turn(page)
    glides = page.evaluate("glides")
    assert {name for each in glides for name in each["names"]} <= COMPOSITED | TIMING
    expect(page.locator("[data-gliding]")).to_have_count(0)  # at the end
    pawn = next(each for each in glides if each["path"])
    spaces = len(pawn["path"].split())
    assert spaces > 2
    assert pawn["frames"] == 2 * spaces - 1  # each space, and the top of each hop between two


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_a_card_is_turned_over(visitor: OpenPage, wish: str) -> None:
    opened = {"reduce": "letters-names", "no-preference": "letters-middle"}
    page = visitor(f"/tables/{opened[wish]}", pace="1600", reduced_motion=wish)
    page.evaluate(TURNED)
    play_turn(page)
    assert (page.evaluate("window.turned") > 0) == (wish == "no-preference")
    expect(page.locator(".turning-away")).to_have_count(0)
