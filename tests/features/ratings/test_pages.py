"""Rated accounts over HTTP: permissions, no leaked secret, and the pages."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Answer, Http, RunningSite, site_in
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.features.ratings.pages import PAGES
from wonderland.tables import entries as log
from wonderland.tables.handlers import hash_secret
from wonderland.tables.rated_games import RatedResult, record_result
from wonderland.tables.storage.interface import Addition, StoredEntry
from wonderland.web.app import ROUTES

OWN = [route for route in ROUTES if route.path.startswith("/api/people")]
COOKIES = {"signed in": "the-cookie-of-alice-herself", "signed out": "a-cookie-that-was-alices"}
COOKIES |= {"bill": "the-cookie-of-bill-himself", "stranger": "the-cookie-of-a-stranger", "nobody": ""}

Scenario = Callable[["People"], Awaitable[None]]


class People:
    """Alice, with an account and one signed-out device; Bill, with another account; strangers."""

    def __init__(self, here: RunningSite) -> None:
        self.here = here
        self.code = ""

    async def ask(self, who: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        http = Http(self.here.port, COOKIES.get(who, who))
        if method == "POST" and body is None:
            body = {}
        found = await http.ask(method, path, body, headers)
        await http.close()
        return found

    async def arrive(self) -> None:
        made = (await self.ask("signed in", "POST", "/api/people", {"name": "Alice"})).json()
        self.code = made["code"]
        await self.ask("signed out", "POST", "/api/people/claim", {"code": self.code})
        await self.ask("signed out", "POST", "/api/people/out")
        await self.ask("bill", "POST", "/api/people", {"name": "Bill <b>"})

    async def id_of(self, who: str) -> str:
        person = await self.here.site.tables.people.find_by_device(hash_secret(COOKIES[who]))
        assert person is not None
        return person.id

    async def played(self, games: int, name: str = "parade") -> None:
        """Play a number of rated games of Alice and Bill, all won by Alice."""
        people = (await self.id_of("signed in"), await self.id_of("bill"))
        for n in range(games):
            outcome = RatedResult(f"game{n}", name, 1_700_000_000_000 + n, people, (0,))
            await record_result(self.here.site.tables.storage.documents, outcome)


@pytest.fixture
def run_scenario(tmp_path: Path) -> Callable[..., None]:
    def run(scenario: Scenario, *, limited: bool = False) -> None:
        async def main() -> None:
            async with site_in(tmp_path, limited=limited) as here:
                people = People(here)
                await people.arrive()
                await scenario(people)

        asyncio.run(main())

    return run


ScenarioRunner = Callable[..., None]
ROWS = {  # expected status for each route and role
    "POST /api/people": {
        "signed out": 201,
        "stranger": 201,
        "nobody": 201,
        "signed in": 409,
        "bill": 409,
    },
    "GET /api/people": {"signed in": 200, "bill": 200},
    "DELETE /api/people": {"signed in": 200, "bill": 200},
    "POST /api/people/claim": {
        "signed in": 200,
        "signed out": 200,
        "stranger": 200,
        "nobody": 200,
        "bill": 409,
    },
    "POST /api/people/code": {"signed in": 200, "bill": 200},
    "POST /api/people/out": {"signed in": 200, "bill": 200},
}


@pytest.mark.parametrize("route", ROWS)
def test_permissions_by_account(tmp_path: Path, route: str) -> None:
    assert set(ROWS) == {f"{each.method} {each.path}" for each in OWN}
    method, path = route.split(" ")

    async def main() -> None:
        for who in COOKIES:
            folder = tmp_path / who
            folder.mkdir()
            async with site_in(folder, limited=False) as here:
                people = People(here)
                await people.arrive()
                bodies = {"/api/people": {"name": "Dinah"}, "/api/people/claim": {"code": people.code}}
                body = bodies.get(path, {}) if method == "POST" else None
                foreign = await people.ask(who, method, path, body, Origin="https://example.org")
                assert foreign.status == (403 if method != "GET" else ROWS[route].get(who, 403))
                answer = await people.ask(who, method, path, body)
                assert answer.status == ROWS[route].get(who, 403), (who, answer.body)
                if method == "GET" and answer.status == 200:
                    assert answer.json()["name"] == {"signed in": "Alice", "bill": "Bill <b>"}[who]
                assert ("set-cookie" in dict(answer.headers)) == (
                    who == "nobody" and answer.status < 300
                )

    asyncio.run(main())


def test_requests_act_on_the_own_account_only(run_scenario: ScenarioRunner) -> None:
    """Nobody can change anyone else's account."""

    async def scenario(people: People) -> None:
        for method, path in (each.split(" ") for each in ROWS if each != "GET /api/people"):
            for who in ("stranger", "signed out"):
                body = {"POST": {"code": "00000-00000-00000-00000"} if "claim" in path else {}}.get(
                    method
                )
                if path == "/api/people" and method == "POST":
                    body = {"name": "alice"}
                assert (await people.ask(who, method, path, body)).status in (403, 409)
        await people.ask("bill", "POST", "/api/people/out", {"others": True})
        await people.ask("bill", "DELETE", "/api/people")
        assert (await people.ask("signed in", "GET", "/api/people")).json()["name"] == "Alice"

    run_scenario(scenario)


