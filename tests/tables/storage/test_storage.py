"""Promises of every storage: what is acknowledged is there, for every node, exactly once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from support.storages import (
    TIMEOUT,
    Backend,
    InPostgres,
    InSqlite,
    addition,
    append,
    open_storages,
    row,
    sitter,
)
from wonderland.tables.storage.interface import Addition, CommitResult, StoredEntry, TableIndexRow
from wonderland.tables.storage.sqlite import SqliteStorage

SCHEMAS = Path(__file__).parent / "schemas"
"""What databases of each version hold, as SQL: `<version>.<backend>.sql`."""


# Logs


def test_acknowledged_entries_are_visible_to_every_node(backend: Backend) -> None:
    async def main() -> None:
        one, other = backend.storage(), backend.storage()
        async with open_storages(one, other):
            for n in range(30):
                assert await append(one, addition("tea", n)) is True
                assert [entry.n for entry in await other.read("tea")] == list(range(n + 1))

    asyncio.run(main())


def test_of_two_nodes_that_write_the_same_entry_exactly_one_succeeds(backend: Backend) -> None:
    nodes = [backend.storage(), backend.storage()]
    tables = [f"table{number}" for number in range(40)]

    async def attempt(table: str, n: int, node: int) -> CommitResult:
        # Row and sitter name their writer: the loser's must not be there in the end.
        mine = row(table, changed=n, game=f"by {node}")
        arrived = (sitter(f"device {node}", table, n),)
        return await append(nodes[node], addition(table, n, b"by %d" % node, row=mine, arrived=arrived))

    async def race(table: str) -> list[int]:
        """Return the winner of each entry of a table."""
        won = []
        for n in range(20):
            order = random.Random(f"{table} {n}").sample([0, 1], 2)
            if n % 4:
                answers = list(await asyncio.gather(*(attempt(table, n, node) for node in order)))
            else:  # One after the other, since one node may win every race.
                answers = [await attempt(table, n, node) for node in order]
                assert answers[0] is True
            assert sorted(map(str, answers)) == ["False", "True"]
            won.append(order[answers.index(True)])
        return won

    async def main() -> None:
        async with open_storages(*nodes):
            won = dict(zip(tables, await asyncio.gather(*map(race, tables)), strict=True))
            for node in nodes:
                for table in tables:
                    log = await node.read(table)
                    assert [entry.n for entry in log] == list(range(20))
                    assert [entry.body for entry in log] == [b"by %d" % winner for winner in won[table]]
            assert {shown.table: shown.game for shown in await nodes[0].open_tables()} == {
                table: f"by {winners[-1]}" for table, winners in won.items()
            }
            for number in (0, 1):
                sat = {
                    (at.table, seat)
                    for at, seat in await nodes[0].seats_of_device(f"device {number}", 10_000)
                }
                assert sat == {
                    (table, n)
                    for table, who in won.items()
                    for n, winner in enumerate(who)
                    if winner == number
                }

    asyncio.run(main())


def test_entries_round_trip(backend: Backend) -> None:
    bodies = [b"", b"\0", bytes(range(256)), b"x" * 100_000, "Grinsekatze ☺".encode()]
    entries = [StoredEntry("hat", n, 2**41 + n, body) for n, body in enumerate(bodies)]

    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for entry in entries:
                assert await append(storage, Addition(entry)) is True
            assert list(await storage.read("hat")) == entries

    asyncio.run(main())


def test_a_log_is_read_in_order_from_any_version(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for n in range(12):  # beyond ten, to catch sorting as text
                for table in ("hat", "hats", "ha"):
                    assert await append(storage, addition(table, n)) is True
            for after in range(-1, 14):
                found = await storage.read("hat", after)
                assert [entry.n for entry in found] == list(range(after + 1, 12))
                assert {entry.table for entry in found} <= {"hat"}
            assert list(await storage.read("nowhere")) == []

    asyncio.run(main())


def test_concurrent_appends_are_committed_together(backend: Backend) -> None:
    commits = 0

    class Counting(SqliteStorage):
        def _commit(self) -> None:
            nonlocal commits
            commits += 1
            super()._commit()

    async def main() -> None:
        nonlocal commits
        storage = Counting(backend.path) if isinstance(backend, InSqlite) else backend.storage()
        async with open_storages(storage):
            waiting = [append(storage, addition(f"table{number}", 0)) for number in range(200)]
            assert set(await asyncio.gather(*waiting)) == {True}
        if isinstance(backend, InPostgres):
            ((commits,),) = await backend.execute("SELECT count(DISTINCT xmin::text) FROM log")

    asyncio.run(main())
    assert 1 <= commits <= 5


def test_closing_commits_and_answers_accepted_appends(backend: Backend) -> None:
    async def main() -> None:
        answers: list[CommitResult] = []
        storage = backend.storage()
        await storage.open()
        for number in range(3000):  # more than fit into one commit
            storage.append(addition(f"table{number}", 0), answers.append)
        await storage.close()
        assert answers == [True] * 3000
        again = backend.storage()
        async with open_storages(again):
            assert [len(await again.read(f"table{number}")) for number in (0, 1500, 2999)] == [1, 1, 1]

    asyncio.run(main())


def test_an_error_in_one_callback_affects_no_other(backend: Backend) -> None:
    def raising(answer: CommitResult) -> None:
        raise RuntimeError(str(answer))

    async def main() -> None:
        complaints: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        storage = backend.storage()
        async with open_storages(storage):
            storage.append(addition("bad", 0), raising)
            assert await asyncio.wait_for(append(storage, addition("good", 0)), TIMEOUT) is True
            assert await asyncio.wait_for(append(storage, addition("good", 1)), TIMEOUT) is True
        assert len(complaints) == 1

    asyncio.run(main())


# Indexes


def test_the_indexes_change_only_with_their_entry(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            first = addition("tea", 0, row=row("tea", due=5), arrived=(sitter("alice", "tea"),))
            assert await append(storage, first) is True
            loser = addition(
                "tea",
                0,
                row=row("tea", status="finished", due=1),
                departed=(sitter("alice", "tea"),),
                arrived=(sitter("hatter", "tea"),),
            )
            neighbour = addition("hat", 0, row=row("hat", status="playing"))
            answers = await asyncio.gather(append(storage, loser), append(storage, neighbour))
            assert list(answers) == [False, True]
            assert await storage.count() == {"waiting": 1, "playing": 1}
            assert list(await storage.due(10)) == ["tea"]
            assert list(await storage.due(4)) == []
            assert list(await storage.seats_of_device("alice")) == [(row("tea", due=5), 0)]
            assert list(await storage.seats_of_device("hatter")) == []

    asyncio.run(main())


def test_an_entry_without_a_row_keeps_the_row(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            await append(storage, addition("tea", 0, row=row("tea", due=5)))
            await append(storage, addition("tea", 1))
            assert list(await storage.open_tables()) == [row("tea", due=5)]

    asyncio.run(main())


def test_a_tables_due_time_can_change_without_an_entry(backend: Backend) -> None:
    async def main() -> None:
        one, other = backend.storage(), backend.storage()
        async with open_storages(one, other):
            await append(one, addition("tea", 0, row=row("tea", due=5)))
            await append(one, addition("hat", 0, row=row("hat", due=6)))
            await other.postpone("tea", 7)
            assert list(await one.due(6)) == ["hat"]
            assert list(await one.due(7)) == ["hat", "tea"]
            await one.postpone("hat", None)
            assert list(await one.due(2**41)) == ["tea"]
            await one.postpone("nowhere", 1)
            assert list(await other.due(2**41)) == ["tea"]
            assert [entry.n for entry in await other.read("tea")] == [0]

    asyncio.run(main())


def test_devices_are_added_and_removed(backend: Backend) -> None:
    both = (sitter("alice", "tea", 0), sitter("alice", "tea", 2))

    async def main() -> None:
        storage = backend.storage()

        async def seats(device: str) -> list[int]:
            return [seat for _, seat in await storage.seats_of_device(device)]

        async with open_storages(storage):
            await append(storage, addition("tea", 0, row=row("tea"), arrived=both))
            assert await seats("alice") == [0, 2]
            await append(storage, addition("tea", 1, arrived=both))  # again, which changes nothing
            assert await seats("alice") == [0, 2]
            moved = addition("tea", 2, departed=both[:1], arrived=(sitter("hatter", "tea", 0),))
            await append(storage, moved)
            assert await seats("alice") == [2]
            assert await seats("hatter") == [0]
            stayed = addition("tea", 3, departed=both[1:], arrived=both[1:])
            await append(storage, stayed)
            assert await seats("alice") == [2]
            await append(storage, addition("tea", 4, departed=both))
            assert await seats("alice") == []

    asyncio.run(main())


@pytest.mark.parametrize("seed", range(3))
def test_queries_match_a_full_scan(backend: Backend, seed: int) -> None:
    chance = random.Random(seed)
    rows: dict[str, TableIndexRow] = {}
    numbers: Counter[str] = Counter()
    sitting: set[tuple[str, str, int]] = set()
    times = iter(chance.sample(range(10_000), 400))  # all different, so that the order is defined

    def step() -> Addition:
        table = f"table{chance.randrange(60)}"
        rows[table] = TableIndexRow(
            table=table,
            game=chance.choice(["croquet", "chess"]),
            status=chance.choice(["waiting", "waiting", "playing", "finished"]),
            listed=chance.random() < 0.7,
            free=chance.randrange(3),
            changed=next(times),
            due=next(times) if chance.random() < 0.5 else None,
        )
        someone = sitter(f"device{chance.randrange(5)}", table, chance.randrange(4))
        place_taken = (someone.device, someone.table, someone.seat)
        arrives = chance.random() < 0.7
        (sitting.add if arrives else sitting.discard)(place_taken)
        n, numbers[table] = numbers[table], numbers[table] + 1
        arrived, departed = ((someone,), ()) if arrives else ((), (someone,))
        return addition(table, n, row=rows[table], arrived=arrived, departed=departed)

    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for _ in range(200):
                assert await append(storage, step()) is True
            unfinished = [row for row in rows.values() if row.status != "finished"]
            assert len(unfinished) < len(rows)
            newest = sorted(rows.values(), key=lambda row: -row.changed)
            shown = [row for row in newest if row.listed and row.status == "waiting" and row.free]
            assert len(shown) > 4
            assert list(await storage.open_tables()) == shown
            assert list(await storage.open_tables(3)) == shown[:3]
            for now in (-1, 3000, 5000, 10_000):
                ripe = [row for row in rows.values() if row.due is not None and row.due <= now]
                overdue = [row.table for row in sorted(ripe, key=lambda row: row.due or 0)]
                assert list(await storage.due(now)) == overdue
                assert list(await storage.due(now, 2)) == overdue[:2]
            for device in (f"device{number}" for number in range(6)):
                at = [(row, seat) for row in newest for seat in range(4)]
                sat = [(row, seat) for row, seat in at if (device, row.table, seat) in sitting]
                assert list(await storage.seats_of_device(device)) == sat
                assert list(await storage.seats_of_device(device, 2)) == sat[:2]
            assert await storage.count() == Counter(row.status for row in unfinished)

    asyncio.run(main())


def test_last_seen_times_are_stored(backend: Backend) -> None:
    async def main() -> None:
        one, other = backend.storage(), backend.storage()
        async with open_storages(one, other):
            assert await one.last_seen("tea") == {}
            await one.record_presence([("tea", 0), ("tea", 2), ("hat", 1)], 2**41)
            await other.record_presence([("tea", 2), ("tea", 2)], 2**41 + 5)
            await one.record_presence([], 2**41 + 9)
            assert await one.last_seen("tea") == await other.last_seen("tea") == {0: 2**41, 2: 2**41 + 5}

    asyncio.run(main())


def test_nodes_that_see_the_same_seats_do_not_block_each_other(backend: Backend) -> None:
    seats = [(f"table{number}", seat) for number in range(50) for seat in range(4)]

    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            orders = [random.Random(number).sample(seats, len(seats)) for number in range(10)]
            notes = [node.record_presence(order, 7) for order in orders for node in nodes]
            await asyncio.wait_for(asyncio.gather(*notes), TIMEOUT)
            assert await nodes[0].last_seen("table49") == {0: 7, 1: 7, 2: 7, 3: 7}

    asyncio.run(main())


def test_the_first_writer_settles_a_fact(backend: Backend) -> None:
    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            told = await asyncio.gather(
                *(node.get_or_set_fact("key", f"by {number}") for number, node in enumerate(nodes))
            )
            assert told[0] == told[1]
            assert told[0] in {"by 0", "by 1"}
            assert await nodes[0].get_or_set_fact("key", "later") == told[0]
            assert await nodes[0].get_or_set_fact("other", "second") == "second"
        again = backend.storage()
        async with open_storages(again):
            assert await again.get_or_set_fact("key", "much later") == told[0]

    asyncio.run(main())


# Notifications to other nodes


def test_other_nodes_are_notified_of_writes_but_not_the_writer(backend: Backend) -> None:
    async def main() -> None:
        heard: list[dict[str, int]] = [{}, {}]
        news = asyncio.Event()
        nodes = [backend.storage(), backend.storage()]

        async def hears(node: int, what: dict[str, int]) -> None:
            while not what.items() <= heard[node].items():
                news.clear()
                await asyncio.wait_for(news.wait(), TIMEOUT)

        def hearing(node: int, told: object) -> None:
            heard[node] |= dict(told)  # type: ignore[call-overload]
            news.set()

        async with open_storages(*nodes):
            for number, node in enumerate(nodes):
                node.listen(lambda told, number=number: hearing(number, told))  # type: ignore[misc]
            for n in range(3):
                await append(nodes[0], addition("tea", n))
            await asyncio.gather(
                *(append(nodes[0], addition(f"table{each:04}", 0)) for each in range(900))
            )
            await hears(1, {"tea": 2} | {f"table{each:04}": 0 for each in range(900)})
            await append(nodes[1], addition("hat", 0))
            await hears(0, {"hat": 0})
            assert heard[0] == {"hat": 0}
            assert "hat" not in heard[1]

    asyncio.run(main())
