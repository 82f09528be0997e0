"""Takes the README's pictures of pages in a real browser, and saves them to docs/pictures.

    python scripts/web_pictures.py            all of them
    python scripts/web_pictures.py turn       those whose name contains the text

`parade-turn.webp` is a film of a turn, taken frame by frame: the page's clock and its animations are
moved on by hand, so it is the same on any machine.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from screenshots import BROWSERS, hide_absences, screenshots
from support.sample_tables import COOKIE, serve_sample_tables

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = "1440x900"
PICTURES = {
    "first-page": ("first-page", "light"),
    "parade-table": ("parade-marked", "light"),
    "letters-table": ("letters-menace", "dark"),
    "cookies-table": ("cookies-middle", "light"),
}
"""For each file, which screenshot it is."""
FILM, FILMED = "parade-turn", "/tables/parade-marked"
FILM_SIZE = (880, 550)
FRAME_MS = 60
"""Milliseconds of a frame, about 16 a second."""
ADVANCE = """(step) => {
  for (const each of document.getAnimations()) {
    each.pause();
    const now = Number(each.currentTime ?? 0) + step;
    if (now >= each.effect.getComputedTiming().endTime) each.finish();
    else each.currentTime = now;
  }
}"""
"""Script for a page: stop all animations and move them on by some milliseconds."""


def frames(page: Any, milliseconds: int) -> Iterator[Image.Image]:
    """Move a page on frame by frame, and yield what it shows."""
    for _ in range(milliseconds // FRAME_MS):
        page.clock.run_for(FRAME_MS)
        page.evaluate(ADVANCE, FRAME_MS)
        yield Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def film_turn(page: Any, sockets: list[Any]) -> Iterator[Image.Image]:
    """Yield the frames of a turn: a card is considered, laid, and takes others with it."""
    choice = page.locator("[data-play]").first
    yield from frames(page, 480)
    choice.hover()
    yield from frames(page, 1500)
    with sockets[-1].expect_event("framereceived", lambda text: '"type":"page"' in str(text)):
        choice.click()
    page.mouse.move(8, 8)
    yield from frames(page, 3600)


def take_film(path: Path) -> None:
    """Play a turn at a sample table, and save it as an animated picture."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    width, height = FILM_SIZE
    with (
        tempfile.TemporaryDirectory() as storage,
        serve_sample_tables(Path(storage)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(
            base_url=server.address, locale="en-GB", viewport={"width": width, "height": height}
        )
        context.add_cookies([{"name": "wonderland", "value": COOKIE, "url": server.address}])
        page, sockets = context.new_page(), list[Any]()
        page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108 - it must be a function
        page.goto(FILMED)
        page.wait_for_selector("#connection.connected", state="attached")
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready")
        hide_absences(page)
        page.clock.install()
        page.clock.pause_at(datetime.now() + timedelta(seconds=1))  # noqa: DTZ005 - the page's own time
        line = context.new_cdp_session(page)
        line.send("Animation.enable")
        line.send("Animation.setPlaybackRate", {"playbackRate": 0})  # only `frames` moves them on
        shown = list(film_turn(page, sockets))
        browser.close()
    first, *others = shown
    first.save(
        path,
        save_all=True,
        append_images=others,
        duration=[FRAME_MS] * (len(shown) - 1) + [1500],
        loop=0,
        quality=62,
        method=4,
        minimize_size=True,
    )


def main(only: str = "") -> None:
    """Take the pictures and compress them."""
    for file, (name, scheme) in PICTURES.items():
        if only not in file:
            continue
        for _, picture in screenshots(name, SIZE, scheme):
            path = FOLDER / f"{file}.webp"
            Image.open(io.BytesIO(picture)).save(path, quality=88, method=6)
            sys.stdout.write(f"{path.name}\n")
    if only in FILM:
        take_film(FOLDER / f"{FILM}.webp")
        sys.stdout.write(f"{FILM}.webp\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
