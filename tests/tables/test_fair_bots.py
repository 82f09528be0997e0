"""Bots think in turn for each owner, are created late, and don't play on at full speed for nobody."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.table_players import LocalService, open_service, watch
from wonderland.components.bots import Budget, Level
from wonderland.games.parade.bots import levels
from wonderland.tables import automation, service
from wonderland.tables.bot_pool import BotPool
from wonderland.tables.fair_queue import FairQueue, Owner
from wonderland.tables.limits import Limits
from wonderland.tables.live_table import due_after
from wonderland.wire import commands as ask

LONG = 60.0
GREEDY, MODEST = "192.0.2.1", "192.0.2.2"


class Gated:
    """A bot that thinks until it is let through."""

    name = "Gated"
    gate = threading.Semaphore(0)
    created = 0

    def __init__(self) -> None:
        Gated.created += 1

    def choose(self, _view: Any, legal: Any, *_: Any) -> Any:
        assert Gated.gate.acquire(timeout=LONG)
        return legal[0]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Semaphore]:
    """Add the level `gated`; its bots wait for this semaphore."""
    monkeypatch.setattr(levels, "LEVELS", (*levels.LEVELS, Level("Gated", "waits", Gated, Budget())))
    monkeypatch.setattr(Gated, "gate", threading.Semaphore(0))
    monkeypatch.setattr(Gated, "created", 0)
    monkeypatch.setattr(automation, "_POLL_SECONDS", 0.02)
    yield Gated.gate
    Gated.gate.release(10_000)


class Later:
    """A clock that can be advanced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0
        real = service.now
        for module in (service, automation):
            monkeypatch.setattr(module, "now", lambda: real() + self.ahead)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


async def wait_until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def start_with_bot(h: LocalService, network: str, level: str = "gated") -> Any:
    """Start a game of Alice and a bot in which it is the bot's turn; return the live table."""
    wish = ask.CreateTable(game="parade", seats=2, access="bots", bots={"1": level})
    name, _ = await h.tables.create_table(h.alice.device, wish, network)
    await h.alice.sit(name)
    await h.alice.do(name, ask.Start)
    live = await h.tables.get_live_table(name)
    if live.table.to_act == (0,):
        assert live.table.match is not None
        word = live.table.match.game.write(live.table.match.legal(0)[0])
        await h.alice.do(name, ask.Play, seat=0, action=word)
    assert live.table.to_act == (1,)
    return live


def run_service(folder: Path, scene: Callable[[LocalService], Any], **options: Any) -> None:
    async def run() -> None:
        async with open_service(folder, **options) as h, asyncio.timeout(LONG):
            await scene(h)

    asyncio.run(run())


def test_a_bot_is_created_when_its_turn_to_think_comes(
    tmp_path: Path, gate: threading.Semaphore
) -> None:
    async def scene(h: LocalService) -> None:
        live_tables = [await start_with_bot(h, GREEDY) for _ in range(6)]
        assert h.automation.thinking == 6
        await wait_until(lambda: Gated.created)
        assert Gated.created == 1
        gate.release(100)
        await wait_until(lambda: all(live.table.to_act == (0,) for live in live_tables))

    run_service(tmp_path, scene, threads=1)


def test_the_tables_of_one_network_do_not_delay_those_of_another(
    tmp_path: Path, gate: threading.Semaphore
) -> None:
    async def scene(h: LocalService) -> None:
        crowd = [await start_with_bot(h, GREEDY) for _ in range(8)]
        modest = await start_with_bot(h, MODEST)
        gate.release(2)  # the bot that thinks already, and the next one
        await wait_until(lambda: modest.table.to_act == (0,))
        assert sum(live.table.to_act == (1,) for live in crowd) == 7

    run_service(tmp_path, scene, threads=1)


def test_a_full_queue_delays_turns_and_loses_none(tmp_path: Path, gate: threading.Semaphore) -> None:
    async def scene(h: LocalService) -> None:
        crowd = [await start_with_bot(h, GREEDY) for _ in range(8)]
        assert h.automation.thinking == 1 + 3
        modest = await start_with_bot(h, MODEST)
        assert h.automation.thinking == 1 + 4
        gate.release(100)
        await wait_until(lambda: all(live.table.to_act == (0,) for live in [*crowd, modest]))

    run_service(tmp_path, scene, threads=1, limits=Limits(bots_waiting_per_owner=3))


