"""Fixtures for tests of several packages: a server, a browser, and storages.

The root `conftest.py` loads this module. Each test module that asks for a server or a browser gets its
own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browser import ARGUMENTS, BROWSER, OpenPage, page_opener, sync_playwright
from support.postgres import fresh_database, postgres_server
from support.server import ServerProcess, run_server
from support.storages import Backend, InPostgres, InSqlite
from support.table_players import Scenario, open_service


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("tables"), "--coach-playouts", "2000") as served:
        yield served


@pytest.fixture(scope="module")
def chromium(server: ServerProcess) -> Iterator[Any]:
    """Start a browser, after the server: filling its tables needs a loop, which Playwright forbids."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def latency(pytestconfig: pytest.Config) -> int:
    """Latency of a browser's connection in milliseconds."""
    return int(pytestconfig.getoption("latency"))


@pytest.fixture
def open_page(chromium: Any, server: ServerProcess, latency: int) -> Iterator[OpenPage]:
    """Open pages; an error that the browser logs fails the test."""
    with page_opener(chromium, server.address, latency) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a PostgreSQL server when the first test needs it, one per worker; give its URL."""
    with postgres_server() as url:
        yield url


@pytest.fixture
def in_postgres(postgres: str) -> Iterator[InPostgres]:
    """An empty PostgreSQL database."""
    with fresh_database(postgres) as url:
        yield InPostgres(url)


@pytest.fixture
def in_sqlite(tmp_path: Path) -> InSqlite:
    """An empty SQLite file."""
    return InSqlite(tmp_path / "tables.sqlite")


@pytest.fixture(params=["in_sqlite", "in_postgres"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each kind of storage in turn, empty."""
    found: Backend = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def database(in_postgres: InPostgres) -> str:
    """The URL of an empty PostgreSQL database."""
    return in_postgres.url


@pytest.fixture
def run_scenario(tmp_path: Path) -> Callable[[Scenario], None]:
    """Run a scenario against a table service of its own."""

    def run(scenario: Scenario) -> None:
        async def main() -> None:
            async with open_service(tmp_path) as service:
                await scenario(service)

        asyncio.run(main())

    return run
