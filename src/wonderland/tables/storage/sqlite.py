"""Storage in one SQLite file: WAL, `synchronous=FULL`, one writer.

The writer is a thread with its own connection. It commits everything queued as one batch and only then
acknowledges it; what arrives during a commit goes into the next batch. Reads have another thread and
connection, which in WAL mode never wait for the writer. Other processes may use the same file: SQLite
serialises their writes, and the writer polls `data_version` to notice them.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from wonderland.engine.language import phrase
from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    OnChanges,
    OnCommitted,
    OnEntries,
    StorageError,
    StoredEntry,
)
from wonderland.tables.storage.sqlite_documents import SqliteDocumentStore
from wonderland.tables.storage.sqlite_index import SqliteIndex
from wonderland.tables.storage.sqlite_maintenance import SqliteMaintenance, mark_in_use
from wonderland.tables.storage.sqlite_schema import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

_MAX_BATCH = 1000
_LOCK_TIMEOUT = 30.0
"""Timeout for the write lock held by another process."""
_ROWS_PER_STATEMENT = 200
"""Every SQLite build accepts at least 999 parameters in a statement; a row has 4."""
_POLL_SECONDS = 0.05
"""How often to poll for writes by other processes."""

_NOT_OPENED = phrase("the database {path} can't be opened: {reason}.")
_NOT_READ = phrase("the database {path} can't be read: {reason}.")
_NOT_WRITTEN = phrase("the database {path} can't be written: {reason}.")
_CLOSED = phrase("the database {path} has been closed.")


class SqliteStorage(SqliteIndex):
    """Implements `wonderland.tables.storage.interface.Storage` in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._gathered: list[tuple[Addition, OnCommitted]] = []
        self._queue: SimpleQueue[list[tuple[Addition, OnCommitted]] | None] = SimpleQueue()
        self._read_executor = ThreadPoolExecutor(1, thread_name_prefix="sqlite-reader")
        self._on_changes: OnChanges | None = None
        self._closed = False
        self._in_use: int | None = None
        self._newest_own = 0
        """The `seq` of the last entry written by this process."""
        self.log_statements = 0
        """The number of statements that have read logs."""
        self._thread_lock = threading.Lock()
        self.documents = SqliteDocumentStore(self._connect, self._write_lock)
        self.maintenance = SqliteMaintenance(self._connect, self._write_lock)

    async def open(self) -> None:
        """Create the file if it is missing, migrate its schema, and start the writer."""
        self._loop = asyncio.get_running_loop()
        try:
            self._create_file()
            self._writer = self._connect()
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or error
            raise self._failure(_NOT_OPENED, why) from error
        if fcntl is not None:
            try:
                self._lock = os.open(f"{self.path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                self._in_use = mark_in_use(self.path)
            except OSError as error:
                self._writer.close()
                raise self._failure(_NOT_OPENED, error.strerror) from error
        try:
            migrate(self._writer, self.path)
            self._reader = await self._run_read(self._connect)
            newest = "SELECT coalesce(max(seq), 0) FROM log"
            (self._version,) = self._writer.execute("PRAGMA data_version").fetchone()
            (self._last_known,) = self._writer.execute(newest).fetchone()
        except (OSError, sqlite3.Error) as error:
            self._writer.close()  # rolls back an unfinished migration
            why = getattr(error, "strerror", None) or error
            raise self._failure(_NOT_OPENED, why) from error
        except StorageError:
            self._writer.close()
            raise
        self._thread = threading.Thread(target=self._run_writer, name="sqlite-writer", daemon=True)
        self._thread.start()

    def _failure(self, text: str, reason: object = None) -> StorageError:
        return StorageError(text, path=self.path, reason=reason)

    def _create_file(self) -> None:
        """Create the file if it is missing, for its owner only: it contains secrets of running games."""
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))

    def _connect(self) -> sqlite3.Connection:
        # Autocommit mode: transactions are explicit. Each connection is used in one thread only, but the
        # writer's is opened and closed in the thread of the event loop.
        connection = sqlite3.connect(
            self.path, timeout=_LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    async def close(self) -> None:
        """Commit and acknowledge all accepted additions, then close the file."""
        self._closed = True
        self._flush_gathered()
        self._queue.put(None)
        await self.documents.close()
        await asyncio.to_thread(self._thread.join)
        await asyncio.sleep(0)  # lets the writer's last callbacks run
        self._writer.close()
        if fcntl is not None:
            os.close(self._lock)
        if self._in_use is not None:
            os.close(self._in_use)
        await self._run_read(self._reader.close)
        self._read_executor.shutdown()

    # Writing

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Queue for the writer, batched with everything from the same tick of the event loop."""
        if self._closed:
            self._loop.call_soon(done, self._failure(_CLOSED))
            return
        self._gathered.append((addition, done))
        if len(self._gathered) == 1:
            self._loop.call_soon(self._flush_gathered)

    def _flush_gathered(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._queue.put(gathered)

    def _run_writer(self) -> None:
        """The writer thread: take a batch, commit it, acknowledge it; poll for other writers between."""
        polled_at = time.monotonic()
        while True:
            closing, batch = self._next_batch()
            if batch:
                self._commit_all(batch)
            if closing:
                return
            if time.monotonic() - polled_at >= _POLL_SECONDS:
                polled_at = time.monotonic()
                with suppress(sqlite3.Error):  # then the next poll will notice
                    self._poll()

    def _next_batch(self) -> tuple[bool, list[tuple[Addition, OnCommitted]]]:
        """Wait for additions and take all that are queued; return whether to stop, and the batch."""
        batch: list[tuple[Addition, OnCommitted]] = []
        with suppress(Empty):
            found = self._queue.get(timeout=_POLL_SECONDS)
            while found is not None:
                batch += found
                if len(batch) >= _MAX_BATCH:
                    return False, batch
                found = self._queue.get_nowait()
            return True, batch  # the stop marker is queued last
        return False, batch

    def _commit_all(self, batch: Sequence[tuple[Addition, OnCommitted]]) -> None:
        answers = self._try_commit([addition for addition, _ in batch])
        callbacks = [(done, answer) for (_, done), answer in zip(batch, answers, strict=True)]
        self._loop.call_soon_threadsafe(_run_callbacks, callbacks)

    def _try_commit(self, additions: Sequence[Addition]) -> Sequence[CommitResult]:
        try:
            with self._write_lock():
                self._writer.execute("BEGIN IMMEDIATE")
                answers = self._insert_all(additions)
                self._commit()
            if any(answers):
                self._skip_own(sum(answers))
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            failure = self._failure(_NOT_WRITTEN, error)
            return [failure] * len(additions)
        return answers

    @contextmanager
    def _write_lock(self) -> Iterator[None]:
        """Hold the write lock. SQLite's own busy handler polls with sleeps, which is slower."""
        with self._thread_lock:  # flock doesn't exclude the other thread of this process
            if fcntl is None:
                yield
                return
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._lock, fcntl.LOCK_UN)

    def _commit(self) -> None:
        self._writer.execute("COMMIT")

    def _insert_all(self, additions: Sequence[Addition]) -> list[bool]:
        """Insert all entries at once if none of them exists, else one by one."""
        # Others commit before or after this transaction, so the entries of a batch are consecutive.
        entries = [each.entry for each in additions]
        if self._insert(entries) == len(entries):
            answers = [True] * len(entries)
        else:
            self._writer.execute("ROLLBACK")
            self._writer.execute("BEGIN IMMEDIATE")
            answers = [self._insert([entry]) == 1 for entry in entries]
        for addition, answer in zip(additions, answers, strict=True):
            if answer:
                self._update_indexes(addition)
        return answers

    def _insert(self, entries: Sequence[StoredEntry]) -> int:
        """Insert the entries that don't exist yet; return how many.

        Multi-row statements, because after each one this thread must reacquire the GIL from the busy
        event loop.
        """
        written = 0
        for first in range(0, len(entries), _ROWS_PER_STATEMENT):
            some = entries[first : first + _ROWS_PER_STATEMENT]
            values = [
                value for entry in some for value in (entry.table, entry.n, entry.time, entry.body)
            ]
            inserted = self._writer.execute(_insert_statement(len(some)), values)
            written += inserted.rowcount
            if inserted.rowcount and inserted.lastrowid is not None:
                self._newest_own = inserted.lastrowid
        return written

    def _skip_own(self, written: int) -> None:
        """Skip this process's own entries, but report what others wrote just before them."""
        if self._newest_own - written > self._last_known:
            self._report_changes(self._newest_own - written)
        self._last_known = self._newest_own

    def _update_indexes(self, addition: Addition) -> None:
        """Update the indexes along with an entry."""
        write = self._writer.execute
        if (row := addition.row) is not None:
            places = (row.table, row.game, row.status, row.listed, row.free, row.changed, row.due)
            write("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*places, row.source))
        for sitter in addition.departed:
            write(
                "DELETE FROM sitters WHERE device = ? AND table_id = ? AND seat = ?",
                (sitter.device, sitter.table, sitter.seat),
            )
        for sitter in addition.arrived:
            write(
                "INSERT OR IGNORE INTO sitters VALUES (?, ?, ?)",
                (sitter.device, sitter.table, sitter.seat),
            )

    # Reading

    async def _run_read(self, work: Callable[..., T], *parameters: Any) -> T:
        return await self._loop.run_in_executor(self._read_executor, work, *parameters)

    async def _query(self, query: str, *parameters: object) -> list[Any]:
        def fetch() -> list[Any]:
            return self._reader.execute(query, parameters).fetchall()

        try:
            return await self._run_read(fetch)
        except sqlite3.Error as error:
            raise self._failure(_NOT_READ, error) from error

    async def read(self, table: str, after: int = -1, most: int | None = None) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order; at most the first `most`."""
        self.log_statements += 1
        where = "table_id = ? AND n > ? ORDER BY n LIMIT ?"
        query = f"SELECT table_id, n, time, body FROM log WHERE {where}"  # noqa: S608 - a constant
        found = await self._query(query, table, after, -1 if most is None else most)
        return [StoredEntry(*entry) for entry in found]

    # Presence and facts: written through the reader, which is safe as each write is one transaction

    async def record_presence(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Record that these seats are connected now."""
        noted = [(table, seat, now) for table, seat in seats]

        def write(connection: sqlite3.Connection) -> None:  # no cursor may leave the thread
            connection.executemany("INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", noted)

        await self._write(write)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run work in a transaction of the reader's connection."""

        def write() -> T:
            with self._write_lock(), self._reader:  # rolls back on failure
                self._reader.execute("BEGIN IMMEDIATE")
                return work(self._reader)

        try:
            return await self._run_read(write)
        except sqlite3.Error as error:
            raise self._failure(_NOT_WRITTEN, error) from error

    async def last_seen(self, table: str) -> dict[int, int]:
        """When each seat of a table was last connected, in milliseconds."""
        return dict(await self._query("SELECT seat, seen FROM presence WHERE table_id = ?", table))

    async def get_or_set_fact(self, name: str, otherwise: str) -> str:
        """Return a setting of the whole storage; set it if missing."""
        await self._query("INSERT OR IGNORE INTO facts VALUES (?, ?)", name, otherwise)
        ((value,),) = await self._query("SELECT value FROM facts WHERE name = ?", name)
        return str(value)

    # Other processes

    def listen(self, heard: OnChanges, entries: OnEntries | None = None, key: str = "") -> None:  # noqa: ARG002
        """Report writes by other processes, for which the writer polls."""
        self._on_changes = heard

    def _poll(self) -> None:
        (version,) = self._writer.execute("PRAGMA data_version").fetchone()
        if version == self._version:  # unchanged by commits of this connection
            return
        self._version = version
        (newest,) = self._writer.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
        if newest > self._last_known:
            self._report_changes(newest)
            self._last_known = newest

    def _report_changes(self, newest: int) -> None:
        """Report the entries between the last known one and `newest`."""
        found = self._writer.execute(
            "SELECT table_id, max(n) FROM log WHERE seq > ? AND seq <= ? GROUP BY table_id",
            (self._last_known, newest),
        ).fetchall()
        if found and self._on_changes is not None:
            self._loop.call_soon_threadsafe(self._on_changes, found)


@cache
def _insert_statement(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?)"] * rows)
    return f"INSERT OR IGNORE INTO log (table_id, n, time, body) VALUES {values}"  # noqa: S608 - placeholders only


def _run_callbacks(callbacks: Sequence[tuple[OnCommitted, CommitResult]]) -> None:
    loop = asyncio.get_running_loop()
    for done, answer in callbacks:
        try:
            done(answer)
        except Exception as error:  # noqa: BLE001 - one failing callback must not block the others
            loop.call_exception_handler({"message": "an answer was not taken", "exception": error})
