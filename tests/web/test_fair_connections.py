"""Seats are not spectators: a crowd of spectators locks nobody out, and costs one rendering."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Closed, Http, RunningSite, Socket, connect, site_in
from support.attackers import ATTACKER_ADDRESS, HonestGame, wait_until
from wonderland.engine.errors import UsageError
from wonderland.tables.limits import ABOUT, Limits
from wonderland.tables.rate_limit import network_of
from wonderland.web import table_page

CROWD = 30


def run_site(folder: Path, scene: Any, **limits: int) -> None:
    async def run() -> None:
        async with site_in(folder, limits=Limits(**limits)) as here:
            game = HonestGame(here)
            await game.start()
            await scene(here, game)

    asyncio.run(run())


async def watch(here: RunningSite, game: HonestGame, cookie: str = "", query: str = "") -> Socket:
    return await Socket.open(here.port, game.table, cookie, query, address=ATTACKER_ADDRESS)


async def is_admitted(socket: Socket) -> bool:
    """Whether a socket gets the table, rather than being closed."""
    try:
        await socket.message("table", "page")
    except Closed:
        return False
    return True


def test_a_seat_gets_in_however_many_spectators_there_are(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        crowd = [await watch(here, game) for _ in range(CROWD)]
        admitted = [await is_admitted(socket) for socket in crowd]
        assert sum(admitted) == 10
        for player in game.people:  # from the same address as the crowd
            assert await is_admitted(await watch(here, game, player.cookie))

    run_site(tmp_path, scene, spectators_per_table=10)


def test_a_seat_gets_in_from_an_address_with_too_many_connections(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        here.site.connections._per_address = 5
        crowd = [await watch(here, game) for _ in range(CROWD)]
        rejected = [socket for socket in crowd if not socket.accepted]
        assert len(rejected) == CROWD - 5
        assert b"429" in rejected[0].head
        assert re.search(rb"\r\nRetry-After: \d+\r\n", rejected[0].head)
        assert await is_admitted(await watch(here, game, game.people[0].cookie))
        stranger = await watch(here, game, "the-cookie-of-a-stranger")
        assert not await is_admitted(stranger)

    run_site(tmp_path, scene)


def test_spectators_are_limited_by_address_not_for_others(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        crowd = [await watch(here, game) for _ in range(CROWD)]
        admitted = [socket for socket in crowd if await is_admitted(socket)]
        assert len(admitted) == 7
        assert await is_admitted(await Socket.open(here.port, game.table))
        await admitted[0].close()
        await wait_until(lambda: here.site.connections._spectators[ATTACKER_ADDRESS] == 6)
        assert await is_admitted(await watch(here, game))

    run_site(tmp_path, scene, spectators_per_address=7)


def test_a_device_that_opens_its_table_too_often_loses_the_oldest(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        opened = []
        for _ in range(4):
            socket = await watch(here, game, game.people[0].cookie)
            assert await is_admitted(socket)
            opened.append(socket)
        assert await opened[0].end() == 1013
        live = await here.site.tables.get_live_table(game.table)
        await wait_until(lambda: len(live.watchers) == 3)

    run_site(tmp_path, scene, sockets_per_seat=3)


def test_spectators_share_one_rendering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = []
    page = table_page.TablePage.page

    def counted(self: Any, release: str = "") -> Any:
        rendered.append((self.seat, self.say.code))
        return page(self, release)

    monkeypatch.setattr(table_page.TablePage, "page", counted)

    async def scene(here: RunningSite, game: HonestGame) -> None:
        languages = ("en", "de")
        crowd = [
            await watch(here, game, query=f"?form=page&lang={languages[n % 2]}") for n in range(CROWD)
        ]
        pages = [await socket.message("page") for socket in crowd]
        assert len({page["title"] for page in pages}) <= 2
        assert sorted(rendered) == sorted([(None, "en"), (None, "de")])
        host = await watch(here, game, game.people[0].cookie, "?form=page&lang=en")
        await host.message("page")
        await game.move()
        for socket in crowd:
            assert (await socket.message("page"))["version"] > pages[0]["version"]
        assert rendered.count((None, "en")) == 2
        assert rendered.count((0, "en")) == 2

    run_site(tmp_path, scene)


def test_the_host_who_only_watches_sees_their_own_page(tmp_path: Path) -> None:
    """What spectators share must not contain the buttons of the host, nor lack them for the host."""

    async def scene(here: RunningSite, _: HonestGame) -> None:
        http = Http(here.port)
        created = await http.ask("POST", "/api/tables", {"game": "parade", "seats": 2})
        table = created.json()["table"]
        pages = []
        for cookie in ("", created.cookie, "", "the-cookie-of-a-stranger"):
            socket = await Socket.open(here.port, table, cookie, "?form=page&lang=en")
            pages.append((await socket.message("page"))["html"]["seats"])
        assert pages[0] == pages[2] == pages[3]
        assert "seatbot" in pages[1]
        assert "seatbot" not in pages[0]

    run_site(tmp_path, scene)


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1")
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8::1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("not:an:address") == "not:an:address"


def test_an_ipv6_network_shares_its_limits(tmp_path: Path) -> None:
    async def scene(here: RunningSite, game: HonestGame) -> None:
        admitted = []
        for n in range(1, 9):
            headers = f"X-Forwarded-For: 2001:db8::{n:x}\r\n"
            socket = await Socket.open(here.port, game.table, headers=headers)
            admitted.append(await is_admitted(socket))
        assert sum(admitted) == 3
        other = await Socket.open(here.port, game.table, headers="X-Forwarded-For: 2001:db8:0:9::1\r\n")
        assert await is_admitted(other)

    run_site(tmp_path, scene, spectators_per_address=3)


def test_limits_are_read_from_the_command_line() -> None:
    found = Limits.from_texts(["bots-waiting=7", "days_without_move=0"])
    assert (found.bots_waiting, found.days_without_move) == (7, 0)
    assert found.of("days_without_move") == float("inf")
    assert Limits.from_texts(found.texts()) == found
    assert set(Limits.__struct_fields__) == set(ABOUT)
    for wrong in ("nothing=1", "bots-waiting", "bots-waiting=-1", "bots-waiting=many"):
        with pytest.raises(UsageError, match="limit"):
            Limits.from_texts([wrong])


def test_half_open_connections_keep_nobody_out(tmp_path: Path) -> None:
    """One address could use up the file descriptors of the server without sending a byte."""

    async def scene(here: RunningSite, game: HonestGame) -> None:
        crowd = [await connect(here.port, ATTACKER_ADDRESS) for _ in range(CROWD)]
        for _, writer in crowd[10:]:
            writer.write(b"GET / HTTP/1.1\r\n")
        for reader, _ in crowd[:-5]:
            assert not await reader.read()  # the oldest are closed
        assert len(here.connections) == 5 + len(game.people)
        assert (await Http(here.port, address=ATTACKER_ADDRESS).ask("GET", "/api/games")).status == 200
        watching = [await watch(here, game) for _ in range(CROWD)]
        assert all([await is_admitted(socket) for socket in watching])  # WebSockets are not counted
        await game.move()

    run_site(tmp_path, scene, connections_per_address=5)


def test_one_address_creates_a_limited_number_of_tables_a_day(tmp_path: Path) -> None:
    """At five a second, one address could have filled the disk: tables are kept for weeks."""

    async def scene(here: RunningSite, game: HonestGame) -> None:
        greedy, modest = Http(here.port, address=ATTACKER_ADDRESS), Http(here.port, address="127.0.0.3")
        wanted = {"game": "parade", "seats": 2}
        answers = [await greedy.ask("POST", "/api/tables", wanted) for _ in range(4)]
        assert [answer.status for answer in answers] == [201, 201, 201, 429]
        assert int(answers[-1].header("retry-after") or 0) > 3600
        assert (await modest.ask("POST", "/api/tables", wanted)).status == 201
        assert (await Http(here.port).ask("POST", "/api/tables", wanted)).status == 201

    run_site(tmp_path, scene, tables_per_day=3)
