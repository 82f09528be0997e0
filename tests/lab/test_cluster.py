"""A real Ray cluster of two workers: the same results as a local run, even when a worker is killed.

Ray starts in two to four seconds; all tests but one share a cluster.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT, TESTS
from wonderland import __version__
from wonderland.engine.errors import BotFailed, ClusterFailed
from wonderland.lab import cluster as clusters
from wonderland.lab.arena import Tournament
from wonderland.lab.arena_command import add_arena
from wonderland.lab.cluster import LARGEST, Cluster
from wonderland.lab.game_runner import GameSetup, Simulation
from wonderland.lab.run import Run
from wonderland.lab.simulate_command import add_simulate
from wonderland.lab.standings import standings_of

NEEDS_RAY = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
PARADE = GameSetup("parade", 2)
Runner = Callable[..., Any]


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("marks")


@pytest.fixture(scope="module")
def cluster(marks: Path) -> Iterator[Cluster]:
    """Two workers, in other processes, that can import our bots."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(TESTS)
        patch.syspath_prepend(TESTS)
        patch.setenv("MARKS", str(marks))
        patch.setenv("PYTHONPATH", f"{ROOT / 'src'}{os.pathsep}{TESTS}")
        two = Cluster(workers=2)
        with two.connect():
            yield two


@pytest.fixture(autouse=True)
def _run_beside_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)


def simulation(bot: str) -> Simulation:
    return Simulation(PARADE, (bot, "dodo"), "tea")


def run_to_end(bot: str, games: int, by: Cluster | None = None) -> Run:
    run = Run((simulation(bot),), games)
    run.play(by=by)
    return run


@NEEDS_RAY
def test_results_match_a_local_run(cluster: Cluster) -> None:
    assert run_to_end("dodo@1", 300, cluster).totals == run_to_end("dodo@1", 300).totals
    assert run_to_end("dodo", 100_000, cluster).totals == run_to_end("dodo", 100_000).totals
    found = []
    for by in (None, cluster):
        told: list[int] = []
        tournament = Tournament(
            PARADE, ("dodo", "support.sample_bots:Searcher@2"), 60, "tea", until_clear=True
        )
        tournament.play(told.append, by)
        assert told == list(range(1, len(told) + 1))
        found.append(standings_of(tournament))
    assert found[0] == found[1]
    assert found[0].stopped_when_clear


