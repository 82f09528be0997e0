"""One's own games over HTTP: only one's own, with import, export, statistics and mistakes to retry."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from campaigns.raw_clients import RunningSite, site_in
from support.own_games import ALICE, BILL, STRANGER, ask_as, coach_game, play_game, record_of
from support.paths import RECORDS
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.features.my_games import service
from wonderland.tables.accounts import account_of
from wonderland.tables.erasure import Person, erase_person
from wonderland.tables.handlers import hash_secret
from wonderland.tables.rated_games import RatedResult, record_result

Scenario = Callable[[RunningSite], Awaitable[None]]
PARADE = (RECORDS / "parade/4-players-empty-pile.record").read_text()
COOKIES = (RECORDS / "cookies/three-players-most-points.record").read_text()


@pytest.fixture
def run_site(tmp_path: Path) -> Callable[[Scenario], None]:
    def run(scenario: Scenario) -> None:
        async def main() -> None:
            async with site_in(tmp_path, limited=False) as here:
                await scenario(here)

        asyncio.run(main())

    return run


SiteRunner = Callable[[Scenario], None]


async def games_of(here: RunningSite, cookie: str, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await ask_as(here, cookie, "GET", f"/api/my-games{query}")).json()[
        "games"
    ]
    return found


async def page_of(here: RunningSite, cookie: str, path: str = "/games") -> str:
    answer = await ask_as(here, cookie, "GET", path)
    assert answer.status == 200, answer.body
    return str(unescape(answer.body.decode()))


def test_everybody_sees_their_own_games_only(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        together = await play_game(here)
        alone = await play_game(here, bot="dodo")
        assert [each["id"] for each in await games_of(here, ALICE)] == [alone, together]
        assert [each["id"] for each in await games_of(here, BILL)] == [together]
        (hers,), (his,) = await games_of(here, ALICE, "?level=people"), await games_of(here, BILL)
        assert (hers["seats"], his["seats"]) == ([0], [1])
        for cookie in (STRANGER, ""):
            assert await games_of(here, cookie) == []
            for path in ("/games", f"/games?opponent={together}", "/games/mistakes"):
                shown = await page_of(here, cookie, path)
                assert together not in shown.replace(f"opponent={together}", "")
            assert (await ask_as(here, cookie, "GET", "/api/my-games/records")).body == b""

    run_site(scenario)


def test_unfinished_games_are_not_listed(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        wish = {"game": "parade", "seats": 2, "bots": {"1": "dodo"}}
        table = (await ask_as(here, ALICE, "POST", "/api/tables", wish)).json()["table"]
        sit = {"do": "sit", "at": 0, "key": "k1k1k1k1", "name": "Alice", "contribution": "00" * 16}
        await ask_as(here, ALICE, "POST", f"/api/tables/{table}/commands", sit)
        start = {"do": "start", "at": 1, "key": "k2k2k2k2"}
        await ask_as(here, ALICE, "POST", f"/api/tables/{table}/commands", start)
        assert await games_of(here, ALICE) == []

    run_site(scenario)


def test_a_name_brings_the_games_of_all_its_devices_together(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        table = await play_game(here)
        made = await ask_as(here, ALICE, "POST", "/api/people", {"name": "Alice"})
        await ask_as(here, STRANGER, "POST", "/api/people/claim", {"code": made.json()["code"]})
        assert [each["id"] for each in await games_of(here, STRANGER)] == [table]
        assert "as Alice" in await page_of(here, STRANGER)
        await ask_as(here, STRANGER, "POST", "/api/people/out", {})
        assert await games_of(here, STRANGER) == []

    run_site(scenario)


def test_games_go_from_one_device_to_another_in_a_file(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        for seed, game in enumerate(("parade", "letters", "cookies")):
            await play_game(here, game, seed)
        text = (await ask_as(here, ALICE, "GET", "/api/my-games/records")).body.decode()
        wish = {"text": text, "name": "alice"}
        again = (await ask_as(here, ALICE, "POST", "/api/my-games/records", wish)).json()
        assert (again["added"], again["known"], again["faults"]) == (0, 3, [])
        first = (await ask_as(here, STRANGER, "POST", "/api/my-games/records", wish)).json()
        assert (first["added"], first["known"], first["faults"]) == (3, 0, [])
        twice = (await ask_as(here, STRANGER, "POST", "/api/my-games/records", wish)).json()
        assert (twice["added"], twice["known"]) == (0, 3)
        brought, played = [
            sorted((each["game"], each["names"], each["scores"], each["seats"]) for each in games)
            for games in (await games_of(here, STRANGER), await games_of(here, ALICE))
        ]
        assert brought == played
        exported = (await ask_as(here, STRANGER, "GET", "/api/my-games/records")).body.decode()
        pieces = [sorted(map(str.strip, one.split("Game: "))) for one in (exported, text)]
        assert pieces[0] == pieces[1]
        (letters,) = await games_of(here, STRANGER, "?game=letters")
        assert letters["kind"] == "imported"
        removed = await ask_as(here, STRANGER, "DELETE", f"/api/my-games/imported/{letters['id']}")
        assert removed.status == 200
        assert len(await games_of(here, STRANGER)) == 2
        assert (await ask_as(here, STRANGER, "GET", f"/replay/{letters['id']}")).status == 200

    run_site(scenario)


def test_faulty_records_are_named_and_the_others_come_in(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        broken = PARADE.replace("Rules: 1", "Rules: 77")
        text = f"{broken}\n{COOKIES}\n{PARADE}"
        found = (await ask_as(here, ALICE, "POST", "/api/my-games/records", {"text": text})).json()
        assert found["added"] == 2
        (fault,) = found["faults"]
        assert (fault["number"], fault["line"]) == (1, 2)
        assert "77" in fault["says"]
        shown = await games_of(here, ALICE)
        assert {each["game"] for each in shown} == {"parade", "cookies"}
        assert all(each["seats"] == [] for each in shown), "nobody said who they were"
        for body in ({"text": ""}, {"text": "\n# nothing\n"}, {"text": PARADE, "name": "x" * 41}):
            assert (await ask_as(here, ALICE, "POST", "/api/my-games/records", body)).status == 400
        many = {"text": "Game: parade\nRules: 1\n\n" * 201}
        assert (await ask_as(here, ALICE, "POST", "/api/my-games/records", many)).status == 400

    run_site(scenario)


def test_imports_are_limited_by_the_number_of_records(tmp_path: Path) -> None:
    async def main() -> None:
        async with site_in(tmp_path) as here:
            body = {"text": "Game: parade\nRules: 77\n\n" * 160}
            first = await ask_as(here, ALICE, "POST", "/api/my-games/records", body)
            assert len(first.json()["faults"]) == 160
            assert (await ask_as(here, ALICE, "POST", "/api/my-games/records", body)).status == 429

    asyncio.run(main())


def test_a_long_list_is_read_by_several_requests(
    run_site: SiteRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(here: RunningSite) -> None:
        for seed in range(3):
            await play_game(here, seed=seed)
        monkeypatch.setattr(service, "_MAX_NEW", 2)
        first = (await ask_as(here, ALICE, "GET", "/api/my-games")).json()
        assert (len(first["games"]), first["missing"]) == (2, 1)
        second = (await ask_as(here, ALICE, "GET", "/api/my-games")).json()
        assert (len(second["games"]), second["missing"]) == (3, 0)

    run_site(scenario)


def test_the_page_filters_and_counts(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        tables = [await play_game(here, seed=seed) for seed in range(2)]
        other = await play_game(here, "letters", bot="dodo")
        shown = await page_of(here, ALICE)
        assert all(f"/replay/{table}" in shown for table in (*tables, other))
        assert "3 games" in shown
        only = await page_of(here, ALICE, "/games?game=letters&opponent=")
        assert f"/replay/{other}" in only
        assert tables[0] not in only
        none = await page_of(here, ALICE, "/games?until=2001-01-01")
        assert "0 games" in none
        for query in ("?since=tomorrow", "?seats=two", "?page=two"):
            assert (await ask_as(here, ALICE, "GET", f"/games{query}")).status == 400

    run_site(scenario)


def test_mistakes_become_puzzles_for_their_own_player_only(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        for seed in range(3):
            table = await play_game(here, "cookies", seed, bot="dodo")
            assert "Ask the coach" in await page_of(here, ALICE)
            await coach_game(here, table, await record_of(here, table))
        games = await games_of(here, ALICE)
        assert all(each["accuracy"] is not None for each in games)
        shown = await page_of(here, ALICE)
        paths = re.findall(r'href="(/games/mistakes\?[^"]*)"', shown)
        assert paths, "random play makes mistakes"
        question = await page_of(here, ALICE, paths[0])
        path = re.search(r'data-path="([^"]*)"', question)
        assert path is not None
        assert "Win chance after each choice" not in question
        best, others = "", list[str]()
        for word in re.findall(r'data-play="([^"]+)"', question):
            answer = await page_of(here, ALICE, f"{path[1]}&choice={quote(word)}")
            assert "Win chance after each choice" in answer
            best = re.search(r'data-best="([^"]*)"', answer)[1]  # type: ignore[index]
            others.append(word)
            assert ('class="right"' in answer) >= (word == best)
        assert best in others
        assert (await ask_as(here, ALICE, "GET", f"{path[1]}&choice=tea")).status == 400
        for cookie in (BILL, STRANGER, ""):
            assert (await ask_as(here, cookie, "GET", path[1])).status == 404
            assert 'id="table"' not in await page_of(here, cookie, "/games/mistakes")
        assert (await ask_as(here, ALICE, "GET", f"/games/mistakes/{games[0]['id']}/999")).status == 404

    run_site(scenario)


def test_rated_games_draw_the_rating(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        await ask_as(here, ALICE, "POST", "/api/people", {"name": "Alice"})
        await ask_as(here, BILL, "POST", "/api/people", {"name": "Bill"})
        await play_game(here)
        people = here.site.tables.people
        alice, bill = [(await people.signed_in(hash_secret(each))).id for each in (ALICE, BILL)]
        for number in range(2):
            result = RatedResult(
                f"game{number}", "parade", 1_700_000_000_000 + number, (alice, bill), (0,)
            )
            await record_result(here.site.tables.storage.documents, result)
        shown = await page_of(here, ALICE)
        assert "2 rated games" in shown
        assert "Rating in Parade" in shown
        assert "Rating in" not in await page_of(here, STRANGER)

    run_site(scenario)


def test_erasing_a_person_covers_their_list_and_what_is_remembered(run_site: SiteRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        storage = here.site.tables.storage
        table = await play_game(here)
        wish = {"text": PARADE, "name": "Alice"}
        await ask_as(here, ALICE, "POST", "/api/my-games/records", wish)
        assert len(await games_of(here, ALICE)) == 2
        (his,) = await games_of(here, BILL)
        assert his["names"] == ["Alice", "Bill"]
        person = Person((hash_secret(ALICE),))
        account = await account_of(storage.documents, person.devices[0])
        here.site.tables.set_closed({table: False})  # as the watch does that polls what is closed
        await erase_person(storage, person, account, wait=0)
        here.site.tables.set_closed({})
        assert await games_of(here, ALICE) == []
        assert (await storage.documents.newest("games")) == []
        assert (await storage.documents.newest("record")) == []
        (his,) = await games_of(here, BILL)
        assert his["id"] == table
        assert "Alice" not in his["names"]

    run_site(scenario)


def test_all_texts_are_translated(run_site: SiteRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)

    async def scenario(here: RunningSite) -> None:
        table = await play_game(here, "cookies", bot="dodo")
        await coach_game(here, table, await record_of(here, table))
        for path in ("/games", "/games?game=parade", "/games/mistakes"):
            answer = await ask_as(here, f"{ALICE}; language={CODE}", "GET", path)
            assert untranslated(answer.body.decode()) == [], path

    run_site(scenario)
