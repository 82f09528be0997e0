"""Lists of imported games: bounded, changed by several at once, and without repetition."""

from __future__ import annotations

import asyncio

import pytest

from support.storages import InSqlite, open_storages
from wonderland.tables import imported_games as lists
from wonderland.tables.imported_games import (
    ImportedGame,
    add_imported,
    imported_games,
    remove_imported,
)


def games(*names: str) -> list[ImportedGame]:
    return [ImportedGame(name, 0, 1) for name in names]


def test_lists_of_several_devices_are_read_together(in_sqlite: InSqlite) -> None:
    async def main() -> None:
        storage = in_sqlite.storage()
        async with open_storages(storage):
            documents = storage.documents
            assert await add_imported(documents, "one", games("a", "b")) == 2
            assert await add_imported(documents, "other", games("b", "c")) == 2
            found = await imported_games(documents, ["one", "other", "third"])
            assert [game.record for game in found] == ["a", "b", "c"]
            await remove_imported(documents, ["one", "other", "third"], "b")
            found = await imported_games(documents, ["one", "other"])
            assert [game.record for game in found] == ["a", "c"]
            assert await documents.count("games") == 2, "removing creates no list"

    asyncio.run(main())


def test_nothing_is_lost_if_a_list_changes_twice_at_once(in_sqlite: InSqlite) -> None:
    async def main() -> None:
        storage = in_sqlite.storage()
        async with open_storages(storage):
            adding = [add_imported(storage.documents, "one", games(name)) for name in "abcdefgh"]
            assert await asyncio.gather(*adding) == [1] * 8
            assert len(await imported_games(storage.documents, ["one"])) == 8

    asyncio.run(main())


def test_a_list_and_the_number_of_lists_are_bounded(
    in_sqlite: InSqlite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MAX_IMPORTED", 3)
    monkeypatch.setattr(lists, "MAX_LISTS", 2)

    async def main() -> None:
        storage = in_sqlite.storage()
        async with open_storages(storage):
            documents = storage.documents
            assert await add_imported(documents, "one", games("a", "b")) == 2
            assert await add_imported(documents, "one", games("b", "c", "d")) == 2
            found = await imported_games(documents, ["one"])
            assert [game.record for game in found] == ["a", "b", "c"]
            for device in ("other", "third"):
                await add_imported(documents, device, games("x"))
            assert await documents.count("games") == 2

    asyncio.run(main())
