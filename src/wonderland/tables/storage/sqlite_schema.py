"""The SQLite schema, as a list of migrations, and the backup that is made before one is applied."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from wonderland.engine.language import Message, phrase
from wonderland.tables.storage.interface import check_version
from wonderland.tables.storage.sqlite_maintenance import back_up

_NAME = phrase("the database {path}")
STEPS = (
    """
    CREATE TABLE log (
        seq INTEGER PRIMARY KEY,
        table_id TEXT NOT NULL,
        n INTEGER NOT NULL,
        time INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (table_id, n)
    );
    CREATE TABLE tables (
        table_id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        status TEXT NOT NULL,
        listed INTEGER NOT NULL,
        free INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        due INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
    CREATE INDEX tables_listed ON tables (changed) WHERE listed AND status = 'waiting';
    CREATE TABLE sitters (
        device TEXT NOT NULL,
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        PRIMARY KEY (device, table_id, seat)
    ) WITHOUT ROWID;
    CREATE TABLE presence (
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    """,
    "CREATE INDEX tables_partial ON tables (status) WHERE status <> 'finished'",
    # The document store; the table keeps its first name, because old databases have it.
    """
    CREATE TABLE shelf (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        time INTEGER NOT NULL,
        used INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (kind, key)
    );
    CREATE INDEX shelf_time ON shelf (kind, time);
    CREATE INDEX shelf_used ON shelf (kind, used);
    """,
    """
    ALTER TABLE tables ADD COLUMN source TEXT NOT NULL DEFAULT '';
    CREATE INDEX tables_source ON tables (source) WHERE listed AND status = 'waiting';
    CREATE INDEX tables_by_age ON tables (status, changed) WHERE status <> 'finished';
    CREATE INDEX sitters_table ON sitters (table_id);
    """,
)
"""Migrations, each from one schema version to the next; never edited, only appended."""


def backup_before(path: Path, version: int) -> Path:
    """Return where the copy of a database goes that is made before its schema is migrated."""
    return path.with_name(f"{path.name}.schema-{version}")


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply pending migrations in one transaction; a database with an older schema is copied first."""
    connection.execute("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute("BEGIN IMMEDIATE")  # serialises processes that start at the same time
    found = connection.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
    version = check_version(found[0] if found else None, len(STEPS), Message(_NAME, {"path": path}))
    if 0 < version < len(STEPS):
        _copy(path, backup_before(path, version))
    for step in STEPS[version:]:
        for statement in step.split(";"):
            connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('schema', ?)", (str(len(STEPS)),))
    connection.execute("COMMIT")


def _copy(path: Path, target: Path) -> None:
    partial = target.with_name(f".{target.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        back_up(path, partial)
        partial.replace(target)
    except (OSError, sqlite3.Error):
        partial.unlink(missing_ok=True)
        raise
