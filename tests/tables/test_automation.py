"""Bots and clocks: what happens at a table unprompted, and after a restart."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.table_players import LocalService, open_service, watch
from wonderland.components.bots import Budget, Level
from wonderland.engine.registry import game
from wonderland.tables import automation, live_table, service
from wonderland.tables import entries as log
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.interface import Addition, StorageError, StoredEntry
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

LONG = 60.0
"""Seconds after which something that should happen counts as not happening."""


async def wait_until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def wait_for_status(h: LocalService, name: str, wanted: str) -> None:
    async with asyncio.timeout(LONG):
        while (await h.table(name)).status != wanted:  # noqa: ASYNC110 - the same
            await asyncio.sleep(0.02)


class Later:
    """A clock that can be advanced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0
        real = service.now
        for module in (service, automation, live_table):
            monkeypatch.setattr(module, "now", lambda: real() + self.ahead)
        monkeypatch.setattr(automation, "_POLL_SECONDS", 0.02)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


def test_bots_play_a_whole_game_by_themselves(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            bots = {"1": "hatter", "2": "white-rabbit"}
            name = await h.create_table(seats=3, access="bots", bots=bots)
            await h.alice.sit(name)
            await h.alice.do(name, ask.Start)
            await h.alice.do(name, ask.Leave, seat=0)
            await wait_for_status(h, name, "finished")
            assert await h.tables.storage.due(2**60) == []

    asyncio.run(scene())


def test_bots_continue_after_a_restart_with_nobody_connected(tmp_path: Path) -> None:
    async def before() -> str:
        async with open_service(tmp_path) as h:
            await h.automation.close()  # nobody plays for the bots any more
            h.automation._poll_task = asyncio.create_task(asyncio.sleep(0))
            name = await h.create_table(access="bots", bots={"1": "dodo"})
            await h.alice.sit(name)
            await h.alice.do(name, ask.Start)
            await h.alice.do(name, ask.Leave, seat=0)
            assert (await h.table(name)).status == "playing"
            return name

    async def after(name: str) -> None:
        async with open_service(tmp_path) as h:
            await wait_for_status(h, name, "finished")

    asyncio.run(after(asyncio.run(before())))


def test_a_bot_that_fails_does_not_stop_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        name = "Broken"

        def choose(self, *_: Any) -> Any:
            raise RuntimeError("the queen has lost her head")

    from wonderland.games.parade.bots import levels  # noqa: PLC0415 - the module that lists the levels

    level = Level("Broken", "breaks", Broken, Budget())
    monkeypatch.setattr(levels, "LEVELS", (*levels.LEVELS, level))

    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.create_table(access="bots", bots={"1": "broken"})
            await h.alice.sit(name)
            await h.alice.do(name, ask.Start)
            assert (await h.play_moves(name)).status == "finished"

    asyncio.run(scene())


def test_a_table_does_not_wait_for_other_tables_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking, enough = threading.Event(), threading.Event()

    class Slow:
        name = "Slow"

        def choose(self, _view: Any, legal: Any, *_: Any) -> Any:
            thinking.set()
            enough.wait(LONG)
            return legal[0]

    from wonderland.games.parade.bots import levels  # noqa: PLC0415 - the module that lists the levels

    monkeypatch.setattr(levels, "LEVELS", (*levels.LEVELS, Level("Slow", "thinks", Slow, Budget())))

    async def scene() -> None:
        async with open_service(tmp_path) as h:
            for _ in range(3):  # more than there are threads
                name = await h.create_table(access="bots", bots={"1": "slow"})
                await h.alice.sit(name)
                await h.alice.do(name, ask.Start)
                await h.play_moves(name, 1)
            await wait_until(thinking.is_set)
            name = await h.start_game()
            assert (await h.play_moves(name)).status == "finished"
            enough.set()

    try:
        asyncio.run(scene())
    finally:
        enough.set()


def test_a_bots_late_move_after_the_end_is_dropped_silently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinking, enough, chosen = threading.Event(), threading.Event(), threading.Event()

    class Slow:
        name = "Slow"

        def choose(self, _view: Any, legal: Any, *_: Any) -> Any:
            thinking.set()
            enough.wait(LONG)
            return legal[0]

    from wonderland.games.parade.bots import levels  # noqa: PLC0415 - the module that lists the levels

    monkeypatch.setattr(levels, "LEVELS", (*levels.LEVELS, Level("Slow", "thinks", Slow, Budget())))

    class Attentive(automation.Automation):
        def _on_chosen(self, *what: Any) -> None:
            super()._on_chosen(*what)
            chosen.set()

    monkeypatch.setattr("support.table_players.Automation", Attentive)

    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.create_table(access="bots", bots={"1": "slow"})
            await h.alice.sit(name)
            await h.alice.do(name, ask.Start)
            await h.play_moves(name, 1)
            await wait_until(thinking.is_set)
        enough.set()
        await wait_until(chosen.is_set)
        await asyncio.sleep(0)  # the storage's answer comes with the next iteration of the loop

    try:
        asyncio.run(scene())
    finally:
        enough.set()
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


def test_an_expired_clock_hands_the_seat_to_a_bot(tmp_path: Path, later: Later) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.start_game(clock=60)
            (seat,) = (await h.table(name)).to_act
            live = await h.tables.get_live_table(name)
            seen = watch(h, live, seat)
            assert seen.messages[-1]["deadline"] == live.table.turn_time + 60_000
            later.ahead += 45_000
            await asyncio.sleep(0.1)
            assert not (await h.table(name)).places[seat].level
            later.ahead += 16_000
            await wait_until(lambda: live.table.places[seat].level)
            await wait_until(lambda: seat not in live.table.to_act)
            await h.player_at(seat).do(name, ask.TakeBack, seat=seat)
            assert not live.table.places[seat].level

    asyncio.run(scene())


def test_an_absent_player_is_replaced_and_a_present_one_is_not(tmp_path: Path, later: Later) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.start_game(away=30)
            (seat,) = (await h.table(name)).to_act
            live = await h.tables.get_live_table(name)
            watching = watch(h, live, seat)
            later.ahead += 40_000
            await asyncio.sleep(0.2)
            assert not live.table.places[seat].level, "a player is present"
            h.tables.unwatch(live, watching)
            later.ahead += 80_000
            await wait_until(lambda: live.table.places[seat].level)

    asyncio.run(scene())


def test_a_player_connected_to_another_process_is_present(tmp_path: Path, later: Later) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as here, open_service(tmp_path) as there:
            name = await here.start_game(away=30)
            table = await here.table(name)
            (seat,) = table.to_act
            await there.tables.storage.record_presence([(name, seat)], table.turn_time + 75_000)
            later.ahead += 40_000
            await asyncio.sleep(0.3)
            assert not (await here.table(name)).places[seat].level
            assert not (await there.table(name)).places[seat].level

    asyncio.run(scene())


def test_another_key_does_not_open_the_same_tables(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            await h.create_table()
        with pytest.raises(StorageError, match="key"):
            async with open_service(tmp_path, key=ServerKey(bytes(32))):
                pass

    asyncio.run(scene())


def test_a_table_of_other_rules_is_rejected_and_left_unchanged(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.start_game()
            entries = await h.tables.storage.read(name)
            opened = log.read_entry(entries[0].body)
            other = "olderrules"
            for entry in entries:
                body = entry.body
                if entry.n == 0:
                    body = log.written(msgspec.structs.replace(opened, rules=0))
                await _append(h.tables.storage, StoredEntry(other, entry.n, entry.time, body))
            await _append(h.tables.storage, StoredEntry("newer", 0, 0, b'{"is":"flamingo"}'))
            with pytest.raises(Refusal, match="version 0 of the rules of Parade"):
                await h.tables.get_live_table(other)
            with pytest.raises(Refusal, match="newer release"):
                await h.tables.get_live_table("newer")
            assert [entry.body for entry in (await h.tables.storage.read(other))[1:]] == [
                entry.body for entry in entries[1:]
            ]

    asyncio.run(scene())


async def _append(storage: Any, entry: StoredEntry) -> None:
    answer = asyncio.get_running_loop().create_future()
    storage.append(Addition(entry), answer.set_result)
    assert await answer is True


def test_every_stored_game_replays_identically(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            for number, name in enumerate(["parade", "letters", "cookies"]):
                table = await h.start_game(name)
                await h.play_moves(table, 30, seed=number)
                live = await h.table(table)
                h.tables.evict_idle(-1)
                again = await h.table(table)
                assert again is not live
                assert again.match is not None
                assert live.match is not None
                assert again.match.record.text() == live.match.record.text()
                assert again.match.state == live.match.state
                assert again.match.events == live.match.events
                assert vars(again) | {"match": None} == vars(live) | {"match": None}

    asyncio.run(scene())


def test_games_of_one_process_continue_in_another(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as one, open_service(tmp_path) as other:
            name = await one.start_game()
            for step in range(1000):
                h = (one, other)[step % 2]
                try:
                    table = await h.play_moves(name, 1, seed=step)
                except Refusal as refusal:  # it had not been notified of the last move: now it has
                    assert refusal.problem == "stale"  # noqa: PT017 - it need not be raised
                    continue
                if table.status == "finished":
                    break
            here, there = await one.table(name), await other.table(name)
            assert here.status == "finished" or there.status == "finished"
            await wait_until(
                lambda: (
                    one.tables.live_tables[name].table.version
                    == other.tables.live_tables[name].table.version
                )
            )
            assert here.secret or there.secret
            assert game("parade").info.rules_version == here.opened.rules

    asyncio.run(scene())


def test_other_processes_are_notified_of_changes(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as one, open_service(tmp_path) as other:
            name = await one.start_game()
            live = await other.tables.get_live_table(name)
            seen = watch(other, live, None, live.table.version)
            version = (await one.play_moves(name, 5)).version
            await wait_until(lambda: seen.messages[-1].get("version") == version)
            told = [event["type"] for message in seen.messages for event in message.get("events", ())]
            assert told.count("CardPlayed") == 5

    asyncio.run(scene())


def test_a_failing_storage_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    class Failing(SqliteStorage):
        fails = False

        def _commit(self) -> None:
            if self.fails:
                import sqlite3  # noqa: PLC0415 - only here

                raise sqlite3.OperationalError("database or disk is full")
            super()._commit()

    async def scene() -> None:
        storage = Failing(tmp_path / "tables.db")
        async with open_service(tmp_path, storage) as h:
            name = await h.start_game()
            table = await h.table(name)
            (seat,) = table.to_act
            assert table.match is not None
            word = table.match.game.write(table.match.legal(seat)[0])
            storage.fails = True
            refusal = await h.player_at(seat).expect_refusal(name, ask.Play, seat=seat, action=word)
            assert refusal.problem == "storage"
            storage.fails = False
            await h.player_at(seat).do(name, ask.Play, seat=seat, action=word)
            assert (await h.play_moves(name)).status == "finished"

    asyncio.run(scene())
