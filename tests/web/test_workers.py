"""Worker processes that die are replaced, more and more slowly, for as long as the server runs."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from campaigns.players import request
from support.server import ServerProcess, run_server
from wonderland.web.metrics import combine
from wonderland.web.workers import Backoff

DEATHS = 12
PATIENCE = 120.0


def test_the_delay_grows_with_deaths_and_decays_with_time() -> None:
    backoff = Backoff()
    delays = [backoff.delay_after(0.1) for _ in range(20)]
    assert delays == sorted(delays)
    assert delays[0] < 1
    assert delays[-1] == delays[-2] <= 60  # bounded
    assert backoff.delay_after(24 * 3600.0) == delays[0]


@pytest.mark.slow
def test_a_server_outlives_many_deaths_of_its_workers(tmp_path: Path) -> None:
    with run_server(tmp_path, "--workers", "2") as server:
        killed = set[int]()
        late = time.monotonic() + PATIENCE
        while len(killed) < DEATHS:
            assert time.monotonic() < late, killed
            assert server.is_running(), server.log.read_text()
            for child in set(server.children()) - killed:
                os.kill(child, signal.SIGKILL)
                killed.add(child)
            time.sleep(0.05)
        assert is_healthy(server, late)
        assert "restart_in" in server.log.read_text()


def test_metrics_are_those_of_all_workers_whichever_answers(tmp_path: Path) -> None:
    with run_server(tmp_path, "--workers", "2") as server:
        late = time.monotonic() + PATIENCE
        while values(server).get("wonderland_workers") != 2:
            assert time.monotonic() < late, server.log.read_text()
            time.sleep(0.1)
        for _ in range(12):  # each over a connection of its own, to either worker
            request(server.address, "/api/tables", None, {"game": "parade", "seats": 2})
        answers = [values(server) for _ in range(6)]
        created = 'wonderland_requests_total{route="POST /api/tables",status="201"}'
        assert {each[created] for each in answers} == {12}
        assert {each["wonderland_ready"] for each in answers} == {1}
        assert all(each["process_start_time_seconds"] < time.time() + 60 for each in answers)


def test_some_metrics_are_the_least_of_all_workers() -> None:
    one = b"# TYPE wonderland_ready gauge\nwonderland_ready 1\n# TYPE rooms gauge\nrooms 2\n"
    other = b"# TYPE wonderland_ready gauge\nwonderland_ready 0\n# TYPE rooms gauge\nrooms 3\n"
    lines = combine([one, other]).decode().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["wonderland_ready 0.0", "rooms 5.0"]


def values(server: ServerProcess) -> dict[str, float]:
    """The metrics of a server, by name and labels; none while it can't be reached."""
    try:
        with urlopen(f"{server.address}/metrics", timeout=10) as answer:  # noqa: S310 - our own
            lines = answer.read().decode().splitlines()
    except (URLError, OSError):
        return {}
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def is_healthy(server: ServerProcess, late: float) -> bool:
    """Wait until the server answers; return what it says about its health."""
    while time.monotonic() < late and server.is_running():
        try:
            with urlopen(f"{server.address}/healthz", timeout=5) as answer:  # noqa: S310 - our own
                return bool(json.loads(answer.read())["ok"])
        except (URLError, OSError):
            time.sleep(0.1)
    return False
