"""The lists on the home page: whose turn it is, who is present, and which tables are skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from support.table_players import LocalService, open_service
from wonderland.engine.language import ENGLISH
from wonderland.tables import entries as log
from wonderland.tables.creation import opening_entry, table_from_request
from wonderland.tables.service import now
from wonderland.tables.storage.interface import CommitResult, StorageError, StoredEntry
from wonderland.web.lobby import _MAX_FINISHED, _MAX_TABLES, clocks, open_tables, own_tables
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal


def run_in_service(folder: Path, play: Callable[[LocalService], Awaitable[None]]) -> None:
    async def open_and_play() -> None:
        async with open_service(folder) as h:
            await play(h)

    asyncio.run(open_and_play())


def test_tables_waiting_for_the_visitor_come_first(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        over = await h.start_game()
        await h.play_moves(over)
        begun = await h.start_game()
        waiting = await h.create_table(seats=3, bots={"2": "dodo"})
        await h.alice.sit(waiting, 0)
        for guest in (h.alice, h.bill):
            cards = await own_tables(h.tables, guest.device, ENGLISH)
            found = {card["id"]: card for card in cards}
            (mover,) = (await h.table(begun)).to_act
            mine = h.player_at(mover) is guest
            assert found[begun]["my_move"] is mine
            assert found[begun]["state"] == (
                "your move" if mine else f"{h.player_at(mover).name} to move"
            )
            assert found[begun]["names"] == ["Alice", "Bill"]
            assert found[over]["state"] == "is over"
            order = [begun, waiting, over] if guest is h.alice else [begun, over]
            assert [card["id"] for card in cards] == order
        assert found.keys() == {begun, over}  # Bill has no seat where Alice is waiting
        assert await own_tables(h.tables, h.dinah.device, ENGLISH) == []

    run_in_service(tmp_path, play)


def test_a_stand_in_bots_turn_is_not_the_players_turn(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(clock=10)
        (mover,) = (await h.table(name)).to_act
        room = await h.tables.room(name)
        room.table._change(mover, level="dodo")
        (card,) = await own_tables(h.tables, h.player_at(mover).device, ENGLISH)
        assert not card["my_move"]

    run_in_service(tmp_path, play)


def test_open_tables_are_listed_for_visitors_without_a_seat_there(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        hidden = await h.create_table()
        shown = await h.create_table("letters", 3, access="open", bots={"1": "dodo"})
        await h.alice.sit(shown, 0)
        (card,) = await open_tables(h.tables, h.bill.device, ENGLISH)
        assert (card["id"], card["title"], card["state"]) == (shown, "Letters", "1 seat is free")
        assert card["names"] == ["Alice", "Dodo"]
        assert await open_tables(h.tables, "", ENGLISH) == [card]
        assert await open_tables(h.tables, h.alice.device, ENGLISH) == []
        await h.alice.do(shown, ask.SeatBot, seat=2, level="dodo")
        assert await open_tables(h.tables, h.bill.device, ENGLISH) == []
        assert hidden != shown

    run_in_service(tmp_path, play)


def test_lists_are_short_and_skip_unreadable_tables(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        for _ in range(_MAX_FINISHED + 2):
            await h.play_moves(await h.start_game())
        for _ in range(_MAX_TABLES + 3):
            await h.alice.sit(await h.create_table(access="open"), 0)
        await _store_newer_table(h, "newer")
        assert "newer" in [row.table for row in await h.tables.storage.open_tables(most=_MAX_TABLES)]
        mine = await own_tables(h.tables, h.alice.device, ENGLISH)
        statuses = [card["status"] for card in mine]
        assert (statuses.count("waiting"), statuses.count("finished")) == (_MAX_TABLES, _MAX_FINISHED)
        found = await open_tables(h.tables, "", ENGLISH)
        assert len(found) <= _MAX_TABLES
        assert "newer" not in [card["id"] for card in found]

    run_in_service(tmp_path, play)


def test_a_failing_storage_is_not_an_empty_list(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        async def fail(table: str, after: int = -1) -> Sequence[StoredEntry]:
            raise StorageError(f"{table} can't be read after {after}.")

        await h.create_table(access="open")
        h.tables.live_tables.clear()
        h.tables.storage.read = fail  # type: ignore[method-assign]
        with pytest.raises(Refusal) as told:
            await open_tables(h.tables, "", ENGLISH)
        assert told.value.problem == "storage"

    run_in_service(tmp_path, play)


async def _store_newer_table(h: LocalService, name: str) -> None:
    """Store an open table with rules unknown here; it is the newest of all."""
    opened = table_from_request(
        ask.CreateTable(game="parade", seats=2, access="open"), h.alice.device, ""
    )
    found = opening_entry(h.tables.key, name, opened, now() + 60_000)
    newer = log.changed(opened, rules=opened.rules + 1)
    entry = msgspec.structs.replace(found.entry, body=log.written(newer))
    stored: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
    h.tables.storage.append(msgspec.structs.replace(found, entry=entry), stored.set_result)
    assert await stored is True


def test_move_times_are_given_in_words() -> None:
    words = dict(clocks(ENGLISH))
    assert words[30] == "30 seconds"
    assert words[60] == "1 minute"
    assert words[300] == "5 minutes"
    assert words[86_400] == "1 day"
    assert words[259_200] == "3 days"
