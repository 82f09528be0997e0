"""A server per test module, and players with terminals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.joined_terminals import Terminals
from support.server import ServerProcess, run_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("server")) as served:
        yield served


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Terminals]:
    there = Terminals(tmp_path)
    yield there
    for terminal in there.terminals:
        terminal.close()