def test_bots_wait_for_somebody_to_come_back(
    tmp_path: Path, gate: threading.Semaphore, later: Later
) -> None:
    async def scene(h: LocalService) -> None:
        live = await start_with_bot(h, GREEDY)
        await h.alice.do(live.table.id, ask.Leave, seat=0)
        later.ahead += 120_000  # nobody has done anything for a while
        version = live.table.version + 1
        gate.release(1000)
        await wait_until(lambda: live.table.version == version)  # by the bot that was thinking already
        for _ in range(20):  # rounds of the bot runner
            await h.automation._process_due(automation.now(), set())
        assert live.table.version == version
        later.ahead += 30_000  # it is due
        await wait_until(lambda: live.table.version == version + 1)
        assert live.row.due > live.table.turn_time
        watch(h, live, None)
        await wait_until(lambda: live.table.status == "finished")

    run_service(tmp_path, scene)


def test_the_longer_nobody_has_been_there_the_slower_bots_are(
    tmp_path: Path, gate: threading.Semaphore
) -> None:
    async def scene(h: LocalService) -> None:
        table = (await start_with_bot(h, GREEDY)).table
        hour = 3_600_000
        waits = []
        for absence in (0, hour, 24 * hour):
            table.attended_time = table.turn_time - absence
            waits.append((due_after(table) or 0) - table.turn_time)
        assert waits == sorted(set(waits))
        assert waits[-1] > hour

    run_service(tmp_path, scene)


def test_watched_tables_come_before_unattended_ones(
    tmp_path: Path, gate: threading.Semaphore, later: Later
) -> None:
    async def scene(h: LocalService) -> None:
        alone = [await start_with_bot(h, f"192.0.2.{n}") for n in range(10, 15)]
        later.ahead += 3600_000
        gate.release(len(alone))
        await wait_until(lambda: h.automation.thinking == 0)
        for live in alone:  # all of them are Alice's turn now; she leaves, and returns to nobody
            await h.alice.do(live.table.id, ask.Leave, seat=0)
        later.ahead += 3600_000
        await wait_until(lambda: h.automation.thinking == len(alone))
        watched = await start_with_bot(h, MODEST)
        watch(h, watched, None)
        gate.release(2)
        await wait_until(lambda: watched.table.to_act == (0,))

    run_service(tmp_path, scene, threads=1)


def test_a_restart_looks_at_a_few_tables_at_a_time(
    tmp_path: Path, gate: threading.Semaphore, later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    async def before(h: LocalService) -> None:
        names.extend([(await start_with_bot(h, GREEDY)).table.id for _ in range(6)])

    run_service(tmp_path, before)
    later.ahead += 3600_000
    monkeypatch.setattr(automation, "_ROUND_SECONDS", 0.0)
    loaded: list[int] = []
    pause = automation.Automation._pause

    async def counted(self: automation.Automation, seconds: float) -> None:
        loaded.append(len(self.service.live_tables))
        await pause(self, seconds)

    monkeypatch.setattr(automation.Automation, "_pause", counted)

    async def after(h: LocalService) -> None:
        await wait_until(lambda: len(h.tables.live_tables) == len(names))
        steps = [late - early for early, late in pairwise(loaded)]
        assert max(steps) == 1
        gate.release(1000)
        await wait_until(lambda: not h.automation.thinking)

    run_service(tmp_path, after)


def test_devices_of_one_network_take_turns() -> None:
    queue = FairQueue[str](100, 100)
    for n in range(3):
        queue.put(Owner("net", "a"), f"a{n}")
    queue.put(Owner("net", "b"), "b0")
    queue.put(Owner("other", "c"), "c0")
    assert [queue.pop() for _ in range(6)] == ["a0", "c0", "b0", "a1", "a2", None]
    assert len(queue) == 0


def test_the_whole_queue_is_bounded_too() -> None:
    queue = FairQueue[int](2, 2)
    assert [queue.put(Owner(str(n)), n) for n in range(3)] == [True, True, False]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities for single threads")
def test_bots_think_at_a_lower_priority_than_moves_are_handled() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def main() -> None:
        pool, found = BotPool(2, Limits()), asyncio.get_running_loop().create_future()
        assert pool.submit(Owner("a"), lambda: priority, found.set_result)
        bots = (await found).result()
        pool.close()
        assert bots > priority()

    asyncio.run(main())
