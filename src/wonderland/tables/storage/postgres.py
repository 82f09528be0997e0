"""Storage in a PostgreSQL database, which several nodes can share.

A writer commits all queued additions with one statement; what arrives during a commit goes into the next
batch. Other nodes get the entries by NOTIFY (`postgres_notifications.py`), after the commit and on
another connection: inside the writing transaction it would take a lock that all writers share. As a node
can die between the two, or lose its listening connection, every node also polls for changes. Log reads
are batched as well (`postgres_log_reader.py`).

Requires asyncpg: `pip install 'wonderland[postgresql]'`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from wonderland.tables.storage import postgres_schema as schema
from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    OnChanges,
    OnCommitted,
    OnEntries,
    StorageError,
    StoredEntry,
)
from wonderland.tables.storage.postgres_connection import (
    ConnectionLost,
    InvalidData,
    PostgresConnection,
    RetryPolicy,
    WriteConflict,
    describe_database,
)
from wonderland.tables.storage.postgres_documents import PostgresDocumentStore
from wonderland.tables.storage.postgres_index import PostgresIndex
from wonderland.tables.storage.postgres_log_reader import LogReader
from wonderland.tables.storage.postgres_maintenance import PostgresMaintenance
from wonderland.tables.storage.postgres_notifications import Notifications

_MAX_BATCH = 1000
_LOG_READERS = 4
_OTHER_READERS = 2
_CHANNEL = "wonderland"

_NOW = "SELECT clock_timestamp()"
_RECENT_CHANGES = """
    SELECT table_id, max(n) FROM log
    WHERE written > $1::timestamptz - make_interval(secs => $2) AND writer <> $3::bigint
    GROUP BY table_id
