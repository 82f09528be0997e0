"""The game that `docs/adding-a-game.md` adds, as the text has it: installed and played everywhere.

Once with nothing but its rules, and once with all its files. It is installed into folders of the tests,
and this process never sees it: all of it happens in others.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from browsing import ARGUMENTS, BROWSER, DESK, MARKS, begin, by_mouse, one_step, sync_playwright
from serving import Served, serving

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"(?:^\*\*`([^`\n]+)`\*\*[^\n]*\n\n)?^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL
)
FILES = {name: text for name, _, text in BLOCKS if name}
SCRIPTS = [text for name, kind, text in BLOCKS if not name and kind == "python"]
COMMANDS = [line for _, kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
MORE = "tarts/words.py"
"""The first file of those that are not needed."""
PIP = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target"]


class Package(NamedTuple):
    """The game as somebody has written it so far, and where it is installed."""

    source: Path
    paths: str
    is_whole: bool

    def run(self, *command: str, said: str = "", code: int = 0) -> str:
        """What Python prints that can import the game; it must end as expected."""
        done = subprocess.run(
            [sys.executable, *command],
            input=said,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.source.parent,  # not where the sources lie: only what was installed counts
            env=os.environ | {"PYTHONPATH": self.paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def wonderland(self, *command: str, said: str = "", code: int = 0) -> str:
        return self.run("-m", "wonderland", *command, said=said, code=code)


def written(home: Path, names: list[str]) -> Package:
    """Some files of the text, installed as a package."""
    source, installed = home / "source", home / "installed"
    for name in names:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(FILES[name], encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", *PIP, str(installed), str(source)]
    subprocess.run(pip, check=True, capture_output=True)
    paths = os.pathsep.join([str(ROOT / "src"), str(installed)])
    return Package(source, paths, is_whole=len(names) == len(FILES))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The rules, and nothing else."""
    return written(tmp_path_factory.mktemp("bare"), list(FILES)[: list(FILES).index(MORE)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """All files."""
    return written(tmp_path_factory.mktemp("whole"), list(FILES))


@pytest.fixture(scope="module", params=["bare", "whole"])
def package(request: pytest.FixtureRequest) -> Package:
    found: Package = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def server(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PYTHONPATH", package.paths)
        changed.chdir(package.source.parent)
        with serving(tmp_path_factory.mktemp("tables")) as served:
            yield served


def test_every_block_of_the_text_is_a_file_or_is_run() -> None:
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


def test_links_lead_somewhere() -> None:
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (ROOT / "docs" / link).exists(), link
    for file in re.findall(r"`((?:core|examples|src)/[\w/.]*)`", prose):
        assert (ROOT / file).exists() or (ROOT / "src" / "wonderland" / file).exists(), file


def checked(package: Package, *paths: Path, code: int = 0) -> str:
    """What pytest says of some tests of the text."""
    plain = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    return package.run(*plain, *map(str, paths), code=code)


def test_it_keeps_the_laws(bare: Package, whole: Package) -> None:
    assert "8 passed" in checked(bare, bare.source / "tests")
    assert "14 passed" in checked(whole, whole.source / "tests")


def test_the_laws_would_catch_a_leak(bare: Package, tmp_path: Path) -> None:
    """Somebody who lets everyone see all hands is told so."""
    shutil.copytree(bare.source, tmp_path, dirs_exist_ok=True)
    view = tmp_path / "tarts" / "view.py"
    view.write_text(FILES["tarts/view.py"].replace("hand if owner == seat else", "hand if hand else"))
    paths = os.pathsep.join([str(tmp_path), bare.paths])
    said = checked(bare._replace(paths=paths), tmp_path / "tests", code=1)
    assert "law 7: seat " in said
    assert "sees what it was not told" in said


def answers() -> str:
    """Every card that there is, again and again: what is not in hand is refused in a sentence."""
    return "\n".join(["log", "table", *[str(card) for card in range(1, 13)] * 3, ""])


SHOWN = {
    "games": "tarts: Three cards, three trays",
    "rules": "in turn, face up",
    "play": "the most tarts.",
    "replay": "Checked: ",
    "simulate": "200 games of 3 seats",
    "arena": "Hatter@20",
}
ELSEWHERE = {
    "pip install --editable .",
    "pytest tests/test_tarts.py",
    "wonderland play tarts",
    "wonderland serve",
}
"""Commands that have tests of their own."""


def test_the_commands_of_the_text_work(bare: Package, tmp_path: Path) -> None:
    assert set(COMMANDS) > ELSEWHERE
    for line in COMMANDS:
        if line not in ELSEWHERE:
            program, *words = line.replace("game.txt", str(tmp_path / "game.txt")).split()
            assert program == "wonderland"
            assert SHOWN[words[0]] in bare.wonderland(*words, said=answers()), line


def test_a_game_at_the_prompt_is_recorded_and_reads_back(package: Package, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    play = ["play", "tarts", "--plain", "--seats", "me,dodo,dodo", "--first", "2", "--seed", "tea"]
    said = package.wonderland(*play, "--record", str(file), said=answers())
    assert "Dodo 2" in said
    assert "is none of the choices" in said
    assert ("plays the Queen (12)." in said) == package.is_whole
    assert ("Dodo: card played (card 12)." in said) == (not package.is_whole)
    text = file.read_text()
    assert text.startswith("Game: tarts\nRules: 1\nSeats: Alice, Dodo, Dodo 2\n")
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
from driving import run, screen, until_result
from wonderland.terminal.menu import Wish

async def play(pilot):
    drawn = "\\n".join(line.plain for line in screen(pilot).query_one("#table").picture.lines)
    print(drawn)
    await until_result(pilot, lambda: pilot.press("enter"))
    print(screen(pilot).query_one("#sheet").render())

run(Wish("tarts", ("me", "dodo")), play)
"""


def test_it_is_played_on_the_full_screen(package: Package) -> None:
    tests = os.pathsep.join([package.paths, str(ROOT / "tests" / "terminal")])
    said = package._replace(paths=tests).run("-c", FULL_SCREEN)
    assert ("Your hand: [" in said) == package.is_whole
    assert ("Hands: " in said) == (not package.is_whole)
    assert "the most tarts." in said


def test_the_search_of_any_game_plays_better_than_chance(bare: Package) -> None:
    command = ["simulate", "tarts", "--bots", "hatter@30,dodo", "--games", "100", "--seed", "1"]
    found = json.loads(bare.wonderland(*command, "--json", "-"))
    hatter, dodo = (seat["wins"]["value"] for seat in found["seats"])
    assert hatter > dodo + 0.1


class Player:
    """Somebody at the interface for programs."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def post(self, path: str, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def do(self, table: str, at: int, **command: Any) -> Any:
        key = secrets.token_hex(8)
        return self.post(f"/api/tables/{table}/commands", at=at, key=key, **command)

    def sit_down(self, **wishes: Any) -> str:
        """Lay a table for oneself and a bot, and begin."""
        laid = self.post(
            "/api/tables", game="tarts", seats=2, bots={"1": "hatter"}, hints=True, **wishes
        )
        self.do(laid["table"], 0, do="sit", name="Alice", contribution=secrets.token_hex(32))
        self.do(laid["table"], 1, do="start")
        return str(laid["table"])

    def turn(self, table: str) -> Any:
        """The table when it is one's turn, or when all is over."""
        for _ in range(1200):
            shown = self.http.get(f"/api/tables/{table}").json()
            if shown["legal"] or shown["table"]["status"] == "finished":
                return shown
            time.sleep(0.05)
        pytest.fail("the bot does not move")


@pytest.fixture
def http(server: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_a_whole_game_over_the_interface(package: Package, http: httpx.Client, tmp_path: Path) -> None:
    alice = Player(http)
    (about,) = [each for each in alice.http.get("/api/games").json() if each["game"] == "tarts"]
    assert [level["level"] for level in about["levels"]] == ["dodo", "hatter"]
    assert [option["name"] for option in about["options"]] == ["knave"]
    table = alice.sit_down(options={"knave": "true"})
    decisions = 0
    while (shown := alice.turn(table))["legal"]:
        hands = shown["view"]["hands"]
        assert sorted(shown["legal"]) == sorted(map(str, hands[0]))
        assert set(hands[1]) <= {"?"}
        hint = alice.post(f"/api/tables/{table}/hint", seat=0)
        assert hint["action"] in shown["legal"]
        page = alice.http.get(f"/api/tables/{table}/page").json()["html"]["scene"]
        assert sorted(re.findall(r'data-play="(\d+)"', page)) == sorted(shown["legal"])
        assert ("general-scene" in page) == (not package.is_whole)
        alice.do(table, shown["version"], do="play", seat=0, action=shown["legal"][0])
        decisions += 1
    assert decisions == 3
    record = tmp_path / "record.txt"
    record.write_text(alice.http.get(f"/api/tables/{table}/record").text)
    assert "Checked: " in package.wonderland("replay", str(record))
    package.wonderland("verify", str(record))


def test_its_pages(package: Package, http: httpx.Client) -> None:
    home = http.get("/").text
    article = re.search(r'<article class="game" data-game="tarts".*?</article>', home, re.DOTALL)
    assert article is not None
    assert "/learn/tarts" not in article[0]
    assert "/learn/parade" in home
    assert "The Knave steals the tray" in article[0]
    assert ("a8231f" in article[0]) == package.is_whole, "its picture, or ours"
    assert http.get("/learn/tarts").status_code == 404
    assert 'id="T5"' in http.get("/rules/tarts").text
    assert http.get("/", params={"lang": "de"}).status_code == 200
    assert "Write a position in one line." in http.get("/position/tarts").text
    line = "tarts knave=false leader=1 hands=1.9.12/2.3.4 tray=3 table=- played=- tarts=0/0"
    assert "Seat 4 is not at this table." in http.get(f"/position/tarts?seat=3&position={line}").text
    asked = {"game": "tarts", "position": line, "seat": 0}
    advice = http.post("/api/positions/advice", json=asked).json()["options"]
    assert sorted(option["action"] for option in advice) == ["1", "12", "9"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


class TestInTheBrowser:
    """By mouse, from the first page to the end."""

    pytestmark = MARKS

    def test_a_whole_game(self, package: Package, server: Served, chromium: Any) -> None:
        context = chromium.new_context(base_url=server.address, **DESK)
        context.add_init_script("localStorage.setItem('pace', '0')")
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/")
        begin(page, game="tarts")
        decisions = 0
        while one_step(page, by_mouse):
            decisions += 1
        assert decisions == 3
        assert page.locator(".general-scene").count() == (0 if package.is_whole else 1)
        assert complaints == []
        context.close()


def test_broken_it_is_left_out_and_harms_no_other_game(bare: Package, tmp_path: Path) -> None:
    """Something that it needs is not installed; the others are served and played as before."""
    installed, tables = tmp_path / "installed", tmp_path / "tables"
    shutil.copytree(bare.paths.rpartition(os.pathsep)[2], installed)
    tables.mkdir()
    (installed / "tarts" / "rules.py").write_text("import pastry_without_a_recipe\n")
    broken = bare._replace(paths=os.pathsep.join([str(ROOT / "src"), str(installed)]))
    why = "the game 'tarts' can't be loaded from tarts: No module named 'pastry_without_a_recipe'."
    said = broken.wonderland("games")
    assert "parade: " in said
    assert f"An installed game is left out: {why}\n" in said
    assert broken.wonderland("simulate", "tarts", code=2) == f"wonderland: {why}\n"
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PYTHONPATH", broken.paths)
        with serving(tables) as server, httpx.Client(base_url=server.address) as http:
            for path in ("/", "/?lang=de", "/api/games", "/rules/parade"):
                assert http.get(path).status_code == 200, path
            assert 'data-game="tarts"' not in http.get("/").text
            assert http.get("/rules/tarts").status_code == 404
            refused = http.post("/api/tables", json={"game": "tarts", "seats": 2})
            assert (refused.status_code, "pastry" in refused.text) == (400, True), refused.text
    warnings = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line["message"] for line in warnings if line["level"] == "warning"] == [
        f"An installed game is left out: {why}"
    ]


VECTOR = """
from wonderland.environments.vector import VectorEnv
try:
    VectorEnv("tarts")
except ValueError as error:
    print(error)
"""
SIMULATED = """
import pyspiel
import wonderland.environments.openspiel
for seats in (2, 4):
    game = pyspiel.load_game(f"wonderland_tarts(players={seats})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
"""


def test_learning_agents_are_told_what_is_missing(bare: Package, whole: Package) -> None:
    assert "it has no learning.py." in bare.run("-c", VECTOR)
    assert "it has no batch.py" in whole.run("-c", VECTOR)


def test_openspiel_plays_it(whole: Package) -> None:
    returns = json.loads(whole.run("-c", SCRIPTS[0]))
    assert len(returns) == 3
    assert sum(returns) == pytest.approx(0)
    whole.run("-c", SIMULATED)


@pytest.mark.skipif(find_spec("pettingzoo") is None, reason="PettingZoo is not installed")
def test_pettingzoo_plays_it(whole: Package) -> None:
    assert whole.run("-c", SCRIPTS[1]).count("player_") == 3