def test_request_bodies_are_validated(run_scenario: ScenarioRunner) -> None:
    async def scenario(people: People) -> None:
        for path, body in (
            ("/api/people", {"name": ""}),
            ("/api/people", {"name": "x" * 41}),
            ("/api/people", {"name": "two\nlines"}),
            ("/api/people", {"name": " Alice"}),
            ("/api/people", {"name": "Dinah", "id": "1"}),
            ("/api/people/claim", {"code": "x" * 61}),
            ("/api/people/out", {"others": "yes"}),
            ("/api/people/code", b"no JSON"),
        ):
            answer = await people.ask("stranger", "POST", path, body)
            assert answer.status == 400, (path, body)
            assert answer.json()["detail"].endswith(".")
        for name in ("croquet", "..", "rated.parade"):
            assert (await people.ask("nobody", "GET", f"/api/leaderboard/{name}")).status == 404

    run_scenario(scenario)


def test_login_codes_are_rate_limited(run_scenario: ScenarioRunner) -> None:
    async def scenario(people: People) -> None:
        tries = [
            await people.ask("stranger", "POST", "/api/people/claim", {"code": f"{n:020}"})
            for n in range(25)
        ]
        assert {answer.status for answer in tries} == {403, 429}
        right = await people.ask("stranger", "POST", "/api/people/claim", {"code": people.code})
        assert right.status == 429

    run_scenario(scenario, limited=True)