@NEEDS_RAY
def test_the_example_in_the_document_runs(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    exec(compile(code, "cluster.md", "exec"), {})  # noqa: S102 - our own example
    dodo, rabbit = capsys.readouterr().out.splitlines()
    assert float(dodo.split()[1]) < 0.6
    assert float(rabbit.split()[1]) > 0.8


def test_the_documented_commands_parse() -> None:
    text = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    (shell,) = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    add_simulate(commands.add_parser("simulate"))
    add_arena(commands.add_parser("arena"))
    addresses = [parser.parse_args(line.split()[1:]).cluster for line in shell.splitlines()]
    assert addresses == ["10.0.0.5:6379", "auto", ""]


def kill_waiting_worker(path: Path, killed: list[int]) -> None:
    while not (path.exists() and (text := path.read_text()).endswith("\n")):
        time.sleep(0.02)
    killed.append(int(text))
    os.kill(killed[0], signal.SIGKILL)


@NEEDS_RAY
@UNIX
def test_a_killed_worker_loses_only_its_current_chunk(cluster: Cluster, marks: Path) -> None:
    games, killed = 400, list[int]()
    killer = threading.Thread(target=kill_waiting_worker, args=(marks / "waiting", killed), daemon=True)
    killer.start()
    (marks / "begun").write_bytes(b"")
    found = run_to_end("support.sample_bots:Doomed", games, cluster)
    killer.join(timeout=10)
    assert killed
    assert killed[0] != os.getpid()
    begun = (marks / "begun").stat().st_size
    assert (
        run_to_end("support.sample_bots:Doomed", games).totals == found.totals
    )  # nothing waits a second time
    for_names = 5  # one is made in each process, to ask for its name
    assert games < begun <= games + LARGEST + for_names < 2 * games


@NEEDS_RAY
def test_an_interrupt_gives_the_result_so_far(cluster: Cluster) -> None:
    run = Run((simulation("dodo@1"),), 1_000_000)

    def tell(played: int) -> None:
        if played == 70:
            os.kill(os.getpid(), signal.SIGINT)

    run.play(tell, cluster)
    assert run.is_interrupted
    assert run.played == 70
    assert run.totals == run_to_end("dodo@1", 70).totals
    assert run_to_end("dodo@1", 20, cluster).totals == run_to_end("dodo@1", 20).totals  # it continues


@NEEDS_RAY
def test_a_bot_that_misbehaves_is_named_as_in_a_local_run(cluster: Cluster) -> None:
    sentences = []
    for by in (None, cluster):
        with pytest.raises(BotFailed) as told:
            run_to_end("support.sample_bots:Cheat", 3, by)
        sentences.append(str(told.value))
    assert sentences[0] == sentences[1]
    with pytest.raises(ClusterFailed, match="crashed repeatedly"):
        run_to_end("support.sample_bots:Deadly", 3, Cluster(retries=0))


def command(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "support.lab_command", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | environment,
    )


@NEEDS_RAY
def test_a_running_cluster_is_joined_by_its_address(cluster: Cluster, tmp_path: Path) -> None:
    import ray  # noqa: PLC0415 - it may not be installed

    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    asked = ["simulate", "letters", "--games=60", "--seed=tea", "--json=-", "--decisions"]
    address = ray.get_runtime_context().gcs_address
    found = []
    for asked_too in ([str(there), "--workers=2", "--cluster", address], [str(here), "--workers=1"]):
        process = command(*asked, *asked_too)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        found.append(json.loads(out))
    assert found[0] == found[1]
    assert there.read_bytes() == here.read_bytes()
    assert run_to_end("dodo@1", 5, cluster).played == 5  # the cluster is still running


@pytest.mark.cluster
@NEEDS_RAY
@UNIX
def test_a_private_cluster_starts_and_stops_quietly(tmp_path: Path) -> None:
    temporary = Path(tempfile.gettempdir())
    before = set(temporary.glob("wonder-*"))
    process = command(
        *("arena", "parade", "support.sample_bots:Counted", "dodo"),
        *("--deals=1e6", "--seed=tea", "--cluster"),
        MARKS=str(tmp_path),
    )
    deadline = time.monotonic() + 60
    begun = tmp_path / "begun"
    while not (begun.exists() and begun.stat().st_size > 100) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "Interrupted: these are the results of " in out
    assert set(temporary.glob("wonder-*")) <= before


@pytest.mark.cluster
@NEEDS_RAY
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:1", "can't connect to the cluster '127.0.0.1:1': Connection refused."),
        ("localhost:tea", "'localhost:tea' isn't the address of a cluster: 'tea' isn't a port number."),
        (
            "tea",
            (
                "'tea' isn't the address of a cluster. Use HOST:PORT, or 'auto' for the cluster on this "
                "computer."
            ),
        ),
    ],
)
def test_an_unreachable_cluster_is_reported(address: str, sentence: str) -> None:
    process = command("simulate", "parade", "--games=10", "--cluster", address)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (2, "", f"wonderland: {sentence}\n")


def test_another_service_at_the_address_is_reported() -> None:
    def answer() -> None:
        with stranger.accept()[0] as link:
            link.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            link.recv(100)

    with socket.create_server(("127.0.0.1", 0)) as stranger:
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ConnectionError, match="isn't a Ray cluster"):
            clusters._check_reachable(f"127.0.0.1:{stranger.getsockname()[1]}")
        thread.join()


SAYING = """
import os, sys
from types import SimpleNamespace
from wonderland.lab.command_options import redirect_cluster_output

for by in (None, SimpleNamespace()):
    print("before")
    with redirect_cluster_output(by):
        os.write(1, b"from a thread of its own\\n")
    print("after")
"""


def test_cluster_output_is_not_part_of_the_result() -> None:
    """Its threads write past Python; without a cluster standard output is left alone."""
    done = subprocess.run(
        [sys.executable, "-u", "-c", SAYING], capture_output=True, check=True, text=True
    )
    assert done.stdout == "before\nfrom a thread of its own\nafter\nbefore\nafter\n"
    assert done.stderr == "from a thread of its own\n"


def test_a_missing_ray_is_reported_in_one_sentence(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for asked in (["simulate", "parade"], ["arena", "parade", "dodo", "dodo"]):
        answer = run(*asked, "--cluster")
        assert answer.code == 2
        assert answer.err == (
            "wonderland: --cluster needs ray, which isn't installed. "
            "Install it with: pip install 'wonderland[cluster]'\n"
        )


@pytest.mark.cluster
def test_machines_with_another_version_are_rejected() -> None:
    assert clusters._run_batch(__version__, str, [1, 2])[0] == ["1", "2"]
    with pytest.raises(ClusterFailed, match=f"has Wonderland {__version__} instead of 0.0"):
        clusters._run_batch("0.0", str, [1, 2])
