"""Accessibility of every page: no axe violations; everything large enough, visible, named, reachable.

The pages are those of the screenshots, so everything pictured is checked here.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from support import browser
from support.browser import DESKTOP, PHONE, OpenPage, expect, start_from_home
from support.sample_tables import PAGES, SAMPLE_TABLES, SampleTable, lasting_visitor, server, visitor
from wonderland import discovery
from wonderland.components.catalogues import LANGUAGES
from wonderland.engine import game_names

axe_page = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
pytestmark = browser.MARKS

__all__ = ("lasting_visitor", "server", "visitor")  # fixtures: the sample tables, and their player
PATHS = PAGES | {each.name: each.path for each in SAMPLE_TABLES}
TO_ACT = [each for each in SAMPLE_TABLES if each.mark is not None or each.name.endswith("names")]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SMALLEST = 24
"""CSS pixels that whatever can be pressed has each way."""

NARROWEST = 320
"""CSS pixels of the narrowest screen: all pages are looked at there, each of them at one other width."""
OTHER_WIDTHS = (360, 640, 1024, 1280, 2560)

CHECK = """options => axe.run(document, options).then(found => found.violations.flatMap(broken =>
  broken.nodes.map(node => `${broken.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))"""
VISIBLE = "e => e.checkVisibility({visibilityProperty: true})"
TOO_SMALL = f"""smallest => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter({VISIBLE}).filter(e => !e.closest(".rulebook") && !e.matches(".skip"))
  .filter(e => {{
    const box = (e.type === "radio" ? e.parentElement : e).getBoundingClientRect();
    return box.width < smallest || box.height < smallest;
  }}).map(e => e.outerHTML.slice(0, 120))"""
SAME_ID = """() => [...document.querySelectorAll("[id]")].map(e => e.id)
  .filter((id, at, all) => all.indexOf(id) !== at)"""
OUT_OF_SIGHT = """() => {
  const wrong = [];
  const boxes = (name) =>
    [...document.querySelectorAll(`main ${name}`)].map(e => [name, e.getBoundingClientRect()]);
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const names = [".status", ".place", "ol.board", ".ring", ".player.mine .plate", ".rail.mine"];
  const [choices, parts] = [boxes("[data-play]"), [...names.flatMap(boxes), ...boxes("#preview")]];
  for (const [name, box] of [...choices, ...parts])
    if (box.top < 0 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
      wrong.push(`${name} is out of sight: ${JSON.stringify(box)}`);
  for (const [, choice] of choices)
    for (const [name, part] of parts)
      if (across(choice, part) > 4 && down(choice, part) > 8) wrong.push(`a choice covers ${name}`);
  return wrong;
}"""
COVERED_LINKS = """() => [...document.querySelectorAll(".learn")].flatMap(links => {
  const summary = links.parentElement.querySelector(".more-options > summary").getBoundingClientRect();
  return [...links.children].filter(link => {
    const box = link.getBoundingClientRect();
    return Math.min(box.right, summary.right) > Math.max(box.left, summary.left) + 1
      && Math.min(box.bottom, summary.bottom) > Math.max(box.top, summary.top) + 1;
  }).map(link => link.textContent);
})"""
KNOWN_BY = """e => [e.tagName, e.id, e.name, e.value, e.textContent, e.href, e.ariaLabel,
  e.dataset.play, e.dataset.do, e.dataset.fields].join()"""
STOPS = f"""() => [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")]
  .filter({VISIBLE}).filter(e => !e.disabled && (e.type !== "radio" || e.checked)).map({KNOWN_BY})"""


def mark_by_keyboard(page: Any, exhibit: SampleTable | None) -> None:
    """Mark everything to be marked, by keyboard."""
    if exhibit is not None and exhibit.mark is not None:
        page.keyboard.press("ArrowRight")
        expect(page.locator("#preview")).not_to_be_empty()


def page_variant(name: str) -> tuple[dict[str, Any], str]:
    """A size and a colour scheme; neighbouring pages, which are alike, have different ones."""
    return list(product((DESKTOP, PHONE), ("light", "dark")))[list(PATHS).index(name) % 4]


@pytest.mark.parametrize("name", PATHS)
def test_axe_finds_no_violations(lasting_visitor: OpenPage, name: str) -> None:
    page = lasting_visitor(PATHS[name], quiet=name == "problem")
    page.evaluate(axe_page.AXE_SCRIPT)
    mark_by_keyboard(page, next((each for each in SAMPLE_TABLES if each.name == name), None))
    size, scheme = page_variant(name)
    page.set_viewport_size(size["viewport"])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert page.evaluate(CHECK, {"runOnly": RULES, "resultTypes": ["violations"]}) == []
    assert page.evaluate(TOO_SMALL, SMALLEST) == []
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate(SAME_ID) == []


@pytest.mark.parametrize("exhibit", TO_ACT, ids=lambda each: each.name)
def test_a_turn_needs_no_scrolling_on_a_phone(lasting_visitor: OpenPage, exhibit: SampleTable) -> None:
    page = lasting_visitor(exhibit.path, **PHONE)
    expect(page.locator(".status.mine")).to_be_visible()
    assert page.evaluate(OUT_OF_SIGHT) == []


@pytest.mark.parametrize(
    ("width", "language"),
    [(NARROWEST, "de"), *zip(OTHER_WIDTHS, ("fr", "pl", "es", "ja", "en"), strict=True)],
)
def test_nothing_is_wider_than_the_screen(visitor: OpenPage, width: int, language: str) -> None:
    page = visitor(
        "/", viewport={"width": width, "height": 800 if width > 640 else 400}, locale=language
    )
    paths = [path for path in PATHS.values() if path != "/tables/nowhere"]
    for path in paths if width == NARROWEST else paths[OTHER_WIDTHS.index(width) :: len(OTHER_WIDTHS)]:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_links_of_a_game_never_cover_each_other(visitor: OpenPage) -> None:
    page = visitor("/", viewport={"width": 360, "height": 740})
    for language in LANGUAGES:
        page.goto(f"/?lang={language}")
        assert page.locator(".learn a").count() > 3
        assert page.evaluate(COVERED_LINKS) == [], language


def test_every_page_fits_a_phone_in_german(visitor: OpenPage) -> None:
    """All pages that need nothing but a game, pictured or not, and the page of an error."""
    page = visitor("/", viewport={"width": 360, "height": 740}, locale="de", quiet=True)
    paths = {
        pattern.replace("{game}", name) for pattern, _ in discovery.pages() for name in game_names()
    }
    for path in sorted({path for path in paths if "{" not in path} | {"/tables/nowhere"}):
        answer = page.request.get(path)
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        page.goto(path)
        assert page.evaluate("document.documentElement.lang") == "de", path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize(
    "name", ["first-page", "lobby", "parade-marked", "letters-middle", "cookies-joker"]
)
def test_everything_is_reachable_by_tab(lasting_visitor: OpenPage, name: str) -> None:
    page = lasting_visitor(PATHS[name], **DESKTOP)
    stops = set(page.evaluate(STOPS))
    assert len(stops) > 5
    for _ in range(2 * len(stops)):
        page.keyboard.press("Tab")
        stops.discard(page.evaluate(f"({KNOWN_BY})(document.activeElement)"))
    assert stops == set()


@pytest.mark.parametrize("exhibit", TO_ACT, ids=lambda each: each.name)
def test_arrows_cycle_through_all_choices_and_each_is_described(
    lasting_visitor: OpenPage, exhibit: SampleTable
) -> None:
    page = lasting_visitor(exhibit.path, **DESKTOP)
    choices = page.locator("[data-play]")
    wanted = choices.evaluate_all("all => all.map(e => [e.dataset.play, e.getAttribute('aria-label')])")
    assert wanted
    found = []
    for _ in wanted:
        page.keyboard.press("ArrowRight")
        found.append(page.evaluate("[document.activeElement.dataset.play, preview.textContent]"))
    assert found == wanted
    assert len({label for _, label in wanted}) == len(wanted), "no two have the same name"
    assert all(re.search(r"\w\w", label) for _, label in wanted)


@pytest.mark.parametrize("game", ["parade", "letters", "cookies"])
def test_a_choice_is_made_with_enter(open_page: OpenPage, game: str) -> None:
    page = open_page(reduced_motion="reduce")
    start_from_home(page, game=game)
    assert browser.take_turn(page, browser.play_by_keyboard)


COLOURS = ("--red", "--blue", "--purple", "--green", "--grey")
PAIRS = {
    "--page": ("--ink", "--soft", "--accent-ink"),
    "--panel": ("--ink", "--soft", "--accent-ink"),
    "--accent-soft": ("--ink", "--accent-ink"),
    "--accent": ("--on-accent",),
    "--good": ("--on-good",),
    "--bad": ("--on-bad",),
    "--cloth": ("--on-cloth",),
    "--cloth-deep": ("--on-cloth",),
    "--card-paper": ("--card-ink", *COLOURS),
    **dict.fromkeys(COLOURS, ("#fff",)),
}
"""What is written on what: axe does not look at text in pictures."""
COLOUR = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.attributeStyleMap.set("color", name.startsWith("-") ? `var(${name})` : name);
  const found = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return found;
}"""


def relative_luminance(colour: list[float]) -> float:
    """Relative luminance as defined by WCAG."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(visitor: OpenPage, scheme: str) -> None:
    page = visitor("/tables/parade-middle", color_scheme=scheme)
    for paper, texts in PAIRS.items():
        for text in texts:
            lights = sorted(relative_luminance(page.evaluate(COLOUR, each)) for each in (text, paper))
            assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, (text, paper)
