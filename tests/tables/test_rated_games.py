"""Rated tables: who may sit there, what is forbidden, and that each result counts exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.storages import TIMEOUT, Backend
from support.table_players import LocalService, Scenario, TablePlayer, open_service
from wonderland.tables import live_table
from wonderland.tables.rated_games import (
    DEFAULT_CLOCK,
    RatedResult,
    kind,
    recent_results,
    record_result,
    result_of,
)
from wonderland.tables.storage.interface import StorageError
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

ScenarioRunner = Callable[[Scenario], None]
FAR_AHEAD = 4_000_000_000_000
"""A time when everything is due that ever will be."""


async def create_accounts(home: LocalService, *guests: TablePlayer) -> dict[str, str]:
    """Create accounts for the players; return the ID of each."""
    found = {}
    for guest in guests or (home.alice, home.bill):
        person, _ = await home.tables.people.make(guest.name, guest.device)
        found[guest.name] = person.id
    return found


async def start_rated_game(home: LocalService, **wanted: Any) -> str:
    """Start a rated game of Alice and Bill."""
    return await home.start_game(**{"game": "cookies", "rated": True} | wanted)


async def wait_until(held: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while True:
            if await held():
                return
            await asyncio.sleep(0.02)


async def wait_until_recorded(
    home: LocalService, games: int = 1, game: str = "cookies"
) -> list[RatedResult]:
    documents = home.tables.storage.documents

    async def recorded_results() -> bool:
        return await documents.count(kind(game)) >= games

    await wait_until(recorded_results)
    return list(await recent_results(documents, game))


@pytest.fixture(autouse=True)
def eager_background_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the background tasks poll all the time."""
    monkeypatch.setattr("wonderland.tables.automation._POLL_SECONDS", 0.02)


@pytest.mark.parametrize(
    "wish",
    [
        {"hints": True},
        {"is_tutorial": True},
        {"bots": {"1": "hatter"}},
        {"access": "bots"},
        {"game": "letters", "options": {"claim": "first"}},
    ],
    ids=str,
)
def test_some_tables_cannot_be_rated(run_scenario: ScenarioRunner, wish: dict[str, Any]) -> None:
    async def scenario(home: LocalService) -> None:
        with pytest.raises(Refusal) as caught:
            await home.create_table(rated=True, **wish)
        assert caught.value.problem == "bad request"
        assert "rated" in str(caught.value).lower()
        await home.create_table(**wish)

    run_scenario(scenario)


