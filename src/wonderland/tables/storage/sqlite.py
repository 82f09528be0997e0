"""Tables in one SQLite file: WAL, `synchronous=FULL`, one writer.

The writer is a thread with a connection of its own. It takes all that waits for it, commits that at once
and only then answers; what comes meanwhile waits for its next round. Reading has another thread and
another connection, which in WAL never waits for the writer. Other processes may use the same file:
SQLite lets one of them write at a time, and `data_version` tells the writer that others have.
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

from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    OnChanges,
    OnCommitted,
    StorageError,
    StoredEntry,
    TableIndexRow,
    checked_version,
)
from wonderland.tables.storage.sqlite_documents import SqliteShelf
from wonderland.tables.storage.sqlite_schema import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

_MOST_AT_ONCE = 1000
_BUSY_SECONDS = 30.0
"""How long to wait for another process that writes."""
_ROWS_AT_ONCE = 200
"""SQLite takes 999 values in a statement everywhere."""
_LOOK_SECONDS = 0.05
"""How often to look whether another process has written."""


class SqliteStorage:
    """Keeps `wonderland.tables.storage.interface.Storage` in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._gathered: list[tuple[Addition, OnCommitted]] = []
        self._waiting: SimpleQueue[list[tuple[Addition, OnCommitted]] | None] = SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="sqlite-reader")
        self._heard: OnChanges | None = None
        self._closed = False
        self._newest = 0
        """The `seq` of the last entry that we wrote."""
        self.log_statements = 0
        """How many have read logs."""
        self._turn = threading.Lock()
        self.shelf = SqliteShelf(self._connect, self._alone)

    async def open(self) -> None:
        """Make the file if it is not there, bring its schema up to date, start the writer."""
        self._loop = asyncio.get_running_loop()
        try:
            self._writer = self._connect()
        except sqlite3.Error as error:
            raise StorageError(f"the database {self.path} can't be opened: {error}.") from error
        if fcntl is not None:
            try:
                self._lock = os.open(f"{self.path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                self._writer.close()
                raise StorageError(
                    f"the database {self.path} can't be opened: {error.strerror}."
                ) from error
        try:
            self._migrate()
            self._reader = await self._read(self._connect)
        except sqlite3.Error as error:
            self._writer.close()  # which undoes what was begun
            raise StorageError(f"the database {self.path} can't be opened: {error}.") from error
        except StorageError:
            self._writer.close()
            raise
        (self._version,) = self._writer.execute("PRAGMA data_version").fetchone()
        (self._last,) = self._writer.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
        self._thread = threading.Thread(target=self._write_on, name="sqlite-writer", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        # Autocommit: transactions are begun and committed by name. Each connection stays in its
        # thread once it is open, but the writer's is opened, and closed, by the event loop's.
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _migrate(self) -> None:
        writer = self._writer
        writer.execute("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        writer.execute("BEGIN IMMEDIATE")  # two processes that start at once take turns
        found = writer.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
        version = checked_version(found[0] if found else None, len(STEPS), f"the database {self.path}")
        for step in STEPS[version:]:
            for statement in step.split(";"):
                writer.execute(statement)
        writer.execute("INSERT OR REPLACE INTO facts VALUES ('schema', ?)", (str(len(STEPS)),))
        writer.execute("COMMIT")

    async def close(self) -> None:
        """Commit what was accepted, answer for it, and let go of the file."""
        self._closed = True
        self._hand_over()
        self._waiting.put(None)
        await self.shelf.close()
        await asyncio.to_thread(self._thread.join)
        await asyncio.sleep(0)  # the writer's last answers
        self._writer.close()
        if fcntl is not None:
            os.close(self._lock)
        await self._read(self._reader.close)
        self._reading.shutdown()

    # Writing

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Hand over to the writer, together with all that comes in the same tick of the loop."""
        if self._closed:
            self._loop.call_soon(done, StorageError(f"the database {self.path} has been closed."))
            return
        self._gathered.append((addition, done))
        if len(self._gathered) == 1:
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._waiting.put(gathered)

    def _write_on(self) -> None:
        """The writer's life: wait for something, take all there is, commit it, answer."""
        looked = time.monotonic()
        while True:
            closing, batch = self._next_batch()
            if batch:
                self._commit_all(batch)
            if closing:
                return
            if time.monotonic() - looked >= _LOOK_SECONDS:
                looked = time.monotonic()
                with suppress(sqlite3.Error):  # then the next look will tell
                    self._look()

    def _next_batch(self) -> tuple[bool, list[tuple[Addition, OnCommitted]]]:
        """All that waits, after waiting for something; and whether it is the end."""
        batch: list[tuple[Addition, OnCommitted]] = []
        with suppress(Empty):
            found = self._waiting.get(timeout=_LOOK_SECONDS)
            while found is not None:
                batch += found
                if len(batch) >= _MOST_AT_ONCE:
                    return False, batch
                found = self._waiting.get_nowait()
            return True, batch  # the end is put last
        return False, batch

    def _commit_all(self, batch: Sequence[tuple[Addition, OnCommitted]]) -> None:
        answers = self._committed([addition for addition, _ in batch])
        told = [(done, answer) for (_, done), answer in zip(batch, answers, strict=True)]
        self._loop.call_soon_threadsafe(_tell, told)

    def _committed(self, additions: Sequence[Addition]) -> Sequence[CommitResult]:
        try:
            with self._alone():
                self._writer.execute("BEGIN IMMEDIATE")
                answers = self._insert_all(additions)
                self._commit()
            if any(answers):
                self._pass_over(sum(answers))
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            failure = StorageError(f"the database {self.path} could not be written: {error}.")
            return [failure] * len(additions)
        return answers

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for others that write: SQLite would look again now and then, and oversleep."""
        with self._turn:  # our other thread has the same lock
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
        """Write the entries at once if none of them is there already, else one by one."""
        # Another process's commits are before ours or after: nothing gets between within the batch.
        entries = [each.entry for each in additions]
        if self._insert(entries) == len(entries):
            answers = [True] * len(entries)
        else:
            self._writer.execute("ROLLBACK")
            self._writer.execute("BEGIN IMMEDIATE")
            answers = [self._insert([entry]) == 1 for entry in entries]
        for addition, answer in zip(additions, answers, strict=True):
            if answer:
                self._index(addition)
        return answers

    def _insert(self, entries: Sequence[StoredEntry]) -> int:
        """Write entries that are not there yet; gives how many.

        One statement for many: this thread must get hold of the interpreter again after each, while the
        event loop is busy with it.
        """
        written = 0
        for first in range(0, len(entries), _ROWS_AT_ONCE):
            some = entries[first : first + _ROWS_AT_ONCE]
            values = [
                value for entry in some for value in (entry.table, entry.n, entry.time, entry.body)
            ]
            inserted = self._writer.execute(_insertion(len(some)), values)
            written += inserted.rowcount
            if inserted.rowcount and inserted.lastrowid is not None:
                self._newest = inserted.lastrowid
        return written

    def _pass_over(self, written: int) -> None:
        """Our own last entries are no news; what others wrote between them and what we knew is."""
        if self._newest - written > self._last:
            self._tell_news(self._newest - written)
        self._last = self._newest

    def _index(self, addition: Addition) -> None:
        """Change the indexes along with an entry."""
        write = self._writer.execute
        if (row := addition.row) is not None:
            places = (row.table, row.game, row.status, row.listed, row.free, row.changed, row.due)
            write("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", places)
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

    async def _read(self, reading: Callable[..., T], *given: Any) -> T:
        return await self._loop.run_in_executor(self._reading, reading, *given)

    async def _all(self, query: str, *given: object) -> list[Any]:
        def fetched() -> list[Any]:
            return self._reader.execute(query, given).fetchall()

        try:
            return await self._read(fetched)
        except sqlite3.Error as error:
            raise StorageError(f"the database {self.path} could not be read: {error}.") from error

    async def read(self, table: str, after: int = -1) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order."""
        self.log_statements += 1
        query = "SELECT table_id, n, time, body FROM log WHERE table_id = ? AND n > ? ORDER BY n"
        return [StoredEntry(*found) for found in await self._all(query, table, after)]

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` has come, the most overdue first."""
        query = "SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?"
        return [table for (table,) in await self._all(query, now, most)]

    async def postpone(self, table: str, due: int | None) -> None:
        """Let a table be due at another time, or not at all."""
        await self._all("UPDATE tables SET due = ? WHERE table_id = ?", due, table)

    async def open_tables(self, most: int = 100) -> Sequence[TableIndexRow]:
        """The tables that wait for players in the open list, the newest first."""
        query = (
            "SELECT * FROM tables WHERE listed AND status = 'waiting' AND free > 0 "
            "ORDER BY changed DESC LIMIT ?"
        )
        return [_row(found) for found in await self._all(query, most)]

    async def sits(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """Where this device sits, each with the seat; the latest changes first."""
        query = (
            "SELECT tables.*, seat FROM sitters JOIN tables USING (table_id) WHERE device = ? "
            "ORDER BY changed DESC, table_id, seat LIMIT ?"
        )
        return [(_row(found[:-1]), found[-1]) for found in await self._all(query, device, most)]

    async def count(self) -> dict[str, int]:
        """How many tables there are of each status, but for those that are finished."""
        unfinished = "SELECT status, count(*) FROM tables WHERE status <> 'finished' GROUP BY status"
        return dict(await self._all(unfinished))

    # Presence and facts: written by the reader, which is no harm, since each write is a whole

    async def see(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Note that someone is at these seats now."""
        noted = [(table, seat, now) for table, seat in seats]

        def write() -> None:
            with self._reader:  # which rolls back what fails
                self._reader.execute("BEGIN IMMEDIATE")
                self._reader.executemany("INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", noted)

        try:
            await self._read(write)
        except sqlite3.Error as error:
            raise StorageError(f"the database {self.path} could not be written: {error}.") from error

    async def seen(self, table: str) -> dict[int, int]:
        """When someone was last noted at each seat of a table, in milliseconds."""
        return dict(await self._all("SELECT seat, seen FROM presence WHERE table_id = ?", table))

    async def fact(self, name: str, otherwise: str) -> str:
        """A fact about the whole storage; the first to ask settles it."""
        await self._all("INSERT OR IGNORE INTO facts VALUES (?, ?)", name, otherwise)
        ((value,),) = await self._all("SELECT value FROM facts WHERE name = ?", name)
        return str(value)

    # Other processes

    def listen(self, heard: OnChanges) -> None:
        """Let the writer look, whenever it has nothing else to do, whether others have written."""
        self._heard = heard

    def _look(self) -> None:
        (version,) = self._writer.execute("PRAGMA data_version").fetchone()
        if version == self._version:  # which our own commits leave as it is
            return
        self._version = version
        (newest,) = self._writer.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
        if newest > self._last:
            self._tell_news(newest)
            self._last = newest

    def _tell_news(self, newest: int) -> None:
        """Tell of the entries after those that we knew, up to this one."""
        found = self._writer.execute(
            "SELECT table_id, max(n) FROM log WHERE seq > ? AND seq <= ? GROUP BY table_id",
            (self._last, newest),
        ).fetchall()
        if found and self._heard is not None:
            self._loop.call_soon_threadsafe(self._heard, found)


@cache
def _insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?)"] * rows)
    return f"INSERT OR IGNORE INTO log (table_id, n, time, body) VALUES {values}"  # noqa: S608 - no values


def _row(found: Sequence[Any]) -> TableIndexRow:
    table, game, status, listed, free, changed, due = found
    return TableIndexRow(table, game, status, bool(listed), free, changed, due)


def _tell(told: Sequence[tuple[OnCommitted, CommitResult]]) -> None:
    loop = asyncio.get_running_loop()
    for done, answer in told:
        try:
            done(answer)
        except Exception as error:  # noqa: BLE001 - the fault of one must not keep others waiting
            loop.call_exception_handler({"message": "an answer was not taken", "exception": error})
