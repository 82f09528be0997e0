"""Reads logs for many at a time: what is asked for while a statement is under way waits for the next.

A node reads on whenever another one has written to a table that somebody watches here. One by one these
readings would wait for each other; several together take hardly longer than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from wonderland.tables.storage.interface import StorageError, StoredEntry
from wonderland.tables.storage.postgres_connection import ConnectionLost, InvalidData, PostgresConnection

_MOST_AT_ONCE = 8
"""Nobody at these tables is shown anything before all of them are read. With many at once, servers get
in step with each other, and work in turns rather than side by side."""

READ = """
    SELECT place, n, time, body
    FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS asked (name, after, place)
    CROSS JOIN LATERAL (
        SELECT n, time, body FROM log WHERE table_id = name AND n > after ORDER BY n
    ) AS found
    ORDER BY place, n
"""
"""LATERAL, so that each log is found by its name, whatever is known about the sizes of the tables."""


class _Reading(NamedTuple):
    table: str
    after: int
    answer: asyncio.Future[Sequence[StoredEntry]]


class LogReader:
    """Reads logs over some connections, with one statement at a time on each."""

    def __init__(self, links: Sequence[PostgresConnection]) -> None:
        self.statements = 0
        """How many have been sent so far."""
        self._waiting: list[_Reading] = []
        self._arrived = asyncio.Event()
        self._is_closing = False
        self._reading = [asyncio.create_task(self._read_on(link)) for link in links]

    async def close(self) -> None:
        """Answer whoever has asked; nobody can ask any more."""
        self._is_closing = True
        self._arrived.set()
        await asyncio.gather(*self._reading)

    async def read(self, table: str, after: int) -> Sequence[StoredEntry]:
        """The entries of a table with a number above `after`, in order: all that is there by now."""
        if self._is_closing:
            raise StorageError("the storage is closed.")
        answer: asyncio.Future[Sequence[StoredEntry]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Reading(table, after, answer))
        self._arrived.set()
        return await answer

    async def _read_on(self, link: PostgresConnection) -> None:
        """A reader's life: wait for somebody to ask, take all who have, read, answer."""
        while True:
            while not self._waiting:
                if self._is_closing:
                    return
                self._arrived.clear()
                await self._arrived.wait()
            taken, self._waiting = self._waiting[:_MOST_AT_ONCE], self._waiting[_MOST_AT_ONCE:]
            await self._answer(link, [reading for reading in taken if not reading.answer.done()])

    async def _answer(self, link: PostgresConnection, readings: Sequence[_Reading]) -> None:
        """Read for all who have not gone away meanwhile; what fails is told to each of them."""
        if not readings:
            return
        try:
            found = await self._found(link, readings)
        except InvalidData as error:
            if len(readings) > 1:
                half = len(readings) // 2  # so that a name which can't be asked for harms nobody else
                await self._answer(link, readings[:half])
                await self._answer(link, readings[half:])
            else:
                _fail(readings, str(error))
        except ConnectionLost as error:
            # Who has come meanwhile would wait for the same as long again.
            waiting, self._waiting = self._waiting, []
            _fail([*readings, *waiting], str(error))
        except StorageError as error:
            _fail(readings, str(error))
        except Exception as error:  # noqa: BLE001 - everybody is answered, whatever happens
            _fail(readings, f"the reader failed: {error!r}.")
        else:
            for reading, entries in zip(readings, found, strict=True):
                if not reading.answer.done():
                    reading.answer.set_result(entries)

    async def _found(
        self, link: PostgresConnection, readings: Sequence[_Reading]
    ) -> Sequence[Sequence[StoredEntry]]:
        self.statements += 1
        tables, numbers = [each.table for each in readings], [each.after for each in readings]
        found: list[list[StoredEntry]] = [[] for _ in readings]
        for place, n, time, body in await link.insist(READ, tables, numbers):
            found[place - 1].append(StoredEntry(tables[place - 1], n, time, body))
        return found


def _fail(readings: Sequence[_Reading], why: str) -> None:
    for reading in readings:
        if not reading.answer.done():
            reading.answer.set_exception(StorageError(why))  # one for each, as each is raised elsewhere
