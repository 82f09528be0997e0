"""Quick matches on two servers that share a storage: who meets whom, and when the game starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from support.storages import Backend
from support.table_players import KEY, TablePlayer, Watcher
from wonderland.features.quick_match import service as quick
from wonderland.features.quick_match.service import MatchWish, service_of
from wonderland.tables import quick_match
from wonderland.tables.rematch import rematch_of
from wonderland.tables.service import TableService
from wonderland.tables.table import Table
from wonderland.web.app import Site
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

TIMEOUT = 120.0


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches start quickly. Nobody is taken for absent while the machine is busy."""
    monkeypatch.setattr(quick_match, "COUNTDOWN", 100)
    monkeypatch.setattr(quick_match, "GATHERING", 400)
    monkeypatch.setattr(quick_match, "BOTS_AFTER", 500)
    monkeypatch.setattr(quick, "_TICK_SECONDS", 0.05)
    monkeypatch.setattr(quick, "_ALONE_AFTER", 100)
    monkeypatch.setattr(quick, "_PRESENCE_MILLISECONDS", 200)


class Seeker:
    """Somebody who finds opponents on one of the servers, and stays with the table that is found."""

    def __init__(self, site: Site, name: str, fewest: int = 2, most: int = 2, **wishes: Any) -> None:
        self.site = site
        self.player = TablePlayer(site.tables, name)
        self.wish = MatchWish(
            fewest=fewest,
            most=most,
            name=name,
            contribution=self.player.device[:32],
            **({"game": "parade"} | wishes),
        )
        self.table = ""
        self._watcher: Watcher | None = None

    async def search(self) -> str:
        """Find a match, and connect to its table."""
        self.table = await service_of(self.site).find(self.player.device, self.wish, "")
        await self.connect()
        return self.table

    async def connect(self) -> None:
        live = await self.site.tables.fresh(self.table)
        seats = live.table.seats_of(self.player.device)
        self._watcher = Watcher(self.player.device, seats[0] if seats else None)
        self.site.tables.watch(live, self._watcher, 0)

    async def disconnect(self) -> None:
        assert self._watcher is not None
        self.site.tables.unwatch(await self.site.tables.get_live_table(self.table), self._watcher)

    @property
    def now(self) -> Table:
        return self.site.tables.live_tables[self.table].table

    async def game(self) -> Table:
        """Wait until the game starts, following wherever the player is moved."""
        async with asyncio.timeout(TIMEOUT):
            while self.now.status == "waiting":
                if to := self.now.moved.get(self.player.device):
                    await self.disconnect()
                    self.table = to
                    await self.connect()
                await asyncio.sleep(0.02)
        return self.now

    async def matched(self) -> Table:
        await self.search()
        return await self.game()


Servers = Callable[[Site, Site], Awaitable[None]]


@asynccontextmanager
async def two_sites(backend: Backend) -> AsyncIterator[tuple[Site, Site]]:
    sites = tuple(Site(TableService(backend.storage(), KEY), bots=1) for _ in range(2))
    for site in sites:
        await site.open()
    try:
        yield sites[0], sites[1]
    finally:
        for site in sites:
            await site.close()


def run(backend: Backend, play: Servers) -> None:
    async def main() -> None:
        async with two_sites(backend) as sites:
            await play(*sites)

    asyncio.run(main())


def names(table: Table) -> list[str]:
    return [place.name for place in table.places]


