"""Batched log reads: requests that arrive while a statement is running share the next one.

A node reads a log whenever another node has written to a table that is watched here. One by one, these
reads would queue up; a batch takes hardly longer than a single read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from wonderland.engine.errors import convert_error
from wonderland.tables.storage.interface import StorageError, StoredEntry
from wonderland.tables.storage.postgres_connection import ConnectionLost, InvalidData, PostgresConnection

_MAX_BATCH = 8
"""No watcher is updated before the whole batch is read. With large batches, servers fall into lockstep
and take turns instead of working in parallel."""

READ = """
    SELECT place, n, time, body
    FROM unnest($1::text[], $2::integer[], $3::integer[])
        WITH ORDINALITY AS asked (name, after, most, place)
    CROSS JOIN LATERAL (
        SELECT n, time, body FROM log WHERE table_id = name AND n > after ORDER BY n LIMIT most
    ) AS found
    ORDER BY place, n
"""
"""LATERAL, so that each log is found by its index, whatever the table statistics say."""


class _Request(NamedTuple):
    table: str
    after: int
    most: int | None
    answer: asyncio.Future[Sequence[StoredEntry]]


class LogReader:
    """Reads logs over a few connections, one statement at a time on each."""

    def __init__(self, links: Sequence[PostgresConnection]) -> None:
        self.statements = 0
        """The number of statements sent so far."""
        self._queue: list[_Request] = []
        self._arrived = asyncio.Event()
        self._is_closing = False
        self._tasks = [asyncio.create_task(self._run_reader(link)) for link in links]

    async def close(self) -> None:
        """Answer pending reads and refuse new ones."""
        self._is_closing = True
        self._arrived.set()
        await asyncio.gather(*self._tasks)

    async def read(self, table: str, after: int, most: int | None = None) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order; at most the first `most`."""
        if self._is_closing:
            raise StorageError("the storage is closed.")
        answer: asyncio.Future[Sequence[StoredEntry]] = asyncio.get_running_loop().create_future()
        self._queue.append(_Request(table, after, most, answer))
        self._arrived.set()
        return await answer

    async def _run_reader(self, link: PostgresConnection) -> None:
        """A reader task: wait for requests, take a batch, read, answer."""
        while True:
            while not self._queue:
                if self._is_closing:
                    return
                self._arrived.clear()
                await self._arrived.wait()
            batch, self._queue = self._queue[:_MAX_BATCH], self._queue[_MAX_BATCH:]
            await self._answer(link, [request for request in batch if not request.answer.done()])

    async def _answer(self, link: PostgresConnection, requests: Sequence[_Request]) -> None:
        """Read the logs of a batch; a failure is reported to each request."""
        if not requests:
            return
        try:
            found = await self._fetch(link, requests)
        except InvalidData as error:
            if len(requests) > 1:
                half = len(requests) // 2  # bisect, so that an invalid name affects no other request
                await self._answer(link, requests[:half])
                await self._answer(link, requests[half:])
            else:
                _fail(requests, error)
        except ConnectionLost as error:
            # Requests that arrived meanwhile would have to wait for the same timeout again.
            waiting, self._queue = self._queue, []
            _fail([*requests, *waiting], error)
        except StorageError as error:
            _fail(requests, error)
        except Exception as error:  # noqa: BLE001 - every request must be answered
            _fail(requests, StorageError(f"the reader failed: {error!r}."))
        else:
            for request, entries in zip(requests, found, strict=True):
                if not request.answer.done():
                    request.answer.set_result(entries)

    async def _fetch(
        self, link: PostgresConnection, requests: Sequence[_Request]
    ) -> Sequence[Sequence[StoredEntry]]:
        self.statements += 1
        tables, numbers = [each.table for each in requests], [each.after for each in requests]
        found: list[list[StoredEntry]] = [[] for _ in requests]
        limits = [each.most for each in requests]  # in SQL, NULL is no limit
        for place, n, time, body in await link.run_with_retries(READ, tables, numbers, limits):
            found[place - 1].append(StoredEntry(tables[place - 1], n, time, body))
        return found


def _fail(requests: Sequence[_Request], why: StorageError) -> None:
    for request in requests:
        if not request.answer.done():
            # An instance each, raised in different tasks.
            request.answer.set_exception(convert_error(why, StorageError))
