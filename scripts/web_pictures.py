"""Takes screenshots of every page in a real browser, from a real server with sample tables.

    python scripts/web_pictures.py [FOLDER]

Light and dark, on a phone and on a wide screen. The four for the README are also saved to docs/pictures.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.sample_tables import COOKIE, PAGES, SAMPLE_TABLES, serve_sample_tables  # noqa: E402 - needs the path above

SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "device_scale_factor": 2},
    "wide": {"viewport": {"width": 1280, "height": 800}},
}
README_PICTURES = {
    "first-page-wide-light": "first-page",
    "parade-marked-wide-light": "parade-table",
    "letters-menace-wide-dark": "letters-table",
    "cookies-middle-wide-light": "cookies-table",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def open_page(context: Any, path: str, mark: int | None = None) -> Any:
    """Open a page and wait until it has settled."""
    page = context.new_page()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if mark is not None:
        page.locator("[data-play]").nth(mark).evaluate("choice => choice.focus({focusVisible: true})")
    page.evaluate("document.fonts.ready")
    return page


def contexts(browser: Any, address: str) -> Iterator[tuple[str, Any]]:
    """Yield a browser context for each screen size and colour scheme."""
    for size, settings in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                base_url=address,
                color_scheme=scheme,
                reduced_motion="reduce",
                locale="en-GB",
                **settings,
            )
            yield f"{size}-{scheme}", context
            context.close()


def take_screenshots(browser: Any, address: str, only: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield each screenshot with its name."""
    marks: dict[str, int | None] = {each.name: each.mark for each in SAMPLE_TABLES}
    paths = PAGES | {each.name: each.path for each in SAMPLE_TABLES}
    for kind, context in contexts(browser, address):
        for name, path in paths.items():
            if only not in name:
                continue
            if name in marks:  # the other pages are shown to a first-time visitor
                context.add_cookies([{"name": "wonderland", "value": COOKIE, "url": address}])
            page = open_page(context, path, marks.get(name))
            yield f"{name}-{kind}", page.screenshot()
            page.close()


def save_for_readme(name: str, picture: bytes) -> None:
    """Compress a screenshot of the README and save it to docs/pictures."""
    path = ROOT / "docs" / "pictures" / f"{README_PICTURES[name]}.webp"
    Image.open(io.BytesIO(picture)).save(path, quality=88, method=6)
    sys.stdout.write(f"{path.relative_to(ROOT)}\n")


def main(folder: Path, only: str = "") -> None:
    """Write all screenshots whose names contain `only` to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory() as storage,
        serve_sample_tables(Path(storage)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name, picture in take_screenshots(browser, server.address, only):
            (folder / f"{name}.png").write_bytes(picture)
            if name in README_PICTURES and not only:
                save_for_readme(name, picture)
        browser.close()


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or [ROOT / "build" / "pictures"]), *sys.argv[2:3])