def test_strangers_on_two_servers_meet(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        alice, bill = Seeker(near, "Alice", 2, 4), Seeker(far, "Bill", 2, 6)
        assert await alice.search() == await bill.search()
        games = await asyncio.gather(alice.game(), bill.game())
        for table in games:
            assert names(table) == ["Alice", "Bill"]
            assert table.opened.clock == quick.CLOCK
        rows = await near.tables.storage.open_tables()
        assert rows == []

    run(backend, play)


def test_everyone_who_searches_at_once_is_matched(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        seekers = [Seeker((near, far)[n % 2], f"Player {n}") for n in range(8)]
        tables = await asyncio.gather(*(each.matched() for each in seekers))
        by_table = {table.id: names(table) for table in tables}
        assert len(by_table) == 4
        seated = sorted(name for some in by_table.values() for name in some)
        assert seated == sorted(each.wish.name for each in seekers)

    run(backend, play)


def test_wishes_that_exclude_each_other_do_not_meet(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        pair, crowd = Seeker(near, "Alice", 2, 2), Seeker(far, "Bill", 3, 4)
        letters = Seeker(far, "Dinah", 2, 4, game="letters")
        tables = [await each.search() for each in (pair, crowd, letters)]
        assert len(set(tables)) == 3
        late = Seeker(near, "Edith", 2, 3)
        await late.search()  # suits Alice, who has waited longest
        assert late.table == pair.table
        assert names(await late.game()) == ["Alice", "Edith"]
        assert crowd.now.status == letters.now.status == "waiting"

    run(backend, play)


def test_bots_join_if_everyone_wants_them(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        alone = Seeker(near, "Alice", 3, 4, bots=True)
        patient = Seeker(far, "Bill", 2, 2)
        await patient.search()
        table = await alone.matched()
        assert [place.kind for place in table.places] == ["person", "bot", "bot"]
        assert quick_match.start_plan(patient.now) is None

    run(backend, play)


def test_a_player_who_has_gone_is_not_waited_for(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "_ABSENT_AFTER", 1_500)

    async def play(near: Site, far: Site) -> None:
        ghost, alice, bill = (Seeker(near, "Ghost"), Seeker(far, "Alice"), Seeker(near, "Bill"))
        await ghost.search()
        await ghost.disconnect()
        await alice.search()
        tables = await asyncio.gather(alice.game(), bill.matched())
        assert sorted(names(tables[0])) == sorted(names(tables[1])) == ["Alice", "Bill"]

    run(backend, play)


def test_a_lonely_player_goes_on_to_an_older_match(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        pair, third = Seeker(near, "Alice", 2, 3), Seeker(near, "Bill", 3, 3)
        assert await pair.search() == await third.search()
        lonely = Seeker(far, "Dinah", 2, 2)
        await lonely.search()
        assert lonely.table != pair.table
        (seat,) = third.now.seats_of(third.player.device)
        await third.player.do(third.table, ask.Leave, seat=seat)
        tables = await asyncio.gather(pair.game(), lonely.game())
        assert tables[0].id == tables[1].id == pair.table
        assert names(tables[1]) == ["Alice", "Dinah"]

    run(backend, play)


def test_seats_are_renumbered_and_a_rematch_has_as_many(backend: Backend) -> None:
    async def play(near: Site, _: Site) -> None:
        first, second, third = (Seeker(near, name, 2, 4) for name in ("Alice", "Bill", "Dinah"))
        for each in (first, second, third):
            await each.search()
        await second.player.do(second.table, ask.Leave, seat=1)
        table = await third.game()
        assert names(table) == ["Alice", "Dinah"]
        assert table.seats_of(third.player.device) == [1]
        assert third._watcher is not None
        assert third._watcher.seat == 1
        _, again = rematch_of(table, KEY, ask.Rematch(at=0, key="key-of-rematch", seat=1))
        assert (again.seats, len(again.reserved), again.quick) == (2, 2, False)
        found = await near.tables.storage.seats_of_device(third.player.device)
        assert [(row.table, seat) for row, seat in found] == [(table.id, 1)]

    run(backend, play)


def test_one_search_at_a_time_and_no_host(backend: Backend) -> None:
    async def play(near: Site, far: Site) -> None:
        alice, bill = Seeker(near, "Alice"), Seeker(far, "Bill", 2, 2)
        await alice.search()
        alice.wish = MatchWish(
            fewest=3, most=3, game="parade", name="Alice", contribution=alice.player.device[:32]
        )
        before, after = alice.table, await alice.search()
        assert before != after
        assert await bill.search() != before
        for command, fields in ((ask.SeatBot, {"level": "dodo"}), (ask.Leave, {})):
            refusal = await bill.player.expect_refusal(bill.table, command, seat=1, **fields)
            assert refusal.problem in ("not yours", "not now")
        twin = await bill.player.expect_refusal(bill.table, ask.Sit, name="Twin", contribution="ab" * 16)
        assert twin.problem == "not now"
        namesake = Seeker(near, "bill")
        await namesake.search()
        assert len({name.casefold() for name in names(await namesake.game())}) == 2

    run(backend, play)


WRONG = (
    {"game": "croquet"},
    {"fewest": 4, "most": 3},
    {"fewest": 2, "most": 16},
    {"rated": True},
)


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_impossible_wishes_are_refused_and_leave_nothing_behind(
    in_sqlite: Any, wrong: dict[str, Any]
) -> None:
    async def play(near: Site, _: Site) -> None:
        seeker = Seeker(near, "Alice", **({"fewest": 2, "most": 2} | wrong))
        with pytest.raises(Refusal):
            await seeker.search()
        assert await near.tables.storage.count() == {}

    run(in_sqlite, play)


def test_a_rated_match_is_for_people_with_a_name_and_without_bots(in_sqlite: Any) -> None:
    async def play(near: Site, far: Site) -> None:
        seekers = [
            Seeker(site, name, rated=True, bots=True) for site, name in ((near, "Alice"), (far, "Bill"))
        ]
        casual = Seeker(near, "Dinah")
        for each in seekers:
            await each.site.tables.people.make(each.wish.name, each.player.device)
        await seekers[0].search()
        assert quick_match.start_plan(seekers[0].now) is None
        assert await casual.search() != seekers[0].table
        table = await seekers[1].matched()
        assert (table.opened.rated, names(table)) == (True, ["Alice", "Bill"])

    run(in_sqlite, play)


def test_a_search_survives_a_restart(backend: Backend) -> None:
    async def main() -> None:
        async with two_sites(backend) as (near, _):
            alice = Seeker(near, "Alice")
            await alice.search()
        async with two_sites(backend) as (near, far):
            back, bill = Seeker(far, "Alice"), Seeker(near, "Bill")
            back.table = alice.table
            await back.connect()
            assert await bill.search() == alice.table
            assert names(await bill.game()) == ["Alice", "Bill"]

    asyncio.run(main())
