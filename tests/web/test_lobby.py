"""The lists on the home page: whose turn it is, who is present, and which tables are skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from campaigns.raw_clients import Http, site_in
from support.table_players import LocalService, open_service
from wonderland.bots.characters import home_level
from wonderland.engine.language import ENGLISH
from wonderland.engine.protocol import Over
from wonderland.tables import entries as log
from wonderland.tables.creation import opening_entry, table_from_request
from wonderland.tables.service import now
from wonderland.tables.storage.interface import CommitResult, StorageError, StoredEntry
from wonderland.web.lobby import _MAX_FINISHED, _MAX_TABLES, clocks, open_tables, own_tables
from wonderland.web.table_page import TablePage
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
            assert "won" in found[over]["state"]
            order = [begun, waiting, over] if guest is h.alice else [begun, over]
            assert [card["id"] for card in cards] == order
        assert found.keys() == {begun, over}  # Bill has no seat where Alice is waiting
        assert await own_tables(h.tables, h.dinah.device, ENGLISH) == []

    run_in_service(tmp_path, play)


def test_a_stand_in_bots_turn_is_not_the_players_turn(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(clock=10)
        (mover,) = (await h.table(name)).to_act
        live = await h.tables.get_live_table(name)
        live.table._change(mover, level="dodo")
        (card,) = await own_tables(h.tables, h.player_at(mover).device, ENGLISH)
        assert not card["my_move"]

    run_in_service(tmp_path, play)


def test_a_guest_waits_for_the_host_and_each_seat_has_the_right_button(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.create_table(seats=3, access="open")
        await h.alice.sit(name, 0)
        await h.bill.sit(name, 1)
        table = await h.table(name)
        host = TablePage(table, 0, h.alice.device, ENGLISH).parts()
        guest = TablePage(table, 1, h.bill.device, ENGLISH).parts()
        watcher = TablePage(table, None, "", ENGLISH).parts()
        for parts in (host, guest, watcher):
            assert "Waiting for one more player." in parts["status"]
        assert ["Sit down" in parts["lobby"] for parts in (host, guest, watcher)] == [False, False, True]
        assert "Alice invites you" in watcher["seats"]
        assert [host["seats"].count(f">{label}<") for label in ("Leave seat", "Remove")] == [1, 2]
        assert [guest["seats"].count(f">{label}<") for label in ("Leave seat", "Remove")] == [1, 0]
        await h.alice.do(name, ask.SeatBot, seat=2, level="dodo")
        table = await h.table(name)
        host = TablePage(table, 0, h.alice.device, ENGLISH).parts()
        guest = TablePage(table, 1, h.bill.device, ENGLISH).parts()
        watcher = TablePage(table, None, "", ENGLISH).parts()
        assert "Alice or you can start the game." in guest["status"]
        assert "Alice" not in host["status"]
        assert ['data-do="start"' in parts["lobby"] for parts in (host, guest, watcher)] == [
            True,
            True,  # should the host be away
            False,
        ]
        assert "Sit down" not in watcher["lobby"]

    run_in_service(tmp_path, play)


def test_a_name_that_is_taken_is_refused_with_a_clear_sentence(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.create_table(access="open")
        await h.alice.sit(name, 0)
        seat = {"name": "ALICE", "contribution": "00" * 16}
        refusal = await h.bill.expect_refusal(name, ask.Sit, **seat)
        assert "already called ALICE" in str(refusal)

    run_in_service(tmp_path, play)


def test_a_rematch_waits_for_its_players_and_for_one_more(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(access="link")
        over = await h.play_moves(name)
        shown = TablePage(over, None, h.dinah.device, ENGLISH).parts()["ending"]
        assert "Ask Alice to choose “One more player”." in shown
        for seat, player in enumerate((h.alice, h.bill)):
            ending = TablePage(over, seat, player.device, ENGLISH).parts()["ending"]
            assert "Ask Alice" not in ending
        following = (await h.alice.do(name, ask.Rematch, seat=0, more=True))["table"]
        ending = TablePage(await h.table(name), None, h.dinah.device, ENGLISH).parts()["ending"]
        assert "Ask Alice" not in ending, "the rematch is there"
        await h.alice.sit(following)
        parts = TablePage(await h.table(following), 0, h.alice.device, ENGLISH).parts()
        assert "Waiting for Bill and one more player." in parts["status"]

    run_in_service(tmp_path, play)


def test_finished_tables_say_who_won_and_a_rematch_who_is_expected(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game()
        over = await h.play_moves(name)
        assert over.match is not None
        assert isinstance(over.match.turn, Over)
        for seat, player in enumerate((h.alice, h.bill)):
            (card,) = await own_tables(h.tables, player.device, ENGLISH)
            assert ("You won" in card["state"]) == (over.match.turn.result.winners == (seat,))
            assert not card["my_move"]
        following = (await h.alice.do(name, ask.Rematch, seat=0))["table"]
        await h.alice.sit(following)
        expected = [card["my_move"] for card in await own_tables(h.tables, h.bill.device, ENGLISH)]
        assert expected == [True, False]
        assert not any(card["my_move"] for card in await own_tables(h.tables, h.alice.device, ENGLISH))

    run_in_service(tmp_path, play)


def test_a_player_is_addressed_although_a_bot_has_finished_the_game(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game()
        over = await h.play_moves(name)
        shown = TablePage(over, 1, h.bill.device, ENGLISH).parts()["ending"]
        assert ">You<" in shown
        assert "A bot finished the game for you." not in shown
        over._change(1, level="dodo")
        shown = TablePage(over, 1, h.bill.device, ENGLISH).parts()["ending"]
        assert ">You<" in shown
        assert "A bot finished the game for you." in shown

    run_in_service(tmp_path, play)


def test_the_level_of_the_next_opponents_is_not_asked_for_once_there_is_a_rematch(
    tmp_path: Path,
) -> None:
    async def play(h: LocalService) -> None:
        name = await h.create_table(bots={"1": "dodo"})
        await h.alice.sit(name, 0)
        await h.alice.do(name, ask.Start)
        over = await h.play_moves(name)
        shown = TablePage(over, 0, h.alice.device, ENGLISH).parts()["ending"]
        assert '<p class="opponents">' in shown
        await h.alice.do(name, ask.Rematch, seat=0)
        shown = TablePage(await h.table(name), 0, h.alice.device, ENGLISH).parts()["ending"]
        assert '<p class="opponents" hidden>' in shown

    run_in_service(tmp_path, play)


def test_open_tables_are_listed_for_visitors_without_a_seat_there(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        hidden = await h.create_table()
        shown = await h.create_table("letters", 3, access="open", bots={"1": "dodo"})
        await h.alice.sit(shown, 0)
        (card,), has_more = await open_tables(h.tables, h.bill.device, ENGLISH)
        assert not has_more
        assert (card["id"], card["title"], card["state"]) == (shown, "Letters", "1 free seat")
        alice, bot = card["names"]
        assert (alice, home_level("letters", bot)) == ("Alice", "dodo")
        assert await open_tables(h.tables, "", ENGLISH) == ([card], False)
        assert await open_tables(h.tables, h.alice.device, ENGLISH) == ([], False)
        await h.alice.do(shown, ask.SeatBot, seat=2, level="dodo")
        assert await open_tables(h.tables, h.bill.device, ENGLISH) == ([], False)
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
        found, _ = await open_tables(h.tables, "", ENGLISH)
        assert len(found) <= _MAX_TABLES
        assert "newer" not in [card["id"] for card in found]

    run_in_service(tmp_path, play)


def test_a_failing_storage_is_not_an_empty_list(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        async def fail(table: str, after: int = -1, most: int | None = None) -> Sequence[StoredEntry]:
            raise StorageError(f"{table} can't be read after {after}, up to {most} entries.")

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


def test_the_first_page_leafs_through_open_tables(tmp_path: Path) -> None:
    async def leaf() -> None:
        async with site_in(tmp_path) as here:
            http, created = Http(here.port), set[str]()
            for n in range(_MAX_TABLES + 2):
                wish = {"game": "parade", "seats": 2, "access": "open"}
                headers = {"X-Forwarded-For": f"203.0.113.{n}"}
                answer = await http.ask("POST", "/api/tables", wish, headers)
                created.add(answer.json()["table"])
            pages = [(await http.ask("GET", f"/?tables={n}")).body.decode() for n in (1, 2)]
            listed = [{table for table in created if f"/tables/{table}" in page} for page in pages]
            assert [len(each) for each in listed] == [_MAX_TABLES, 2]
            assert listed[0] | listed[1] == created
            assert ['rel="next"' in page for page in pages] == [True, False]
            assert ['rel="prev"' in page for page in pages] == [False, True]
            skipped = (await http.ask("GET", f"/api/tables?skip={_MAX_TABLES}")).json()["open"]
            assert {each["id"] for each in skipped} == listed[1]

    asyncio.run(leaf())
