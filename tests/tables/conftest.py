"""Places to keep tables in: an SQLite file, and a database of a real PostgreSQL server, both empty."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from guests import Scene, home
from postgres import fresh_database, postgres_server
from storages import InPostgres, InSqlite, Place


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server, started when the first test asks for it: one for each worker of the suite."""
    with postgres_server() as url:
        yield url


@pytest.fixture
def in_postgres(postgres: str) -> Iterator[InPostgres]:
    with fresh_database(postgres) as url:
        yield InPostgres(url)


@pytest.fixture
def in_sqlite(tmp_path: Path) -> InSqlite:
    return InSqlite(tmp_path / "tables.sqlite")


@pytest.fixture(params=["in_sqlite", "in_postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    """Each of them in turn."""
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def database(in_postgres: InPostgres) -> str:
    """The address of an empty database."""
    return in_postgres.url


@pytest.fixture
def act(tmp_path: Path) -> Callable[[Scene], None]:
    """Runs a scene in a house of its own."""

    def run(scene: Scene) -> None:
        async def whole() -> None:
            async with home(tmp_path) as place:
                await scene(place)

        asyncio.run(whole())

    return run
