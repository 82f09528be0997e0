"""The game of `docs/adding-a-game.md` on a server: over the API, as pages, and in a browser."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from support.browser import (
    ARGUMENTS,
    BROWSER,
    DESKTOP,
    MARKS,
    play_by_mouse,
    start_from_home,
    sync_playwright,
    take_turn,
)
from support.documented_game import ROOT, Package
from support.server import ServerProcess, run_server

pytestmark = pytest.mark.slow


class Player:
    """A player who uses the API."""

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
        """Create a table with a bot, and start."""
        laid = self.post(
            "/api/tables", game="tarts", seats=2, bots={"1": "hatter"}, hints=True, **wishes
        )
        self.do(laid["table"], 0, do="sit", name="Alice", contribution=secrets.token_hex(32))
        self.do(laid["table"], 1, do="start")
        return str(laid["table"])

    def turn(self, table: str) -> Any:
        """Return the table when it is the player's turn or the game is over."""
        for _ in range(1200):
            shown = self.http.get(f"/api/tables/{table}").json()
            if shown["legal"] or shown["table"]["status"] == "finished":
                return shown
            time.sleep(0.05)
        pytest.fail("the bot does not move")


@pytest.fixture
def http(server: ServerProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_a_whole_game_over_the_api(package: Package, http: httpx.Client, tmp_path: Path) -> None:
    alice = Player(http)
    (about,) = [each for each in alice.http.get("/api/games").json() if each["game"] == "tarts"]
    assert [level["level"] for level in about["levels"]] == ["dodo", "hatter"]
    assert [option["name"] for option in about["options"]] == ["knave"]
    table = alice.sit_down(options={"knave": "true"})
    components = alice.http.get("/api/openapi.json").json()["components"]
    view_schema = {"$ref": "#/components/schemas/tarts.View", "components": components}
    decisions = 0
    while (shown := alice.turn(table))["legal"]:
        Draft202012Validator(view_schema).validate(shown["view"])
        hands = shown["view"]["hands"]
        assert sorted(shown["legal"]) == sorted(map(str, hands[0]))
        assert set(hands[1]) <= {"?"}
        hint = alice.post(f"/api/tables/{table}/hint", seat=0)
        assert hint["action"] in shown["legal"]
        page = alice.http.get(f"/api/tables/{table}/page").json()["html"]["scene"]
        assert sorted(re.findall(r'data-play="(\d+)"', page)) == sorted(shown["legal"])
        assert ("generic-scene" in page) == (not package.is_whole)
        alice.do(table, shown["version"], do="play", seat=0, action=shown["legal"][0])
        decisions += 1
    assert decisions == 3
    record = tmp_path / "record.txt"
    record.write_text(alice.http.get(f"/api/tables/{table}/record").text)
    assert "The record is complete" in package.wonderland("replay", str(record))
    package.wonderland("verify", str(record))


def test_pages_are_served(package: Package, http: httpx.Client) -> None:
    home = http.get("/").text
    article = re.search(r'<article [^>]*data-game="tarts".*?</article>', home, re.DOTALL)
    assert article is not None
    assert "/learn/tarts" not in article[0]
    assert "/learn/parade" in home
    assert "The Knave steals the tray" in article[0]
    picture = re.search(r'<img [^>]*src="([^"]+)"', article[0])
    assert picture is not None
    drawing = http.get(picture[1]).raise_for_status().text
    assert ("a8231f" in drawing) == package.is_whole, "its picture, or ours"
    assert http.get("/learn/tarts").status_code == 404
    assert 'id="T5"' in http.get("/rules/tarts").text
    assert "Enter a position on one line." in http.get("/position/tarts").text
    line = "tarts knave=false leader=1 hands=1.9.12/2.3.4 tray=3 table=- played=- tarts=0/0"
    assert "Seat 4 isn&#39;t at this table." in http.get(f"/position/tarts?seat=3&position={line}").text
    asked = {"game": "tarts", "position": line, "seat": 0}
    advice = http.post("/api/positions/advice", json=asked).json()["options"]
    assert sorted(option["action"] for option in advice) == ["1", "12", "9"]
    assert http.get("/", params={"lang": "de"}).status_code == 200  # last: the language is remembered


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


class TestInTheBrowser:
    """By mouse, from the home page to the end."""

    pytestmark = MARKS

    def test_a_whole_game_in_the_browser(
        self, package: Package, server: ServerProcess, chromium: Any
    ) -> None:
        context = chromium.new_context(base_url=server.address, **DESKTOP)
        context.add_init_script("localStorage.setItem('pace', '0')")
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/")
        start_from_home(page, game="tarts")
        decisions = 0
        while take_turn(page, play_by_mouse):
            decisions += 1
        assert decisions == 3
        assert page.locator(".generic-scene").count() == (0 if package.is_whole else 1)
        assert complaints == []
        context.close()


def test_a_broken_game_is_left_out_without_affecting_others(bare: Package, tmp_path: Path) -> None:
    """Something it needs is not installed; the other games are served and played as before."""
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
        with run_server(tables) as server, httpx.Client(base_url=server.address) as http:
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
