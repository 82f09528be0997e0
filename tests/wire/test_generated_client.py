"""A client that `openapi-python-client` generates from a server's own document plays whole games."""

from __future__ import annotations

import importlib
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.server import ServerProcess
from wonderland.engine import game_names, read_record

PACKAGE = "generated_wonderland_client"


@contextmanager
def import_path(folder: Path) -> Iterator[None]:
    """Make packages in this folder importable until the end of the block."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
            del sys.modules[name]


@pytest.fixture(scope="module")
def generated(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package, generated from the server's own document."""
    folder = tmp_path_factory.mktemp("generated")
    document = folder / "openapi.json"
    document.write_bytes(httpx.get(f"{server.address}/api/openapi.json", trust_env=False).content)
    config = folder / "config.json"
    config.write_text('{"post_hooks": []}')  # no formatting
    command = ["generate", "--path", str(document), "--output-path", str(folder / PACKAGE)]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "openapi_python_client",
            *command,
            "--meta",
            "none",
            "--config",
            str(config),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    complaints = [
        line for line in (done.stdout + done.stderr).splitlines() if line.startswith("WARNING")
    ]
    assert complaints == ["WARNING parsing POST /api/qr within default."], "an image is not a type"
    with import_path(folder):
        yield importlib.import_module(PACKAGE)


class Player:
    """Both seats of a table, through the functions and types of the generated client."""

    def __init__(self, server: str, package: str) -> None:
        self._package = package
        self.models = importlib.import_module(f"{package}.models")
        self.client = importlib.import_module(package).Client(
            base_url=server, httpx_args={"trust_env": False}
        )

    def call(self, operation: str, *arguments: Any, **named: Any) -> Any:
        module = importlib.import_module(f"{self._package}.api.default.{operation}")
        return module.sync(*arguments, client=self.client, **named)

    def do(self, table: str, command: str, at: int, **fields: Any) -> Any:
        kind = getattr(self.models, command)
        body = kind(do=command.lower(), at=at, key=secrets.token_hex(8), **fields)
        done = self.call("send_command", table, body=body)
        assert isinstance(done, self.models.CommandDone), done
        return done

    def look(self, table: str, seat: int, after: int) -> Any:
        shown = self.call("get_table", table, seat=seat, after=after)
        assert isinstance(shown, self.models.TableUpdate), shown
        return shown


@pytest.fixture
def player(generated: Any, server: ServerProcess) -> Iterator[Player]:
    found = Player(server.address, generated.__name__)
    with found.client:
        yield found


@pytest.mark.parametrize("name", game_names())
def test_it_plays_a_whole_game(player: Player, name: str) -> None:
    rng, models = random.Random(name), player.models
    assert name in {game.game for game in player.call("list_games")}
    table = player.call("create_table", body=models.CreateTable(game=name, seats=2)).table
    version = 0
    for seat, called in enumerate(("Alice", "Dinah")):
        contribution = secrets.token_hex(32)
        sat = player.do(table, "Sit", version, name=called, contribution=contribution, seat=seat)
        version = sat.version
    player.do(table, "Start", version)
    view_type, events = getattr(models, f"{name.capitalize()}View"), 0
    shown = [player.look(table, seat, version) for seat in range(2)]
    while shown[0].table.status == "playing":
        for seat, seen in enumerate(shown):
            assert isinstance(seen.view, view_type)
            assert seen.view.to_dict() == raw_view(player, table, seat)
        events += len(shown[0].events)
        seat, choices = next((seat, each.legal) for seat, each in enumerate(shown) if each.legal)
        at = shown[seat].version
        player.do(table, "Play", at, seat=seat, action=rng.choice(choices))
        shown = [player.look(table, seat, at) for seat in range(2)]
    assert events > 10
    assert shown[0].table.status == "finished"
    record = read_record(player.call("get_record", table)).whole
    assert record.result is not None
    assert shown[0].table.result.winners == list(record.result.winners)


def raw_view(player: Player, table: str, seat: int) -> Any:
    """Return the view as the server sends it, to compare with the client's."""
    answer = player.client.get_httpx_client().get(f"/api/tables/{table}", params={"seat": seat})
    return answer.json()["view"]


def test_refusals_are_typed(player: Player) -> None:
    refused = player.call("get_table", "nosuchtable")
    assert isinstance(refused, player.models.ProblemDocument)
    assert (refused.code, refused.problem, refused.status) == ("no-such-table", "not found", 404)
