"""The coach over HTTP: permissions, caching of reviews, and pages."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from campaigns.raw_clients import Answer, Http, RunningSite
from support.coach_reports import GAMES, HATTER, IDS, LETTERS, PARADE, PLAYOUTS, SPECTATOR
from support.permissions import ROLES, STAGES, cookie, create_staged_table, open_site
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from wonderland.cli import main
from wonderland.components.bots import Budget
from wonderland.engine.record_reader import AnyRecord
from wonderland.features.coach import service
from wonderland.features.coach.model import Report, read_report
from wonderland.features.coach.review import review
from wonderland.features.coach.service import service_of
from wonderland.tables.rate_limit import RateLimiter

Scenario = Callable[[RunningSite], Awaitable[None]]


@pytest.fixture
def run_scenario(tmp_path: Path) -> Callable[[Scenario], None]:
    """Run a scenario on a site whose coach is quick."""

    def run(scenario: Scenario) -> None:
        async def whole() -> None:
            async with open_site(tmp_path) as here:
                service_of(here.site).budget = Budget(playouts=PLAYOUTS)
                service_of(here.site).asks = RateLimiter(rate=1e9, burst=1e9)
                await scenario(here)

        asyncio.run(whole())

    return run


async def request(here: RunningSite, method: str, path: str, role: str = "nobody") -> Answer:
    http = Http(here.port, cookie(role))
    answer = await http.ask(method, path)
    await http.close()
    return answer


async def upload(here: RunningSite, record: AnyRecord) -> str:
    http = Http(here.port)
    answer = await http.ask("POST", "/api/replays", {"text": record.text()})
    await http.close()
    name: str = answer.json()["id"]
    return name


async def wait_for_report(here: RunningSite, name: str) -> Report:
    """Return the report on a replay, requesting it if necessary; its progress only grows."""
    path, before = f"/api/replays/{name}/coach", (-1, 0)
    answer = await request(here, "POST", path)
    while True:
        assert answer.status == 200, answer.body
        found = answer.json()
        assert found["state"] in ("waiting", "working", "done")
        assert before[0] <= found["done"] <= found["total"]
        assert before[1] in (0, found["total"])
        before = found["done"], found["total"]
        if found["state"] == "done":
            assert found["done"] == found["total"]
            return read_report(json.dumps(found["report"]))
        assert found["report"] is None
        await asyncio.sleep(0.01)
        answer = await request(here, "GET", path)


async def metric(here: RunningSite, name: str) -> int:
    text = (await request(here, "GET", "/metrics")).body.decode()
    found = re.search(rf"^wonderland_{name} (\d+)", text, re.MULTILINE)
    assert found is not None
    return int(found[1])


# Reviews


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_a_review_on_the_page_matches_the_terminal_and_is_made_once(
    run_scenario: Callable[[Scenario], None], record: AnyRecord, tmp_path: Path
) -> None:
    async def first(here: RunningSite) -> None:
        name = await upload(here, record)
        report = await wait_for_report(here, name)
        assert report == review(record, budget=Budget(playouts=PLAYOUTS))
        done = await metric(here, "coach_decisions")
        assert done == len(report.decisions)
        assert await wait_for_report(here, name) == report
        assert await metric(here, "coach_decisions") == done, "it is not reviewed again"
        while await metric(here, "coach_games"):  # noqa: ASYNC110 - until the result is stored
            await asyncio.sleep(0.01)

    async def after_a_restart(here: RunningSite) -> None:
        name = await upload(here, record)
        answer = await request(here, "GET", f"/api/replays/{name}/coach")
        assert answer.json()["state"] == "done"
        assert (await request(here, "GET", f"/replay/{name}/coach")).status == 200
        assert await metric(here, "coach_decisions") == 0

    run_scenario(first)
    run_scenario(after_a_restart)
    assert (tmp_path / "tables.db").exists()


def test_concurrent_requests_get_the_same_review(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        names = [await upload(here, record) for record in GAMES] * 3
        reports = await asyncio.gather(*(wait_for_report(here, name) for name in names))
        assert reports[:4] == reports[4:8] == reports[8:]
        assert service_of(here.site).judged == sum(len(report.decisions) for report in reports[:4])

    run_scenario(scenario)


def test_a_finished_table_is_reviewed_for_every_seat(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        paths = ("/api/replays/{}/coach", "/api/replays/{}/coach/page", "/replay/{}/coach")
        for stage in STAGES:
            table = (await create_staged_table(here, stage, "bill")).name
            if stage == "finished":
                report = await wait_for_report(here, table)
                assert all(seat.judged for seat in report.seats)
            for role in ROLES:
                answers = [await request(here, "POST", paths[0].format(table), role)]
                answers += [await request(here, "GET", path.format(table), role) for path in paths]
                for answer in answers:
                    assert answer.status == (200 if stage == "finished" else 409)
                    if stage != "finished":
                        assert b"You can replay this game once it" in answer.body
        for path in paths:
            for name in ("nowhere", "%00", "a" * 500):
                answer = await request(here, "GET", path.format(name))
                assert answer.status == 404
        assert (await request(here, "POST", paths[0].format("nowhere"))).status == 404
        http = Http(here.port)
        foreign = {"Origin": "http://evil.example"}
        assert (await http.ask("POST", paths[0].format(table), headers=foreign)).status == 403

    run_scenario(scenario)


def test_a_game_recorded_from_one_seat_is_reviewed_for_that_seat_only(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER)
        report = await wait_for_report(here, name)
        assert [seat.judged > 0 for seat in report.seats] == [False, True, False]
        page = (await request(here, "GET", f"/replay/{name}/coach")).body.decode()
        assert "Only Hatter" in page
        assert page.count("not analysed") == 2
        watched = await upload(here, SPECTATOR)
        answer = await request(here, "POST", f"/api/replays/{watched}/coach")
        assert answer.status == 409
        assert answer.json()["code"] == "nothing-to-analyse"
        begun = await upload(here, replace(PARADE, moves=PARADE.moves[:20]))
        answer = await request(here, "POST", f"/api/replays/{begun}/coach")
        assert (answer.status, answer.json()["code"]) == (
            409,
            "nothing-to-analyse",
        )

    run_scenario(scenario)


def test_a_partial_record_is_reviewed_as_far_as_it_goes(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, replace(PARADE, moves=PARADE.moves[:70]))
        report = await wait_for_report(here, name)
        assert 0 < len(report.decisions) < 48
        assert (await request(here, "GET", f"/replay/{name}/coach")).status == 200

    run_scenario(scenario)


# Limits


def test_reviews_are_rate_limited_by_address(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        service_of(here.site).asks = RateLimiter(rate=1e-9, burst=1.0)
        one, other = await upload(here, HATTER), await upload(here, LETTERS)
        await wait_for_report(here, one)
        answer = await request(here, "POST", f"/api/replays/{other}/coach")
        assert (answer.status, answer.json()["problem"]) == (429, "too many")
        assert (await request(here, "POST", f"/api/replays/{one}/coach")).status == 200

    run_scenario(scenario)


def test_an_endless_game_is_rejected(
    run_scenario: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_DECISIONS", 10)

    async def scenario(here: RunningSite) -> None:
        answer = await request(here, "POST", f"/api/replays/{await upload(here, PARADE)}/coach")
        assert answer.status == 400
        assert "up to 10 moves" in answer.json()["detail"]

    run_scenario(scenario)


# Pages


def test_all_visible_text_is_in_a_catalogue(
    run_scenario: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install_pseudo_language(monkeypatch)
    names = ("Alice", "Bill", "Dinah", "Duchess")

    async def scenario(here: RunningSite) -> None:
        for record in GAMES:
            name = await upload(here, replace(record, names=names[: len(record.names)]))
            path = f"/replay/{name}/coach?lang={CODE}"
            for judging in (False, True):
                if judging:
                    await wait_for_report(here, name)
                answer = await request(here, "GET", path)
                assert answer.status == 200
                assert untranslated(answer.body.decode()) == []

    run_scenario(scenario)


def test_only_existing_decisions_have_a_page(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await upload(here, HATTER)
        await wait_for_report(here, name)
        number = (await request(here, "GET", f"/api/replays/{name}/coach/page")).json()["at"]
        for query, status in [
            (f"at={number}", 200),
            ("at=0", 404),
            ("at=46", 404),
            ("at=999", 404),
            ("at=-1", 400),
            ("at=x", 400),
        ]:
            for path in (f"/api/replays/{name}/coach/page?{query}", f"/replay/{name}/coach?{query}"):
                assert (await request(here, "GET", path)).status == status, path
        page = (await request(here, "GET", f"/replay/{name}/coach?at={number}")).body.decode()
        assert f"Move {number}: Hatter" in page

    run_scenario(scenario)


def test_the_thinking_budget_is_configurable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--coach-playouts", "-1"]) == 2
    assert "--coach-playouts must be from 0 to 10000000, not -1." in capsys.readouterr().err
