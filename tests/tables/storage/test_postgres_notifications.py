"""Moves reach watchers at other servers of the same PostgreSQL with the notification."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec

from support.postgres import execute
from support.storages import TIMEOUT, InPostgres
from support.table_players import LocalService, open_service
from wonderland.tables.handlers import Context
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.storage.postgres_notifications import Notifications


class Watcher:
    """Collects the versions that it is shown."""

    device = "nobody"
    seat: int | None = None
    form = None

    def __init__(self) -> None:
        self.shown: asyncio.Queue[int] = asyncio.Queue()

    def send(self, message: bytes) -> None:
        told: Any = msgspec.json.decode(message)
        if told["type"] == "table":
            self.shown.put_nowait(told["version"])

    async def until(self, version: int) -> None:
        while await asyncio.wait_for(self.shown.get(), TIMEOUT) < version:
            pass


async def caught_up(service: LocalService, name: str, version: int) -> None:
    while (await service.table(name)).version < version:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.01)


async def two_servers(
    folder: Path, in_postgres: InPostgres, stack: AsyncExitStack
) -> tuple[LocalService, LocalService]:
    """Two services that would notice nothing without notifications."""
    found = [
        await stack.enter_async_context(
            open_service(folder, in_postgres.storage(poll_interval=100 * TIMEOUT))
        )
        for _ in range(2)
    ]
    return found[0], found[1]


def test_a_move_is_shown_elsewhere_without_reading_the_log(
    in_postgres: InPostgres, tmp_path: Path
) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            here, there = await two_servers(tmp_path, in_postgres, stack)
            name = await here.start_game()
            watcher = Watcher()
            live = await there.tables.fresh(name)
            there.tables.watch(live, watcher, live.table.version)
            await watcher.until((await here.table(name)).version)
            before = there.tables.storage.log_statements
            table = await here.play_moves(name, 6)
            await watcher.until(table.version)
            assert there.tables.storage.log_statements == before
            assert live.table.match is not None
            assert table.match is not None
            assert live.table.match.state == table.match.state

            # Both servers now move in turn, and draw as if they had replayed the whole game.
            for number in range(6):
                server, other = (there, here) if number % 2 else (here, there)
                table = await server.play_moves(name, 1, seed=number)
                await asyncio.wait_for(caught_up(other, name, table.version), TIMEOUT)
                live = await other.tables.get_live_table(name)
                assert (
                    live.context.fork_chance().used
                    == Context(live.table, live.context.key).fork_chance().used
                )

    asyncio.run(main())


def test_a_forged_or_premature_entry_changes_nothing(in_postgres: InPostgres, tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            here, there = await two_servers(tmp_path, in_postgres, stack)
            name = await here.start_game()
            watcher = Watcher()
            live = await there.tables.fresh(name)
            there.tables.watch(live, watcher, live.table.version)
            version = live.table.version
            word = msgspec.json.encode({"type": "Silenced", "off": True, "key": "forged"})
            for message in forged(name, version, word):
                await execute(in_postgres.url, "SELECT pg_notify('wonderland', $1)", message)
            there.tables.cache.deliver([StoredEntry(name, version + 2, 0, word)])
            table = await here.play_moves(name, 1)
            await watcher.until(table.version)
            assert live.table.version == table.version == version + 1
            assert not live.table.silent

    asyncio.run(main())


def forged(name: str, version: int, body: bytes) -> Sequence[str]:
    entry = StoredEntry(name, version + 1, 0, body)
    return [
        *Notifications(7, "a guess").write([entry]),
        f'[7,{{}},[["{name}",{version + 1},0,{{}}]],""]',
    ]


def test_notifications_are_never_too_long_and_omit_nothing() -> None:
    news = {f"Tisch-ü{number}": 10**number for number in range(10)} | {
        f"t{n}" * 20: n for n in range(2000)
    }
    entries = [StoredEntry(table, n, 0, b"not JSON") for table, n in news.items()]
    texts = Notifications(2**62).write(entries)
    assert all(len(text.encode()) < 8000 for text in texts)
    assert len(texts) > 5
    parts = [msgspec.json.decode(text) for text in texts]
    assert {part[0] for part in parts} == {2**62}
    assert {table: n for part in parts for table, n in part[1].items()} == news
    assert Notifications(7).write([]) == []


def test_entries_travel_with_notifications_of_servers_with_the_same_key() -> None:
    entries = [
        StoredEntry(f"t{n}", n, 5, json.dumps({"says": "ü" * (n % 40)}).encode()) for n in range(200)
    ]
    long = StoredEntry("long", 3, 5, json.dumps("x" * 9000).encode())
    texts = Notifications(1, "key").write([*entries, long])
    assert all(len(text.encode()) < 8000 for text in texts)
    found = [Notifications(2, "key").read(text) for text in texts]
    assert [entry for _, some in found for entry in some] == entries
    assert {table: n for changes, _ in found for table, n in changes.items()} == {
        entry.table: entry.n for entry in [*entries, long]
    }
    for stranger in (Notifications(2, "other key"), Notifications(2)):
        assert all(stranger.read(text) == ({}, []) for text in texts)
    forged = texts[0].replace('"t1",1', '"t9",1')
    assert forged != texts[0]
    assert Notifications(2, "key").read(forged) == ({}, [])
    assert Notifications(1, "key").read(texts[0]) == ({}, [])