def test_no_secret_is_shown_or_logged(
    run_scenario: ScenarioRunner, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(people: People) -> None:
        caplog.set_level(logging.DEBUG)
        await people.played(3)
        fresh = (await people.ask("signed in", "POST", "/api/people/code")).json()["code"]
        pages = [
            await people.ask(who, "GET", path)
            for who in ("signed in", "bill", "nobody")
            for path in ("/api/people", "/people", "/leaderboard/parade", "/api/leaderboard/parade")
        ]
        told = b"".join(answer.body for answer in pages).decode() + caplog.text
        person = await people.here.site.tables.people.find_by_device(hash_secret(COOKIES["signed in"]))
        assert person is not None
        for secret in (people.code, fresh, *COOKIES.values(), person.code, person.id):
            assert not secret or secret not in told
        for cookie in filter(None, COOKIES.values()):
            assert hash_secret(cookie) not in told

    run_scenario(scenario)


def test_the_download_has_all_personal_data(run_scenario: ScenarioRunner) -> None:
    async def scenario(people: People) -> None:
        wish = {"game": "parade", "seats": 2, "rated": True}
        table = (await people.ask("signed in", "POST", "/api/tables", wish)).json()["table"]
        sit = {"do": "sit", "at": 0, "key": "12345678", "name": "?", "contribution": "ab" * 16}
        await people.ask("signed in", "POST", f"/api/tables/{table}/commands", sit)
        await people.played(2)
        await people.ask("stranger", "POST", "/api/people/claim", {"code": people.code})
        found = (await people.ask("signed in", "GET", "/api/people")).json()
        assert [device["this"] for device in found["devices"]] == [True, False]
        assert [game["table"] for game in found["rated"]] == ["game1", "game0"]
        assert found["rated"][0]["after"] == found["ratings"]["parade"]
        assert found["rated"][1]["after"] == found["rated"][0]["before"]
        assert found["rated"][0]["won"] is True
        assert found["ratings"]["parade"]["games"] == 2
        assert [(seat["id"], seat["seat"]) for seat in found["seats"]] == [(table, 0)]
        shown = (await people.ask("nobody", "GET", f"/api/tables/{table}")).json()["table"]
        assert shown["rated"] is True
        assert shown["seats"][0]["name"] == "Alice"

    run_scenario(scenario)


def test_the_leaderboard_lists_existing_accounts_with_enough_games(run_scenario: ScenarioRunner) -> None:
    async def ranked(people: People, who: str = "bill") -> list[tuple[int, str, bool]]:
        found = (await people.ask(who, "GET", "/api/leaderboard/parade")).json()["ranked"]
        return [(each["rank"], each["name"], each["me"]) for each in found]

    async def scenario(people: People) -> None:
        await people.played(2)
        assert await ranked(people) == []
        page = (await people.ask("nobody", "GET", "/leaderboard/parade")).body.decode()
        assert "Nobody is on the list yet." in page
        await people.played(4)
        assert await ranked(people) == [(1, "Alice", False), (2, "Bill <b>", True)]
        assert (await people.ask("bill", "GET", "/api/leaderboard/letters")).json()["ranked"] == []
        page = (await people.ask("bill", "GET", "/leaderboard/parade")).body.decode()
        assert "Bill &lt;b&gt;" in page
        assert "4 rated games" in page
        await people.ask("signed in", "DELETE", "/api/people")
        assert await ranked(people) == [(1, "Bill <b>", True)]
        before = (await people.ask("bill", "GET", "/api/people")).json()
        assert before["ratings"]["parade"]["games"] == 4, "his move stays"
        page = (await people.ask("bill", "GET", "/people")).body.decode()
        assert "against someone" in page
        assert "Alice" not in page
        documents = people.here.site.tables.storage.documents
        kinds = ("person", "person.name", "person.device", "person.code")
        assert [await documents.count(kind) for kind in kinds] == [1, 1, 1, 1]

    run_scenario(scenario)


def test_a_long_ranking_is_truncated(
    run_scenario: ScenarioRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wonderland.features.ratings.pages._MAX_RANKED", 3)
    monkeypatch.setattr("wonderland.features.ratings.pages._NAMES_PER_BATCH", 2)

    async def scenario(people: People) -> None:
        service = people.here.site.tables
        ids = [(await service.people.make(f"P{n}", hash_secret(f"device {n}")))[0].id for n in range(6)]
        await service.people.delete(hash_secret("device 1"))
        for n in range(3):
            outcome = RatedResult(f"t{n}", "letters", n, tuple(ids), (n,))
            await record_result(service.storage.documents, outcome)
        found = (await people.ask("nobody", "GET", "/api/leaderboard/letters")).json()["ranked"]
        assert [each["rank"] for each in found] == [1, 2, 3]
        assert "P1" not in {each["name"] for each in found}

    run_scenario(scenario)


def test_pages_are_rendered(run_scenario: ScenarioRunner) -> None:
    assert {path for path, _ in PAGES} == {"/people", "/leaderboard/{game}"}

    async def scenario(people: People) -> None:
        door = (await people.ask("nobody", "GET", "/people?table=abc123")).body.decode()
        assert 'href="/tables/abc123"' in door
        assert "Use this name" in door
        for odd in ("?table=//example.org", "?table=%22%3E", "?table=a/b"):
            assert "/tables/" not in (await people.ask("nobody", "GET", f"/people{odd}")).body.decode()
        await people.played(1)
        own = (await people.ask("signed in", "GET", "/people")).body.decode()
        assert "against Bill &lt;b&gt;" in own
        assert "won" in own
        assert "1 rated game" in own
        assert people.code not in own
        assert (await people.ask("nobody", "GET", "/leaderboard/croquet")).status == 404
        assert (await people.ask("nobody", "GET", "/people")).header("cache-control") == "no-store"

    run_scenario(scenario)


def test_a_rated_table_is_marked_in_lists_and_lobby(run_scenario: ScenarioRunner) -> None:
    async def scenario(people: People) -> None:
        wish = {"game": "parade", "seats": 2, "rated": True, "access": "open"}
        table = (await people.ask("signed in", "POST", "/api/tables", wish)).json()["table"]
        assert "rated, 2 free seats" in (await people.ask("nobody", "GET", "/")).body.decode()
        lobby = (await people.ask("signed in", "GET", f"/tables/{table}")).body.decode()
        assert "Rated game" in lobby
        assert f"/people?table={table}" in lobby
        assert 'data-do="seatbot"' not in lobby
        assert 'id="name"' not in lobby
        sit = {"do": "sit", "at": 0, "key": "12345678", "name": "?", "contribution": "ab" * 16}
        assert (await people.ask("nobody", "POST", f"/api/tables/{table}/commands", sit)).status == 403
        assert (await people.ask("bill", "POST", f"/api/tables/{table}/commands", sit)).status == 200
        page = (await people.ask("bill", "GET", f"/api/tables/{table}/page")).json()["html"]
        assert 'data-do="sit"' not in page["seats"]
        assert "Bill &lt;b&gt;" in page["seats"]

    run_scenario(scenario)


def test_all_visible_text_is_in_a_catalogue(
    run_scenario: ScenarioRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_pseudo_language(monkeypatch)

    async def scenario(people: People) -> None:
        await people.ask("bill", "DELETE", "/api/people")
        await people.ask("bill", "POST", "/api/people", {"name": "Bill"})
        await people.played(3)
        await people.ask("stranger", "POST", "/api/people/claim", {"code": people.code})
        wish = {"game": "parade", "seats": 2, "rated": True, "access": "open"}
        table = (await people.ask("signed in", "POST", "/api/tables", wish)).json()["table"]
        paths = (
            "/people?table=abc",
            "/leaderboard/parade",
            "/leaderboard/letters",
            f"/tables/{table}",
            "/",
        )
        for who in ("signed in", "nobody"):
            for path in paths:
                headers = {"Accept-Language": f"{CODE}, en;q=0.5", "Accept": "text/html"}
                page = (await people.ask(who, "GET", path, **headers)).body.decode()
                assert untranslated(page) == [], path

    run_scenario(scenario)


def test_a_log_from_before_ratings_is_still_read(run_scenario: ScenarioRunner) -> None:
    """Tables created before ratings are not rated, and their bytes stay the same."""

    async def scenario(people: People) -> None:
        opened = {"is": "opened", "game": "parade", "rules": 1, "seats": 2, "options": {}}
        opened |= {"access": "link", "host": "h", "invitation": "i", "commitment": "c", "nonce": "n"}
        sat = {"is": "sat", "seat": 0, "name": "Alice", "device": "d", "contribution": "ab" * 16}
        for n, old in enumerate((opened, sat)):
            body = json.dumps(old).encode()
            assert json.loads(log.written(log.read_entry(body))) == old
            told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            entry = Addition(StoredEntry("old", n, 1, body))
            people.here.site.tables.storage.append(entry, told.set_result)
            assert await told is True
        shown = (await people.ask("nobody", "GET", "/api/tables/old")).json()["table"]
        assert shown["rated"] is False

    run_scenario(scenario)
