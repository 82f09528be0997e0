"""Page scripts: each page preloads what its script imports."""

from __future__ import annotations

import re

import pytest

from wonderland.features.coach import pages as coach
from wonderland.features.my_games import retry
from wonderland.features.puzzles import pages as puzzles
from wonderland.features.replay import pages as replays
from wonderland.web import pages
from wonderland.web.assets import assets

OF_PAGES = {
    "table": pages.MODULES,
    "replay": replays.MODULES,
    "coach": coach.MODULES,
    "my-mistake": retry.MODULES,
    "puzzle": puzzles.MODULES,
}


def transitive_imports(script: str) -> set[str]:
    """Return what a script imports, transitively."""
    found: set[str] = set()
    wanted = {script}
    while wanted:
        text = assets()[f"{wanted.pop()}.js"].decode()
        new = set(re.findall(r'^import .* from "\./([\w-]+)\.js";$', text, re.MULTILINE)) - found
        found |= new
        wanted |= new
    return found


@pytest.mark.parametrize("script", OF_PAGES)
def test_a_page_preloads_what_its_script_imports(script: str) -> None:
    assert transitive_imports(script) == set(OF_PAGES[script])


@pytest.mark.parametrize(
    "script", ["home", "tutorial-start", "ratings", "replay-upload", "position", "my-games"]
)
def test_pages_without_a_table_do_not_load_its_script(script: str) -> None:
    assert transitive_imports(script) <= {"api", "highlights"}
