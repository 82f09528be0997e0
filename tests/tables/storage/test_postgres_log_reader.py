"""Concurrent reads of logs: few statements, the right answer for each, errors only where they belong."""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import AsyncExitStack
from typing import Self

import pytest

from support.postgres import execute
from support.storages import (
    TIMEOUT,
    Backend,
    FaultyNetwork,
    InPostgres,
    InSqlite,
    addition,
    append,
    is_one_sentence,
    open_storages,
)
from support.table_players import KEY, TablePlayer
from wonderland.tables import entries as log
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import Storage, StorageError
from wonderland.tables.storage.postgres import PostgresStorage
from wonderland.tables.storage.postgres_log_reader import READ
from wonderland.tables.storage.postgres_notifications import Notifications
from wonderland.wire import commands as ask


async def fill_tables(storage: Storage, tables: int, entries: int) -> list[str]:
    """Create tables with a number of entries, each of which says where it belongs."""
    names = [f"table{number}" for number in range(tables)]
    for n in range(entries):
        waiting = (append(storage, addition(name, n, f"{name} {n}".encode())) for name in names)
        assert set(await asyncio.gather(*waiting)) == {True}
    return names


def test_every_reader_gets_its_entries_in_order(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 30, 12)
            chance = random.Random(1)
            asked = [
                (chance.choice([*names, "nowhere"]), chance.choice([-1, 0, 5, 10, 11, 40]))
                for _ in range(500)  # many of them twice
            ]
            found = await asyncio.gather(*(storage.read(name, after) for name, after in asked))
            for (name, after), entries in zip(asked, found, strict=True):
                there = range(after + 1, 12) if name != "nowhere" else ()
                assert [(entry.table, entry.n) for entry in entries] == [(name, n) for n in there]
                assert [entry.body for entry in entries] == [f"{name} {n}".encode() for n in there]

    asyncio.run(main())


def test_entries_acknowledged_before_a_read_are_in_it_however_busy_the_readers(
    backend: Backend,
) -> None:
    async def main() -> None:
        one, other = backend.storage(), backend.storage()

        async def follow(table: str) -> None:
            for n in range(10):
                assert await append(one, addition(table, n)) is True
                # A read already in flight would be too old.
                assert [entry.n for entry in await other.read(table, n - 1)] == [n]

        async with open_storages(one, other):
            await asyncio.gather(*(follow(f"table{number}") for number in range(60)))

    asyncio.run(main())


def test_concurrent_reads_share_a_statement(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 500, 1)
            before = storage.log_statements
            found = await asyncio.gather(*map(storage.read, names))
            assert [entry.table for (entry,) in found] == names
            # An SQLite file is read directly, so there is nothing to wait for.
            expected = 500 if isinstance(backend, InSqlite) else 63
            assert storage.log_statements - before == expected

    asyncio.run(main())


def test_a_statement_in_flight_does_not_stop_the_next_batch(
    in_postgres: InPostgres,
) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 400, 1)
            before = storage.log_statements
            waiting = []
            async with in_postgres.locked("log"):  # so that the ones before are in flight
                for name in names:
                    waiting.append(asyncio.create_task(storage.read(name)))
                    await asyncio.sleep(0)
            assert [entry.table for (entry,) in await asyncio.gather(*waiting)] == names
            assert storage.log_statements - before < 100

    asyncio.run(main())


