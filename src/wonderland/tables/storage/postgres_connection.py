"""A PostgreSQL connection that reconnects and retries. Only this module uses asyncpg.

There are four kinds of failure: the connection was lost, and the statement may or may not have been
executed (`ConnectionLost`); another transaction was in the way, and nothing was done (`WriteConflict`);
the data can't be stored (`InvalidData`); and anything else, which a retry won't fix (`StorageError`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from wonderland.engine.language import Message, phrase
from wonderland.tables.storage.interface import StorageError

_STATEMENT_TIMEOUT = 10.0
"""Statement timeout in seconds, after which the connection counts as lost."""
_RETRY_DELAYS = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Seconds between attempts (backoff); the last one repeats."""

# Server errors by SQLSTATE prefix ("PostgreSQL Error Codes" in its manual)
_TRANSIENT = ("08", "57P01", "57P02", "57P03", "57P05", "53300")
"""Failed connections, a server that is stopping or starting, too many connections."""
_CONFLICT = ("40", "55P03", "57014")
"""Deadlocks and serialisation failures, unavailable locks, statement timeouts of the server."""


class ConnectionLost(StorageError):  # noqa: N818 - named for what happened
    """The connection was lost or refused; the statement may or may not have been executed."""


class WriteConflict(StorageError):  # noqa: N818
    """Another transaction was in the way; nothing was done, and a retry may succeed."""


class InvalidData(StorageError):  # noqa: N818
    """The data can't be stored; a retry would fail again."""


class PostgresConnection:
    """One connection for one purpose, running one statement at a time."""

    def __init__(
        self,
        url: str,
        purpose: str,
        retry_timeout: float,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._url = url
        self._retry_timeout = retry_timeout
        self._settings = {"application_name": f"wonderland {purpose}", **settings}
        self._connection: Any = None
        self._lock = asyncio.Lock()

    async def run(self, sql: str, *parameters: object) -> Sequence[Any]:
        """Run a statement once, in its own transaction; return its rows."""
        async with self._acquire() as connection:
            rows: Sequence[Any] = await connection.fetch(sql, *parameters)
            return rows

    async def run_with_retries(self, sql: str, *parameters: object) -> Sequence[Any]:
        """Run an idempotent statement, retrying until it succeeds or the retry timeout is over."""
        retry = RetryPolicy(self._retry_timeout)
        while True:
            try:
                return await self.run(sql, *parameters)
            except (ConnectionLost, WriteConflict) as error:
                await retry.pause(error)

    async def run_transaction(self, work: Callable[[Any], Awaitable[None]]) -> None:
        """Run several statements in one transaction, retrying like `run_with_retries`."""
        retry = RetryPolicy(self._retry_timeout)
        while True:
            try:
                async with (
                    self._acquire() as connection,
                    connection.transaction(isolation="read_committed"),
                ):
                    return await work(connection)
            except (ConnectionLost, WriteConflict) as error:
                await retry.pause(error)

    async def listen(self, channel: str, heard: Callable[[str], None], lost: Callable[[], None]) -> None:
        """Call `heard` with each notification of a channel, and `lost` when the connection ends."""
        async with self._acquire() as connection:
            connection.add_termination_listener(lambda _: lost())
            await connection.add_listener(channel, lambda *message: heard(message[-1]))

    def drop(self) -> None:
        """Disconnect at once."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        """Disconnect after the current statement."""
        async with self._lock:
            if self._connection is not None:
                with suppress(Exception):  # it is dropped either way
                    await self._connection.close(timeout=1.0)
                self.drop()

    @asynccontextmanager
    async def _acquire(self) -> AsyncIterator[Any]:
        async with self._lock:
            try:
                if self._connection is None or self._connection.is_closed():
                    self._connection = None
                    self._connection = await self._connect()
                yield self._connection
            except Exception as error:  # asyncpg's errors have no common base class
                failure = self._translate_error(error)
                if isinstance(failure, ConnectionLost):
                    self.drop()
                raise failure from error

    async def _connect(self) -> Any:
        try:
            import asyncpg  # type: ignore[import-untyped] # noqa: PLC0415 - optional, and untyped
        except ModuleNotFoundError as error:
            raise StorageError(
                phrase(
                    "PostgreSQL needs asyncpg, which isn't installed. "
                    "Install it with: pip install 'wonderland[postgresql]'."
                )
            ) from error
        connection = await asyncpg.connect(
            self._url,
            timeout=max(self._retry_timeout, 1.0),
            command_timeout=_STATEMENT_TIMEOUT,
            server_settings=self._settings,
        )
        if "synchronous_commit" not in self._settings:
            # Acknowledged means on disk, whatever the server's default. (Stricter settings, which wait
            # for replicas, are kept.)
            await connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
        return connection

    def _translate_error(self, error: Exception) -> StorageError:
        """Translate an error into one of ours, with a sentence that omits the password."""
        if isinstance(error, StorageError):
            return error
        reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        what: dict[str, Any] = {"database": describe_database(self._url), "reason": reason}
        code = getattr(error, "sqlstate", None) or ""
        if (
            isinstance(error, ValueError) and self._connection is None
        ):  # its text could contain the password
            return StorageError(
                phrase(
                    "invalid PostgreSQL address. It should look like "
                    "postgresql://user:password@host/database."
                )
            )
        if isinstance(error, ValueError) or code.startswith("22"):
            return InvalidData(phrase("{database} can't store this: {reason}."), **what)
        if code.startswith("28"):
            return StorageError(phrase("{database} refused the login: {reason}."), **what)
        if code == "53100":
            return StorageError(
                phrase("{database} can't be written because the disk is full: {reason}."), **what
            )
        if code == "25006":  # read-only: another server may have become the primary
            return ConnectionLost(phrase("{database} is currently read-only: {reason}."), **what)
        if code.startswith(_CONFLICT):
            return WriteConflict(phrase("{database} was busy: {reason}."), **what)
        # asyncpg's own errors have no SQLSTATE: the connection is closed, or it isn't PostgreSQL.
        is_own = not code and type(error).__module__.startswith("asyncpg")
        if isinstance(error, OSError) or is_own or code.startswith(_TRANSIENT):
            return ConnectionLost(phrase("{database} can't be reached: {reason}."), **what)
        return StorageError(phrase("{database} can't be used: {reason}."), **what)


class RetryPolicy:
    """Retries with backoff, until a timeout that starts with the first failure."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None
        self._attempts = 0

    async def pause(self, error: StorageError) -> None:
        """Wait before the next attempt, longer each time; raise the error once the timeout is over."""
        now = asyncio.get_running_loop().time()
        if self._until is None:
            self._until = now + self._seconds  # starts with the first failure
        elif now > self._until:
            raise error
        await asyncio.sleep(_RETRY_DELAYS[min(self._attempts, len(_RETRY_DELAYS) - 1)])
        self._attempts += 1


def describe_database(url: str) -> Message:
    """Describe a database in words, without its password.

    >>> from wonderland.engine.language import ENGLISH
    >>> describe_database("postgresql://alice:secret@garden.example:5432/tea").said(ENGLISH)
    'the PostgreSQL database tea at garden.example:5432'
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or parse_qs(parts.query).get("host", ["localhost"])[0]
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return Message(phrase("the PostgreSQL database"))
    name = parts.path.strip("/")
    if not name:
        return Message(phrase("the PostgreSQL database at {host}"), {"host": host + port})
    return Message(
        phrase("the PostgreSQL database {name} at {host}"), {"name": name, "host": host + port}
    )
