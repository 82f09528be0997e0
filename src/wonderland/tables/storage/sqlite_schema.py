"""The SQLite schema, as a list of migrations."""

from __future__ import annotations

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
)
"""Migrations, each from one schema version to the next; never edited, only appended."""