def test_logs_are_found_by_index_without_a_scan(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        async with open_storages(storage):
            await fill_tables(storage, 200, 2)
            link = storage._links[1]
            assert await link.run("SHOW application_name") == [("wonderland log reader",)]
            for mode in ("force_custom_plan", "force_generic_plan"):  # custom and generic plan
                await link.run(f"SET plan_cache_mode = {mode}")
                plan = await link.run(f"EXPLAIN {READ}", ["table7"] * 150, [0] * 150, [None] * 150)
                steps = "\n".join(step for (step,) in plan)
                assert "log_pkey" in steps
                assert "Seq Scan" not in steps

    asyncio.run(main())


# Failures


def test_an_invalid_read_affects_no_other(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 40, 2)
            bad = [("no\0text", -1), ("lone \ud800", -1), ("table1", 2**31)]
            asked = [*((name, 0) for name in names[:17]), *bad, *((name, 0) for name in names[17:])]
            found = await asyncio.gather(
                *(storage.read(name, after) for name, after in asked), return_exceptions=True
            )
            for error in found[17:20]:
                assert isinstance(error, StorageError)
                assert is_one_sentence(error)
            told = [answer for answer in found if not isinstance(answer, BaseException)]
            assert [entry.table for (entry,) in told] == names
            assert len(await storage.read("table1")) == 2

    asyncio.run(main())


def test_a_failed_read_fails_its_callers_and_later_ones_succeed(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 20, 1)
            await in_postgres.execute("ALTER TABLE log RENAME TO mislaid")
            found = await asyncio.gather(*map(storage.read, names), return_exceptions=True)
            assert len({id(error) for error in found}) == 20, "each has its own error"
            for error in found:
                assert isinstance(error, StorageError)
                assert is_one_sentence(error)
                assert "can't be used" in str(error)
            await in_postgres.execute("ALTER TABLE mislaid RENAME TO log")
            assert [len(each) for each in await asyncio.gather(*map(storage.read, names))] == [1] * 20

    asyncio.run(main())


@pytest.mark.parametrize("victim", ["log reader", "reader"])
@pytest.mark.parametrize("what", ["question", "answer"])
def test_reading_continues_after_a_lost_connection(
    in_postgres: InPostgres, what: str, victim: str
) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url, victim)
        async with network.url() as url:
            storage = PostgresStorage(url)
            async with open_storages(storage):
                names = await fill_tables(storage, 20, 1)
                for number in (1, 2):
                    await asyncio.gather(*map(storage.read, names))
                    assert await storage.get_or_set_fact("key", "first") == "first"
                    network.swallow = what
                    found = await asyncio.gather(*map(storage.read, names))
                    assert [entry.table for (entry,) in found] == names
                    assert await storage.get_or_set_fact("key", "second") == "first"
                    assert network.swallowed == number

    asyncio.run(main())


def test_when_the_database_is_down_all_waiting_readers_fail_and_later_recover(
    in_postgres: InPostgres,
) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url:
            storage = PostgresStorage(url, retry_timeout=0.3)
            async with open_storages(storage):
                names = await fill_tables(storage, 300, 1)  # more than one batch
                network.is_down = True
                network.cut()
                waiting = asyncio.gather(*map(storage.read, names), return_exceptions=True)
                for error in await asyncio.wait_for(waiting, TIMEOUT):
                    assert isinstance(error, StorageError)
                    assert is_one_sentence(error)
                    assert "can't be reached" in str(error)
                network.is_down = False
                assert [len(each) for each in await asyncio.gather(*map(storage.read, names))] == [
                    1
                ] * 300

    asyncio.run(main())


def test_a_cancelled_read_does_not_affect_others(in_postgres: InPostgres) -> None:
    async def main() -> None:
        complaints: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        storage = in_postgres.storage()
        async with open_storages(storage):
            names = await fill_tables(storage, 20, 1)
            waiting = [asyncio.create_task(storage.read(name)) for name in [*names, "no\0text", "hat"]]
            await asyncio.sleep(0)  # all are waiting
            for leaving in (*waiting[:5], waiting[-2]):
                leaving.cancel()
            await asyncio.sleep(0)  # the statement is in flight
            for leaving in (*waiting[5:10], waiting[-1]):
                leaving.cancel()
            stayed = await asyncio.gather(*waiting[10:20])
            assert [entry.table for (entry,) in stayed] == names[10:]
            only = asyncio.create_task(storage.read("table0"))
            await asyncio.sleep(0)
            only.cancel()  # so that nobody is left to read for
            assert len(await storage.read("table1")) == 1
        assert complaints == []

    asyncio.run(main())


