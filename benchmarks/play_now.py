"""Time from *Play now* to a dealt table, and from a click on a card to its feedback, in Chromium.

    .venv/bin/python benchmarks/play_now.py
    .venv/bin/python benchmarks/play_now.py --against ../before --rounds 10

Each round opens the first page in a new profile, waits until it is idle, clicks *Play now* for Parade
and then plays a card. A version to compare with takes its turn in every round, in this interpreter; it
need not be compiled, since all measurements end before a bot moves.

*Dealt* is the second frame after the hand is on the page, *feedback* the frame after the card is marked
or gone, *moved* the frame after the table with the move is shown, at the speed without animations.
Processor time is that of all of Chromium's processes and of the server, from the click to the dealt
table: it can also be compared on a busy machine, where the times can't.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from server import started

TREE = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]
SPOKEN = {
    "dealt": "dealt, ms",
    "browser": "browser, ms of processor time",
    "server": "server, ms of processor time",
    "feedback": "feedback, ms",
    "moved": "moved, ms",
}
WATCH = """() => {
  localStorage.setItem("pace", "0");
  addEventListener("click", ({ target }) => {
    if (target.closest("article")) sessionStorage.asked = Date.now();
  }, true);
  const frames = (count, then) =>
    requestAnimationFrame(() => (count > 1 ? frames(count - 1, then) : then()));
  addEventListener("DOMContentLoaded", () => {
    const table = document.getElementById("table");
    if (!table) return;
    const look = () => {
      if (table.querySelectorAll(".hand .card").length < 5) return requestAnimationFrame(look);
      frames(2, () => (table.dataset.dealt = Date.now() - Number(sessionStorage.asked)));
    };
    look();
    table.addEventListener("click", (event) => {
      const card = event.target.closest("[data-play]");
      if (!card || window.played) return;
      const [start, version] = [performance.now(), table.dataset.version];
      window.played = true;
      const feedback = () => {
        const isShown = !card.isConnected || card.classList.contains("sent");
        if (isShown) table.dataset.feedback = performance.now() - start;
        else requestAnimationFrame(feedback);
      };
      const moved = () => {
        if (table.dataset.version !== version) table.dataset.moved = performance.now() - start;
        else requestAnimationFrame(moved);
      };
      requestAnimationFrame(feedback);
      requestAnimationFrame(moved);
    }, true);
  });
}"""


def processor_time(pid: int) -> float:
    """Return the milliseconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def browser_time(session: Any) -> float:
    """Return the same for all processes of Chromium."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return 1000 * sum(float(each["cpuTime"]) for each in found)


def play(chromium: Any, address: str, pid: int) -> dict[str, float]:
    """Start a game and play a card; return the measurements."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.add_init_script(f"({WATCH})()")
    page, session = context.new_page(), chromium.new_browser_cdp_session()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    button = page.locator("article[data-game=parade]").get_by_role("button", name="Play now")
    before = browser_time(session), processor_time(pid)
    button.click()
    page.wait_for_selector("#table[data-dealt]")
    found = {"browser": browser_time(session) - before[0], "server": processor_time(pid) - before[1]}
    page.locator("#connection.connected").wait_for(state="attached")
    page.wait_for_selector(".status.mine")
    page.locator("[data-play]").first.click()
    page.wait_for_selector("#table[data-feedback][data-moved]")
    marks = page.locator("#table").evaluate("table => ({...table.dataset})")
    found |= {name: float(marks[name]) for name in ("dealt", "feedback", "moved")}
    session.detach()
    context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", type=Path, help="folder of another version")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    trees = {"now": TREE} | ({"before": given.against.resolve()} if given.against else {})
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with (
        tempfile.TemporaryDirectory(prefix="play-now-") as folder,
        sync_playwright() as driver,
    ):
        for number in range(given.rounds + 1):  # the first is not counted
            for side, tree in trees.items():
                command = [sys.executable, "-m", "wonderland", "serve", "--port=0"]
                command.append(f"--database={folder}/{side}.db")
                environment = os.environ | {"PYTHONPATH": str(tree / "src")}
                chromium = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
                with started(command, env=environment) as (server, address):
                    play(chromium, address, server.pid)  # loads the templates
                    measured = play(chromium, address, server.pid)
                chromium.close()
                if number:
                    found[side].append(measured)
    print("| | " + " | ".join(trees) + " | " + ("to before |" if given.against else ""))
    print("|---|" + "---:|" * (len(trees) + bool(given.against)))
    for name, words in SPOKEN.items():
        sides = [median(each[name] for each in found[side]) for side in trees]
        cells = [f"{each:.0f}" for each in sides]
        if given.against:
            cells.append(f"{sides[0] / sides[1]:.2f}")
        print(f"| {words} | " + " | ".join(cells) + " |")
    print(f"\nmedian of {given.rounds} rounds, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
