"""The PostgreSQL schema as a list of migrations, and the statement that commits additions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.engine.language import Message
from wonderland.tables.storage.interface import Addition, Sitter, check_version

STEPS = (
    """
    CREATE TABLE log (
        table_id text NOT NULL,
        n integer NOT NULL,
        time bigint NOT NULL,
        body bytea NOT NULL,
        writer bigint NOT NULL,
        written timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (table_id, n)
    );
    CREATE INDEX log_written ON log (written);
    CREATE TABLE tables (
        table_id text PRIMARY KEY,
        game text NOT NULL,
        status text NOT NULL,
        listed boolean NOT NULL,
        free integer NOT NULL,
        changed bigint NOT NULL,
        due bigint
    );
    CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
    CREATE INDEX tables_listed ON tables (table_id) WHERE listed AND status = 'waiting';
    CREATE TABLE sitters (
        device text NOT NULL,
        table_id text NOT NULL,
        seat integer NOT NULL,
        PRIMARY KEY (device, table_id, seat)
    );
    CREATE TABLE presence (
        table_id text NOT NULL,
        seat integer NOT NULL,
        seen bigint NOT NULL,
        PRIMARY KEY (table_id, seat)
    );
    """,
    "CREATE INDEX tables_partial ON tables (status) WHERE status <> 'finished'",
    # The document store; the table keeps its first name, because old databases have it.
    """
    CREATE TABLE shelf (
        n bigint GENERATED ALWAYS AS IDENTITY,
        kind text NOT NULL,
        key text NOT NULL,
        time bigint NOT NULL,
        used bigint NOT NULL,
        body bytea NOT NULL,
        PRIMARY KEY (kind, key)
    );
    CREATE INDEX shelf_time ON shelf (kind, time);
    CREATE INDEX shelf_used ON shelf (kind, used);
    """,
    """
    ALTER TABLE tables ADD COLUMN source text NOT NULL DEFAULT '';
    CREATE INDEX tables_source ON tables (source) WHERE listed AND status = 'waiting';
    CREATE INDEX tables_by_age ON tables (status, changed) WHERE status <> 'finished';
    CREATE INDEX sitters_table ON sitters (table_id);
    """,
)
"""Migrations, each from one schema version to the next; never edited, only appended."""

_FACTS = "CREATE TABLE IF NOT EXISTS facts (name text PRIMARY KEY, value text NOT NULL)"
_SCHEMA = (
    "INSERT INTO facts VALUES ('schema', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


async def migrate(connection: Any, database: Message) -> None:
    """Apply pending migrations; must be called in a transaction."""
    if await _version(connection, database) == len(STEPS):
        return  # before any DDL, for users who may not change the schema
    # Serialises processes that start at the same time.
    await connection.execute("SELECT pg_advisory_xact_lock(hashtext('wonderland schema'))")
    await connection.execute(_FACTS)
    for step in STEPS[await _version(connection, database) :]:
        await connection.execute(step)
    await connection.execute(_SCHEMA, str(len(STEPS)))


async def _version(connection: Any, database: Message) -> int:
    found = None
    if await connection.fetchval("SELECT to_regclass('facts')"):
        found = await connection.fetchval("SELECT value FROM facts WHERE name = 'schema'")
    return check_version(found, len(STEPS), database)


COMMIT = """
    WITH written AS (
        INSERT INTO log (table_id, n, time, body, writer)
        SELECT *, $1::bigint FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::bytea[])
        ON CONFLICT DO NOTHING
        RETURNING table_id
    ), indexed AS (
        INSERT INTO tables (table_id, game, status, listed, free, changed, due, source)
        SELECT * FROM unnest(
            $6::text[], $7::text[], $8::text[], $9::boolean[],
            $10::integer[], $11::bigint[], $12::bigint[], $13::text[]
        ) AS given (table_id, game, status, listed, free, changed, due, source)
        WHERE table_id IN (SELECT table_id FROM written)
        ON CONFLICT (table_id) DO UPDATE SET
            game = excluded.game, status = excluded.status, listed = excluded.listed,
            free = excluded.free, changed = excluded.changed, due = excluded.due,
            source = excluded.source
    ), departed AS (
        DELETE FROM sitters
        USING unnest($14::text[], $15::text[], $16::integer[]) AS given (device, table_id, seat)
        WHERE sitters.device = given.device AND sitters.table_id = given.table_id
            AND sitters.seat = given.seat AND given.table_id IN (SELECT table_id FROM written)
    ), arrived AS (
        INSERT INTO sitters (device, table_id, seat)
        SELECT * FROM unnest($17::text[], $18::text[], $19::integer[]) AS given (device, table_id, seat)
        WHERE table_id IN (SELECT table_id FROM written)
        ON CONFLICT DO NOTHING
    )
    SELECT table_id FROM written
"""
"""One statement, so one transaction and one round trip: inserts entries and updates their indexes."""

OURS = """
    SELECT table_id
    FROM log JOIN unnest($2::text[], $3::integer[], $4::bytea[]) AS given (table_id, n, body)
    USING (table_id, n, body) WHERE writer = $1::bigint
"""
"""Which of the given entries were written by this process."""


def commit_arguments(additions: Sequence[Addition]) -> list[list[object]]:
    """The columns for `COMMIT`: entries, index rows, departed and arrived sitters."""
    rows = [row for addition in additions if (row := addition.row) is not None]
    departed: list[Sitter] = []
    arrived: list[Sitter] = []
    for addition in additions:
        # Parts of a statement don't see each other's changes, so leaving and returning must cancel.
        departed += [sitter for sitter in addition.departed if sitter not in addition.arrived]
        arrived += addition.arrived
    entries = [addition.entry for addition in additions]
    return [
        [entry.table for entry in entries],
        [entry.n for entry in entries],
        [entry.time for entry in entries],
        [entry.body for entry in entries],
        [row.table for row in rows],
        [row.game for row in rows],
        [row.status for row in rows],
        [row.listed for row in rows],
        [row.free for row in rows],
        [row.changed for row in rows],
        [row.due for row in rows],
        [row.source for row in rows],
        *_columns(departed),
        *_columns(arrived),
    ]


def _columns(sitters: Sequence[Sitter]) -> list[list[object]]:
    return [
        [sitter.device for sitter in sitters],
        [sitter.table for sitter in sitters],
        [sitter.seat for sitter in sitters],
    ]
