"""Rated games between people of one household are allowed, but don't count, and everyone is told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from campaigns.raw_clients import Http, RunningSite, Socket, site_in
from wonderland.components.catalogues import LANGUAGES
from wonderland.tables.handlers import hash_secret
from wonderland.tables.households import counts, household
from wonderland.tables.limits import Limits
from wonderland.tables.rated_games import kind, result_of
from wonderland.tables.table import Table
from wonderland.wire import commands as ask

COOKIES = ("the-cookie-of-alice-herself", "the-cookie-of-bill-himself", "the-cookie-of-dinah-the-cat")
NAMES = ("Alice", "Bill", "Dinah")
FAR_AHEAD = 4_000_000_000_000
SIT = {"do": "sit", "name": "?", "contribution": "ab" * 16}
ScenarioRunner = Callable[..., None]


@pytest.fixture(autouse=True)
def eager_background_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the background tasks poll all the time."""
    monkeypatch.setattr("wonderland.tables.automation._POLL_SECONDS", 0.02)


@pytest.fixture
def run_scenario(tmp_path: Path) -> ScenarioRunner:
    def run(scenario: Callable[[RunningSite], Awaitable[None]], limits: Limits | None = None) -> None:
        async def main() -> None:
            async with site_in(tmp_path, limited=False, limits=limits) as here:
                for name, cookie in zip(NAMES, COOKIES, strict=True):
                    await here.site.tables.people.make(name, hash_secret(cookie))
                await scenario(here)

        asyncio.run(main())

    return run


async def create(here: RunningSite, seats: int = 2) -> str:
    wish = ask.CreateTable(game="cookies", seats=seats, rated=True, access="open")
    return (await here.site.tables.create_table(hash_secret(COOKIES[0]), wish))[0]


async def send(
    here: RunningSite, table: str, player: int, command: dict[str, object], address: str
) -> None:
    """Send a command as a proxy on this machine would for a client at an address."""
    http = Http(here.port, COOKIES[player])
    version = (await here.site.tables.get_live_table(table)).table.version
    given = {"at": version, "key": f"key-{version:06}"} | command
    headers = {"X-Forwarded-For": address}
    answer = await http.ask("POST", f"/api/tables/{table}/commands", given, headers)
    assert answer.status == 200, answer
    await http.close()


async def seat_all(here: RunningSite, *addresses: str) -> Table:
    table = await create(here, len(addresses))
    for player, address in enumerate(addresses):
        await send(here, table, player, SIT, address)
    return (await here.site.tables.get_live_table(table)).table


async def play_to_the_end(here: RunningSite, name: str) -> Table:
    rng = random.Random(1)
    await send(here, name, 0, {"do": "start"}, "192.0.2.1")
    live = await here.site.tables.get_live_table(name)
    while live.table.status == "playing":
        assert live.table.match is not None
        (seat, *_) = live.table.to_act
        word = live.table.match.game.write(rng.choice(live.table.match.legal(seat)))
        move = ask.Play(seat=seat, action=word, at=live.table.version, key=ask.new_key())
        await here.site.tables.execute(live, hash_secret(COOKIES[seat]), move)
    return live.table


@pytest.mark.parametrize(
    ("addresses", "together"),
    [
        (("192.0.2.1", "192.0.2.2"), ()),
        (("192.0.2.1", "192.0.2.1"), (0, 1)),
        (("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"), (0, 1)),
        (("2001:db8:1:2::1", "2001:db8:1:3::1"), ()),
        (("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1"), (0, 2)),
        (("127.0.0.1", "127.0.0.1"), ()),  # a proxy that forwards no addresses
    ],
    ids=str,
)
def test_a_household_is_an_address_or_a_network(
    run_scenario: ScenarioRunner, addresses: tuple[str, ...], together: tuple[int, ...]
) -> None:
    async def scenario(here: RunningSite) -> None:
        table = await seat_all(here, *addresses)
        assert household(table) == together
        assert counts(table) == (not together)
        http = Http(here.port, COOKIES[1])
        shown = (await http.ask("GET", f"/api/tables/{table.id}")).json()
        assert tuple(shown["table"]["household"]) == together
        for language in LANGUAGES:  # before the game starts
            page = (await http.ask("GET", f"/tables/{table.id}?lang={language}")).body.decode()
            assert ('class="uncounted"' in page) == bool(together)
        await http.close()
        assert "192.0.2" not in str(table.places), "no address is stored"

    run_scenario(scenario)


def test_live_connections_count_the_same(run_scenario: ScenarioRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        name = await create(here)
        await send(here, name, 0, SIT, "192.0.2.1")
        headers = "X-Forwarded-For: 192.0.2.1\r\n"
        socket = await Socket.open(here.port, name, COOKIES[1], headers=headers)
        socket.send({"at": 1, "key": "key-of-bill", **SIT})
        assert (await socket.answer("key-of-bill"))["type"] == "done"
        await socket.close()
        assert household((await here.site.tables.get_live_table(name)).table) == (0, 1)

    run_scenario(scenario)


def test_only_games_between_households_are_recorded(run_scenario: ScenarioRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        storage = here.site.tables.storage
        at_home = await seat_all(here, "192.0.2.1", "192.0.2.1")
        table = await play_to_the_end(here, at_home.id)
        assert table.result is not None
        assert result_of(table) is None
        away = await seat_all(here, "192.0.2.1", "192.0.2.2")
        await play_to_the_end(here, away.id)
        async with asyncio.timeout(60):
            while await storage.due(FAR_AHEAD):  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(0.02)
        assert await storage.documents.count(kind("cookies")) == 1

    run_scenario(scenario)


def test_a_player_who_gives_up_the_seat_takes_the_flag_along(run_scenario: ScenarioRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        table = await seat_all(here, "192.0.2.1", "192.0.2.1")
        await send(here, table.id, 1, {"do": "leave", "seat": 1}, "192.0.2.1")
        await send(here, table.id, 2, SIT, "192.0.2.3")
        assert counts((await here.site.tables.get_live_table(table.id)).table)

    run_scenario(scenario)


def test_one_device_with_two_accounts(run_scenario: ScenarioRunner) -> None:
    async def scenario(here: RunningSite) -> None:
        people, device = here.site.tables.people, hash_secret(COOKIES[0])
        name = await create(here)
        await send(here, name, 0, SIT, "192.0.2.1")
        await people.sign_out(device, others=False)
        await people.make("Edith", device)
        await send(here, name, 0, SIT, "192.0.2.2")
        table = (await here.site.tables.get_live_table(name)).table
        assert household(table) == (0, 1)

    run_scenario(scenario)


@pytest.mark.parametrize(("most", "together"), [(0, ()), (2, ()), (1, (0, 1))])
def test_an_operator_can_allow_households(
    run_scenario: ScenarioRunner, most: int, together: tuple[int, ...]
) -> None:
    """As in a school or a club, where everybody has the same address."""

    async def scenario(here: RunningSite) -> None:
        assert household(await seat_all(here, "192.0.2.1", "192.0.2.1")) == together

    run_scenario(scenario, Limits(rated_seats_per_address=most))
