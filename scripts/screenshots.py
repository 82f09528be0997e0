"""Takes screenshots of every page and state at eight sizes, light and dark, in a real browser.

    python scripts/screenshots.py FOLDER [NAME] [SIZE] [SCHEME] [LANGUAGE]

NAME, SIZE and SCHEME limit them to those that contain the text: `parade 390 dark`.
LANGUAGE is a code like `de`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.sample_tables import COOKIE, PAGES, SAMPLE_TABLES, serve_sample_tables  # noqa: E402 - needs the path above

SIZES = (
    *((1440, 900), (1280, 720), (1920, 1080), (2560, 1440)),
    *((390, 844), (844, 390), (360, 640), (768, 1024)),
)
SCHEMES = ("light", "dark")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


class Shot(NamedTuple):
    """One page or state to take a picture of."""

    path: str
    is_player: bool = False
    """Whether the viewer sits at the tables and has a name, or comes for the first time."""
    mark: int | None = None
    """The choice to mark, counted from 0."""
    prepare: Callable[[Any], None] | None = None
    """What to do on the page first."""


def open_drawer(page: Any) -> None:
    """Open the drawer with players, history and chat."""
    page.locator("#drawer-handle").click()
    page.locator(".drawer-open > .drawer").wait_for()


def open_settings(page: Any) -> None:
    """Open the settings."""
    page.locator("#settings summary").click()


def play_finale(page: Any) -> None:
    """Show the finale of a finished game, stopped while the winner bows."""
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(
        """async () => {
          const script = document.querySelector('script[src$="/table.js"]').src;
          (await import(script.replace("table.js", "finale.js"))).playFinale(() => {});
          const animations = document.getAnimations();
          const dusk = animations.find((each) => each.effect.target.matches(".dusk"));
          const bow = dusk.effect.getTiming().delay;
          for (const each of animations) {
            each.pause();
            each.currentTime = bow + 1000;
          }
        }"""
    )
    page.wait_for_selector(".bowing")


def fill_score_pad(page: Any) -> None:
    """Start a score pad and enter some cards for two players."""
    page.locator("#setup button").click()
    for cards in ((3, 14, 25, 9, 60), (4, 15, 40, 55)):
        for card in cards:
            page.locator("[data-card]").nth(card).click()
        page.locator("#next").click()


STATES = {
    "account": Shot("/people", is_player=True),
    "guest": Shot("/tables/lobby"),
    "drawer": Shot("/tables/parade-middle", is_player=True, prepare=open_drawer),
    "settings": Shot("/tables/letters-middle", is_player=True, prepare=open_settings),
    "replay-settings": Shot("/replay/letters-end?at=20&seat=open", prepare=open_settings),
    "score-in-use": Shot("/score/parade", prepare=fill_score_pad),
    "finale": Shot("/tables/parade-end", is_player=True, prepare=play_finale),
}
SHOTS = (
    {name: Shot(path) for name, path in PAGES.items()}
    | STATES
    | {each.name: Shot(each.path, is_player=True, mark=each.mark) for each in SAMPLE_TABLES}
)


def contexts(
    browser: Any, address: str, size: str, scheme: str, language: str
) -> Iterator[tuple[str, Any]]:
    """Yield a browser context for each screen size and colour scheme."""
    for width, height in SIZES:
        for colours in SCHEMES:
            kind = f"{width}x{height}-{colours}"
            if size not in kind or scheme not in colours:
                continue
            context = browser.new_context(
                base_url=address,
                color_scheme=colours,
                reduced_motion="reduce",
                locale=language,
                service_workers="block",  # every page comes from the server
                viewport={"width": width, "height": height},
                has_touch=min(width, height) < 600,
            )
            yield kind, context
            context.close()


def hide_absences(page: Any) -> None:
    """Hide the signs that the other players, who are not connected, are away."""
    page.evaluate(
        """() => {
          const style = new CSSStyleSheet();
          style.replaceSync(`.away-sign { display: none !important; }
            .box .portrait { opacity: 1 !important; filter: none !important; }`);
          document.adoptedStyleSheets.push(style);
          document.getElementById("absences")?.remove();
        }"""
    )


def take_screenshots(context: Any, address: str, only: str) -> Iterator[tuple[str, bytes]]:
    """Yield the screenshots of all pages and states whose names contain a text."""
    for name, shot in SHOTS.items():
        if only not in name:
            continue
        context.clear_cookies()
        if shot.is_player:
            context.add_cookies([{"name": "wonderland", "value": COOKIE, "url": address}])
        page = context.new_page()
        page.goto(shot.path)
        if page.locator("#connection").count():
            page.wait_for_selector("#connection.connected", state="attached")
        if shot.mark is not None:
            page.locator("[data-play]").nth(shot.mark).evaluate("it => it.focus({focusVisible: true})")
        if shot.prepare is not None:
            shot.prepare(page)
        page.evaluate("document.fonts.ready")
        hide_absences(page)
        yield name, page.screenshot()
        page.evaluate("localStorage.clear()")  # an open drawer would stay open
        page.close()


def screenshots(
    only: str = "", size: str = "", scheme: str = "", language: str = "en-GB"
) -> Iterator[tuple[str, bytes]]:
    """Yield screenshots from a server with sample tables, named like `parade-end-390x844-dark`."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory() as storage,
        serve_sample_tables(Path(storage)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for kind, context in contexts(browser, server.address, size, scheme, language):
            for name, picture in take_screenshots(context, server.address, only):
                yield f"{name}-{kind}", picture
        browser.close()


def main(folder: Path, *limits: str) -> None:
    """Write the screenshots to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in screenshots(*limits):
        (folder / f"{name}.png").write_bytes(picture)
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:6])
