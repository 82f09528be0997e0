"""Read permissions: every route that shows a table, for every role, at every stage."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Answer, Closed, Http, RunningSite, Socket
from support.permissions import (
    BILL,
    ROLES,
    SIT,
    STAGES,
    StagedTable,
    cookie,
    create_staged_table,
    open_site,
)
from wonderland.tables.handlers import hash_secret

# Routes


@pytest.mark.parametrize("stage", STAGES)
def test_nobody_reads_as_another_viewer(stage: str, tmp_path: Path) -> None:
    own = {"host seated": 0, "bill": BILL, "dinah": 2}

    async def check() -> None:
        async with open_site(tmp_path) as here:
            for role in ROLES:
                table = await create_staged_table(here, stage, role)
                http = Http(here.port, cookie(role))
                path = f"/api/tables/{table.name}"
                for seat in range(6):
                    answer = await http.ask("GET", f"{path}?seat={seat}")
                    assert answer.status == (200 if own.get(role) == seat else 403), (role, seat)
                shown = (await http.ask("GET", f"{path}?after=0")).json()
                assert shown["seat"] == own.get(role)
                if own.get(role) not in shown["to_act"]:
                    assert shown["legal"] == []
                await _check_others(http, table, stage, role in own)
                await http.close()

    asyncio.run(check())


async def _check_others(http: Http, table: StagedTable, stage: str, sits: bool) -> None:
    lists = (await http.ask("GET", "/api/tables")).json()
    assert lists["open"] == []
    assert (table.name in [card["id"] for card in lists["mine"]]) == sits
    record = await http.ask("GET", f"/api/tables/{table.name}/record")
    assert record.status == (200 if stage == "finished" else 409)
    for path in ("/api/games", "/healthz"):
        assert (await http.ask("GET", path)).status == 200


@pytest.mark.parametrize("stage", STAGES)
def test_nobody_watches_as_another_viewer(stage: str, tmp_path: Path) -> None:
    own = {"host seated": 0, "bill": BILL, "dinah": 2}

    async def check() -> None:
        async with open_site(tmp_path) as here:
            for role in ROLES:
                table = await create_staged_table(here, stage, role)
                for query in ("", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "?seat=15"):
                    socket = await Socket.open(here.port, table.name, cookie(role), query)
                    wanted = int(query[6:]) if query else own.get(role)
                    if query and wanted != own.get(role):
                        with pytest.raises(Closed) as closed:
                            await socket.message("table")
                        assert closed.value.code == 4403
                    else:
                        assert (await socket.message("table"))["seat"] == wanted
                    await socket.close()

    asyncio.run(check())


def test_a_table_belongs_to_the_stranger_who_creates_it(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            for role in ROLES:
                http = Http(here.port, cookie(role))
                answer = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
                assert answer.status == 201
                assert bool(answer.cookie) == (role == "nobody")
                live = await here.site.tables.get_live_table(answer.json()["table"])
                assert live.table.opened.host == hash_secret(answer.cookie or cookie(role))
                await http.close()

    asyncio.run(check())


# Former players who are still connected


async def _send_command(
    here: RunningSite, table: StagedTable, role: str, command: dict[str, Any]
) -> Answer:
    http = Http(here.port, cookie(role) or cookie("stranger"))
    version = (await here.site.tables.get_live_table(table.name)).table.version
    given = {"at": version, "key": f"key-{version:06}"} | command
    answer = await http.ask("POST", f"/api/tables/{table.name}/commands", given)
    await http.close()
    assert answer.status == 200, answer
    return answer


def private_messages(messages: list[Any]) -> list[Any]:
    """Return the messages that show a seat's own view."""
    return [each for each in messages if each["type"] == "table" and each["seat"] is not None]


def test_a_device_whose_link_was_revoked_no_longer_sees_the_hand(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            table = await create_staged_table(here, "full", "bill")
            socket = await Socket.open(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            await socket.receive_pending()
            link = {"do": "link", "seat": BILL, "revoke": True}
            told = (await _send_command(here, table, "host seated", link)).json()["told"]
            await _send_command(here, table, "stranger", {"do": "claim", "seat": BILL} | told)
            await _send_command(here, table, "dinah", {"do": "start"})
            try:
                heard = await socket.receive_pending()
            except Closed:
                return  # which is equivalent
            assert [each["view"] for each in private_messages(heard) if each["view"]] == []

    asyncio.run(check())


def test_a_player_who_left_does_not_see_the_next_players_hand(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            table = await create_staged_table(here, "full", "bill")
            socket = await Socket.open(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            await socket.receive_pending()
            await _send_command(here, table, "bill", {"do": "leave", "seat": BILL})
            sit = {**SIT, "seat": BILL, "invitation": f"{table.name}-invitation"}
            await _send_command(here, table, "stranger", sit)
            await _send_command(here, table, "dinah", {"do": "start"})
            try:
                heard = await socket.receive_pending()
            except Closed:
                return  # which is equivalent
            assert [each["view"] for each in private_messages(heard) if each["view"]] == []

    asyncio.run(check())


def test_a_player_without_a_seat_is_not_listed_as_present(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_site(tmp_path) as here:
            table = await create_staged_table(here, "full", "bill")
            socket = await Socket.open(here.port, table.name, cookie("bill"), f"?seat={BILL}")
            other = await Socket.open(here.port, table.name, cookie("dinah"))
            await _send_command(here, table, "bill", {"do": "leave", "seat": BILL})
            await other.receive_pending()
            third = await Socket.open(here.port, table.name, cookie("stranger"))
            present = await third.message("present")
            assert BILL not in present["seats"]
            await socket.close()

    asyncio.run(check())
