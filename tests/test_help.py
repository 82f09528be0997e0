"""The help of every command: its layout, and that every example in it runs."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from msgspec.structs import replace

from support.server import run_server
from wonderland import discovery
from wonderland.cli import main
from wonderland.client import http
from wonderland.engine import Match, Seeded, game
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import AnyMatch
from wonderland.games.letters.bots.solution import COMPILED
from wonderland.tables.fairness import FairChance, ServerKey, statement
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.wire.commands import CreateTable

TIMEOUT = 120.0
INTERRUPTED = 130
COMMANDS = ("", "games", "solve", *sorted(discovery.commands()))
"""The program itself and all of its commands."""
SHORTER = {
    "admin": "--database tables.db",
    "arena": "--deals 1",
    "coach": "--budget 5",
    "host": "--name Alice --server SERVER",
    "insights make": "--games 20",
    "join": "--name Alice",
    "puzzles make": "--number 1 --games 40 --workers 1",
    "serve": "--port 0",
    "simulate": "--games 50",
}
"""Arguments that make the examples of a command quick, or independent of this computer."""


def help_of(command: str) -> str:
    """Return the help of a command."""
    shown = io.StringIO()
    with redirect_stdout(shown), pytest.raises(SystemExit) as left:
        main([*command.split(), "--help"])
    assert left.value.code == 0
    return shown.getvalue()


def examples() -> list[str]:
    """Return every example of every help, without the remark after it."""
    found = [line for name in COMMANDS for line in re.findall(r"(?m)^  (wonderland .*)", help_of(name))]
    return sorted({re.split(r" {2,}", line)[0] for line in found})


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_one_voice_and_one_layout(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = help_of(command)
    assert re.search(r"(?m)^  -h, --help +show this help and exit$", text)
    usage, description, *_ = text.split("\n\n")
    assert usage.startswith(f"usage: wonderland {command}".rstrip())
    assert description[0].isupper()
    for line in text.splitlines():
        assert len(line) <= 80 or "wonderland" in line.split()[:2], line  # examples are never wrapped
    for word in ("luck ", "anew", "whoever", " worth", " % "):
        assert word not in text


def test_every_command_is_listed_with_its_help() -> None:
    text = help_of("")
    for command in COMMANDS[1:]:
        assert re.search(rf"(?m)^    {command} +[a-z]", text)
    assert text.index("\ncommands:") < text.index("\noptions:")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples name, and the program itself."""
    folder = tmp_path_factory.mktemp("examples")
    program = folder / "bin" / "wonderland"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wonderland "$@"\n')
    program.chmod(0o755)
    (folder / "my_bots").mkdir()
    (folder / "my_bots" / "clever.py").write_text(
        "class Bot:\n    def choose(self, view, legal, rng, budget):\n        return legal[0]\n"
    )
    (folder / "tonight.record").write_text(fair_record(), encoding="utf-8")
    for name in ("tables.db", "tonight.db"):
        asyncio.run(create_database(folder / name))
    return folder


async def create_database(path: Path) -> None:
    """Create a database without tables."""
    storage = SqliteStorage(path)
    await storage.open()
    await storage.close()


def fair_record() -> str:
    """Return the record of a short, fairly shuffled game in which Alice plays."""
    added = ["ab" * 16, None]
    secret = ServerKey.from_text("5e" * 32).secret("k3v", "nonce-1")
    match: AnyMatch = Match(game("letters"), ["Alice", "Queen"], chance=FairChance(secret, added))
    while waiting := seats_to_act(match.turn):
        match.play(waiting[0], match.legal(waiting[0])[0])
    return replace(match.record, shuffle_statement=statement(secret, added)).text()


def position() -> str:
    """Return a position of Parade in which seat 1 has a choice."""
    given = {"start": (game("parade").read("seat1"),)}
    match: AnyMatch = Match(game("parade"), ["Alice", "Bill"], chance=Seeded("tea"), given=given)
    return match.game.write_position(match.state)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server to host and join tables at."""
    with run_server(tmp_path_factory.mktemp("server")) as running:
        yield running.address


def open_table(server: str) -> str:
    """Create a table for people, and return its link."""
    wanted = CreateTable(game="parade", seats=2, access="open")
    return http.create_table(server, "", wanted).text


def make_runnable(example: str, server: str) -> str:
    """Replace what an example only stands for, and make it quick."""
    command = re.match(r"wonderland (\S+(?: make)?)", example)
    assert command is not None
    extra = SHORTER.get(command[1], "")
    head, redirection, file = example.partition(" < ")
    example = f"{head} {extra}{redirection}{file}"
    if command[1] == "arena":
        example = re.sub(r"\bqueen(@\S+)?", "queen@0.001s", example)
    for placeholder, value in (
        ("'http://host:8000/tables/abc#secret'", "URL"),
        ("http://host:8000/tables/abc", "URL"),
        ("https://example.org", "SERVER"),
        ("parade stage=play turn=1 hands=…", position()),
        ("SERVER", server),
        (" FILE", " tonight.record"),
    ):
        example = example.replace(placeholder, value)
    return example.replace("URL", f"'{open_table(server)}'") if "URL" in example else example


def run_example(example: str, folder: Path, data: Path) -> tuple[int, str, str]:
    """Run an example in a shell, with nobody at the keyboard; return its exit code, output and errors.

    Servers and tables would wait for others forever: they are interrupted after the first line.
    """
    environment = os.environ | {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "XDG_DATA_HOME": str(data),
        "BROWSER": "lynx",  # `--open` starts no text browser
    }
    with subprocess.Popen(
        ["/bin/sh", "-c", f"exec {example}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        first = ""
        if is_waiting := bool(re.match("wonderland (serve|host|join)", example)):
            assert process.stdout is not None
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
        try:
            out, errors = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    code = 0 if is_waiting and process.returncode == INTERRUPTED else process.returncode
    return code, first + out, errors.strip()


@pytest.mark.slow
@pytest.mark.parametrize("example", [each for each in examples() if "postgresql:" not in each])
def test_the_example_runs(example: str, folder: Path, server: str, tmp_path: Path) -> None:
    if "solve" in example and not COMPILED:
        pytest.skip("takes minutes without a compiler")
    for name in ("alice.json", "parade.json", "wins.svg", "ratings.svg"):
        (folder / name).unlink(missing_ok=True)
    code, out, errors = run_example(make_runnable(example, server), folder, tmp_path)
    assert (code, errors) == (0, "") or (code == 0 and " make " in example), errors
    assert out


def test_the_example_with_postgresql_runs(postgres: str, folder: Path, tmp_path: Path) -> None:
    (example,) = [each for each in examples() if "postgresql:" in each]
    example = re.sub(r"postgresql:\S+", f"'{postgres}'", example)
    _, out, errors = run_example(f"{example} --port 0", folder, tmp_path)
    assert "running at http://" in out, errors  # interrupted early, workers end by the signal
