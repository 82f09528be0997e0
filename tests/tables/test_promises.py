"""The promises about tables, each checked briefly; `tests/campaigns` checks them at length."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import zlib
from pathlib import Path

import pytest

from campaigns import crash_recovery, faulty_proxy, two_servers
from campaigns.players import Person, start_game
from support.server import ServerProcess, run_server
from wonderland.tables.storage.location import storage_at

pytestmark = pytest.mark.slow


def test_a_kill_at_any_instant_loses_and_invents_nothing(tmp_path: Path) -> None:
    found = asyncio.run(crash_recovery.campaign(tmp_path, kills=4, tables=3, seed=1))
    assert found["kills"] == 4
    assert found["acknowledged"] > 20


@pytest.mark.parametrize("step", crash_recovery.STEPS)
def test_a_kill_at_each_step_of_writing_loses_and_invents_nothing(tmp_path: Path, step: str) -> None:
    found = asyncio.run(crash_recovery.campaign(tmp_path, kills=1, tables=3, seed=2, steps=[step]))
    assert found["acknowledged"] > 20


def test_a_move_acknowledged_too_early_is_detected(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="lost"):
        asyncio.run(crash_recovery.campaign(tmp_path, kills=1, tables=3, seed=3, steps=["lie"]))


def test_a_kill_with_postgresql_loses_nothing(tmp_path: Path, database: str) -> None:
    found = asyncio.run(crash_recovery.campaign(tmp_path, kills=2, tables=3, seed=4, database=database))
    assert found["acknowledged"] > 20


@pytest.mark.postgres
def test_killing_postgresql_under_load_loses_nothing(tmp_path: Path) -> None:
    found = asyncio.run(crash_recovery.postgres_campaign(tmp_path, kills=2, tables=3, seed=5))
    assert found["kills"] == 2
    assert found["acknowledged"] > 20


def test_two_servers_on_one_file_never_both_make_a_move(tmp_path: Path) -> None:
    found = asyncio.run(two_servers.campaign(tmp_path, games=3, seed=5))
    assert found["refused as stale"] > 0


def test_two_servers_on_one_postgresql_never_both_make_a_move(tmp_path: Path, database: str) -> None:
    found = asyncio.run(two_servers.campaign(tmp_path, games=3, seed=6, database=database))
    assert found["refused as stale"] > 0


def test_repeated_late_and_reordered_messages_are_executed_once(tmp_path: Path) -> None:
    found = asyncio.run(faulty_proxy.campaign(tmp_path, games=3, seed=7))
    assert found["sent on"] > found["entries"]


def test_two_processes_on_one_socket_serve_everybody(tmp_path: Path) -> None:
    async def evening(address: str) -> list[Person]:
        rng = random.Random(8)
        people: list[Person] = []
        games = itertools.cycle(crash_recovery.GAMES)
        while len(people) < 2 * len(crash_recovery.GAMES) or owners(people) != {0, 1}:
            seats = await asyncio.to_thread(start_game, address, next(games), rng, {"2": "dodo"})
            people.extend(seats)
        async with asyncio.timeout(120):
            await asyncio.gather(*(person.play() for person in people))
        return people

    def owners(people: list[Person]) -> set[int]:
        """Return the workers that own tables: each must have some, or nothing is handed over."""
        return {zlib.crc32(person.table.encode()) % 2 for person in people}

    with run_server(tmp_path, "--workers", "2") as server:
        people = asyncio.run(evening(server.address))
    storage = storage_at(str(server.database))
    assert asyncio.run(crash_recovery.check_stored_logs(storage, people))["acknowledged"] > 50


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    async def evening(server: ServerProcess) -> list[Person]:
        rng = random.Random(9)
        people = [
            person
            for _ in range(4)
            for person in await asyncio.to_thread(start_game, server.address, "parade", rng)
        ]
        playing = [asyncio.create_task(person.play()) for person in people]
        await asyncio.sleep(0.3)
        for worker in server.children():
            os.kill(worker, signal.SIGKILL)
        async with asyncio.timeout(120):
            await asyncio.gather(*playing)
        return people

    with run_server(tmp_path, "--workers", "2") as server:
        people = asyncio.run(evening(server))
    storage = storage_at(str(server.database))
    assert asyncio.run(crash_recovery.check_stored_logs(storage, people))["acknowledged"] > 20
