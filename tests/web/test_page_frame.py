"""The frame of all pages except tables and the first page: text on paper, no shifts, plain prints."""

from __future__ import annotations

import pytest

from support import browser
from support.browser import DESKTOP, PHONE, OpenPage
from support.sample_tables import PAGES, lasting_visitor, server

pytestmark = browser.MARKS

__all__ = ("lasting_visitor", "server")  # fixtures: the sample tables, and their player
FRAMED = [name for name in PAGES if name not in ("first-page", "problem")]
MOST_SHIFT = 0.02

SHIFTED = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})"""
# Text whose nearest background, up to the page, is transparent: it would stand on the velvet.
ON_VELVET = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isPaper = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== "none" || !/(, 0\\)|transparent)$/.test(backgroundColor);
  };
  const found = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const shown = text.parentElement.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const hidden = text.parentElement.closest("noscript, svg, .stage, .visually-hidden, .skip, option");
    if (!text.data.trim() || !shown || hidden) continue;
    let element = text.parentElement;
    while (element !== document.body && !isPaper(element)) element = element.parentElement;
    if (element === document.body) found.push(text.data.trim());
  }
  return found;
}"""
PLAIN = """() => {
  const leaves = [...document.querySelectorAll(".leaf")].map((each) => getComputedStyle(each));
  return {
    scenery: document.querySelector(".backcloth").checkVisibility(),
    shadows: leaves.filter((each) => each.boxShadow !== "none").length,
    page: getComputedStyle(document.documentElement).backgroundColor,
    paper: [...new Set(leaves.map((each) => each.backgroundColor))],
  };
}"""


@pytest.mark.parametrize("name", FRAMED)
def test_text_is_on_paper_and_nothing_shifts(lasting_visitor: OpenPage, name: str) -> None:
    page = lasting_visitor(PAGES[name])
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate(SHIFTED) < MOST_SHIFT
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size["viewport"])
        assert page.evaluate(ON_VELVET) == []


@pytest.mark.parametrize("name", ["rules-parade", "insights", "leaderboard"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_prints_are_plain(lasting_visitor: OpenPage, name: str, scheme: str) -> None:
    page = lasting_visitor(PAGES[name])
    page.emulate_media(media="print", color_scheme=scheme)
    white = "rgb(255, 255, 255)"
    assert page.evaluate(PLAIN) == {"scenery": False, "shadows": 0, "page": white, "paper": [white]}
    page.emulate_media(media="screen", color_scheme="light")
