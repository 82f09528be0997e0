"""What-if over HTTP: for everyone, from any position, and what is rejected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Answer, Http, RunningSite
from support.paths import RECORDS
from support.permissions import ROLES, cookie, create_staged_table, device, open_site
from wonderland.bots import default_level
from wonderland.engine.match import Match
from wonderland.engine.record_reader import AnyMatch, read_record
from wonderland.features.replay.branch import move_count_at, recording_seat
from wonderland.tables.descriptions import build_record
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.table import Table

HATTER = read_record((RECORDS / "parade" / "noted-by-the-hatter.record").read_bytes()).whole
WISH = {"at": 5, "seat": 1, "bots": {"0": "dodo", "2": "White Rabbit"}}

Scenario = Callable[[RunningSite], Awaitable[None]]


@pytest.fixture
def run_scenario(tmp_path: Path) -> Callable[[Scenario], None]:
    def run(scenario: Scenario) -> None:
        async def whole() -> None:
            async with open_site(tmp_path) as here:
                await scenario(here)

        asyncio.run(whole())

    return run


async def request_table(
    here: RunningSite,
    replay: str,
    role: str = "bill",
    headers: dict[str, str] | None = None,
    **wish: Any,
) -> Answer:
    http = Http(here.port, cookie(role))
    answer = await http.ask("POST", f"/api/replays/{replay}/tables", WISH | wish, headers or {})
    await http.close()
    return answer


async def table_of(here: RunningSite, answer: Answer) -> Table:
    assert answer.status == 201, answer.body
    return (await here.site.tables.get_live_table(answer.json()["table"])).table


async def upload(here: RunningSite, text: str) -> str:
    http = Http(here.port)
    answer = await http.ask("POST", "/api/replays", {"text": text})
    await http.close()
    name: str = answer.json()["id"]
    return name


def test_players_continue_from_a_finished_game(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        finished = await create_staged_table(here, "finished", "bill")
        record = build_record((await here.site.tables.get_live_table(finished.name)).table)
        assert record is not None
        for role in ROLES:
            answer = await request_table(here, finished.name, role)
            table = await table_of(here, answer)
            assert (table.status, table.opened.access) == ("playing", "bots")
            assert [place.level for place in table.places] == ["dodo", "", "white-rabbit", "cheshire"]
            assert [place.name for place in table.places] == list(record.names)
            there = move_count_at(record, 5)
            assert table.match is not None
            assert list(table.match.moves[:there]) == list(record.moves[:there])
            if role == "nobody":
                assert answer.cookie
            else:
                assert table.seats_of(device(role)) == [1]
        assert default_level("parade").word == "cheshire"

    run_scenario(scenario)


def test_an_unfinished_game_cannot_be_replayed(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        for stage in ("open", "playing"):
            going = await create_staged_table(here, stage, "bill")
            answer = await request_table(here, going.name)
            assert (answer.status, answer.json()["problem"]) == (409, "not now")
        assert (await request_table(here, "nowhere")).status == 404

    run_scenario(scenario)


def test_a_record_with_unknown_cards_continues_for_its_author(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER.text())
        seat = recording_seat(HATTER)
        assert seat == 1
        table = await table_of(here, await request_table(here, name, at=20, seat=seat))
        there: AnyMatch = Match.resume(HATTER, upto=move_count_at(HATTER, 20))
        assert table.match is not None
        begun: AnyMatch = Match.resume(table.match.record, upto=len(table.opened.begun))
        assert begun.view(seat) == there.view(seat)
        assert table.opened.begun
        assert not any("?" in made.word for made in table.opened.begun)

    run_scenario(scenario)


def test_the_table_page_says_who_plays_for_whom(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER.text())
        table = await table_of(here, await request_table(here, name, bots={"0": "queen", "2": "queen"}))
        http = Http(here.port, cookie("bill"))
        page = (await http.ask("GET", f"/api/tables/{table.id}/page")).json()
        await http.close()
        seats = page["html"]["seats"]
        assert "Alice" in seats
        assert seats.count("data-bot") == 2
        assert "Take back" not in page["html"]["help"]

    run_scenario(scenario)


@pytest.mark.parametrize("contribution", ["cd" * 32, None])
def test_the_devices_contribution_enters_the_shuffle(
    run_scenario: Callable[[Scenario], None], contribution: str | None
) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER.text())
        wish = {} if contribution is None else {"contribution": contribution}
        table = await table_of(here, await request_table(here, name, **wish))
        assert table.places[1].contribution == contribution

    run_scenario(scenario)


def test_invalid_requests_are_explained_in_a_sentence(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER.text())
        before = len(here.site.tables.live_tables)
        for wish, says in [
            ({"at": 46}, "There is no position 46. Choose one from 0 to 45."),
            ({"at": 45}, "The game is already over at that point"),
            ({"seat": 3}, "The seat must be a number from 0 to 2."),
            ({"bots": {"1": "dodo"}}, "Bots must sit in the other seats, numbered 0 to 2."),
            ({"bots": {"3": "dodo"}}, "Bots must sit in the other seats, numbered 0 to 2."),
            ({"bots": {"x": "dodo"}}, "Bots must sit in the other seats, numbered 0 to 2."),
            ({"bots": {"0": "knight"}}, "There is no bot called 'knight'. "),
            ({"at": -1}, "Invalid request: "),
            ({"contribution": "ab"}, "Invalid request: "),
            ({"more": 1}, "Invalid request: "),
        ]:
            answer = await request_table(here, name, **wish)
            assert answer.status == 400, wish
            assert answer.json()["detail"].startswith(says)
        foreign = await request_table(here, name, headers={"Origin": "http://evil.example"})
        assert foreign.status == 403
        assert len(here.site.tables.live_tables) == before

    run_scenario(scenario)


def test_requests_are_rate_limited(
    run_scenario: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER.text())
        here.site.creation_limiter = RateLimiter(rate=0.0, burst=1.0)
        monkeypatch.setattr(
            "wonderland.features.replay.what_if.branch_at", None
        )  # which would take a while
        wishes = [await request_table(here, name, seat=3), await request_table(here, name)]
        assert [answer.status for answer in wishes] == [400, 429]

    run_scenario(scenario)
