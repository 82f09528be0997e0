"""Frames per second while cards move, in Chromium on a processor slowed down four times.

    .venv/bin/python benchmarks/motion.py
    .venv/bin/python benchmarks/motion.py --cards 40 --throttle 4 --rounds 3

A game against five bots is played quickly until `--cards` cards lie open on the table. Then each round
shows a move of ours and those of the bots at normal speed. The time between two frames is taken from
`requestAnimationFrame` while anything moves. Without a graphics chip, the processor draws every frame.
Idle is the same page when nothing moves: what this machine could show at best.

`--trace` measures the processor time of the page's main thread for each frame instead, from a trace: of
scripts, styles, layout and painting. It is the same on a busy machine. A frame fits into 60 a second on
a processor that is `--throttle` times slower if that many times its time is below 16.7 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from server import SERVE, started

SIZES = {"1440 x 900": (1440, 900, 1), "390 x 844, twice the pixels": (390, 844, 2)}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
RECORD = """() => {
  window.frames_ = {idle: [], moving: []};
  let last = performance.now();
  const frame = (now) => {
    const moves = document.getAnimations().some((each) => each.effect?.target?.closest("#scene"));
    window.frames_[moves ? "moving" : "idle"].push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
MOVING = """() => {
  window.moving_ = {frames: 0, properties: new Set()};
  const extra = new Set(["offset", "computedOffset", "easing", "composite"]);
  const animate = Element.prototype.animate;
  let until = 0;
  Element.prototype.animate = function (steps, timing) {
    for (const name of [steps].flat().flatMap(Object.keys))
      if (!extra.has(name)) window.moving_.properties.add(name);
    until = Math.max(until, performance.now() + timing.duration + (timing.delay ?? 0));
    return animate.call(this, steps, timing);
  };
  const frame = (now) => {
    window.moving_.frames += now < until;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
MOVED = "() => [window.moving_.frames, [...window.moving_.properties]]"
WORK = {
    "scripts": {"FunctionCall", "EvaluateScript", "TimerFire", "FireAnimationFrame", "EventDispatch"},
    "styles and layout": {"UpdateLayoutTree", "Layout"},
    "painting": {"PrePaint", "Paint", "Layerize", "Commit"},
}
"""The events of a trace, by the kind of work of the main thread."""
OPEN_CARDS = "() => document.querySelectorAll('#scene [data-piece]').length"


def set_pace(page: Any, pace: str) -> None:
    page.evaluate(
        "pace => { const it = document.getElementById('pace'); it.value = pace;"
        " it.dispatchEvent(new Event('change')); }",
        pace,
    )


def play(page: Any) -> None:
    """Play the first choice unless the game is over, and wait until it is our turn again or the end."""
    if page.locator(".status.finished").count():  # the pile is small with six players
        return
    version = page.locator("#table").get_attribute("data-version")
    page.locator("[data-play]").first.press("Enter")
    page.wait_for_function(
        "version => document.getElementById('table').dataset.version !== version"
        " && (document.querySelector('.status.finished')"
        " || document.querySelector('.status.mine') && document.querySelector('[data-play]'))",
        arg=version,
    )


def open_game(browser: Any, url: str, size: tuple[int, int, int], cards: int) -> tuple[Any, Any]:
    """Open a game at normal speed with this many open cards; return the page and its context."""
    width, height, pixels = size
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": height}, device_scale_factor=pixels
    )
    context.set_default_timeout(120_000)
    context.add_init_script("localStorage.setItem('pace', '0')")
    page = context.new_page()
    page.goto("/")
    article = page.locator("article[data-game=parade]")
    article.get_by_role("radio", name="6").check()
    article.locator("select[name=level]").evaluate("e => { e.selectedIndex = 0 }")  # it may be collapsed
    article.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector(".status.mine")
    while page.evaluate(OPEN_CARDS) < cards:
        play(page)
    set_pace(page, "800")
    page.wait_for_function("() => document.getAnimations().length < 20")
    return page, context


def main_thread(events: list[Any]) -> dict[str, float]:
    """Add up the processor time of the main thread in milliseconds, by kind of work."""
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    kinds = {name: kind for kind, names in WORK.items() for name in names}
    found = dict.fromkeys(WORK, 0.0)
    until: dict[Any, float] = {}
    for each in sorted(events, key=lambda event: event.get("ts", 0)):
        thread = each["pid"], each.get("tid")
        is_work = each["ph"] == "X" and each["name"] in kinds and thread in threads
        if is_work and each["ts"] >= until.get(thread, 0):  # not inside another one
            found[kinds[each["name"]]] += each.get("tdur", 0) / 1000
            until[thread] = each["ts"] + each["dur"]
    return found


def trace(browser: Any, url: str, size: tuple[int, int, int], given: argparse.Namespace) -> Any:
    """Return the main thread's milliseconds per frame by kind, the frames, and what is animated."""
    page, context = open_game(browser, url, size, given.cards)
    page.evaluate(MOVING)
    browser.start_tracing(page=page, categories=["devtools.timeline", "__metadata"])
    for _ in range(given.rounds):
        play(page)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    frames, properties = page.evaluate(MOVED)
    context.close()
    work = {kind: spent / frames for kind, spent in main_thread(events).items()}
    return work, frames, sorted(properties)


def measure(browser: Any, url: str, size: tuple[int, int, int], given: argparse.Namespace) -> Any:
    """Return the frame times in milliseconds, idle and moving, and the number of cards."""
    page, context = open_game(browser, url, size, given.cards)
    line = context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": given.throttle})
    page.evaluate(RECORD)
    page.wait_for_timeout(2000)
    for _ in range(given.rounds):
        play(page)
    cards, frames = page.evaluate(OPEN_CARDS), page.evaluate("window.frames_")
    context.close()
    return frames["idle"], frames["moving"], cards


def row(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    late = sum(time > 33.4 for time in times) / len(times)
    rate, under = 1000 * len(times) / sum(times), ordered[int(0.95 * len(ordered))]
    return (
        f"| {name} | {len(times):,} | {rate:.1f} | {median(ordered):.1f} | {under:.1f} "
        f"| {ordered[-1]:.0f} | {100 * late:.1f}% |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cards", type=int, default=40, help="open cards on the table, at least")
    parser.add_argument(
        "--throttle", type=float, default=4, help="how many times slower the processor is"
    )
    parser.add_argument("--rounds", type=int, default=3, help="rounds of moves to record")
    parser.add_argument("--trace", action="store_true", help="measure processor time instead")
    given = parser.parse_args()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory(prefix="wonderland-motion-") as folder,
        started([*SERVE, "serve", "--port=0", f"--database={Path(folder) / 'tables.db'}"]) as (_, url),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        if given.trace:
            print(
                f"| screen | frames | {' | '.join(WORK)} | all, ms per frame | slowed down | animated |"
            )
            print("|---|" + "---:|" * 6 + "---|")
            for name, size in SIZES.items():
                work, frames, properties = trace(browser, url, size, given)
                cells = " | ".join(f"{spent:.2f}" for spent in work.values())
                total = sum(work.values())
                print(
                    f"| {name} | {frames:,} | {cells} | {total:.2f} | {given.throttle * total:.1f} "
                    f"| {', '.join(properties)} |",
                    flush=True,
                )
            browser.close()
            return
        print("| screen | frames | frames/s | median ms | 95% under ms | worst ms | over 33 ms |")
        print("|---|" + "---:|" * 6)
        for name, size in SIZES.items():
            idle, moving, cards = measure(browser, url, size, given)
            print(row(f"{name}, {cards} cards moving", moving), row(f"{name}, idle", idle), sep="\n")
        browser.close()
    busy = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"\nprocessor {given.throttle:g} times slower, {busy}")


if __name__ == "__main__":
    main()
