"""Schema migrations of the storages, and errors when one can't be opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from support.storages import (
    Backend,
    InSqlite,
    addition,
    append,
    is_one_sentence,
    open_storages,
    row,
    sitter,
)
from wonderland.tables.storage import postgres_schema, sqlite_schema
from wonderland.tables.storage.interface import StorageError, StoredEntry, TableIndexRow
from wonderland.tables.storage.sqlite import SqliteStorage

SCHEMAS = Path(__file__).parent / "schemas"
"""What databases of each version hold, as SQL: `<version>.<backend>.sql`."""


# Schemas


def test_two_nodes_can_open_an_empty_storage_at_once(backend: Backend) -> None:
    async def main() -> None:
        nodes = [backend.storage() for _ in range(4)]
        await asyncio.gather(*(node.open() for node in nodes))
        answers = await asyncio.gather(*(append(node, addition("tea", 0)) for node in nodes))
        assert sorted(map(str, answers)) == ["False", "False", "False", "True"]
        await asyncio.gather(*(node.close() for node in nodes))

    asyncio.run(main())


def test_there_is_a_dump_of_every_version(backend: Backend) -> None:
    steps = sqlite_schema.STEPS if isinstance(backend, InSqlite) else postgres_schema.STEPS
    for version in range(1, len(steps) + 1):
        assert (SCHEMAS / f"{version}.{backend.name}.sql").exists(), (
            "keep a dump of each version, with data"
        )


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_older_versions_are_migrated_with_all_their_data(backend: Backend, version: int) -> None:
    async def main() -> None:
        await backend.execute((SCHEMAS / f"{version}.{backend.name}.sql").read_text())
        storage = backend.storage()
        async with open_storages(storage):
            tea = TableIndexRow("tea", "croquet", "waiting", listed=True, free=2, changed=1010, due=None)
            hat = TableIndexRow("hat", "chess", "playing", listed=False, free=0, changed=1020, due=1500)
            assert list(await storage.read("tea")) == [
                StoredEntry("tea", 0, 1000, b"\x00\xff'"),
                StoredEntry("tea", 1, 1010, b""),
            ]
            assert list(await storage.read("hat")) == [StoredEntry("hat", 0, 1020, b"hat")]
            assert list(await storage.open_tables()) == [tea]
            assert list(await storage.due(1500)) == ["hat"]
            assert list(await storage.seats_of_device("alice")) == [(hat, 1), (tea, 0)]
            assert await storage.last_seen("hat") == {1: 1030}
            assert await storage.get_or_set_fact("key", "another") == "0123456789abcdef"
            assert await append(storage, addition("tea", 1)) is False
            assert await append(storage, addition("tea", 2)) is True
            assert await storage.documents.get("record", "mouse") == (
                b"\x00\xff'" if version > 2 else None
            )
            await storage.documents.put("record", "mouse", b"cat")
            assert await storage.documents.get("record", "mouse") == b"cat"

    asyncio.run(main())


@pytest.mark.parametrize("version", range(1, len(sqlite_schema.STEPS) + 1))
def test_a_file_is_copied_before_it_is_migrated(in_sqlite: InSqlite, version: int) -> None:
    async def main() -> None:
        await in_sqlite.execute((SCHEMAS / f"{version}.sqlite.sql").read_text())
        before = await in_sqlite.execute("SELECT * FROM log ORDER BY seq")
        nodes = [in_sqlite.storage() for _ in range(3)]
        await asyncio.gather(*(node.open() for node in nodes))
        assert await append(nodes[0], addition("tea", 2)) is True
        await asyncio.gather(*(node.close() for node in nodes))
        copy = InSqlite(sqlite_schema.backup_before(in_sqlite.path, version))
        if version == len(sqlite_schema.STEPS):
            assert not copy.path.exists()  # nothing was migrated
            return
        assert copy.path.stat().st_mode & 0o777 == 0o600
        assert await copy.execute("SELECT value FROM facts WHERE name = 'schema'") == [(str(version),)]
        assert await copy.execute("SELECT * FROM log ORDER BY seq") == before
        assert not list(copy.path.parent.glob(".*.partial"))

    asyncio.run(main())


def test_nothing_is_migrated_without_a_copy(in_sqlite: InSqlite) -> None:
    async def main() -> None:
        await in_sqlite.execute((SCHEMAS / "2.sqlite.sql").read_text())
        copy = sqlite_schema.backup_before(in_sqlite.path, 2)
        copy.mkdir()  # so that no file can take its place
        with pytest.raises(StorageError, match="can't be opened") as caught:
            await in_sqlite.storage().open()
        assert is_one_sentence(caught.value)
        assert await in_sqlite.execute("SELECT value FROM facts WHERE name = 'schema'") == [("2",)]

    asyncio.run(main())


def test_a_migration_runs_once_whoever_starts_it(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sqlite_schema if isinstance(backend, InSqlite) else postgres_schema
    step = "CREATE TABLE mice (name text); INSERT INTO mice VALUES ('dormouse')"

    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            await append(storage, addition("tea", 0))
        monkeypatch.setattr(module, "STEPS", (*module.STEPS, step))
        nodes = [backend.storage() for _ in range(3)]
        await asyncio.gather(*(node.open() for node in nodes))
        assert len(await nodes[0].read("tea")) == 1
        await asyncio.gather(*(node.close() for node in nodes))
        assert await backend.execute("SELECT * FROM mice") == [("dormouse",)]
        assert await backend.execute("SELECT value FROM facts WHERE name = 'schema'") == [
            (str(len(module.STEPS)),)
        ]

    asyncio.run(main())


def test_a_failed_migration_leaves_everything_unchanged(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sqlite_schema if isinstance(backend, InSqlite) else postgres_schema
    known = module.STEPS

    async def main() -> None:
        async with open_storages(backend.storage()):
            pass
        monkeypatch.setattr(
            module, "STEPS", (*known, "CREATE TABLE mice (name text); SELECT * FROM nowhere")
        )
        with pytest.raises(StorageError, match="nowhere") as caught:
            await backend.storage().open()
        assert is_one_sentence(caught.value)
        monkeypatch.setattr(module, "STEPS", (*known, "CREATE TABLE mice (name text)"))
        async with open_storages(backend.storage()):
            assert await backend.execute("SELECT * FROM mice") == []

    asyncio.run(main())


@pytest.mark.parametrize("version", ["99", "tea"])
def test_a_newer_schema_is_rejected(backend: Backend, version: str) -> None:
    async def main() -> None:
        async with open_storages(backend.storage()):
            pass
        await backend.execute(f"UPDATE facts SET value = '{version}' WHERE name = 'schema'")  # noqa: S608
        with pytest.raises(StorageError, match=f"has schema version {version}.*newer version") as caught:
            await backend.storage().open()
        assert is_one_sentence(caught.value)
        # And it was left unchanged.
        assert await backend.execute("SELECT value FROM facts WHERE name = 'schema'") == [(version,)]

    asyncio.run(main())


# Failures


async def opening_error(storage: object) -> str:
    """Return the one-sentence error of a storage that can't be opened."""
    with pytest.raises(StorageError) as caught:
        await storage.open()  # type: ignore[attr-defined]
    assert is_one_sentence(caught.value), caught.value
    return str(caught.value)


