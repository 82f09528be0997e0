"""`wonderland admin` on real databases, with and without a running server."""

from __future__ import annotations

import json
import re
import sqlite3
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest

from support.pseudo_locale import CODE, install_pseudo_language, words_outside_brackets
from support.server import run_server
from wonderland.cli import main
from wonderland.client import http
from wonderland.features.admin.storage_access import run_with_storage
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.sqlite_schema import STEPS
from wonderland.wire.commands import CreateTable

TABLES = 5
DEVICE = "the-device-of-a-host"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with some tables, made by a real server."""
    path = tmp_path_factory.mktemp("admin") / "tables.db"
    with run_server(path.parent) as server:
        for _ in range(TABLES):
            http.create_table(server.address, DEVICE, CreateTable(game="parade", seats=2))
    return path


@pytest.fixture
def database(stored: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    path = tmp_path / "tables.db"
    path.write_bytes(stored.read_bytes())
    return path


def admin(database: Path, *arguments: str) -> int:
    return main(["admin", *arguments, "--database", str(database)])


def test_statistics_count_the_tables(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert admin(database, "stats", "--json") == 0
    counted = json.loads(capsys.readouterr().out)
    assert sum(counted["tables"].values()) == TABLES
    assert admin(database, "stats") == 0
    assert str(TABLES) in capsys.readouterr().out


def test_statistics_name_documents_instead_of_their_kinds(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def store(storage: Storage) -> None:
        for kind in ("person", "rated.parade", "rated.letters", "person.look"):
            await storage.documents.put(kind, "key", b"body")

    run_with_storage(Namespace(database=str(database)), store)
    assert admin(database, "stats") == 0
    counts = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert (counts["accounts"], counts["rated games"]) == ("1", "2")
    assert int(counts["other documents"]) >= 1


def test_sound_tables_pass_the_check(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert admin(database, "check", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["tables"], report["problems"]) == (TABLES, [])


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM log WHERE seq = 1",
        "UPDATE log SET body = x'7b7d' WHERE seq = 1",
        "UPDATE tables SET status = 'finished', changed = changed + 1000000",
    ],
)
def test_damage_is_found(
    database: Path,
    damage: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(damage)
    assert admin(database, "check", "--json") == 1
    assert json.loads(capsys.readouterr().out)["problems"]
    assert admin(database, "check") == 1
    assert len(capsys.readouterr().out.splitlines()) >= 3
    install_pseudo_language(monkeypatch)
    assert admin(database, "check", "--language", CODE) == 1
    translated = re.sub(r"(?m)^[\w-]+: ", "", capsys.readouterr().out)
    assert words_outside_brackets(translated) == []


def test_a_backup_can_be_restored(database: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", _rows(database)
    assert admin(database, "backup", str(copy)) == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert admin(database, "backup", str(copy)) == 2  # never overwritten by accident
    assert admin(database, "backup", str(copy), "--force") == 0
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM log")
    assert admin(database, "restore", str(copy)) == 2
    assert admin(database, "restore", str(copy), "--force") == 0
    assert _rows(database) == before
    assert not _rows(tmp_path / "tables.db.before-restore")


def test_a_damaged_backup_is_not_restored(database: Path, tmp_path: Path) -> None:
    broken, before = tmp_path / "broken.db", _rows(database)
    broken.write_bytes(b"not a database" * 500)
    assert admin(database, "restore", str(broken), "--force") == 2
    assert _rows(database) == before


def test_nothing_is_restored_under_a_running_server(tmp_path: Path) -> None:
    path, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with run_server(path.parent) as server:
        http.create_table(server.address, DEVICE, CreateTable(game="parade", seats=2))
        assert admin(path, "backup", str(copy)) == 0
        assert admin(path, "restore", str(copy), "--force") == 2
    assert _rows(copy) == _rows(path)
    assert admin(path, "restore", str(copy), "--force") == 0


def test_old_tables_are_pruned(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE tables SET changed = 0")
        connection.execute("UPDATE log SET time = 0 WHERE seq <= 2")
    assert admin(database, "prune", "--dry-run") == 0
    assert _count(database) == TABLES
    assert admin(database, "prune") == 0
    assert _count(database) == TABLES - 2
    assert capsys.readouterr().out.count("2") == 2
    assert admin(database, "check") == 0


@pytest.mark.parametrize(
    "arguments",
    [["backup"], ["check", "file"], ["restore", "missing.db"], ["prune", "--days", "0"]],
)
def test_bad_requests_get_one_sentence(
    arguments: list[str], database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert admin(database, *arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_postgres_is_left_to_its_own_tools(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "backup", "x.db", "--database", "postgresql://localhost/x"]) == 2
    assert "pg_dump" in capsys.readouterr().err


def _rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT table_id, n, time, body FROM log ORDER BY seq").fetchall()


def _count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM tables").fetchall()
        return int(count)


@pytest.mark.parametrize("action", ["check", "stats", "prune"])
def test_damaged_pages_are_reported_in_a_sentence(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        for step in STEPS:
            connection.executescript(step)
        connection.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.execute("INSERT INTO facts VALUES ('schema', ?)", (str(len(STEPS)),))
        for n in range(300):
            connection.execute("INSERT INTO log VALUES (NULL, ?, 0, 0, ?)", (f"t{n}", b"x" * 900))
            row = (f"t{n}", "parade", "waiting", 0, 2, 0, None, "")
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle:] = b"\xa5" * (len(data) - middle)
    path.write_bytes(data)
    assert admin(path, action) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "can't be" in line
