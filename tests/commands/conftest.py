"""A server for a file of tests, and people with terminals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.joined_terminals import People
from support.server import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server")) as served:
        yield served


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    there = People(tmp_path)
    yield there
    for terminal in there.terminals:
        terminal.close()
