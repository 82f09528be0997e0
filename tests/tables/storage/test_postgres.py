"""Connection failures, and how the PostgreSQL storage handles them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from support.postgres import execute
from support.storages import (
    TIMEOUT,
    FaultyNetwork,
    InPostgres,
    addition,
    append,
    is_one_sentence,
    open_storages,
    row,
)
from wonderland.tables.storage.interface import CommitResult, StorageError
from wonderland.tables.storage.postgres import PostgresStorage

KILL = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE application_name = 'wonderland writer' AND datname = current_database()
"""
LISTENING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'wonderland listener' AND datname = current_database() AND state = 'idle'
        AND query LIKE '%FROM log%'
"""
"""Counts the nodes that have begun to listen and poll next; before that they are idle, too."""


def test_killed_writers_lose_nothing_and_every_append_is_answered(in_postgres: InPostgres) -> None:
    kills = 0

    async def main() -> None:
        nonlocal kills
        storage = in_postgres.storage()
        is_enough = asyncio.Event()

        async def play(table: str) -> int:
            n = 0
            while not is_enough.is_set():
                # Two kills in a row could exceed the timeout, but these are far apart.
                assert (
                    await append(storage, addition(table, n, b"%d" % n, row=row(table, changed=n)))
                    is True
                )
                n += 1
            return n

        async with open_storages(storage):
            tables = [f"table{number}" for number in range(40)]
            playing = [asyncio.create_task(play(table)) for table in tables]
            while kills < 12:
                ((killed,),) = await in_postgres.execute(KILL)
                kills += int(str(killed))
                await asyncio.sleep(0.05)
            is_enough.set()
            counts = await asyncio.wait_for(asyncio.gather(*playing), TIMEOUT)
            for table, count in zip(tables, counts, strict=True):
                assert [entry.body for entry in await storage.read(table)] == [
                    b"%d" % n for n in range(count)
                ]
            changed = {shown.table: shown.changed for shown in await storage.open_tables()}
            assert changed == {table: count - 1 for table, count in zip(tables, counts, strict=True)}

    asyncio.run(main())


@pytest.mark.parametrize("what", ["question", "answer"])
def test_lost_messages_are_neither_duplicated_nor_forgotten(in_postgres: InPostgres, what: str) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url:
            storage = PostgresStorage(url)
            async with open_storages(storage):
                assert await append(storage, addition("tea", 0)) is True
                for n in range(1, 6):
                    network.swallow = what
                    batch = [
                        append(storage, addition("tea", n, row=row("tea", changed=n))),
                        append(storage, addition("tea", 0)),  # another node has written that
                        append(storage, addition(f"hat{n}", 0)),
                    ]
                    answers = await asyncio.wait_for(asyncio.gather(*batch), TIMEOUT)
                    assert answers == [True, False, True]
                    assert network.swallowed == n
                assert [entry.n for entry in await storage.read("tea")] == list(range(6))
                assert [shown.changed for shown in await storage.open_tables()] == [5]

    asyncio.run(main())


def test_in_doubt_another_nodes_entry_is_not_mistaken_for_ones_own(in_postgres: InPostgres) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url:
            storage, other = PostgresStorage(url), in_postgres.storage()
            async with open_storages(storage, other):
                assert await append(storage, addition("hat", 0)) is True
                assert await append(other, addition("tea", 0)) is True
                network.swallow = "answer"
                # Identical to the byte: still, the other node has written it.
                assert await append(storage, addition("tea", 0)) is False
                assert network.swallowed == 1

    asyncio.run(main())


def test_after_the_timeout_there_is_an_error_and_later_it_recovers(in_postgres: InPostgres) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url:
            storage = PostgresStorage(url, retry_timeout=0.3)
            async with open_storages(storage):
                assert await append(storage, addition("tea", 0)) is True
                network.is_down = True
                network.cut()
                waiting = [append(storage, addition(f"hat{number}", 0)) for number in range(50)]
                for answer in await asyncio.wait_for(asyncio.gather(*waiting), TIMEOUT):
                    assert isinstance(answer, StorageError)
                    assert is_one_sentence(answer)
                    assert "can't be reached" in str(answer)
                with pytest.raises(StorageError, match="can't be reached"):
                    await storage.read("tea")
                network.is_down = False
                assert await append(storage, addition("tea", 1)) is True
                assert [entry.n for entry in await storage.read("tea")] == [0, 1]

    asyncio.run(main())


def test_closing_without_a_server_still_answers(in_postgres: InPostgres) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        answers: list[CommitResult] = []
        async with network.url() as url:
            storage = PostgresStorage(url, retry_timeout=0.3)
            await storage.open()
            storage.listen(lambda _: None)
            await append(storage, addition("tea", 0))
            network.is_down = True
            network.cut()
            storage.append(addition("tea", 1), answers.append)
            await asyncio.wait_for(storage.close(), TIMEOUT)
            storage.append(addition("tea", 1), answers.append)
            await asyncio.sleep(0)
        assert [type(answer) is bool for answer in answers] == [False, False]

    asyncio.run(main())


def test_a_storage_that_could_not_be_opened_can_be_closed(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = PostgresStorage(in_postgres.url.replace("postgres:", "postgres:x"))
        with pytest.raises(StorageError):
            await storage.open()
        await storage.close()

    asyncio.run(main())


def test_an_entry_that_cannot_be_stored_affects_no_other_table(in_postgres: InPostgres) -> None:
    async def main() -> None:
        storage = in_postgres.storage()
        async with open_storages(storage):
            tables = [f"table{number}" for number in range(20)]
            bad = ["no\0text", "lone \ud800"]
            waiting = [append(storage, addition(table, 0)) for table in (*tables[:7], *bad, *tables[7:])]
            answers = await asyncio.gather(*waiting)
            errors = answers[7:9]
            assert [*answers[:7], *answers[9:]] == [True] * 20
            assert all(isinstance(error, StorageError) for error in errors)
            large = addition("table0", 2**31)
            assert isinstance(await append(storage, large), StorageError)
            assert await append(storage, addition("table0", 1)) is True

    asyncio.run(main())


# Notifications to other nodes


async def collect_notifications(
    in_postgres: InPostgres, stack: AsyncExitStack, **options: float
) -> asyncio.Queue[tuple[str, int]]:
    """Collects what a node is notified of, in order."""
    node = in_postgres.storage(**options)
    await stack.enter_async_context(open_storages(node))
    heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    def hear(told: Sequence[tuple[str, int]]) -> None:
        for one in told:
            heard.put_nowait(one)

    node.listen(hear)
    while await in_postgres.execute(LISTENING) != [(1,)]:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.02)
    return heard


def test_changes_arrive_by_notification_without_waiting_for_a_poll(in_postgres: InPostgres) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            heard = await collect_notifications(in_postgres, stack, poll_interval=10 * TIMEOUT)
            await asyncio.sleep(0.3)  # the first poll is over
            other = in_postgres.storage()
            async with open_storages(other):
                for n in range(5):
                    assert await append(other, addition("tea", n)) is True
                    assert await asyncio.wait_for(heard.get(), TIMEOUT) == ("tea", n)

    asyncio.run(main())


def test_missed_notifications_are_found_by_polling(in_postgres: InPostgres) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            heard = await collect_notifications(in_postgres, stack)
            for n in range(3):  # as a node does that dies after its commit
                insert = "INSERT INTO log (table_id, n, time, body, writer) VALUES ('tea', $1, 0, '', 7)"
                await execute(in_postgres.url, insert, n)
                assert await asyncio.wait_for(heard.get(), TIMEOUT) == ("tea", n)
            assert heard.empty(), "known events are not repeated"

    asyncio.run(main())


def test_entries_written_while_the_listener_was_down_arrive_when_it_is_back(
    in_postgres: InPostgres,
) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url, AsyncExitStack() as stack:
            heard = await collect_notifications(InPostgres(url), stack, overlap=0)
            network.is_down = True
            network.cut()
            other = in_postgres.storage()
            async with open_storages(other):
                await asyncio.gather(*(append(other, addition(f"table{each}", 0)) for each in range(50)))
            assert heard.empty()
            network.is_down = False
            back = {await asyncio.wait_for(heard.get(), TIMEOUT) for _ in range(50)}
            assert back == {(f"table{each}", 0) for each in range(50)}

    asyncio.run(main())


def test_entries_written_before_the_listener_first_connected_arrive(
    in_postgres: InPostgres,
) -> None:
    async def main() -> None:
        network = FaultyNetwork(in_postgres.url)
        async with network.url() as url:
            storage, other = PostgresStorage(url, poll_interval=0.2, overlap=0), in_postgres.storage()
            heard: asyncio.Queue[Sequence[tuple[str, int]]] = asyncio.Queue()
            async with open_storages(storage, other):
                network.is_down = True
                network.cut()
                storage.listen(heard.put_nowait)
                assert await append(other, addition("tea", 0)) is True
                network.is_down = False
                assert await asyncio.wait_for(heard.get(), TIMEOUT) == [("tea", 0)]

    asyncio.run(main())


def test_foreign_notifications_are_ignored(in_postgres: InPostgres) -> None:
    async def main() -> None:
        complaints: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        async with AsyncExitStack() as stack:
            heard = await collect_notifications(in_postgres, stack)
            for message in ("tea", "[7]", '[7, {"tea": "x"}]', ""):
                await execute(in_postgres.url, "SELECT pg_notify('wonderland', $1)", message)
            await execute(in_postgres.url, "SELECT pg_notify('wonderland', $1)", '[7, {"tea": 3}]')
            assert await asyncio.wait_for(heard.get(), TIMEOUT) == ("tea", 3)
        assert complaints == []

    asyncio.run(main())


# Databases that can't be opened


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://alice:secret@localhost/tea", "should look like postgresql://"),
        ("postgresql://alice:sec/ret@localhost/tea", "should look like postgresql://"),
        ("postgresql://alice:secret@127.0.0.1:1/tea", "tea at 127.0.0.1:1 can't be reached"),
        ("postgresql://alice:secret@nowhere.invalid/tea", "tea at nowhere.invalid can't be reached"),
        ("postgresql:///tea?host=/nowhere/secret", "can't be reached"),
    ],
)
def test_an_address_without_a_server_is_reported(url: str, says: str) -> None:
    with pytest.raises(StorageError, match=says) as caught:
        asyncio.run(PostgresStorage(url, retry_timeout=0.1).open())
    assert is_one_sentence(caught.value)
    assert "sec/" not in str(caught.value)
    assert "alice" not in str(caught.value)


def test_a_server_refusal_is_reported(in_postgres: InPostgres) -> None:
    def refusal(url: str) -> str:
        with pytest.raises(StorageError) as caught:
            asyncio.run(PostgresStorage(url).open())
        assert is_one_sentence(caught.value)
        return str(caught.value)

    who, _, where = in_postgres.url.removeprefix("postgresql://").partition("@")
    wrong = refusal(f"postgresql://postgres:mouse@{where}")
    assert "refused the login" in wrong
    assert "mouse" not in wrong
    assert "does not exist" in refusal(f"postgresql://{who}@{where.partition('/')[0]}/nowhere")


def test_another_service_at_the_address_is_reported() -> None:
    def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def main() -> None:
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as door:
            port = door.sockets[0].getsockname()[1]
            with pytest.raises(StorageError, match="can't be reached") as caught:
                await PostgresStorage(
                    f"postgresql://alice@127.0.0.1:{port}/tea", retry_timeout=0.1
                ).open()
            assert is_one_sentence(caught.value)

    asyncio.run(main())


def test_another_programs_database_is_left_unchanged(in_postgres: InPostgres) -> None:
    async def main() -> None:
        await in_postgres.execute("CREATE TABLE log (diary text)")
        with pytest.raises(StorageError, match="already exists") as caught:
            await in_postgres.storage().open()
        assert is_one_sentence(caught.value)
        assert await in_postgres.execute("SELECT to_regclass('facts')") == [(None,)]

    asyncio.run(main())


def test_a_missing_asyncpg_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(StorageError, match=r"pip install 'wonderland\[postgresql\]'") as caught:
        asyncio.run(PostgresStorage("postgresql://localhost/tea").open())
    assert is_one_sentence(caught.value)


def test_acknowledged_means_on_disk_whatever_the_server_default(in_postgres: InPostgres) -> None:
    async def main() -> None:
        name = in_postgres.url.rpartition("/")[2]
        await in_postgres.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        storage = in_postgres.storage()
        async with open_storages(storage):
            for link in storage._links:
                ((setting,),) = await link.run("SHOW synchronous_commit")
                assert setting == ("off" if link is storage._notifier else "on")

    asyncio.run(main())