"""
"""The latest entries written by other processes since some seconds before a time."""


class PostgresStorage(PostgresIndex):
    """Implements `wonderland.tables.storage.interface.Storage` in a database, given by its URL.

    After a lost connection, calls are retried for up to `retry_timeout` seconds. Every `poll_interval`
    seconds it polls for entries of other nodes, starting `overlap` seconds before the last poll, as an
    entry is dated when it is inserted but becomes visible only when it is committed.
    """

    def __init__(
        self,
        url: str,
        *,
        writers: int = 1,
        retry_timeout: float = 5.0,
        poll_interval: float = 2.0,
        overlap: float = 10.0,
    ) -> None:
        self.url = url
        self._writers = writers
        self._retry_timeout = retry_timeout
        self._poll_interval = poll_interval
        self._overlap = overlap
        self._queue: list[tuple[Addition, OnCommitted]] = []
        self._unannounced: list[StoredEntry] = []
        """Entries that other nodes have not been notified of yet."""
        self._reported: dict[str, int] = {}
        """Changes reported recently, which are not reported again."""
        self._on_changes: OnChanges | None = None
        self._on_entries: OnEntries | None = None
        self._key = ""
        self._arrived, self._written = asyncio.Event(), asyncio.Event()
        self._links: Sequence[PostgresConnection] = ()
        self._writer_tasks: Sequence[asyncio.Task[None]] = ()
        self._listen_task: asyncio.Task[None] | None = None
        self._is_closing = False
        self.documents = PostgresDocumentStore(self._query)
        self.maintenance = PostgresMaintenance(self._query)

    async def open(self) -> None:
        """Connect, migrate the schema, and start the writers."""
        self._loop = asyncio.get_running_loop()
        # Stored with each entry to identify its writer; chosen here, as processes may fork before.
        self._writer_id = secrets.randbits(62)
        self._notifications = Notifications(self._writer_id, self._key)

        def link(purpose: str, **settings: str) -> PostgresConnection:
            return PostgresConnection(self.url, purpose, self._retry_timeout, settings)

        # A cached plan from when the tables were small would use sequential scans for ever.
        writing = [link("writer", enable_seqscan="off") for _ in range(self._writers)]
        reading = [link("log reader", enable_seqscan="off", jit="off") for _ in range(_LOG_READERS)]
        others = [link("reader", enable_seqscan="off") for _ in range(_OTHER_READERS)]
        # Notifications and presence are short-lived and need not be durable.
        self._notifier = link("speaker", synchronous_commit="off")
        self._listener = link("listener")
        self._free_readers: asyncio.LifoQueue[PostgresConnection] = asyncio.LifoQueue()
        for reader in others:
            self._free_readers.put_nowait(reader)
        try:
            await writing[0].run_transaction(
                lambda connection: schema.migrate(connection, describe_database(self.url))
            )
            # Changes from here on are found by polling, even if LISTEN starts with a lost connection.
            ((self._polled_at,),) = await writing[0].run_with_retries(_NOW)
        except StorageError:
            writing[0].drop()
            raise
        self._links = [*writing, *reading, *others, self._notifier, self._listener]
        self._logs = LogReader(reading)
        self._writer_tasks = [asyncio.create_task(self._run_writer(link)) for link in writing]
        self._notify_task = asyncio.create_task(self._run_notifier())
        if self._on_changes is not None:
            self.listen(self._on_changes, self._on_entries, self._key)

    async def close(self) -> None:
        """Commit and acknowledge all accepted additions, notify other nodes, and disconnect."""
        self._is_closing = True
        if not self._links:
            return  # it was never opened
        self._arrived.set()
        await asyncio.gather(*self._writer_tasks)
        await self._logs.close()
        self._written.set()
        await self._notify_task
        if self._listen_task is not None:
            self._listen_task.cancel()
            await asyncio.gather(self._listen_task, return_exceptions=True)
        await asyncio.gather(*(link.close() for link in self._links))

    # Writing

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Queue for the writers. An addition that is answered with an error may still be committed."""
        if self._is_closing:
            self._loop.call_soon(done, StorageError("the storage is closed."))
            return
        self._queue.append((addition, done))
        self._arrived.set()

    async def _run_writer(self, link: PostgresConnection) -> None:
        """A writer task: wait for additions, take a batch, commit it, acknowledge it."""
        while True:
            while not self._queue:
                if self._is_closing:
                    return
                self._arrived.clear()
                await self._arrived.wait()
            batch = self._take_batch()
            answers = await self._try_commit(link, [addition for addition, _ in batch])
            for (addition, done), answer in zip(batch, answers, strict=True):
                if answer is True:
                    self._unannounced.append(addition.entry)
                # Scheduled, so that an exception in one callback affects no other.
                self._loop.call_soon(done, answer)
            self._written.set()

    def _take_batch(self) -> list[tuple[Addition, OnCommitted]]:
        """Take a batch: one addition per table, in an order that can't deadlock with other nodes."""
        batch: dict[str, tuple[Addition, OnCommitted]] = {}
        later = []
        for queued in self._queue:
            table = queued[0].entry.table
            if table in batch or len(batch) == _MAX_BATCH:
                later.append(queued)
            else:
                batch[table] = queued
        self._queue = later
        return [batch[table] for table in sorted(batch)]

    async def _try_commit(
        self, link: PostgresConnection, additions: Sequence[Addition]
    ) -> Sequence[CommitResult]:
        try:
            written = await self._commit_with_retries(link, additions)
        except InvalidData as error:
            if len(additions) == 1:
                return [error]
            half = len(additions) // 2  # bisect, so that invalid data affects no other table
            first, second = additions[:half], additions[half:]
            return [*await self._try_commit(link, first), *await self._try_commit(link, second)]
        except StorageError as error:
            return [error] * len(additions)
        except Exception as error:  # noqa: BLE001 - every addition must be answered
            return [StorageError(f"the writer failed: {error!r}.")] * len(additions)
        return [addition.entry.table in written for addition in additions]

    async def _commit_with_retries(
        self, link: PostgresConnection, additions: Sequence[Addition]
    ) -> set[str]:
        """Commit with retries; return the tables whose entries are written.

        After a lost connection, that includes entries which turn out to have been committed.
        """
        arguments = schema.commit_arguments(additions)
        tables, numbers, _, bodies, *_ = arguments
        retry = RetryPolicy(self._retry_timeout)
        in_doubt = False
        while True:
            try:
                # Insert first even if in doubt: if the lost connection's transaction is still running,
                # this waits for it to end.
                written = {
                    table for (table,) in await link.run(schema.COMMIT, self._writer_id, *arguments)
                }
                if in_doubt and len(written) < len(additions):
                    ours = await link.run(schema.OURS, self._writer_id, tables, numbers, bodies)
                    written |= {table for (table,) in ours}
            except ConnectionLost as error:
                in_doubt = True
                await retry.pause(error)
            except WriteConflict as error:
                await retry.pause(error)
            else:
                return written

    # Reading

    async def _query(self, sql: str, *parameters: object) -> Sequence[Any]:
        if self._is_closing:
            raise StorageError("the storage is closed.")
        reader = await self._free_readers.get()
        try:
            return await reader.run_with_retries(sql, *parameters)
        finally:
            self._free_readers.put_nowait(reader)

    async def read(self, table: str, after: int = -1, most: int | None = None) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order; at most the first `most`."""
        return await self._logs.read(table, after, most)

    @property
    def log_statements(self) -> int:
        """The number of statements that have read logs."""
        return self._logs.statements

    async def record_presence(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Record that these seats are connected now."""
        noted = sorted(set(seats))  # an order that can't deadlock with other nodes
        await self._notifier.run_with_retries(
            "INSERT INTO presence SELECT *, $3::bigint FROM unnest($1::text[], $2::integer[]) "
            "ON CONFLICT (table_id, seat) DO UPDATE SET seen = excluded.seen",
            [table for table, _ in noted],
            [seat for _, seat in noted],
            now,
        )

    async def last_seen(self, table: str) -> dict[int, int]:
        """When each seat of a table was last connected, in milliseconds."""
        return dict(await self._query("SELECT seat, seen FROM presence WHERE table_id = $1", table))

    async def get_or_set_fact(self, name: str, otherwise: str) -> str:
        """Return a setting of the whole storage; set it if missing."""
        await self._query("INSERT INTO facts VALUES ($1, $2) ON CONFLICT DO NOTHING", name, otherwise)
        ((value,),) = await self._query("SELECT value FROM facts WHERE name = $1", name)
        return str(value)

    # Other nodes

    def listen(self, heard: OnChanges, entries: OnEntries | None = None, key: str = "") -> None:
        """Report writes by other nodes from now on."""
        self._on_changes, self._on_entries, self._key = heard, entries, key
        if self._links:
            self._notifications = Notifications(self._writer_id, key)
        if self._links and self._listen_task is None:
            self._listen_task = asyncio.create_task(self._run_listener())

    async def _run_notifier(self) -> None:
        """Notify other nodes of writes; writes during a notification are batched into the next."""
        while (
            not (self._is_closing and all(writer.done() for writer in self._writer_tasks))
            or self._unannounced
        ):
            await self._written.wait()
            self._written.clear()
            written, self._unannounced = self._unannounced, []
            with suppress(StorageError):  # other nodes poll anyway
                await self._notifier.run_with_retries(
                    "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS given (message)",
                    _CHANNEL,
                    self._notifications.write(written),
                )

    async def _run_listener(self) -> None:
        """Listen and poll for changes; reconnect whenever the connection is lost."""
        while True:
            lost = asyncio.Event()
            with suppress(StorageError):
                await self._listener.listen(_CHANNEL, self._on_notification, lost.set)
                while not lost.is_set():
                    await self._poll()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(lost.wait(), self._poll_interval)
            self._listener.drop()
            await asyncio.sleep(min(0.1, self._poll_interval))

    def _on_notification(self, message: str) -> None:
        changes, entries = self._notifications.read(message)
        if entries and self._on_entries is not None:
            self._loop.call_soon(self._on_entries, entries)
        self._report_changes(changes)

    def _report_changes(self, changes: dict[str, int]) -> None:
        fresh = [(table, n) for table, n in changes.items() if n > self._reported.get(table, -1)]
        self._reported |= dict(fresh)
        if fresh and self._on_changes is not None:
            self._loop.call_soon(self._on_changes, fresh)  # so that its exceptions don't end up here

    async def _poll(self) -> None:
        """Poll for writes by others since the last poll; all times are the database's."""
        ((now,),) = await self._listener.run(_NOW)
        found = await self._listener.run(
            _RECENT_CHANGES, self._polled_at, self._overlap, self._writer_id
        )
        changes: dict[str, int] = dict(found)
        self._report_changes(changes)
        self._reported = changes
        self._polled_at = now
