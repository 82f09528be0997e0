"""A live connection to a table that reconnects by itself.

A thread listens and reports everything through one callback: messages from the server, and that the
connection was lost, restored, or ended for good. After reconnecting it requests the events since the
last known version, and retries unanswered commands with the same keys, so that a move that the server
has stored already is not made twice.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TypeAlias
from urllib.parse import urlencode

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from wonderland.client.http import COOKIE, explain_error
from wonderland.client.links import TableLink
from wonderland.engine.language import ENGLISH, phrase
from wonderland.engine.values import Value
from wonderland.wire.commands import Command
from wonderland.wire.messages import AnyMessage, CommandDone, CommandRefused, TableUpdate, read_message

_FIRST_RETRY_DELAY, _MAX_RETRY_DELAY = 0.2, 10.0
_OPEN_TIMEOUT = 10.0
"""Timeout for opening a connection, in seconds."""
_CLOSE_TIMEOUT = 2.0
"""Timeout for closing, in seconds; a connection that is still being opened is abandoned."""
_NOT_YOURS, _NO_TABLE = 4403, 4404
"""Close codes after which a retry is pointless."""


class ConnectionInterrupted(Value, frozen=True):
    """The connection was lost; reconnecting."""

    says: str


class ConnectionRestored(Value, frozen=True):
    """The connection is back."""


class ConnectionEnded(Value, frozen=True):
    """The connection has ended for good: there is no such table, or the seat is held by another."""

    says: str


News: TypeAlias = AnyMessage | ConnectionInterrupted | ConnectionRestored | ConnectionEnded


class TableConnection:
    """A connection to one table, for one seat or a spectator."""

    def __init__(  # noqa: PLR0913 - everything that a connection depends on
        self,
        link: TableLink,
        device: str,
        seat: int | None,
        tell: Callable[[News], None],
        after: int = 0,
        *,
        language: str = ENGLISH.code,
    ) -> None:
        self.version = after
        """The latest version of the table seen so far."""
        self._language = language
        self._link, self._device, self._seat, self._tell = link, device, seat, tell
        self._unanswered: dict[str, bytes] = {}
        self._connection: ClientConnection | None = None
        self._lock = Lock()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="live", daemon=True)

    def open(self) -> None:
        """Start listening."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening and disconnect."""
        self._closing.set()
        with self._lock:
            connection = self._connection
        if connection is not None:
            connection.close()
        self._thread.join(_CLOSE_TIMEOUT)

    def send(self, command: Command) -> None:
        """Send a command, now or after reconnecting; the answer carries its key."""
        message = msgspec.json.encode(command)
        with self._lock:
            self._unanswered[command.key] = message
            connection = self._connection
        if connection is not None:
            with suppress(ConnectionClosed):  # the listener reconnects and sends it again
                connection.send(message.decode())

    def _run(self) -> None:
        delay, is_lost = _FIRST_RETRY_DELAY, False
        while not self._closing.is_set():
            before = self.version
            try:
                with self._connect() as connection:
                    if is_lost:
                        self._tell(ConnectionRestored())
                    is_lost = False
                    self._listen(connection)
            except (OSError, ConnectionClosed, InvalidHandshake, msgspec.MsgspecError) as error:
                if self._closing.is_set():
                    return
                if (says := _fatal_reason(error)) is not None:
                    self._tell(ConnectionEnded(says))
                    return
                if not is_lost:
                    self._tell(ConnectionInterrupted(_describe_error(error)))
                is_lost = True
            finally:
                with self._lock:
                    self._connection = None
            delay = _FIRST_RETRY_DELAY if self.version > before else min(2 * delay, _MAX_RETRY_DELAY)
            # With jitter, so that clients don't all return at once after a restart.
            self._closing.wait(delay * random.uniform(0.5, 1.0))

    def _connect(self) -> ClientConnection:
        query = {"after": self.version, "lang": self._language}
        query |= {} if self._seat is None else {"seat": self._seat}
        server = self._link.server.replace("http", "ws", 1)
        return connect(
            f"{server}/api/tables/{self._link.table}/live?{urlencode(query)}",
            additional_headers={"Cookie": f"{COOKIE}={self._device}"} if self._device else None,
            compression=None,
            proxy=None,
            open_timeout=_OPEN_TIMEOUT,
            close_timeout=1,
            logger=_silent_logger,
            legacy=True,
        )

    def _listen(self, connection: ClientConnection) -> None:
        with self._lock:  # from now on, `send` sends new commands itself
            self._connection = connection
            waiting = list(self._unanswered.values())
        for message in waiting:
            connection.send(message.decode())
        while not self._closing.is_set():
            self._handle(read_message(connection.recv()))

    def _handle(self, message: AnyMessage) -> None:
        if isinstance(message, TableUpdate):
            self.version = message.version
        elif isinstance(message, CommandDone | CommandRefused):
            with self._lock:
                if message.key:
                    self._unanswered.pop(message.key, None)
                else:  # a command that the server could not read: a retry would fail too
                    self._unanswered.clear()
        if not self._closing.is_set():
            self._tell(message)


_silent_logger = logging.getLogger("wonderland.client")
_silent_logger.propagate = False  # it would log headers, including the cookie
_silent_logger.addHandler(logging.NullHandler())


def _fatal_reason(error: Exception) -> str | None:
    """The reason why a retry is pointless, or `None` if it isn't."""
    if isinstance(error, InvalidStatus) and error.response.status_code in (400, 403, 404):
        return phrase("This table doesn't exist.")
    closed = error.rcvd if isinstance(error, ConnectionClosed) else None
    return closed.reason if closed is not None and closed.code in (_NOT_YOURS, _NO_TABLE) else None


def _describe_error(error: Exception) -> str:
    if isinstance(error, ConnectionClosed):
        reason = error.rcvd.reason if error.rcvd is not None else ""
        return reason.rstrip(".") or phrase("it was closed")
    return explain_error(error)