def test_closing_answers_pending_reads_and_refuses_later_ones(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        await storage.open()
        names = await fill_tables(storage, 300, 1)
        waiting = [asyncio.create_task(storage.read(name)) for name in names]
        await asyncio.sleep(0)
        await asyncio.wait_for(storage.close(), TIMEOUT)
        assert [entry.table for (entry,) in await asyncio.gather(*waiting)] == names
        for asked in (storage.read("table0"), storage.due(0)):
            with pytest.raises(StorageError, match="closed") as caught:
                await asked
            assert is_one_sentence(caught.value)
        sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'wonderland%' "
        async with asyncio.timeout(TIMEOUT):
            while await in_postgres.execute(f"{sessions} AND datname = current_database()") != [(0,)]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    asyncio.run(main())


# Watched tables


class Pair:
    """Two table services on one storage, as two servers have them; the second polls only when told."""

    def __init__(self, backend: Backend) -> None:
        options = {"poll_interval": 10 * TIMEOUT} if isinstance(backend, InPostgres) else {}
        far = backend.storage(**options)
        self.here, self.there = TableService(backend.storage(), KEY), TableService(far, KEY)

    async def __aenter__(self) -> Self:
        self._stack = AsyncExitStack()
        for service in (self.here, self.there):
            await self._stack.enter_async_context(open_storages(service.storage))
            await service.open()
            self._stack.push_async_callback(service.close)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def arrives(self, table: str, version: int) -> None:
        """Wait until the second service knows a table at this version, without requesting it there."""
        live = self.there.live_tables[table]
        async with asyncio.timeout(TIMEOUT):
            while live.table.version < version:  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.01)


def test_many_notifications_are_followed_with_few_statements(backend: Backend) -> None:
    async def main() -> None:
        async with Pair(backend) as pair:
            alice = TablePlayer(pair.here, "Alice")
            wish = ask.CreateTable(game="parade", seats=2, access="open")
            names = [(await pair.here.create_table(alice.device, wish))[0] for _ in range(60)]
            await asyncio.gather(*map(pair.there.get_live_table, names))
            before = pair.there.storage.log_statements
            await asyncio.gather(*(alice.sit(name, 0) for name in names))
            await asyncio.gather(*(pair.arrives(name, 1) for name in names))
            if isinstance(backend, InPostgres):
                assert pair.there.storage.log_statements - before < 30
            for name in names:
                assert pair.there.live_tables[name].table.places[0].name == "Alice"

    asyncio.run(main())


def test_a_notification_whose_log_could_not_be_read_is_retried(
    in_postgres: InPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with Pair(in_postgres) as pair:
            alice = TablePlayer(pair.here, "Alice")
            wish = ask.CreateTable(game="parade", seats=2, access="open")
            name, _ = await pair.here.create_table(alice.device, wish)
            await pair.there.get_live_table(name)
            # Another server writes, and the log is unreachable just when the notification arrives. It is
            # renamed first, because a late notification of the new table would read the entry too early.
            await in_postgres.execute("ALTER TABLE log RENAME TO mislaid")
            body = log.written(log.Silenced(off=True))
            insert = "INSERT INTO mislaid (table_id, n, time, body, writer) VALUES ($1, 1, 2, $2, 7)"
            await execute(in_postgres.url, insert, name, body)
            notify = "SELECT pg_notify('wonderland', $1)"
            key = pair.there.key.keyed_hash("notifications", "")
            message = Notifications(7, key)._message({name: 1}, [])
            await execute(in_postgres.url, notify, message)
            async with asyncio.timeout(TIMEOUT):
                while "refresh failed" not in caplog.text:  # noqa: ASYNC110 - the same
                    await asyncio.sleep(0.01)
            assert pair.there.live_tables[name].table.version == 0
            await in_postgres.execute("ALTER TABLE mislaid RENAME TO log")
            await pair.arrives(name, 1)

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
