"""`wonderland admin erase`, beside running servers."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from campaigns.raw_clients import Http, Socket, site_in
from support.administration import SECRET, admin, create, until
from support.storages import Backend, InSqlite, open_storages
from support.table_players import LocalService, open_service
from wonderland.cli import main
from wonderland.features.admin.checks import check_storage
from wonderland.tables.accounts import Accounts
from wonderland.tables.descriptions import build_record
from wonderland.tables.erasure import Person, erase_person, erase_tables, plan_erasure
from wonderland.tables.storage.documents import RECORDS, REPORT_DRAFTS, REPORTS
from wonderland.wire import commands as ask


async def play_with_chat(h: LocalService) -> str:
    """Alice and Bill play some moves and talk; Bill also opens a table of his own."""
    name = await h.start_game()
    await h.play_moves(name, 4)
    await h.bill.do(name, ask.Say, seat=1, text="call me at home")
    await h.alice.do(name, ask.Say, seat=0, text="no thanks")
    return name


def test_a_person_is_erased_everywhere_and_the_game_of_others_stays(
    backend: Backend, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, backend.storage()) as h:
            name = await play_with_chat(h)
            wish = ask.CreateTable(game="parade", seats=2)
            own, _ = await h.tables.create_table(h.bill.device, wish)
            account, _ = await h.tables.people.make("Bill", h.bill.device)
            before = await h.table(name)
        storage = backend.storage()
        async with open_storages(storage):
            plan = await erase_person(storage, Person((h.bill.device,), account.id), account, wait=0)
            assert (plan.deleted, plan.changed) == ((own,), (name,))
            assert (await check_storage(storage)).problems == ()
            assert await storage.seats_of_device(h.bill.device) == []
            rows = [entry.body for entry in await storage.read(name)]
            for secret in (h.bill.device.encode(), b"Bill", b"call me at home"):
                assert not [body for body in rows if secret in body], secret
            assert any(b"no thanks" in body for body in rows)
            assert await Accounts(storage, h.tables.key).find_by_id(account.id) is None
        async with open_service(tmp_path, backend.storage()) as h:
            after = await h.table(name)
            assert after.match is not None
            assert before.match is not None
            assert after.match.moves == before.match.moves
            assert after.places[0] == before.places[0]
            assert not after.seats_of(h.bill.device)
            await h.alice.expect_refusal(name, ask.Play, seat=1, action="G3")

    asyncio.run(scene())


def test_an_erased_game_can_be_played_on_and_verified(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await h.start_game()
            await h.play_moves(name)
            finished = await h.table(name)
            person = Person((h.bill.device,))
            await erase_person(h.tables.storage, person, None, wait=0)
            h.tables.live_tables.clear()
            again = await h.table(name)
            old, new = build_record(finished), build_record(again)
            assert old is not None
            assert new is not None
            assert new.text() == old.text().replace("Bill", "Erased player 2")

    asyncio.run(scene())


def test_a_running_server_lets_go_of_an_erased_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            table, other = await create(here), await create(here)
            live = await Socket.open(here.port, table)
            assert live.accepted
            assert await admin(tmp_path, "erase", f"table:{table}", "--dry-run") == 0
            assert (await Http(here.port).ask("GET", f"/api/tables/{table}")).status == 200
            assert await admin(tmp_path, "erase", f"table:{table}") == 0
            assert (await Http(here.port).ask("GET", f"/api/tables/{table}")).status == 404
            assert (await Http(here.port).ask("GET", f"/api/tables/{other}")).status == 200
            assert await live.end() is not None
            assert await admin(tmp_path, "erase", f"table:{table}") == 2  # it is gone
            fresh = await create(here)  # and what comes next is noticed by other processes
            assert (await Http(here.port).ask("GET", f"/api/tables/{fresh}")).status == 200

    asyncio.run(scene())
    assert main(["admin", "check", "--database", str(tmp_path / "tables.db")]) == 0


def test_a_running_server_follows_when_a_person_is_erased(tmp_path: Path) -> None:
    async def scene() -> None:
        async with site_in(tmp_path) as here:
            host, guest = "the-secret-of-a-host", SECRET
            wish = {"game": "parade", "seats": 2, "access": "open"}
            created = await Http(here.port, host).ask("POST", "/api/tables", wish)
            path = f"/api/tables/{created.json()['table']}"
            for seat, cookie in enumerate((host, guest)):
                sit = {"do": "sit", "seat": seat, "name": f"Mouse {seat}", "contribution": "00" * 16}
                command = sit | {"at": seat, "key": "k1234567"}
                assert (
                    await Http(here.port, cookie).ask("POST", f"{path}/commands", command)
                ).status == 200
            live = await Socket.open(here.port, created.json()["table"], guest, "?seat=1")
            assert await admin(tmp_path, "erase", f"device:{guest}") == 0
            assert await live.end() is not None

            async def is_open() -> bool:
                return (await Http(here.port).ask("GET", path)).status == 200

            await until(is_open)
            seats = (await Http(here.port).ask("GET", path)).json()["table"]["seats"]
            assert [seat["name"] for seat in seats] == ["Mouse 0", "Erased player 2"]
            shown = await Http(here.port, guest).ask("GET", f"{path}?seat=1")
            assert shown.json()["problem"] == "not yours"
            assert (await Http(here.port, host).ask("GET", f"{path}?seat=0")).status == 200

    asyncio.run(scene())


def test_records_and_reports_of_erased_games_are_deleted(backend: Backend, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, backend.storage()) as h:
            name = await h.start_game()
            await h.play_moves(name)
            account, _ = await h.tables.people.make("Bill", h.bill.device)
            record = build_record(await h.table(name))
            assert record is not None
            text = record.text()
            elsewhere = "\n".join(line for line in text.split("\n") if not line.startswith("Luck"))
            uploads = {
                "copy": text,
                "elsewhere": elsewhere,
                "stranger": elsewhere.replace("Bill", "William"),
            }
            documents = h.tables.storage.documents
            for key, upload in uploads.items():
                await documents.put(RECORDS, key, upload.encode())
            for kind in (REPORTS, REPORT_DRAFTS):
                for key in (*uploads, name, "copycat"):
                    await documents.put(kind, f"{key}-2-1-500", b"report")
            person = Person((h.bill.device,), account.id)
            assert (await plan_erasure(h.tables.storage, person)).records == ("copy",)
            plan = await erase_person(h.tables.storage, person, account, wait=0)
            assert plan.records == ("copy", "elsewhere")
            assert [each.key for each in await documents.newest(RECORDS)] == ["stranger"]
            for kind in (REPORTS, REPORT_DRAFTS):
                left = {each.key for each in await documents.newest(kind)}
                assert left == {"stranger-2-1-500", "copycat-2-1-500"}
            await documents.put(RECORDS, "again", text.encode())
            assert await erase_tables(h.tables.storage, [name], wait=0) == ["again"]

    asyncio.run(scene())


def test_erased_entries_are_overwritten_in_the_file(in_sqlite: InSqlite, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, in_sqlite.storage()) as h:
            name = await play_with_chat(h)
        storage = in_sqlite.storage()
        async with open_storages(storage):
            await erase_tables(storage, [name], wait=0)

    asyncio.run(scene())
    left = b"".join(path.read_bytes() for path in in_sqlite.path.parent.glob(f"{in_sqlite.path.name}*"))
    assert b"call me at home" not in left


def test_the_number_of_a_deleted_entry_is_not_given_away_again(
    in_sqlite: InSqlite, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, in_sqlite.storage()) as h:
            first, last = await h.create_table(), await h.create_table()
            await h.tables.storage.maintenance.delete([last])
            await h.alice.sit(first, 0)

    asyncio.run(scene())
    with closing(sqlite3.connect(in_sqlite.path)) as connection:
        found = connection.execute("SELECT seq, table_id FROM log ORDER BY seq").fetchall()
    assert [seq for seq, _ in found] == [1, 2, 3]
