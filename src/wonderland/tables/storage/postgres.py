"""Tables in a PostgreSQL database, which several nodes can share.

A writer takes all additions that wait for it and commits them by one statement; what comes meanwhile
waits for its next round. Other nodes are woken by NOTIFY, after the commit and on another connection:
within the writing transaction it would take a lock that all writers share. A node can die between the
two, and a listening connection can be lost, so every node also looks now and then for what is new.
Readings of logs that wait are asked for together, too (`postgres_reading.py`).

asyncpg is needed: `pip install 'wonderland[postgresql]'`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from wonderland.tables.storage import postgres_schema as schema
from wonderland.tables.storage.interface import (
    Addition,
    CommitResult,
    OnChanges,
    OnCommitted,
    StorageError,
    StoredEntry,
    TableIndexRow,
)
from wonderland.tables.storage.postgres_connection import (
    ConnectionLost,
    InvalidData,
    PostgresConnection,
    RetryPolicy,
    WriteConflict,
    described,
)
from wonderland.tables.storage.postgres_documents import PostgresShelf
from wonderland.tables.storage.postgres_log_reader import LogReader

_MOST_AT_ONCE = 1000
_LOG_READERS = 4
_OTHER_READERS = 2
_CHANNEL = "wonderland"
_LONGEST_MESSAGE = 7900
"""In bytes; PostgreSQL allows 7999."""

_NOW = "SELECT clock_timestamp()"
_LATELY = """
    SELECT table_id, max(n) FROM log
    WHERE written > $1::timestamptz - make_interval(secs => $2) AND writer <> $3::bigint
    GROUP BY table_id
