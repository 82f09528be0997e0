"""A connection to PostgreSQL that comes back when it was lost. Only this file knows asyncpg.

Of all that can go wrong there are four kinds: the connection was lost, and what was asked may have been
done (`Lost`); another transaction was in the way, and nothing has been done (`Clash`); what was given
can't be stored (`Unfit`); and all else, for which trying again is no help (`StorageError` itself).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from wonderland.tables.storage.interface import StorageError

_HANGS = 10.0
"""Seconds after which a question that has no answer counts as lost."""
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Between attempts; the last one over and over."""

# Errors of the server, by the beginnings of their codes ("PostgreSQL Error Codes" in its manual)
_PASSING = ("08", "57P01", "57P02", "57P03", "57P05", "53300")
"""Connections that fail, a server that stops or starts, too many connections."""
_IN_THE_WAY = ("40", "55P03", "57014")
"""Deadlocks and their like, locks that can't be had, statements that the server found too slow."""


class ConnectionLost(StorageError):  # noqa: N818 - these three say what happened
    """The connection was lost, or there is none; what was asked may have been done or not."""


class WriteConflict(StorageError):  # noqa: N818
    """Another transaction was in the way; nothing has been done, and trying again may help."""


class InvalidData(StorageError):  # noqa: N818
    """What was given can't be stored, whoever tries."""


class PostgresConnection:
    """One connection, for one purpose; it takes one question at a time."""

    def __init__(
        self, url: str, purpose: str, patience: float, settings: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._url = url
        self._patience = patience
        self._settings = {"application_name": f"wonderland {purpose}", **settings}
        self._connection: Any = None
        self._free = asyncio.Lock()

    async def ask(self, sql: str, *given: object) -> Sequence[Any]:
        """The rows of the answer to a statement, which is a transaction of its own; asked once."""
        async with self._using() as connection:
            rows: Sequence[Any] = await connection.fetch(sql, *given)
            return rows

    async def insist(self, sql: str, *given: object) -> Sequence[Any]:
        """Ask until there is an answer, as long as patience lasts: for what may be done twice."""
        patience = RetryPolicy(self._patience)
        while True:
            try:
                return await self.ask(sql, *given)
            except (ConnectionLost, WriteConflict) as error:
                await patience.pause(error)

    async def insist_together(self, work: Callable[[Any], Awaitable[None]]) -> None:
        """The same for several statements, in one transaction of the connection that `work` is given."""
        patience = RetryPolicy(self._patience)
        while True:
            try:
                async with (
                    self._using() as connection,
                    connection.transaction(isolation="read_committed"),
                ):
                    return await work(connection)
            except (ConnectionLost, WriteConflict) as error:
                await patience.pause(error)

    async def listen(self, channel: str, heard: Callable[[str], None], lost: Callable[[], None]) -> None:
        """Call `heard` with each message of a channel, and `lost` when the connection ends."""
        async with self._using() as connection:
            connection.add_termination_listener(lambda _: lost())
            await connection.add_listener(channel, lambda *message: heard(message[-1]))

    def drop(self) -> None:
        """Let go at once."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        """Let go once the question under way is answered."""
        async with self._free:
            if self._connection is not None:
                with suppress(Exception):  # it ends either way
                    await self._connection.close(timeout=1.0)
                self.drop()

    @asynccontextmanager
    async def _using(self) -> AsyncIterator[Any]:
        async with self._free:
            try:
                if self._connection is None or self._connection.is_closed():
                    self._connection = None
                    self._connection = await self._connected()
                yield self._connection
            except Exception as error:  # asyncpg's errors have no parent of their own
                failure = self._explained(error)
                if isinstance(failure, ConnectionLost):
                    self.drop()
                raise failure from error

    async def _connected(self) -> Any:
        try:
            import asyncpg  # type: ignore[import-untyped] # noqa: PLC0415 - an extra, without types
        except ModuleNotFoundError as error:
            raise StorageError(
                "PostgreSQL needs a package that is not installed: pip install 'wonderland[postgresql]'."
            ) from error
        connection = await asyncpg.connect(
            self._url,
            timeout=max(self._patience, 1.0),
            command_timeout=_HANGS,
            server_settings=self._settings,
        )
        if "synchronous_commit" not in self._settings:
            # Whatever the server's default is, an answer means that it is on disk. (Where replicas have
            # to have it as well, that stays.)
            await connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
        return connection

    def _explained(self, error: Exception) -> StorageError:
        """What went wrong in one sentence, without the password."""
        if isinstance(error, StorageError):
            return error
        where = described(self._url)
        reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        code = getattr(error, "sqlstate", None) or ""
        if isinstance(error, ValueError) and self._connection is None:  # which could quote the password
            return StorageError(
                "this is not the address of a PostgreSQL database: "
                "it should look like postgresql://user:password@host/database."
            )
        if isinstance(error, ValueError) or code.startswith("22"):
            return InvalidData(f"{where} can't store this: {reason}.")
        if code.startswith("28"):
            return StorageError(f"{where} does not let us in: {reason}.")
        if code == "53100":
            return StorageError(f"{where} could not be written, the disk is full: {reason}.")
        if code == "25006":  # another server may have become the one that writes
            return ConnectionLost(f"{where} can only be read at present: {reason}.")
        if code.startswith(_IN_THE_WAY):
            return WriteConflict(f"{where} was busy: {reason}.")
        # asyncpg's own errors have no code: the connection is closed, or no PostgreSQL answered.
        is_own = not code and type(error).__module__.startswith("asyncpg")
        if isinstance(error, OSError) or is_own or code.startswith(_PASSING):
            return ConnectionLost(f"{where} can't be reached: {reason}.")
        return StorageError(f"{where} can't be used: {reason}.")


class RetryPolicy:
    """How long it is worth trying again."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None
        self._attempts = 0

    async def pause(self, error: StorageError) -> None:
        """Wait a moment, a little longer each time; raise the error if it has been enough."""
        now = asyncio.get_running_loop().time()
        if self._until is None:
            self._until = now + self._seconds  # it starts with the first failure
        elif now > self._until:
            raise error
        await asyncio.sleep(_PAUSES[min(self._attempts, len(_PAUSES) - 1)])
        self._attempts += 1


def described(url: str) -> str:
    """A database in words, without its password.

    >>> described("postgresql://alice:secret@garden.example:5432/tea")
    'the PostgreSQL database tea at garden.example:5432'
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or parse_qs(parts.query).get("host", ["localhost"])[0]
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the PostgreSQL database"
    name = parts.path.strip("/")
    return f"the PostgreSQL database{' ' if name else ''}{name} at {host}{port}"