def test_a_file_that_is_not_an_sqlite_database_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Hatter, " * 1000)
    assert "letter" in asyncio.run(opening_error(SqliteStorage(tmp_path / "letter")))
    assert "nowhere" in asyncio.run(opening_error(SqliteStorage(tmp_path / "nowhere" / "tables.sqlite")))
    (tmp_path / "locked-lock").mkdir()
    assert "locked can't be opened: Is a dir" in asyncio.run(
        opening_error(SqliteStorage(tmp_path / "locked"))
    )


def test_a_full_disk_is_an_error_and_leaves_nothing_half_done(backend: Backend) -> None:
    async def fill(storage: object) -> None:
        if isinstance(storage, SqliteStorage):
            (pages,) = storage._writer.execute("PRAGMA page_count").fetchone()
            storage._writer.execute(f"PRAGMA max_page_count = {pages}")
        else:  # the server's message when its disk is full
            await backend.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$; "
                "CREATE TRIGGER full_disk BEFORE INSERT ON sitters EXECUTE FUNCTION full_disk();"
            )

    async def empty(storage: object) -> None:
        if isinstance(storage, SqliteStorage):
            storage._writer.execute("PRAGMA max_page_count = 1000000")
        else:
            await backend.execute("DROP TRIGGER full_disk ON sitters")

    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            assert await append(storage, addition("tea", 0, row=row("tea"))) is True
            await fill(storage)
            large = addition(
                "tea",
                1,
                b"x" * 100_000,
                row=row("tea", status="playing"),
                arrived=(sitter("alice", "tea"),),
            )
            answer = await append(storage, large)
            assert isinstance(answer, StorageError)
            assert "full" in str(answer)
            assert is_one_sentence(answer)
            assert len(await storage.read("tea")) == 1
            assert await storage.count() == {"waiting": 1}
            await empty(storage)
            assert await append(storage, large) is True
            assert await storage.count() == {"playing": 1}

    asyncio.run(main())
