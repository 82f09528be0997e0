"""Draws the icon as PNG files, and the picture that previews of links show.

    python scripts/icons.py

Run it after changing the icon, the title or a game's picture. It needs Chromium, Playwright and Pillow.
"""

from __future__ import annotations

import io
import shutil
from base64 import b64encode
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import ranked_game_names
from wonderland.web.assets import assets, shared_symbols
from wonderland.web.rendering import environment

STATIC = Path(__file__).parent.parent / "src" / "wonderland" / "web" / "static"
SIZES = (180, 192, 512)
SOCIAL = (1200, 630)
TAGLINE = "Games for a table full of friends."
SYMBOLS = ("title", "little-frame", "lantern", "mushroom", "gold-star", "sheet", "lamp-warm")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

LAYOUT = """
body { margin: 0; }
.stage { position: absolute; inset: 0; }
.stage > * { --unit: calc(100vw / 1440); }
.front .stage { height: auto; }
.front .backdrop { height: 100%; }
.front .velvet { --edge: 600; }
.front .wing { width: 118px; }
.front .grain { display: none; }
.front .lantern { --across: 505; }
.front .lantern.left { --across: -505; }
.title { position: absolute; left: 192px; top: 64px; width: 816px; height: auto; }
.front .ribbon { position: absolute; left: 0; right: 0; top: 218px; width: fit-content; margin: 0 auto; }
.front .ribbon span { padding: 5px 34px; font-size: 24px; }
.row { position: absolute; left: 66px; top: 292px; display: flex; gap: 20px; }
.row > div { position: relative; width: 342px; height: 248px; overflow: hidden; border-radius: 12px;
  box-shadow: 0 0 0 2px var(--gold), 0 10px 22px rgb(0 0 0 / .45); }
.row > div > * { position: absolute; inset: 0; width: 100%; height: 100%; }
"""


def social_page() -> str:
    """Return the picture for previews as a page: the title over the little stages of all games."""
    typeface = f'url("{_data_url("fraunces-latin.woff2", "font/woff2")}")'
    styles = assets()["front-door.css"].decode().replace("url(fraunces-latin.woff2)", typeface) + LAYOUT
    template = '{% from "stage.html" import scenery %}{{ scenery() }}'
    scenery = environment(ENGLISH).from_string(template).render()
    frame = '<svg viewBox="0 -10 400 290"><use href="#little-frame"/></svg>'
    stages = "".join(
        f'<div><img src="{_data_url(f"{name}.svg")}">{frame}</div>'
        for name in ranked_game_names()
        if f"{name}.svg" in assets()
    )
    title = '<svg class="title" viewBox="0 0 1311 232"><use href="#title"/></svg>'
    return (
        f'<!doctype html><style>{styles}</style><body class="front">{shared_symbols(*SYMBOLS)}'
        f'<div class="stage">{scenery}</div>{title}<p class="ribbon"><span>{TAGLINE}</span></p>'
        f'<div class="row">{stages}</div>'
    )


def icon_page() -> str:
    """Return the icon as a page that it fills."""
    style = "body { margin: 0 } img { display: block; width: 100vw }"
    return f'<style>{style}</style><img src="{_data_url("icon.svg")}">'


def _data_url(name: str, kind: str = "image/svg+xml") -> str:
    return f"data:{kind};base64,{b64encode(assets()[name]).decode()}"


def draw(browser: Any, html: str, width: int, height: int) -> Image.Image:
    """Render a page as an image."""
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="light", reduced_motion="reduce"
    )
    page.set_content(html)
    page.wait_for_load_state("networkidle")
    shot = page.screenshot(omit_background=True)
    page.close()
    return Image.open(io.BytesIO(shot))


def main() -> None:
    """Write all files."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for size in SIZES:
            draw(browser, icon_page(), size, size).save(STATIC / f"icon-{size}.png", optimize=True)
        draw(browser, social_page(), *SOCIAL).convert("RGB").save(STATIC / "social.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
