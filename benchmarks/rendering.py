"""Processor time and bytes of the page that answers a move, compared with another version.

    .venv/bin/python benchmarks/rendering.py
    .venv/bin/python benchmarks/rendering.py --against ../before --rounds 5

Both versions render the same random games for the player to move, in turns, each with its own `.venv`.
Unlike `pages.py`, this counts processor time, so it can be measured on a busy machine; the fastest round
counts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

GAMES = ("parade", "letters", "cookies")
PLAYS = 4
TREE = Path(__file__).resolve().parent.parent


def measure() -> dict[str, tuple[float, float]]:
    """Return the milliseconds and kilobytes of an update of each game, in this interpreter's version."""
    from campaigns.indistinguishable_plays import (  # noqa: PLC0415 - of the version to measure
        _entries,
        device,
        random_play,
        settings,
    )
    from campaigns.raw_clients import KEY  # noqa: PLC0415 - the same
    from wonderland.components.catalogues import load_language  # noqa: PLC0415 - the same
    from wonderland.tables.handlers import hash_secret  # noqa: PLC0415 - the same
    from wonderland.tables.table import Table  # noqa: PLC0415 - the same
    from wonderland.web.table_page import PageFormat  # noqa: PLC0415 - the same

    render, found = PageFormat(load_language("en")), {}
    for name in GAMES:
        tables, warm = [], []
        for seed in range(PLAYS + 1):
            rng = random.Random(seed)
            setting = next(each for each in settings(name) if each.seats == 2 + seed % 3)  # plain rules
            match = random_play(setting, rng)
            table = None
            for _, entry in _entries(setting, f"render{seed}", match.game, match.moves, KEY):
                table = Table(entry) if table is None else table.after(entry)
                if table.status == "playing" and len(table.to_act) == 1:
                    (seat,) = table.to_act
                    shown = (table, seat, hash_secret(device(table.id, seat)))
                    (tables if seed < PLAYS else warm).append(shown)
        for shown in warm:  # loads the templates, at another table than those that are measured
            render(*shown)
        start = time.process_time()
        sizes = [len(render(*shown)) for shown in tables]
        spent = time.process_time() - start
        found[name] = (1000 * spent / len(tables), sum(sizes) / len(sizes) / 1000)
    return found


def run(tree: Path) -> dict[str, tuple[float, float]]:
    """Measure a version in a process of its own."""
    paths = os.pathsep.join(map(str, (tree / "src", tree / "tests", tree / "scripts")))
    command = [str(tree / ".venv/bin/python"), __file__, "--json"]
    environment = {**os.environ, "PYTHONPATH": paths}
    answer = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603
    found: dict[str, tuple[float, float]] = json.loads(answer.stdout)
    return found


def fastest(rounds: list[dict[str, tuple[float, float]]], name: str) -> tuple[float, float]:
    return min(found[name][0] for found in rounds), rounds[0][name][1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", type=Path, help="folder of another version, with its .venv")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="measure once, for a caller")
    given = parser.parse_args()
    if given.json:
        json.dump(measure(), sys.stdout)
        return
    trees = [TREE, *([given.against.resolve()] if given.against else [])]
    rounds = [[run(tree) for tree in trees] for _ in range(given.rounds)]
    print("| game | ms | KB | " + ("ms before | KB before | time | bytes |" if given.against else ""))
    print("|---|---:|---:|" + "---:|" * 4 * bool(given.against))
    for name in GAMES:
        sides = [fastest([found[side] for found in rounds], name) for side in range(len(trees))]
        cells = [f"{figure:.2f}" for side in sides for figure in side]
        if given.against:
            cells += [f"{one / two:.2f}" for one, two in zip(*sides, strict=True)]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\nfastest of {given.rounds} rounds, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
