"""Storage errors are translated on the command line, and say where without saying a password."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from support.table_players import open_service
from wonderland.components.catalogues import LANGUAGES
from wonderland.engine.language import ENGLISH
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.interface import StorageError
from wonderland.tables.storage.postgres_connection import PostgresConnection
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.web.languages import negotiate_language

OTHERS = [code for code in LANGUAGES if code != ENGLISH.code]


class PostgresProblem(Exception):  # noqa: N818 - stands in for an error of the driver
    def __init__(self, sqlstate: str) -> None:
        super().__init__("the reason")
        self.sqlstate = sqlstate


def is_translated(error: StorageError, *kept: str) -> bool:
    """Whether an error differs from English in every language, and keeps these parts."""
    said = [error.for_terminal(negotiate_language(code)) for code in OTHERS]
    return str(error) not in said and all(part in text for text in (*said, str(error)) for part in kept)


def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as raised:
        asyncio.run(SqliteStorage(tmp_path).open())
    assert is_translated(raised.value, str(tmp_path), "unable to open")


def test_serve_shows_it_in_the_chosen_language(tmp_path: Path) -> None:
    options = ["--database", str(tmp_path), "--key", str(tmp_path / "key"), "--port", "0"]
    command = [sys.executable, "-m", "wonderland", "serve", *options, "--language"]
    shown = []
    for code in ("en", "de"):
        done = subprocess.run([*command, code], capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 2
        shown.append(done.stderr)
    assert shown[0] != shown[1]
    assert all(str(tmp_path) in text for text in shown)


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.execute("INSERT INTO facts VALUES ('schema', '999')")
    connection.close()
    with pytest.raises(StorageError) as raised:
        asyncio.run(SqliteStorage(path).open())
    assert is_translated(raised.value, str(path), "999")


def test_tables_of_another_key(tmp_path: Path) -> None:
    other = ServerKey(bytes(32))

    async def open_twice() -> None:
        async with open_service(tmp_path):
            pass
        async with open_service(tmp_path, key=other):
            pass

    with pytest.raises(StorageError) as raised:
        asyncio.run(open_twice())
    assert is_translated(raised.value, other.fingerprint)


@pytest.mark.parametrize("path", ["tea", ""])
@pytest.mark.parametrize("code", ["08006", "22021", "25006", "28P01", "40001", "42501", "53100"])
def test_problems_of_postgresql_name_the_server_but_no_password(code: str, path: str) -> None:
    url = f"postgresql://alice:mock-turtle@garden.example:5432/{path}"
    error = PostgresConnection(url, "writer", 1.0)._translate_error(PostgresProblem(code))
    assert is_translated(error, "garden.example:5432", path, "the reason")
    assert "mock-turtle" not in str(error)


def test_an_address_that_cannot_be_parsed_is_not_quoted() -> None:
    connection = PostgresConnection("postgresql://alice:mock-turtle@[garden/tea", "writer", 1.0)
    for problem in (ValueError("mock-turtle"), PostgresProblem("08006")):
        error = connection._translate_error(problem)
        assert is_translated(error, "PostgreSQL")
        assert "mock-turtle" not in str(error)
