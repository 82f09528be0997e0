"""Everything in `docs/adding-a-game.md` is true: its files keep the laws, and its commands work."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.documented_game import BLOCKS, COMMANDS, FILES, ROOT, TEXT, Package

pytestmark = pytest.mark.slow


def test_every_code_block_is_a_file_or_is_run() -> None:
    kinds = [kind for name, kind, _ in BLOCKS if not name]
    assert sorted(kinds) == ["python", "python", "sh", "sh"]
    assert len(re.findall(r"^```\w", TEXT, re.MULTILINE)) == len(BLOCKS)
    assert len(FILES["tarts/rules.py"].splitlines()) < 120
    listed = set(re.findall(r"^\| `([^|]+)` \|", TEXT.partition("## The game")[0], re.MULTILINE))
    named = {name for row in listed for name in row.split("`, `")}
    for name in FILES:
        assert any(f"/{name}".startswith(("/tests", f"/tarts/{each}", f"/{each}")) for each in named), (
            name
        )


def test_links_resolve() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (ROOT / "docs" / link).exists(), link
    for file in re.findall(r"`((?:core|examples|src)/[\w/.]*)`", prose):
        assert (ROOT / file).exists() or (ROOT / "src" / "wonderland" / file).exists(), file


def run_pytest(package: Package, *paths: Path, code: int = 0) -> str:
    """Return pytest's output for some tests of the document."""
    plain = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    return package.run(*plain, *map(str, paths), code=code)


def test_the_documented_game_keeps_the_laws(bare: Package, whole: Package) -> None:
    assert "8 passed" in run_pytest(bare, bare.source / "tests")
    assert "14 passed" in run_pytest(whole, whole.source / "tests")


def test_the_laws_catch_a_leak(bare: Package, tmp_path: Path) -> None:
    """A view that shows all hands breaks law 7."""
    shutil.copytree(bare.source, tmp_path, dirs_exist_ok=True)
    view = tmp_path / "tarts" / "view.py"
    view.write_text(FILES["tarts/view.py"].replace("hand if owner == seat else", "hand if hand else"))
    paths = os.pathsep.join([str(tmp_path), bare.paths])
    said = run_pytest(bare._replace(paths=paths), tmp_path / "tests", code=1)
    assert "law 7: seat " in said
    assert "sees what it was not told" in said


def answers() -> str:
    """Every card in turn; cards that are not in hand are refused with a sentence."""
    return "\n".join(["log", "table", *[str(card) for card in range(1, 13)] * 3, ""])


SHOWN = {
    "games": "tarts: Three cards, three trays",
    "rules": "in turn, face up",
    "play": "the most tarts.",
    "replay": "The record is complete",
    "simulate": "200 games, 3 seats",
    "arena": "Hatter@20",
}
ELSEWHERE = {
    ".venv/bin/pip install --no-build-isolation --editable ../tarts-game",
    ".venv/bin/pytest ../tarts-game/tests/test_tarts.py",
    ".venv/bin/wonderland play tarts",
    ".venv/bin/wonderland serve",
}
"""Commands that have tests of their own."""


def test_the_documented_commands_work(bare: Package, tmp_path: Path) -> None:
    assert set(COMMANDS) > ELSEWHERE
    for line in COMMANDS:
        if line not in ELSEWHERE:
            program, *words = line.replace("game.txt", str(tmp_path / "game.txt")).split()
            assert program == ".venv/bin/wonderland"
            assert SHOWN[words[0]] in bare.wonderland(*words, said=answers()), line


def test_a_game_at_the_prompt_is_recorded_and_round_trips(package: Package, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    play = ["play", "tarts", "--plain", "--seats", "me,dodo,dodo", "--first", "2", "--seed", "tea"]
    said = package.wonderland(*play, "--record", str(file), said=answers())
    assert "Dormouse" in said
    assert "isn't one of the choices" in said
    assert ("plays the Queen (12)." in said) == package.is_whole
    assert ("Dodo: card played (card 12)." in said) == (not package.is_whole)
    text = file.read_text()
    assert text.startswith("Game: tarts\nRules: 1\nSeats: Alice, Dodo, Dormouse\n")
    assert "\nStart: seat2\n" in text
    script = (
        "import sys; from wonderland import read_record; text = open(sys.argv[1]).read(); "
        "record = read_record(text).whole; assert record.text() == text; print(record.result)"
    )
    assert "ending='no cards left'" in package.run("-c", script, str(file))
    file.write_text(text.replace("Start: seat2", "Start: seat4"))
    assert "game.txt, line " in package.wonderland("replay", str(file), code=2)


FULL_SCREEN = """
import asyncio
from support.screen_pilot import current_screen, play_until_result, run_app
from wonderland.terminal.menu import MenuChoice

async def play(pilot):
    drawn = "\\n".join(line.plain for line in current_screen(pilot).query_one("#table").picture.lines)
    print(drawn)
    await play_until_result(pilot, lambda: pilot.press("enter"))
    print(current_screen(pilot).query_one("#sheet").render())

run_app(MenuChoice("tarts", ("me", "dodo")), play)
"""


def test_it_plays_on_the_full_screen(package: Package) -> None:
    tests = os.pathsep.join([package.paths, str(ROOT / "tests")])
    said = package._replace(paths=tests).run("-c", FULL_SCREEN)
    assert ("Your hand: [" in said) == package.is_whole
    assert ("Hands: " in said) == (not package.is_whole)
    assert "the most tarts." in said


def test_the_generic_search_beats_random_play(bare: Package) -> None:
    command = ["simulate", "tarts", "--bots", "hatter@30,dodo", "--games", "100", "--seed", "1"]
    found = json.loads(bare.wonderland(*command, "--json", "-"))
    hatter, dodo = (seat["wins"]["value"] for seat in found["seats"])
    assert hatter > dodo + 0.1


def run_mypy(home: Path) -> subprocess.CompletedProcess[str]:
    """Return mypy's output for a package of the document."""
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(home / "tarts")]
    paths = os.pathsep.join([str(home), str(ROOT / "src")])
    settings = os.environ | {"MYPYPATH": paths}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=settings)


def test_mypy_checks_its_components(whole: Package, tmp_path: Path) -> None:
    done = run_mypy(whole.source)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copytree(whole.source, tmp_path, dirs_exist_ok=True)
    scene = tmp_path / "tarts" / "scene.py"
    scene.write_text(FILES["tarts/scene.py"].replace("def scene(", "def draw("))
    said = run_mypy(tmp_path).stdout
    assert "contracts.py" in said
    assert 'variable has type "SceneUI"' in said
