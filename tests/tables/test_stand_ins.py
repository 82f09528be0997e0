"""Stand-ins: a bot may play for a player who has been away for a while, and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.table_clock import Clock
from support.table_players import LocalService, open_service, watch
from wonderland.tables import entries as log
from wonderland.tables import presence, service
from wonderland.tables.storage.interface import Addition, StorageError, StoredEntry
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.tables.table import Table
from wonderland.wire import commands as ask

LONG = 60.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class Listener:
    """A watcher that keeps the latest presence message."""

    def __init__(self, device: str, seat: int | None) -> None:
        self.device, self.seat, self.form = device, seat, None
        self.present: dict[str, Any] = {}

    def send(self, message: bytes) -> None:
        told = msgspec.json.decode(message)
        if told["type"] == "present":
            self.present = told


async def listen(h: LocalService, name: str, seat: int | None) -> Listener:
    listener = Listener("" if seat is None else h.player_at(seat).device, seat)
    h.tables.watch(await h.tables.get_live_table(name), listener, 0)
    return listener


async def wait_until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def ask_for_bot(h: LocalService, name: str) -> None:
    await h.alice.do(name, ask.Propose, seat=0, what="bot", about=1)


async def refused(h: LocalService, name: str) -> str:
    refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="bot", about=1)
    assert refusal.problem == "not now"
    return str(refusal)


def run(folder: Path, scene: Callable[[LocalService], Any]) -> None:
    async def main() -> None:
        async with open_service(folder) as h:
            await scene(h)

    asyncio.run(main())


def test_a_present_player_cannot_be_replaced(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        watch(h, await h.tables.get_live_table(name), 1)
        clock.ahead += 10_000_000
        assert "Bill is here" in await refused(h, name)
        assert not (await h.table(name)).places[1].level

    run(tmp_path, scene)


def test_an_absent_player_has_a_while_to_return(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        live = await h.tables.get_live_table(name)
        alice, bill = await listen(h, name, 0), await listen(h, name, 1)
        spectator = await listen(h, name, None)
        await wait_until(lambda: alice.present.get("seats") == [0, 1])
        assert alice.present.get("absent") == []
        h.tables.unwatch(live, bill)
        for watcher in (alice, spectator):  # everyone sees the countdown
            await wait_until(lambda shown=watcher: shown.present["absent"])
            (absent,) = watcher.present["absent"]
            assert absent["seat"] == 1
            assert 0 < absent["wait"] <= 60_000
            assert not absent["automatic"]
        clock.ahead += 30_000
        assert "back in a moment" in await refused(h, name)
        clock.ahead += 31_000
        await ask_for_bot(h, name)
        place = live.table.places[1]
        assert (place.kind, place.why, place.by) == ("person", "away", 0)
        await wait_until(lambda: not alice.present.get("absent"))

    run(tmp_path, scene)


def test_an_absence_begins_when_the_player_leaves_however_late_it_is_written(
    tmp_path: Path, clock: Clock
) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        writer = presence.LeaseWriter(h.tables.storage)
        assert writer.add(name, [], [1])
        left = presence.now()
        clock.ahead += 30_000
        await writer.write()
        assert abs((await h.tables.storage.last_seen(name))[1] - left) < 30_000

    run(tmp_path, scene)


def test_who_returns_in_time_keeps_the_seat(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        alice, bill = await listen(h, name, 0), await listen(h, name, 1)
        h.tables.unwatch(await h.tables.get_live_table(name), bill)
        clock.ahead += 59_000
        await listen(h, name, 1)
        await wait_until(lambda: alice.present.get("seats") == [0, 1])
        clock.ahead += 59_000
        assert "Bill is here" in await refused(h, name)

    run(tmp_path, scene)


def test_a_second_device_of_a_player_is_enough(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        phone, _laptop = await listen(h, name, 1), await listen(h, name, 1)
        h.tables.unwatch(await h.tables.get_live_table(name), phone)
        clock.ahead += 100_000
        assert "Bill is here" in await refused(h, name)

    run(tmp_path, scene)


def test_a_player_connected_to_another_process_is_present(tmp_path: Path, clock: Clock) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as here, open_service(tmp_path) as there:
            name = await here.start_game()
            alice, bill = await listen(here, name, 0), await listen(there, name, 1)
            for _ in range(4):  # longer than the grace, in steps shorter than a lease
                clock.ahead += presence.RENEWAL_MILLISECONDS + 1_000
                until = there.automation._presence_noted
                await wait_until(lambda: there.automation._presence_noted > until)  # noqa: B023 - waits here
            assert "Bill is here" in await refused(here, name)
            await wait_until(lambda: alice.present.get("seats") == [0, 1])
            lease = await there.tables.storage.last_seen(name)
            there.tables.unwatch(await there.tables.get_live_table(name), bill)
            while (await there.tables.storage.last_seen(name))[1] >= lease[1]:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)  # until the lease is cut short
            clock.ahead += presence.RENEWAL_MILLISECONDS + 1_000  # then the others look
            await wait_until(lambda: alice.present.get("absent"))
            assert "back in a moment" in await refused(here, name)
            clock.ahead += 60_000
            await ask_for_bot(here, name)

    asyncio.run(scene())


def test_a_process_that_died_keeps_nobody_present(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        lease = service.now() + presence.LEASE_MILLISECONDS
        await h.tables.storage.record_presence([(name, 1)], lease)
        assert "Bill is here" in await refused(h, name)
        clock.ahead += presence.LEASE_MILLISECONDS + 61_000
        await ask_for_bot(h, name)

    run(tmp_path, scene)


def test_a_program_that_only_sends_moves_is_not_absent(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        clock.ahead += 50_000
        while (await h.table(name)).to_act != (1,):
            await h.play_moves(name, 1)
        await h.play_moves(name, 1)
        clock.ahead += 30_000
        assert "back in a moment" in await refused(h, name)

    run(tmp_path, scene)


def test_with_a_clock_the_clock_decides(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        for limit, shown in ((600, True), (48 * 3600, False)):
            name = await h.start_game(clock=limit)
            table = await h.table(name)
            (mover,) = table.to_act
            watcher = await listen(h, name, None)
            clock.ahead += 100_000
            await wait_until(lambda seen=watcher: len(seen.present.get("absent", ())) == 2)
            waits = {player["seat"]: player["wait"] for player in watcher.present["absent"]}
            assert all(player["automatic"] for player in watcher.present["absent"])
            assert (waits[mover] is not None) == shown, "nobody counts down days"
            assert waits[1 - mover] is None, "the clock of a player who isn't to move doesn't run"
            assert "time runs out" in await refused(h, name)

    run(tmp_path, scene)


def test_a_table_can_grant_a_longer_absence(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game(away=600)
        clock.ahead += 500_000
        assert "back in a moment" in await refused(h, name)
        clock.ahead += 101_000
        await ask_for_bot(h, name)

    run(tmp_path, scene)


def test_only_another_persons_seat_can_get_a_stand_in(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        clock.ahead += 100_000
        for wrong in (None, 0, 7):
            refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="bot", about=wrong)
            assert refusal.problem == "bad request"
        await h.play_moves(name)
        assert "during a game" in await refused(h, name)

    run(tmp_path, scene)


def test_the_bots_moves_are_counted_for_the_player_who_returns(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        clock.ahead += 100_000
        await ask_for_bot(h, name)
        live = await h.tables.get_live_table(name)
        while live.table.places[1].covered < 2:
            await h.play_moves(name, 1)
        await h.bill.do(name, ask.TakeBack, seat=1)
        assert (live.table.places[1].level, live.table.places[1].covered) == ("", 0)

    run(tmp_path, scene)


def test_an_old_proposal_of_a_bot_spares_a_present_player(tmp_path: Path, clock: Clock) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.create_table(seats=3, access="open")
        for seat, guest in enumerate((h.alice, h.bill, h.dinah)):
            await guest.sit(name, seat)
        await h.alice.do(name, ask.Start)
        version = (await h.table(name)).version + 1
        old = log.Proposed(0, "bot", 2, "hatter")
        await _append(h, StoredEntry(name, version, service.now(), log.written(old)))
        live = await h.tables.fresh(name)
        dinah = watch(h, live, 2)
        refusal = await h.bill.expect_refusal(name, ask.Answer, seat=1, agree=True)
        assert "Dinah is here" in str(refusal)
        h.tables.unwatch(live, dinah)
        clock.ahead += 61_000
        await h.bill.do(name, ask.Answer, seat=1, agree=True)
        assert (live.table.places[2].level, live.table.places[2].by) == ("hatter", 0)

    run(tmp_path, scene)


async def _append(h: LocalService, entry: StoredEntry) -> None:
    answer = asyncio.get_running_loop().create_future()
    h.tables.storage.append(Addition(entry), answer.set_result)
    assert await answer is True


def test_a_storage_that_fails_replaces_nobody(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(SqliteStorage):
        fails = False

        async def last_seen(self, table: str) -> dict[int, int]:
            if self.fails:
                raise StorageError("the disk is full.")
            return await super().last_seen(table)

        async def record_presence(self, seats: Any, now: int) -> None:
            if self.fails:
                raise StorageError("the disk is full.")
            await super().record_presence(seats, now)

    async def scene() -> None:
        storage = Failing(tmp_path / "tables.db")
        async with open_service(tmp_path, storage) as h:
            name = await h.start_game()
            clock.ahead += 100_000
            storage.fails = True
            refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="bot", about=1)
            assert refusal.problem == "storage"
            await listen(h, name, 0)
            await wait_until(lambda: "presence not recorded" in caplog.text)
            storage.fails = False

    asyncio.run(scene())


def test_old_logs_fold_as_before() -> None:
    """The log of a table from before there were countdowns: consent, then an undo."""
    entries = [
        log.Opened(
            game="parade",
            rules=1,
            seats=2,
            options={},
            access="open",
            host="h",
            invitation="i",
            nonce="n",
        ),
        log.Sat(0, "Alice", "a", "00" * 16),
        log.Sat(1, "Bill", "b", "11" * 16),
        log.Proposed(0, "bot", 1, "hatter"),
    ]
    stored = [StoredEntry("old", n, n, log.written(entry)) for n, entry in enumerate(entries)]
    table = Table(stored[0])
    for entry in stored[1:]:
        table.follow(entry)
    assert table.places[1].level == "hatter"