def test_a_rated_game_must_be_able_to_end(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        usual = await home.create_table(rated=True)
        assert (await home.table(usual)).opened.clock == DEFAULT_CLOCK
        quick = await home.create_table(rated=True, clock=60)
        assert (await home.table(quick)).opened.clock == 60
        assert (await home.table(await home.create_table())).opened.clock is None

    run_scenario(scenario)


def test_a_player_at_a_rated_table_has_an_account_and_one_seat(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(rated=True, access="open")
        sit = {"contribution": "ab" * 16}
        refusal = await home.alice.expect_refusal(name, ask.Sit, name="Alice", **sit)
        assert refusal.problem == "not yours"
        person, code = await home.tables.people.make("Alice Liddell", home.alice.device)
        await home.alice.do(name, ask.Sit, name="The Queen", **sit)
        place = (await home.table(name)).places[0]
        assert (place.name, place.person) == ("Alice Liddell", person.id)
        phone = TablePlayer(home.tables, "Alice's phone")
        await home.tables.people.claim(code, phone.device)
        for guest in (home.alice, phone):
            assert (await guest.expect_refusal(name, ask.Sit, name="Alice", **sit)).problem == "not now"
        link = await home.alice.do(name, ask.Link, seat=0)
        await create_accounts(home, home.bill)
        assert (await home.bill.expect_refusal(name, ask.Claim, seat=0, **link)).problem == "not yours"
        assert (await home.dinah.expect_refusal(name, ask.Claim, seat=0, **link)).problem == "not yours"
        await phone.do(name, ask.Claim, seat=0, **link)
        assert (await home.table(name)).seats_of(phone.device) == [0]
        tablet = TablePlayer(home.tables, "Alice's tablet")  # of somebody who has lost the others
        none = {"secret": "none"}
        await tablet.expect_refusal(name, ask.Claim, seat=0, **none)
        await home.tables.people.claim(code, tablet.device)
        await tablet.do(name, ask.Claim, seat=0, **none)
        assert (await home.table(name)).seats_of(tablet.device) == [0]

    run_scenario(scenario)


def test_a_rated_table_allows_no_bots_undos_or_reassigned_seats(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        await create_accounts(home)
        waiting = await home.create_table(rated=True)
        await home.alice.expect_refusal(waiting, ask.SeatBot, seat=1, level="hatter")
        name = await start_rated_game(home)
        await home.play_moves(name, moves=2)
        table = await home.table(name)
        (seat,) = table.to_act
        other = 1 - seat
        await home.player_at(seat).expect_refusal(name, ask.Propose, seat=seat, what="undo")
        await home.player_at(seat).expect_refusal(name, ask.Propose, seat=seat, what="bot", about=other)
        await home.alice.expect_refusal(name, ask.Link, seat=1, revoke=True)

    run_scenario(scenario)


def test_a_storage_that_cannot_resolve_an_account_is_reported(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(rated=True)

        async def broken(_: str) -> None:
            raise StorageError("the disk is full.")

        home.tables.people.find_by_device = broken  # type: ignore[method-assign]
        refusal = await home.alice.expect_refusal(name, ask.Sit, name="Alice", contribution="ab" * 16)
        assert refusal.problem == "storage"

    run_scenario(scenario)


def test_the_result_of_a_rated_game_is_recorded_once(backend: Backend, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_service(tmp_path, backend.storage()) as first:
            people = await create_accounts(first)
            name = await start_rated_game(first)
            assert result_of(await first.table(name)) is None
            table = await first.play_moves(name)
            (outcome,) = await wait_until_recorded(first)
            assert table.match is not None
            assert outcome == RatedResult(
                name,
                "cookies",
                table.turn_time,
                (people["Alice"], people["Bill"]),
                tuple(table.match.turn.result.winners),
            )
            await first.alice.do(name, ask.Say, seat=0, phrase="good game")  # the time of the end stays
            await first.alice.do(name, ask.Link, seat=0)
            assert result_of(await first.table(name)) == outcome
            unrated = await first.start_game("cookies")
            assert result_of(await first.play_moves(unrated)) is None
        async with open_service(tmp_path, backend.storage()) as again:

            async def nothing_due() -> bool:
                return not await again.tables.storage.due(FAR_AHEAD)

            await wait_until(nothing_due)
            assert await recent_results(again.tables.storage.documents, "cookies") == [outcome]

    asyncio.run(main())


def test_a_result_that_could_not_be_recorded_is_recorded_later(backend: Backend, tmp_path: Path) -> None:
    """As after a power cut between the last move and the rating."""

    async def main() -> None:
        async with open_service(tmp_path, backend.storage()) as first:
            await create_accounts(first)
            name = await start_rated_game(first)
            await first.automation.close()
            await first.play_moves(name)
            assert await recent_results(first.tables.storage.documents, "cookies") == []
            first.automation.close = nothing  # type: ignore[method-assign]
        async with open_service(tmp_path, backend.storage()) as second:
            (outcome,) = await wait_until_recorded(second)
            assert outcome == result_of(await second.table(name))

    asyncio.run(main())


async def nothing() -> None:
    """It is closed already."""


def test_two_nodes_record_the_same_result_once(backend: Backend, tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            open_service(tmp_path, backend.storage()) as one,
            open_service(tmp_path, backend.storage()) as other,
        ):
            await create_accounts(one)
            names = [await start_rated_game(one) for _ in range(3)]
            for name in names:
                await other.table(name)  # which has it at an older version
                await one.play_moves(name)
            outcomes = await wait_until_recorded(other, 3)
            tables = [(await other.tables.fresh(name)).table for name in names]
            found = [result_of(table) for table in tables]
            assert sorted(outcomes, key=lambda each: names.index(each.table)) == found
            for node in (one, other):
                await asyncio.gather(
                    *(
                        record_result(node.tables.storage.documents, each)
                        for each in outcomes
                        for _ in range(3)
                    )
                )
            assert len(await recent_results(one.tables.storage.documents, "cookies")) == 3

    asyncio.run(main())


def test_a_rematch_is_rated(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        people = await create_accounts(home)
        first = await start_rated_game(home)
        await home.play_moves(first)
        await home.alice.do(first, ask.Rematch, seat=0)
        name = (await home.table(first)).next
        assert (await home.table(name)).opened.rated
        for guest in (home.bill, home.alice):
            await guest.sit(name)
        assert [place.person for place in (await home.table(name)).places] == [
            people["Alice"],
            people["Bill"],
        ]
        await home.alice.do(name, ask.Start)
        await home.play_moves(name)
        assert {each.table for each in await wait_until_recorded(home, 2)} == {first, name}

    run_scenario(scenario)


def test_a_table_that_cannot_be_read_now_stays_due(in_sqlite: Backend, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_service(tmp_path, in_sqlite.storage()) as first:
            await create_accounts(first)
            name = await start_rated_game(first)
            await first.automation.close()
            await first.play_moves(name)
            first.automation.close = nothing  # type: ignore[method-assign]
        async with open_service(tmp_path, in_sqlite.storage()) as second:
            load, failures = second.tables.get_live_table, iter(range(3))

            async def asleep(table: str) -> Any:
                if next(failures, None) is not None:
                    raise Refusal(Code.STORAGE_FAILED, "The storage is asleep.")
                return await load(table)

            second.tables.get_live_table = asleep  # type: ignore[method-assign]
            await wait_until_recorded(second)
            assert next(failures, None) is None, "it was retried repeatedly"

    asyncio.run(main())


def test_due_times_after_the_end(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        await create_accounts(home)
        name = await start_rated_game(home)
        playing = await home.table(name)
        assert live_table.due_after(playing) == playing.turn_time + 1000 * DEFAULT_CLOCK
        over = await home.play_moves(name)
        assert live_table.due_after(over) == over.turn_time
        unrated = await home.play_moves(await home.start_game("cookies"))
        assert live_table.due_after(unrated) is None

    run_scenario(scenario)
