"""Tables are bounded: logs, commands, memory, how long they are kept, and who is listed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.storages import Backend, append, open_storages, row
from support.storages import addition as stored_addition
from support.table_players import LocalService, open_service, watch
from wonderland.tables import entries as log
from wonderland.tables import table_loader
from wonderland.tables.expiry import DAY, expire_tables
from wonderland.tables.limits import Limits
from wonderland.tables.service import now
from wonderland.tables.storage.interface import Addition, StoredEntry
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

GREEDY, MODEST = "192.0.2.1", "192.0.2.2"


def run_service(folder: Path, scene: Callable[[LocalService], Any], **options: Any) -> None:
    async def run() -> None:
        async with open_service(folder, **options) as h, asyncio.timeout(120):
            await scene(h)

    asyncio.run(run())


async def chat(h: LocalService, name: str) -> None:
    await h.alice.do(name, ask.Silence, off=True)


# Commands and entries


def test_a_table_takes_a_limited_number_of_commands_a_minute(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name, other = await h.create_table(), await h.create_table()
        for _ in range(5):
            await chat(h, name)
        refusal = await h.alice.expect_refusal(name, ask.Silence, off=True)
        assert refusal.problem == "too many"
        assert refusal.retry_after > 0
        await chat(h, other)

    run_service(tmp_path, scene, limits=Limits(commands_per_minute=5))


def test_a_full_log_takes_only_what_finishes_the_game(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        while (await h.table(name)).version < 320:
            await chat(h, name)
        refusal = await h.alice.expect_refusal(name, ask.Silence, off=True)
        assert refusal.problem == "not now"
        table = await h.play_moves(name)
        assert table.status == "finished"
        await h.alice.do(name, ask.Rematch, seat=0)

    run_service(tmp_path, scene, limits=Limits(entries_per_table=400))


def test_a_log_never_grows_beyond_its_limit(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.start_game()
        with pytest.raises(Refusal) as refusal:
            await h.play_moves(name, 30)
        assert refusal.value.problem == "not now"
        assert (await h.table(name)).version == 12

    run_service(tmp_path, scene, limits=Limits(entries_per_table=12))


def test_a_duplicate_is_answered_even_when_the_table_is_full(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.create_table()
        live = await h.tables.get_live_table(name)
        command = ask.Silence(off=True, at=0, key="the-first-key")
        _, version = await h.tables.execute(live, h.alice.device, command)
        while live.table.version < 8:
            await chat(h, name)
        await h.alice.expect_refusal(name, ask.Silence, off=True)
        _, again = await h.tables.execute(live, h.alice.device, command)
        assert again == version == 1

    run_service(tmp_path, scene, limits=Limits(entries_per_table=10))


# Reading logs


async def write_long_log(h: LocalService, entries: int) -> str:
    """Create a table with many entries, as a flood before there was a limit could."""
    name = await h.create_table()
    stored = [
        StoredEntry(name, n, now(), log.written(log.Silenced(bool(n % 2), key=f"key-{n}")))
        for n in range(1, entries)
    ]
    loop = asyncio.get_running_loop()
    answers = [loop.create_future() for _ in stored]
    for entry, answer in zip(stored, answers, strict=True):
        h.tables.storage.append(Addition(entry), answer.set_result)
    assert all(await asyncio.gather(*answers))
    h.tables.evict_idle(-1)
    return name


def test_opening_a_long_log_lets_others_play(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await write_long_log(h, 6000)
        turns = 0
        opening = asyncio.ensure_future(h.tables.get_live_table(name))
        while not opening.done():
            turns += 1
            await asyncio.sleep(0)
        live = await opening
        assert live.table.version == 5999
        assert turns > 20  # the event loop ran all the time

    run_service(tmp_path, scene)


def test_a_long_log_is_read_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_loader, "_PAGE", 7)

    async def scene(h: LocalService) -> None:
        for entries in (6, 7, 8, 14, 20):
            name = await write_long_log(h, entries)
            live = await h.tables.get_live_table(name)
            assert live.table.version == entries - 1
            assert [live.keys.find(f"key-{n}") for n in range(entries)] == [None, *range(1, entries)]

    run_service(tmp_path, scene)


def test_duplicates_are_found_without_reading_the_log(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.create_table()
        live = await h.tables.get_live_table(name)
        command = ask.Silence(off=True, at=0, key="the-first-key")
        await h.tables.execute(live, h.alice.device, command)
        for _ in range(50):
            await chat(h, name)
        read: list[int] = []
        storage: Any = h.tables.storage
        real = storage.read

        async def counted(*given: Any, **named: Any) -> Any:
            found = await real(*given, **named)
            read.append(len(found))
            return found

        storage.read = counted
        _, version = await h.tables.execute(live, h.alice.device, command)
        assert version == 1
        assert sum(read) == 1
        read.clear()
        h.tables.evict_idle(-1)
        again = await h.tables.get_live_table(name)
        read.clear()
        _, version = await h.tables.execute(again, h.alice.device, command)
        assert (version, sum(read)) == (1, 1)
        del storage.read

    run_service(tmp_path, scene)


# Listing


def test_nobody_is_pushed_out_of_the_list(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        wish = ask.CreateTable(game="parade", seats=2, access="open")
        modest, _ = await h.tables.create_table(h.bill.device, wish, MODEST)
        crowd = [
            (await h.tables.create_table(f"device {n}", wish, GREEDY))[0] for n in range(13)
        ]  # a new device each time, as without cookies
        listed = [each.table for each in await h.tables.storage.open_tables(12)]
        assert modest in listed[:2]
        more = [each.table for each in await h.tables.storage.open_tables(12, 12)]
        assert sorted([*listed, *more]) == sorted([modest, *crowd])

    run_service(tmp_path, scene)


def test_one_address_lists_a_limited_number_of_tables(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        wish = ask.CreateTable(game="parade", seats=2, access="open")
        for n in range(3):
            await h.tables.create_table(f"device {n}", wish, GREEDY)
        with pytest.raises(Refusal) as refusal:
            await h.tables.create_table("another", wish, GREEDY)
        assert refusal.value.problem == "too many"
        assert refusal.value.retry_after
        await h.tables.create_table("another", wish, MODEST)
        await h.tables.create_table("another", ask.CreateTable(game="parade", seats=2), GREEDY)

    run_service(tmp_path, scene, limits=Limits(open_tables_per_address=3))


def test_sources_take_turns_in_the_list(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            listed = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "c1": "", "c2": ""}
            for number, (table, source) in enumerate(listed.items()):
                index = row(table, changed=number, source=source)
                assert await append(storage, stored_addition(table, 0, row=index)) is True
            found = [each.table for each in await storage.open_tables()]
            assert found == ["c2", "c1", "b1", "a3", "a2", "a1"]
            assert [each.table for each in await storage.open_tables(2, 3)] == ["a3", "a2"]
            assert [await storage.count_open(each) for each in ("a", "b", "d")] == [3, 1, 0]

    asyncio.run(main())


# Expiry


def test_old_tables_are_deleted_with_everything_about_them(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for table, status in (("tea", "waiting"), ("hat", "playing"), ("end", "finished")):
                index = row(table, status=status, changed=10)
                await append(storage, stored_addition(table, 0, row=index))  # at time 1000
            for table in ("kept", "seen", "recent", "newest"):
                await append(storage, stored_addition(table, 0, row=row(table, changed=10)))
            await storage.record_presence([("seen", -1)], 5000)
            await append(storage, stored_addition("recent", 1000))  # at time 2000
            await append(storage, stored_addition("newest", 1))
            assert list(await storage.expire("waiting", 1500, ["kept", "newest"])) == ["tea"]
            assert list(await storage.read("tea")) == []
            for table in ("hat", "end", "kept", "seen", "recent", "newest"):
                assert await storage.read(table), table
            assert list(await storage.expire("playing", 1500)) == ["hat"]
            assert list(await storage.expire("playing", 1500)) == []

    asyncio.run(main())


def test_tables_that_never_started_expire_and_live_ones_do_not(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        forgotten, watched, playing = (
            await h.create_table(),
            await h.create_table(),
            await h.start_game(),
        )
        watch(h, await h.tables.get_live_table(watched), None)
        await h.tables.get_live_table(playing)
        h.tables.live_tables.pop(forgotten, None)
        month = now() + 31 * DAY
        assert not await expire_tables(h.tables, month)
        with pytest.raises(Refusal, match="doesn't exist"):
            await h.tables.get_live_table(forgotten)
        assert (await h.table(watched)).status == "waiting"
        h.tables.evict_idle(-1)
        assert (await h.table(playing)).status == "playing"

    run_service(tmp_path, scene)


def test_expiry_can_be_switched_off(tmp_path: Path) -> None:
    async def scene(h: LocalService) -> None:
        name = await h.create_table()
        await h.start_game()
        h.tables.evict_idle(-1)
        await expire_tables(h.tables, int(time.time() * 1000) + 10_000 * DAY)
        assert (await h.table(name)).status == "waiting"

    run_service(tmp_path, scene, limits=Limits(days_until_started=0, days_without_move=0))


# Memory


def test_idle_tables_are_evicted_from_memory(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.start_game()
            live = await h.tables.get_live_table(name)
            watching = watch(h, live, None)
            h.tables.evict_idle(-1)
            assert name in h.tables.live_tables, "it has a watcher"
            h.tables.unwatch(live, watching)
            h.tables.evict_idle(60)
            assert name in h.tables.live_tables, "it was just used"
            version = live.table.version
            h.tables.evict_idle(-1)
            assert name not in h.tables.live_tables
            assert (await h.table(name)).version == version

    asyncio.run(scene())


def test_tables_that_nobody_watches_take_bounded_memory(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, limits=Limits(tables_in_memory=3)) as h:
            names = [await h.create_table() for _ in range(8)]
            live_tables = [await h.tables.get_live_table(name) for name in names]
            watch(h, live_tables[0], None)
            h.tables.evict_idle(60)
            assert list(h.tables.live_tables) == [names[0], *names[-3:]]

    asyncio.run(scene())
