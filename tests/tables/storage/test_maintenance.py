"""Bulk reads and deletions of a storage, and online backups of an SQLite file."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from support.storages import Backend, addition, append, open_storages, row, sitter
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.tables.storage.sqlite_maintenance import back_up, find_damage, is_in_use


async def _fill(storage: Storage, tables: int) -> list[str]:
    names = [f"table{number:02}" for number in range(tables)]
    for number, name in enumerate(names):
        arrived = (sitter("device", name, 0),)
        first = addition(name, 0, row=row(name, changed=number), arrived=arrived)
        assert await append(storage, first) is True
        assert await append(storage, addition(name, 1)) is True
    return names


def test_tables_are_listed_page_by_page(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            names, found, after = await _fill(storage, 7), [], ""
            while page := await storage.maintenance.tables(after, most=3):
                assert len(page) <= 3
                found += [each.table for each in page]
                after = found[-1]
            assert found == names

    asyncio.run(main())


def test_deleted_tables_leave_nothing_behind(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            names = await _fill(storage, 5)
            await storage.record_presence([(name, 0) for name in names], 1)
            status = (await storage.maintenance.tables())[0].status
            for name in names[3:]:  # an entry that leaves the row of its table as it is
                assert await append(storage, addition(name, 1500)) is True
            old = [each.table for each in await storage.maintenance.unchanged_since(2000, [status])]
            assert old == names[:3]
            await storage.maintenance.delete(old)
            assert [each.table for each in await storage.maintenance.tables()] == names[3:]
            for name in old:
                assert not await storage.read(name)
                assert not await storage.last_seen(name)
            assert {at.table for at, _ in await storage.seats_of_device("device")} == set(names[3:])
            counted = await storage.maintenance.statistics()
            assert (sum(counted.tables.values()), counted.entries) == (2, 6)

    asyncio.run(main())


def test_a_backup_of_a_database_in_use_has_every_acknowledged_entry(tmp_path: Path) -> None:
    source, copies = tmp_path / "tables.db", []

    async def main() -> None:
        storage = SqliteStorage(source)
        async with open_storages(storage):
            assert is_in_use(source)
            for n in range(40):
                assert await append(storage, addition("tea", n)) is True
                if n % 10 == 9:
                    copies.append((n, tmp_path / f"backup{n}.db"))
                    await asyncio.to_thread(back_up, source, copies[-1][1])
            shutil.copy(source, tmp_path / "plain.db")

    asyncio.run(main())
    assert not is_in_use(source)
    for n, copy in copies:
        assert not find_damage(copy)
        assert _entries(copy) >= n + 1
    # What the backup is for: a plain copy of the file lacks what is in the write-ahead log.
    assert _entries(tmp_path / "plain.db") < 40


def _entries(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        try:
            ((count,),) = connection.execute("SELECT count(*) FROM log").fetchall()
        except sqlite3.OperationalError:  # not even the schema was copied
            return 0
        return int(count)
