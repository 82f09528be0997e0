"""Tutorials over HTTP: creating one, what its table page says, and to whom."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path

import pytest

from campaigns.indistinguishable_plays import device, pairs
from campaigns.raw_clients import KEY, Http, site_in
from wonderland.components.catalogues import load_language
from wonderland.components.tutorial import lessons_of, tutorial_of
from wonderland.engine.registry import game_names
from wonderland.tables import entries as log
from wonderland.tables.handlers import hash_secret
from wonderland.tables.table import Table
from wonderland.web.guidance import lesson_of
from wonderland.web.table_page import TablePage

SAY = load_language("en")
TAUGHT = [name for name in game_names() if tutorial_of(name) is not None]
SIT = {"do": "sit", "at": 0, "key": "k1k1k1k1", "name": "Alice", "contribution": "00" * 16}


@pytest.mark.parametrize("name", TAUGHT)
def test_a_tutorial_is_offered_created_and_explained(tmp_path: Path, name: str) -> None:
    async def learn() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            door = (await http.ask("GET", f"/learn/{name}")).body.decode()
            assert "prepared cards" in door
            assert 'id="learn"' in door
            assert (await http.ask("GET", "/healthz")).json()["tables"] == {}, "reading creates no table"
            laid = await http.ask("POST", "/api/tables", {"game": name, "seats": 2, "lesson": True})
            http.cookie, table = laid.cookie, laid.json()["table"]
            waiting = (await http.ask("GET", f"/tables/{table}")).body.decode()
            assert "commitment" not in waiting
            await http.ask("POST", f"/api/tables/{table}/commands", SIT)
            start = {"do": "start", "at": 1, "key": "k2k2k2k2"}
            assert (await http.ask("POST", f"/api/tables/{table}/commands", start)).status == 200
            page = (await http.ask("GET", f"/tables/{table}")).body.decode()
            assert 'class="advice"' in page
            assert "Skip the tips" in page
            assert "Tutorial with prepared cards" in page
            stranger = (await Http(here.port).ask("GET", f"/tables/{table}")).body.decode()
            assert 'class="advice"' not in stranger
            assert "Skip the tips" not in stranger

    asyncio.run(learn())


def test_only_games_have_a_tutorial(tmp_path: Path) -> None:
    async def look() -> None:
        async with site_in(tmp_path) as here:
            answer = await Http(here.port).ask("GET", "/learn/croquet")
            assert answer.status == 404
            assert "no tutorial" in answer.body.decode()

    asyncio.run(look())


def test_ordinary_tables_have_no_guide(tmp_path: Path) -> None:
    async def look() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            wish = {"game": "parade", "seats": 2, "bots": {"1": "dodo"}}
            laid = await http.ask("POST", "/api/tables", wish)
            http.cookie, table = laid.cookie, laid.json()["table"]
            await http.ask("POST", f"/api/tables/{table}/commands", SIT)
            page = (await http.ask("GET", f"/tables/{table}")).body.decode()
            assert 'class="guide"' not in page
            assert 'href="/learn/parade"' in page

    asyncio.run(look())


@pytest.mark.parametrize("name", TAUGHT)
def test_indistinguishable_tables_get_the_same_guidance(name: str, pytestconfig: pytest.Config) -> None:
    """Law 7 for guidance, in every seat."""
    explained = 0
    for pair in islice(pairs(7, KEY, name), pytestconfig.getoption("--examples")):
        if pair.late or pair.viewer is None:
            continue
        said = []
        for entries in pair.logs:
            table = Table(entries[0])
            for entry in entries[1:]:
                table.follow(entry)
            table.opened = log.changed(table.opened, is_tutorial=True)
            said.append((table.status, _guide(table, pair.viewer)))
        (status, first), (_, second) = said
        if status != "finished":  # at the end everything is revealed
            assert first == second, pair
            explained += "advice" in first
    assert (
        explained or name == "letters"
    )  # in an open game only a viewer who came late lacks information


def _guide(table: Table, viewer: int) -> str:
    return str(TablePage(table, viewer, hash_secret(device(table.id, viewer)), SAY).parts()["guide"])


@pytest.mark.parametrize("name", TAUGHT)
def test_lessons_are_listed_and_lead_to_their_puzzles(tmp_path: Path, name: str) -> None:
    async def look() -> None:
        async with site_in(tmp_path) as here:
            http = Http(here.port)
            door = (await http.ask("GET", f"/learn/{name}")).body.decode()
            assert 'id="lessons"' in door
            for key, lesson in lessons_of(name).items():
                assert f'data-topic="{key}"' in door
                wish = {"game": name, "seats": 2, "lesson": True, "topic": key}
                laid = await http.ask("POST", "/api/tables", wish)
                http.cookie, table = laid.cookie or http.cookie, laid.json()["table"]
                await http.ask("POST", f"/api/tables/{table}/commands", SIT)
                start = {"do": "start", "at": 1, "key": "k2k2k2k2"}
                await http.ask("POST", f"/api/tables/{table}/commands", start)
                page = (await http.ask("GET", f"/tables/{table}")).body.decode()
                assert 'class="advice"' in page
                puzzles = f"/puzzles/{name}?theme={lesson.theme}"
                assert puzzles not in page, "only once it has been taught"
                found = (await here.site.tables.get_live_table(table)).table
                assert lesson_of(found, SAY) == {"title": lesson.title, "puzzles": puzzles}
                assert (await http.ask("GET", puzzles)).status == 200

    asyncio.run(look())