"""
"""What others wrote since a time, or somewhat before."""
_ROW = "table_id, game, status, listed, free, changed, due"


class PostgresStorage:
    """Keeps `wonderland.tables.storage.interface.Storage` in a database, named by its URL.

    When the connection is lost, calls wait up to `patience` seconds for it to come back. Every `look`
    seconds it looks for what other nodes have written, from `overlap` seconds before the last look: an
    entry is dated when it is inserted, and is to be seen only when that is committed.
    """

    def __init__(
        self,
        url: str,
        *,
        writers: int = 1,
        patience: float = 5.0,
        look: float = 2.0,
        overlap: float = 10.0,
    ) -> None:
        self.url = url
        self._writers = writers
        self._patience = patience
        self._look_seconds = look
        self._overlap = overlap
        self._waiting: list[tuple[Addition, OnCommitted]] = []
        self._news: dict[str, int] = {}
        """What other nodes have not been told yet."""
        self._known: dict[str, int] = {}
        """What was heard of lately: no need to tell it again."""
        self._heard: OnChanges | None = None
        self._arrived, self._written = asyncio.Event(), asyncio.Event()
        self._links: Sequence[PostgresConnection] = ()
        self._writing: Sequence[asyncio.Task[None]] = ()
        self._listening: asyncio.Task[None] | None = None
        self._is_closing = False
        self.shelf = PostgresShelf(self._all)

    async def open(self) -> None:
        """Connect; bring the schema up to date; start the writers."""
        self._loop = asyncio.get_running_loop()
        # Which process wrote an entry stands beside it; chosen here, as processes may be copied before.
        self._name = secrets.randbits(62)

        def link(purpose: str, **settings: str) -> PostgresConnection:
            return PostgresConnection(self.url, purpose, self._patience, settings)

        # A plan that was made while the tables were small would read them as a whole for ever after.
        writing = [link("writer", enable_seqscan="off") for _ in range(self._writers)]
        reading = [link("log reader", enable_seqscan="off", jit="off") for _ in range(_LOG_READERS)]
        others = [link("reader", enable_seqscan="off") for _ in range(_OTHER_READERS)]
        # News and presence are soon replaced by newer ones and need not be on disk.
        self._speaker = link("speaker", synchronous_commit="off")
        self._listener = link("listener")
        self._free_readers: asyncio.LifoQueue[PostgresConnection] = asyncio.LifoQueue()
        for reader in others:
            self._free_readers.put_nowait(reader)
        try:
            await writing[0].insist_together(
                lambda connection: schema.migrate(connection, described(self.url))
            )
            # What others write from here on is heard, even if listening begins with a lost connection.
            ((self._looked,),) = await writing[0].insist(_NOW)
        except StorageError:
            writing[0].drop()
            raise
        self._links = [*writing, *reading, *others, self._speaker, self._listener]
        self._logs = LogReader(reading)
        self._writing = [asyncio.create_task(self._write_on(link)) for link in writing]
        self._speaking = asyncio.create_task(self._speak_on())
        if self._heard is not None:
            self.listen(self._heard)

    async def close(self) -> None:
        """Commit what was accepted, answer for it, tell the other nodes, and let go."""
        self._is_closing = True
        if not self._links:
            return  # it never was open
        self._arrived.set()
        await asyncio.gather(*self._writing)
        await self._logs.close()
        self._written.set()
        await self._speaking
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await asyncio.gather(*(link.close() for link in self._links))

    # Writing

    def append(self, addition: Addition, done: OnCommitted) -> None:
        """Hand over to the writers. An answer that is an error may still have been committed."""
        if self._is_closing:
            self._loop.call_soon(done, StorageError("the storage is closed."))
            return
        self._waiting.append((addition, done))
        self._arrived.set()

    async def _write_on(self, link: PostgresConnection) -> None:
        """A writer's life: wait for something, take all there is, commit it, answer."""
        while True:
            while not self._waiting:
                if self._is_closing:
                    return
                self._arrived.clear()
                await self._arrived.wait()
            batch = self._take()
            answers = await self._committed(link, [addition for addition, _ in batch])
            for (addition, done), answer in zip(batch, answers, strict=True):
                if answer is True:
                    self._news[addition.entry.table] = addition.entry.n
                self._loop.call_soon(done, answer)  # so that what one of them raises hurts no other
            self._written.set()

    def _take(self) -> list[tuple[Addition, OnCommitted]]:
        """What waits, one addition of each table, in an order that can't deadlock with other nodes."""
        batch: dict[str, tuple[Addition, OnCommitted]] = {}
        later = []
        for waiting in self._waiting:
            table = waiting[0].entry.table
            if table in batch or len(batch) == _MOST_AT_ONCE:
                later.append(waiting)
            else:
                batch[table] = waiting
        self._waiting = later
        return [batch[table] for table in sorted(batch)]

    async def _committed(
        self, link: PostgresConnection, additions: Sequence[Addition]
    ) -> Sequence[CommitResult]:
        try:
            written = await self._insisted(link, additions)
        except InvalidData as error:
            if len(additions) == 1:
                return [error]
            half = len(additions) // 2  # so that what can't be stored harms no other table
            first, second = additions[:half], additions[half:]
            return [*await self._committed(link, first), *await self._committed(link, second)]
        except StorageError as error:
            return [error] * len(additions)
        except Exception as error:  # noqa: BLE001 - every addition is answered, whatever happens
            return [StorageError(f"the writer failed: {error!r}.")] * len(additions)
        return [addition.entry.table in written for addition in additions]

    async def _insisted(self, link: PostgresConnection, additions: Sequence[Addition]) -> set[str]:
        """The tables whose entries are written; after a lost connection those that had been, too."""
        arguments = schema.commit_arguments(additions)
        tables, numbers, _, bodies, *_ = arguments
        patience = RetryPolicy(self._patience)
        in_doubt = False
        while True:
            try:
                # In doubt too it is written first: if the lost connection's transaction is still under
                # way, that waits for its end.
                written = {table for (table,) in await link.ask(schema.COMMIT, self._name, *arguments)}
                if in_doubt and len(written) < len(additions):
                    ours = await link.ask(schema.OURS, self._name, tables, numbers, bodies)
                    written |= {table for (table,) in ours}
            except ConnectionLost as error:
                in_doubt = True
                await patience.pause(error)
            except WriteConflict as error:
                await patience.pause(error)
            else:
                return written

    # Reading

    async def _all(self, sql: str, *given: object) -> Sequence[Any]:
        if self._is_closing:
            raise StorageError("the storage is closed.")
        reader = await self._free_readers.get()
        try:
            return await reader.insist(sql, *given)
        finally:
            self._free_readers.put_nowait(reader)

    async def read(self, table: str, after: int = -1) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order."""
        return await self._logs.read(table, after)

    @property
    def log_statements(self) -> int:
        """How many statements have read logs."""
        return self._logs.statements

    async def due(self, now: int, most: int = 100) -> Sequence[str]:
        """Tables whose `due` has come, the most overdue first."""
        sql = "SELECT table_id FROM tables WHERE due <= $1 ORDER BY due LIMIT $2"
        return [table for (table,) in await self._all(sql, now, most)]

    async def postpone(self, table: str, due: int | None) -> None:
        """Let a table be due at another time, or not at all, without writing to its log."""
        await self._all("UPDATE tables SET due = $2 WHERE table_id = $1", table, due)

    async def open_tables(self, most: int = 100) -> Sequence[TableIndexRow]:
        """The tables that wait for players in the open list, the newest first."""
        where = "listed AND status = 'waiting' AND free > 0 ORDER BY changed DESC LIMIT $1"
        sql = f"SELECT {_ROW} FROM tables WHERE {where}"  # noqa: S608 - nothing of it comes from outside
        return [TableIndexRow(*found) for found in await self._all(sql, most)]

    async def sits(self, device: str, most: int = 100) -> Sequence[tuple[TableIndexRow, int]]:
        """Where this device sits, each with the seat; the latest changes first."""
        where = "device = $1 ORDER BY changed DESC, table_id, seat LIMIT $2"
        sql = f"SELECT {_ROW}, seat FROM sitters JOIN tables USING (table_id) WHERE {where}"  # noqa: S608
        return [(TableIndexRow(*row), seat) for *row, seat in await self._all(sql, device, most)]

    async def count(self) -> dict[str, int]:
        """How many tables there are of each status, but for those that are finished."""
        unfinished = "SELECT status, count(*) FROM tables WHERE status <> 'finished' GROUP BY status"
        return dict(await self._all(unfinished))

    async def see(self, seats: Iterable[tuple[str, int]], now: int) -> None:
        """Note that someone is at these seats now."""
        noted = sorted(set(seats))  # in an order that can't deadlock with other nodes
        await self._speaker.insist(
            "INSERT INTO presence SELECT *, $3::bigint FROM unnest($1::text[], $2::integer[]) "
            "ON CONFLICT (table_id, seat) DO UPDATE SET seen = excluded.seen",
            [table for table, _ in noted],
            [seat for _, seat in noted],
            now,
        )

    async def seen(self, table: str) -> dict[int, int]:
        """When someone was last noted at each seat of a table, in milliseconds."""
        return dict(await self._all("SELECT seat, seen FROM presence WHERE table_id = $1", table))

    async def fact(self, name: str, otherwise: str) -> str:
        """A fact about the whole storage; the first to ask settles it."""
        await self._all("INSERT INTO facts VALUES ($1, $2) ON CONFLICT DO NOTHING", name, otherwise)
        ((value,),) = await self._all("SELECT value FROM facts WHERE name = $1", name)
        return str(value)

    # Other nodes

    def listen(self, heard: OnChanges) -> None:
        """Call `heard` with what other nodes write, from now on."""
        self._heard = heard
        if self._links and self._listening is None:
            self._listening = asyncio.create_task(self._listen_on())

    async def _speak_on(self) -> None:
        """Tell other nodes what was written; what is written meanwhile is told together."""
        while not (self._is_closing and all(writer.done() for writer in self._writing)) or self._news:
            await self._written.wait()
            self._written.clear()
            news, self._news = self._news, {}
            with suppress(StorageError):  # they look for themselves before long
                await self._speaker.insist(
                    "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS given (message)",
                    _CHANNEL,
                    messages(self._name, news),
                )

    async def _listen_on(self) -> None:
        """Listen, and look now and then; again and again, should the connection be lost."""
        while True:
            lost = asyncio.Event()
            with suppress(StorageError):
                await self._listener.listen(_CHANNEL, self._hear, lost.set)
                while not lost.is_set():
                    await self._look()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(lost.wait(), self._look_seconds)
            self._listener.drop()
            await asyncio.sleep(min(0.1, self._look_seconds))

    def _hear(self, message: str) -> None:
        with suppress(msgspec.MsgspecError):  # then it is none of ours
            name, news = msgspec.json.decode(message, type=tuple[int, dict[str, int]])
            if name != self._name:
                self._tell(news)

    def _tell(self, news: dict[str, int]) -> None:
        fresh = [(table, n) for table, n in news.items() if n > self._known.get(table, -1)]
        self._known |= dict(fresh)
        if fresh and self._heard is not None:
            self._loop.call_soon(self._heard, fresh)  # so that what it raises is not ours

    async def _look(self) -> None:
        """Find what others wrote since the last look; all times are the database's."""
        ((now,),) = await self._listener.ask(_NOW)
        found = await self._listener.ask(_LATELY, self._looked, self._overlap, self._name)
        news: dict[str, int] = dict(found)
        self._tell(news)
        self._known = news
        self._looked = now


def messages(name: int, news: dict[str, int]) -> list[str]:
    """News as texts that are short enough to be sent.

    >>> messages(7, {"tea": 3, "hat": 12})
    ['[7,{"tea":3,"hat":12}]']
    """
    parts: list[dict[str, int]] = [{}]
    length = 0
    for table, n in news.items():
        length += len(msgspec.json.encode({table: n}))
        if length > _LONGEST_MESSAGE - 30:
            parts.append({})
            length = len(msgspec.json.encode({table: n}))
        parts[-1][table] = n
    return [msgspec.json.encode((name, part)).decode() for part in parts if part]
