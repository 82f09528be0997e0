"""Rated games end by forfeit: no bot plays for a player who leaves, is away, or runs out of time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.table_clock import Clock
from support.table_players import LocalService, TablePlayer, open_service
from wonderland.engine.language import ENGLISH
from wonderland.tables import forfeits, live_table, presence
from wonderland.tables.descriptions import build_record, describe_table
from wonderland.tables.rated_games import RatedResult, kind, recent_results, result_of
from wonderland.tables.table import Table
from wonderland.web.lobby import own_tables
from wonderland.web.table_page import TablePage
from wonderland.wire import commands as ask

LONG = 60.0
GRACE = forfeits.GRACE_MILLISECONDS


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def run(folder: Path, scene: Callable[[LocalService], Awaitable[None]]) -> None:
    async def main() -> None:
        async with open_service(folder) as home:
            for guest in (home.alice, home.bill, home.dinah):
                await home.tables.people.make(guest.name, guest.device)
            await scene(home)

    asyncio.run(main())


async def wait_until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def start_rated_game(home: LocalService, **wanted: Any) -> str:
    return await home.start_game(**{"game": "cookies", "rated": True} | wanted)


async def recorded(home: LocalService) -> RatedResult:
    documents = home.tables.storage.documents
    async with asyncio.timeout(LONG):
        while not await documents.count(kind("cookies")):  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)
    (found,) = await recent_results(documents, "cookies")
    return found


async def finished(home: LocalService, name: str) -> Table:
    live = await home.tables.get_live_table(name)
    await wait_until(lambda: live.table.status == "finished")
    return live.table


class Listener:
    """A watcher that keeps the latest presence message."""

    def __init__(self, device: str, seat: int | None) -> None:
        self.device, self.seat, self.form = device, seat, None
        self.present: dict[str, Any] = {}

    def send(self, message: bytes) -> None:
        told = msgspec.json.decode(message)
        if told["type"] == "present":
            self.present = told


def test_a_player_who_leaves_may_come_back_and_then_forfeits(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        name = await start_rated_game(home)
        live = await home.tables.get_live_table(name)
        spectator = Listener("", None)
        home.tables.watch(live, spectator, 0)
        await home.alice.do(name, ask.Leave, seat=0)
        assert not live.table.places[0].level, "no bot plays for her"
        await wait_until(
            lambda: [player for player in spectator.present.get("absent", []) if player["forfeits"]]
        )
        countdown = next(player for player in spectator.present["absent"] if player["seat"] == 0)
        assert 0 < countdown["wait"] <= GRACE
        assert describe_table(live.table).seats[0].forfeits_at == live.table.time + GRACE
        clock.ahead += GRACE - 10_000
        await home.alice.do(name, ask.TakeBack, seat=0)
        clock.ahead += 20_000
        await asyncio.sleep(0.1)
        assert live.table.status == "playing", "she came back in time"
        await home.alice.do(name, ask.Leave, seat=0)
        clock.ahead += GRACE
        table = await finished(home, name)
        assert [notice.what for notice in table.notices] == [
            "departed",
            "returned",
            "departed",
            "forfeited",
        ]
        assert (await recorded(home)).winners == (1,)

    run(tmp_path, scene)


def test_leaving_wins_no_time(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        name = await start_rated_game(home, clock=120)
        (seat,) = (await home.table(name)).to_act
        player = home.player_at(seat)
        for _ in range(3):
            await player.do(name, ask.Leave, seat=seat)
            clock.ahead += 35_000
            await player.do(name, ask.TakeBack, seat=seat)
        clock.ahead += 16_000
        table = await finished(home, name)
        assert table.forfeit is not None
        assert (table.forfeit.seats, table.forfeit.why) == ((seat,), "clock")

    run(tmp_path, scene)


def test_the_clock_and_the_limit_for_absences_end_a_rated_game(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        for wanted, why in (({"clock": 60}, "clock"), ({"clock": 3600, "away": 60}, "away")):
            name = await start_rated_game(home, **wanted)
            table = await home.table(name)
            (seat,) = table.to_act
            away = dict.fromkeys((0, 1), 0)
            shown = {
                one.seat: one for one in presence.describe_absences(table, away, table.turn_time + 1000)
            }
            assert shown[seat].wait == 59_000
            assert shown[seat].forfeits
            assert shown[1 - seat].wait is None, "only the player to move loses time"
            (clocked,) = presence.describe_absences(table, {}, table.turn_time + 1000)
            assert (clocked.seat, clocked.wait, clocked.here) == (seat, shown[seat].wait, True)
            clock.ahead += 61_000
            table = await finished(home, name)
            assert table.forfeit is not None
            assert (table.forfeit.seats, table.forfeit.why) == ((seat,), why)
            assert table.result is not None
            assert table.result.winners == (1 - seat,)

    run(tmp_path, scene)


def test_a_present_player_is_not_absent(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        name = await start_rated_game(home, clock=3600, away=60)
        live = await home.tables.get_live_table(name)
        (seat,) = live.table.to_act
        home.tables.watch(live, Listener(home.player_at(seat).device, seat), 0)
        clock.ahead += 100_000
        await asyncio.sleep(0.2)
        assert live.table.status == "playing"

    run(tmp_path, scene)


def test_no_bot_ever_plays_in_a_rated_game(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        name = await start_rated_game(home)
        clock.ahead += 10_000_000
        for seat in (0, 1):
            player = home.player_at(seat)
            await player.expect_refusal(name, ask.Propose, seat=seat, what="bot", about=1 - seat)
        await home.alice.do(name, ask.Leave, seat=0)
        await home.bill.expect_refusal(name, ask.Propose, seat=1, what="bot", about=0)
        await home.alice.expect_refusal(name, ask.Leave, seat=0)
        table = await home.table(name)
        assert not any(place.level for place in table.places)
        if table.to_act == (0,):
            assert table.match is not None
            word = table.match.game.write(table.match.legal(0)[0])
            await home.alice.expect_refusal(name, ask.Play, seat=0, action=word)
        assert live_table.due_after(table) == table.places[0].departed + GRACE  # type: ignore[operator]

    run(tmp_path, scene)


def test_with_several_players_everyone_else_shares_the_win(tmp_path: Path, clock: Clock) -> None:
    async def scene(home: LocalService) -> None:
        name = await home.create_table("cookies", 3, rated=True, access="open")
        for seat, guest in enumerate((home.alice, home.bill, home.dinah)):
            await guest.sit(name, seat)
        await home.alice.do(name, ask.Start)
        await home.bill.do(name, ask.Leave, seat=1)
        clock.ahead += GRACE
        table = await finished(home, name)
        assert table.result is not None
        assert table.result.winners == (0, 2)
        assert table.result.places == (1, 3, 1)
        assert (await recorded(home)) == result_of(table)

    run(tmp_path, scene)


def test_everything_works_after_a_forfeit(tmp_path: Path, clock: Clock) -> None:
    """The game is over by no rule of its own: pages, record, commands and rematch."""

    async def scene(home: LocalService) -> None:
        name = await start_rated_game(home)
        await home.play_moves(name, 3)
        await home.alice.do(name, ask.Leave, seat=0)
        leaving = TablePage(await home.table(name), 0, home.alice.device, ENGLISH).page()
        assert 'data-do="takeback"' in leaving.html["stand_in"]
        clock.ahead += GRACE
        table = await finished(home, name)
        for seat, player in ((0, home.alice), (1, home.bill), (None, TablePlayer(home.tables, "x"))):
            shown = TablePage(table, seat, player.device, ENGLISH).page()
            assert "Bill" in shown.html["ending"] or "You win" in shown.html["ending"]
            assert "Alice has forfeited" in shown.html["remarks"]
        cards = await own_tables(home.tables, home.bill.device, ENGLISH)
        assert [card["state"] for card in cards] == ["You won."]
        record = build_record(table)
        assert record is not None
        assert record.shuffle_statement is not None
        assert describe_table(table).forfeited == (0,)
        assert table.match is not None
        for seat in table.match.turn.seats:
            word = table.match.game.write(table.match.legal(seat)[0])
            await home.player_at(seat).expect_refusal(name, ask.Play, seat=seat, action=word)
        await home.alice.expect_refusal(name, ask.TakeBack, seat=0)
        await home.bill.do(name, ask.Rematch, seat=1)
        assert (await home.table((await home.table(name)).next)).opened.rated

    run(tmp_path, scene)


def test_a_restart_forgets_no_departure(tmp_path: Path, clock: Clock) -> None:
    async def main() -> None:
        async with open_service(tmp_path) as first:
            for guest in (first.alice, first.bill):
                await first.tables.people.make(guest.name, guest.device)
            name = await start_rated_game(first)
            await first.bill.do(name, ask.Leave, seat=1)
        clock.ahead += GRACE
        async with open_service(tmp_path) as second:
            assert (await recorded(second)).winners == (0,)
            assert (await second.table(name)).status == "finished"

    asyncio.run(main())
