"""A live connection to a table that comes back by itself.

A thread listens. Whatever happens is told through one function: messages of the server as they come,
that the connection was lost or is there again, or that it has ended for good. After a loss it asks for
what has happened since the version it knew, and sends again, with the same keys, what nobody has
answered: a move that the server had stored already is not made twice.
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
from wonderland.engine.values import Value
from wonderland.wire.commands import Command
from wonderland.wire.messages import AnyMessage, CommandDone, CommandRefused, TableUpdate, read_message

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 10.0
_PATIENCE = 10.0
"""Seconds for opening a connection."""
_FAREWELL = 2.0
"""Seconds for ending; who is just opening a connection is not waited for any longer."""
_NOT_YOURS, _NO_TABLE = 4403, 4404
"""How a server closes a connection that nobody should try again."""


class ConnectionInterrupted(Value, frozen=True):
    """The connection is lost, and is tried again."""

    says: str


class ConnectionRestored(Value, frozen=True):
    """It is there again."""


class ConnectionEnded(Value, frozen=True):
    """It can't come back: there is no such table, or the seat is no longer one's own."""

    says: str


News: TypeAlias = AnyMessage | ConnectionInterrupted | ConnectionRestored | ConnectionEnded


class TableConnection:
    """A connection to one table, for one seat or a spectator."""

    def __init__(
        self,
        link: TableLink,
        device: str,
        seat: int | None,
        tell: Callable[[News], None],
        after: int = 0,
    ) -> None:
        self.version = after
        """The latest version of the table that has been seen."""
        self._link, self._device, self._seat, self._tell = link, device, seat, tell
        self._unanswered: dict[str, bytes] = {}
        self._connection: ClientConnection | None = None
        self._lock = Lock()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="live", daemon=True)

    def open(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        with self._lock:
            connection = self._connection
        if connection is not None:
            connection.close()
        self._thread.join(_FAREWELL)

    def send(self, command: Command) -> None:
        """Send a command, now or when the connection is back; the answer has its key."""
        message = msgspec.json.encode(command)
        with self._lock:
            self._unanswered[command.key] = message
            connection = self._connection
        if connection is not None:
            with suppress(ConnectionClosed):  # the listener finds out, and it is sent again
                connection.send(message.decode())

    def _run(self) -> None:
        pause, lost = _FIRST_PAUSE, False
        while not self._closing.is_set():
            before = self.version
            try:
                with self._connected() as connection:
                    if lost:
                        self._tell(ConnectionRestored())
                    lost = False
                    self._listen(connection)
            except (OSError, ConnectionClosed, InvalidHandshake, msgspec.MsgspecError) as error:
                if self._closing.is_set():
                    return
                if (says := _for_good(error)) is not None:
                    self._tell(ConnectionEnded(says))
                    return
                if not lost:
                    self._tell(ConnectionInterrupted(_reason(error)))
                lost = True
            finally:
                with self._lock:
                    self._connection = None
            pause = _FIRST_PAUSE if self.version > before else min(2 * pause, _LONGEST_PAUSE)
            self._closing.wait(pause * random.uniform(0.5, 1.0))  # not all at once after a restart

    def _connected(self) -> ClientConnection:
        query = {"after": self.version} | ({} if self._seat is None else {"seat": self._seat})
        server = self._link.server.replace("http", "ws", 1)
        return connect(
            f"{server}/api/tables/{self._link.table}/live?{urlencode(query)}",
            additional_headers={"Cookie": f"{COOKIE}={self._device}"} if self._device else None,
            compression=None,
            proxy=None,
            open_timeout=_PATIENCE,
            close_timeout=1,
            logger=_silent,
            legacy=True,
        )

    def _listen(self, connection: ClientConnection) -> None:
        with self._lock:  # whatever is asked for from now on is sent by `send`
            self._connection = connection
            waiting = list(self._unanswered.values())
        for message in waiting:
            connection.send(message.decode())
        while not self._closing.is_set():
            self._take(read_message(connection.recv()))

    def _take(self, message: AnyMessage) -> None:
        if isinstance(message, TableUpdate):
            self.version = message.version
        elif isinstance(message, CommandDone | CommandRefused):
            with self._lock:
                if message.key:
                    self._unanswered.pop(message.key, None)
                else:  # something that could not even be read: sent again it would be no better
                    self._unanswered.clear()
        if not self._closing.is_set():
            self._tell(message)


_silent = logging.getLogger("wonderland.client")
_silent.propagate = False  # it would log headers, and the cookie with them
_silent.addHandler(logging.NullHandler())


def _for_good(error: Exception) -> str | None:
    """What to say if there is no use in trying again."""
    if isinstance(error, InvalidStatus) and error.response.status_code in (400, 403, 404):
        return "There is no such table here."
    closed = error.rcvd if isinstance(error, ConnectionClosed) else None
    return closed.reason if closed is not None and closed.code in (_NOT_YOURS, _NO_TABLE) else None


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionClosed):
        reason = error.rcvd.reason if error.rcvd is not None else ""
        return reason.rstrip(".") or "it was closed"
    return explain_error(error)
