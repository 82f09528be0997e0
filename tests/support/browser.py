"""Players in a real browser: opening a table, waiting for a turn, and playing.

Needs Chromium on this machine and Playwright's Python package; nothing is downloaded. The fixtures are
in `support/fixtures.py`; a module of such tests sets `pytestmark = browser.MARKS`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import pytest

from support.messages import message

try:
    from playwright.sync_api import Error, expect, sync_playwright
except ImportError:  # MARKS skips the tests
    Error = Exception
    expect = sync_playwright = None

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without windows: the same engine for half of the processor time."""
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
MARKS = [
    pytest.mark.skipif(sync_playwright is None, reason="Playwright is not installed"),
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine"),
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
MAX_TURNS = 400
TIMEOUT = 20_000
if expect is not None:
    expect.set_options(timeout=TIMEOUT)

OpenPage = Callable[..., Any]
"""Opens a page of a new browser profile."""

HOLD_MESSAGES = """
  const held = new Promise((go) => (window.letIn = go));
  window.WebSocket = class extends WebSocket {
    set onmessage(hear) { super.onmessage = async (event) => { await held; hear(event); } }
  };
"""
"""Init script for a page: messages from the server are held back until `letIn()` is called."""

RECORD_ANIMATIONS = """() => {
  window.glides = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const names = [...new Set(frames.flatMap(Object.keys))];
    window.glides.push({ path: this.dataset.path ?? "", frames: frames.length, names });
    return animate.call(this, frames, timing);
  };
}"""
"""Script for a page: record each animation, which may be over before a test looks."""


_PLAIN_PAINT = """() => {
  const plain = new CSSStyleSheet();
  plain.replaceSync(`.lantern svg, .little-stage * { animation: none !important }
    .grain, svg:not(.ring, .board, .co-plot *) > * { display: none !important }
    *, ::before, ::after { filter: none !important; mix-blend-mode: normal !important;
      box-shadow: none !important; text-shadow: none !important }`);
  document.adoptedStyleSheets.push(plain);
}"""
"""Script for a page: without a graphics chip, drawing costs more than all the rest. What can be chosen
stays, and so does the box of every drawing."""


_connections: WeakKeyDictionary[Any, Callable[[bool], None]] = WeakKeyDictionary()
"""For pages with latency: a function that goes offline and back."""


def add_latency(page: Any, latency: int) -> None:
    """Delay everything that a server sends to a page, scripts included, by some milliseconds."""
    page.add_init_script(f"""window.WebSocket = class extends WebSocket {{
      set onmessage(hear) {{ super.onmessage = (event) => setTimeout(() => hear(event), {latency}); }}
    }}""")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")

    def cut(offline: bool) -> None:
        speed = {"latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
        line.send("Network.emulateNetworkConditions", {"offline": offline, **speed})

    cut(False)  # noqa: FBT003 - the same
    _connections[page] = cut


def set_offline(page: Any, offline: bool) -> None:
    """Take a page offline, or back online, with or without latency."""
    if page in _connections:
        _connections[page](offline)  # first, since a page reconnects as soon as it notices the change
    page.context.set_offline(offline)


@contextmanager
def page_opener(chromium: Any, address: str, latency: int = 0) -> Iterator[OpenPage]:
    """Open pages in profiles of their own; fail if one of them logged an error."""
    complaints: list[str] = []
    contexts = []

    def opened(
        path: str = "/",
        *,
        pace: str = "0",
        quiet: bool = False,
        scenery: bool = False,
        cookie: str = "",
        **wishes: Any,
    ) -> Any:
        if pace == "0":
            wishes = {"reduced_motion": "reduce"} | wishes
        context = chromium.new_context(base_url=address, **({**DESKTOP} | wishes))
        context.add_init_script(
            f"localStorage.getItem('pace') ?? localStorage.setItem('pace', '{pace}');"
            "localStorage.getItem('drawer') ?? localStorage.setItem('drawer', 'open')"
        )
        if not scenery:
            context.add_init_script(f"({_PLAIN_PAINT})()")
        if cookie:
            context.add_cookies([{"name": "wonderland", "value": cookie, "url": address}])
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        if latency:
            add_latency(page, latency)
        if not quiet:
            page.on("console", lambda said: said.type == "error" and complain(page, said.text))
            page.on("pageerror", lambda error: complain(page, str(error)))
        page.goto(path)
        return page

    def complain(page: Any, what: str) -> None:
        complaints.append(f"{page.url}: {what}")

    yield opened
    found = list(complaints)
    for context in contexts:
        for page in context.pages:
            _leave(page)
        context.close()
    assert found == []


def _leave(page: Any) -> None:
    """Go to an empty page, since closing a context while a page loads may hang."""
    try:
        page.goto("about:blank")
    except Error:  # It was reloading, for example after the player sat down.
        page.goto("about:blank")


def table_version(page: Any) -> int:
    return int(page.locator("#table").get_attribute("data-version"))


def find_offer(page: Any, do: str) -> Any:
    """Find what sends a command, such as `sit` or `start`, whatever it says."""
    return page.locator(f'[data-do="{do}"]')


def find_choice(page: Any, action: str) -> Any:
    """Find a choice of the player by its notation."""
    return page.locator(f'[data-play="{action}"]')


def find_button(page: Any, text: str, **fields: Any) -> Any:
    """Find a button by the id of its message."""
    return page.get_by_role("button", name=message(text, **fields))


def start_from_home(page: Any, how: str = "Play now", seats: int = 2, game: str = "parade") -> None:
    """Open a table from the home page."""
    article = page.locator(f"article[data-game={game}]")
    article.get_by_role("radio", name=str(seats)).check()
    level = article.locator("select[name=level]")
    level.evaluate("e => { e.selectedIndex = 0 }")  # it may be collapsed
    find_button(article, how).click()
    page.wait_for_url("**/tables/*")


_CREATE_TABLE = """async wish => {
  const post = async (path, body) => (await fetch(path, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
  })).json();
  const {table} = await post("/api/tables", wish);
  const at = `/api/tables/${table}/commands`;
  const sit = {do: "sit", name: "Alice", contribution: "ab".repeat(16)};
  await post(at, {...sit, at: 0, key: "key-of-sitting"});
  await post(at, {do: "start", at: 1, key: "key-of-starting"});
  return `/tables/${table}`;
}"""


def create_table(page: Any, game: str, **wishes: Any) -> None:
    """Create a table with a bot and start the game, with options that the home page does not offer."""
    wish = {"game": game, "seats": 2, "bots": {"1": "dodo"}, "access": "bots"} | wishes
    page.goto(page.evaluate(_CREATE_TABLE, wish))


def take_turn(page: Any, act: Callable[[Any], None]) -> bool:
    """Wait for the player's turn and act; return false when the game is over."""
    page.wait_for_selector(".status.mine, .status.finished")
    if page.locator(".status.finished").count():
        return False
    expect(page.locator(".seats .to-act[data-bot]")).to_have_count(0)  # bots may choose at the same time
    before = table_version(page)
    act(page)
    page.wait_for_selector(f'#table:not([data-version="{before}"])')
    return True


def play_by_mouse(page: Any) -> None:
    page.locator("[data-play]").first.click()


def play_by_keyboard(page: Any) -> None:
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.play"), "an arrow leads to a choice"
    expect(page.locator("#preview")).not_to_be_empty()
    page.keyboard.press("Enter")


def play_by_touch(page: Any) -> None:
    choice = page.locator("[data-play]").last
    while (box := choice.bounding_box()) is None:  # it was just replaced by a newer one
        choice.wait_for()
    view = page.viewport_size
    assert box["y"] + box["height"] <= view["height"], "the hand is visible without scrolling"
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before, name = table_version(page), choice.get_attribute("aria-label")
    at_once = choice.get_attribute("data-at-once") is not None
    page.touchscreen.tap(*middle)  # unlike `tap` of the element, it never scrolls
    if at_once:
        return
    expect(page.locator("#preview")).to_have_text(name)
    assert table_version(page) == before, "the first touch only shows"
    page.touchscreen.tap(*middle)
    assert page.evaluate("scrollY") == 0


@contextmanager
def two_players(open_page: OpenPage, **wishes: Any) -> Iterator[tuple[Any, Any, str]]:
    """Alice opens a table, and Bill joins through her link."""
    alice = open_page(**wishes)
    alice.get_by_label(message("Your name")).fill("Alice L.")
    start_from_home(alice, "Invite friends")
    expect(alice.locator("#link")).to_have_value(re.compile(r"/tables/\w+#[\w-]{10,}"))
    link = alice.locator("#link").input_value()
    bill = open_page(link, **wishes)
    find_offer(bill, "sit").click()
    expect(bill.locator("#toast")).to_have_text(message("Enter your name first."))
    bill.get_by_label(message("Your name")).fill("Bill")
    find_offer(bill, "sit").click()
    expect(bill.locator(".seats .me .who")).to_have_text("Bill")
    find_offer(alice, "start").click()
    for page in (alice, bill):
        expect(page.locator(".hand .card")).to_have_count(5)
    yield alice, bill, link


def play_over_http(*pages: Any, until: Callable[[Any], bool]) -> None:
    """Play over HTTP, which is quicker than on the page, until the table satisfies a condition."""
    tables = [page.url for page in pages]
    for page in pages:
        page.goto("/people")
    where = f"/api{urlsplit(tables[0]).path}"
    for turn in range(10 * MAX_TURNS):
        ask = pages[turn % len(pages)].request
        shown = ask.get(where).json()
        if until(shown):
            break
        if shown["legal"]:
            move = {"do": "play", "seat": shown["seat"], "action": shown["legal"][0]}
            move |= {"at": shown["version"], "key": f"key-of-move-{turn}"}
            ask.post(f"{where}/commands", data=move)
    for page, table in zip(pages, tables, strict=True):
        page.goto(table)


def wait_until(page: Any, condition: str, arg: Any = None) -> None:
    """Wait until an async function in a page returns true.

    Playwright's `wait_for_function` doesn't wait here: it takes the promise itself for the answer.
    """
    page.evaluate(
        f"""async ([arg, most]) => {{
          const condition = {condition}, end = performance.now() + most;
          while (!(await condition(arg))) {{
            if (performance.now() > end) throw new Error("timeout: " + condition);
            await new Promise((go) => setTimeout(go, 50));
          }}
        }}""",
        [arg, TIMEOUT],
    )


def wait_for_service_worker(page: Any, scope: str) -> None:
    """Wait until the service worker of a scope is installed, with everything that it keeps."""
    wait_until(
        page,
        """async (scope) => (await navigator.serviceWorker.getRegistrations())
          .some((each) => new URL(each.scope).pathname === scope
            && each.active?.state === "activated")""",
        scope,
    )


def piece_names(page: Any, where: str = ".hand .card") -> list[str]:
    """Return the names of the pieces that a selector matches."""
    found: list[str] = page.locator(where).evaluate_all("all => all.map(e => e.dataset.piece)")
    return found
