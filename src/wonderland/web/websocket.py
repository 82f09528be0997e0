"""WebSocket connections as an asyncio protocol; replaces uvicorn's own implementation.

`websockets` does the opening handshake, `websocket_frames` the rest. Messages are handled directly in
`data_received`, without a task or queue per connection, and those sent in one loop tick go out in one
write. A client that stops reading is disconnected once too many bytes are buffered for it, so slow
clients cost the others nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

from websockets.http11 import Request
from websockets.server import ServerProtocol

from wonderland.web.security import LARGEST_MESSAGE, LOCAL_ADDRESSES
from wonderland.web.websocket_frames import (
    CloseCode,
    FrameError,
    FrameReader,
    Opcode,
    close_frame,
    encode_frame,
)

if TYPE_CHECKING:
    from wonderland.web.app import Site

logger = logging.getLogger("wonderland.web")
_MAX_UNREAD = 512 * 1024
"""Bytes that may be buffered for a client that does not read."""
_IDLE_TIMEOUT = 60.0
"""Seconds without any data, pongs included, before a connection counts as dead."""
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_CLOSE_TIMEOUT = 2.0
"""Seconds for the client to answer the closing handshake."""


class WebSocketProtocol(asyncio.Protocol, ABC):
    """One WebSocket connection. Subclasses decide on admission (`check_request`) and handle messages."""

    __slots__ = (
        "_handshake",
        "_is_open",
        "_outgoing",
        "_reader",
        "_transport",
        "address",
        "connections",
        "last_received",
        "site",
    )

    def __init__(self, site: Site, server_state: Any) -> None:
        self.site = site
        self.connections: set[Any] = server_state.connections
        self.last_received = time.monotonic()
        self.address = ""
        self._handshake: ServerProtocol | None = ServerProtocol()
        self._reader = FrameReader(LARGEST_MESSAGE)
        self._outgoing: list[bytes] = []
        self._is_open = False

    def hand_off(self, request: Request, data: bytes) -> bool:  # noqa: ARG002 - for subclasses
        """Hand the connection off to another process if it belongs there; return whether it was."""
        return False

    @abstractmethod
    def check_request(self, request: Request) -> tuple[int, str] | None:
        """Return an HTTP status and a message to reject a handshake, or `None` to accept it."""

    @abstractmethod
    def receive_message(self, message: bytes) -> None:
        """Handle a text message."""

    def on_closed(self) -> None:
        """Called when the connection has ended."""

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self._is_open and not self._transport.is_closing()

    # Called by asyncio and uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        self._transport = cast("asyncio.Transport", transport)
        self.address = (self._transport.get_extra_info("peername") or ("",))[0]
        self.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - whatever the reason
        """Unregister the connection."""
        self._is_open = False
        self.connections.discard(self)
        self.on_closed()

    def eof_received(self) -> None:
        """Close when the client has; returning `None` makes asyncio do so."""
        self._is_open = False

    def data_received(self, data: bytes) -> None:
        """Process the opening request first, then frames."""
        self.last_received = time.monotonic()
        if self._handshake is not None:
            try:
                self._open(self._handshake, data)
            except Exception:  # whatever was sent, uvicorn must finish handing over the connection
                logger.exception("an odd handshake")
                self._handshake, self._is_open = None, False
                self._transport.write(_BAD_REQUEST)
                self._transport.close()
            return
        try:
            for opcode, payload in self._reader.feed(data):
                if opcode == Opcode.TEXT:
                    if self._is_open:
                        self.receive_message(payload)
                elif opcode == Opcode.PING:
                    self.flush()
                    self._transport.write(encode_frame(Opcode.PONG, payload))
                elif opcode == Opcode.CLOSE:
                    self._answer_close(payload)
        except FrameError as error:
            self.end(error.code, str(error))

    def _open(self, handshake: ServerProtocol, data: bytes) -> None:
        handshake.receive_data(data)
        for event in handshake.events_received():
            if isinstance(event, Request):
                if self.hand_off(event, data):
                    self._handshake = None
                    return
                forwarded = event.headers.get_all("X-Forwarded-For")
                if forwarded and self.address in LOCAL_ADDRESSES:  # from a local reverse proxy
                    self.address = forwarded[-1].rpartition(",")[2].strip()
                rejection = self.check_request(event)
                response = handshake.reject(*rejection) if rejection else handshake.accept(event)
                handshake.send_response(response)
                self._handshake = None
                self._is_open = response.status_code == 101
                self._transport.write(b"".join(handshake.data_to_send()))
                if self._is_open:
                    self.on_opened(event)
        if not self._is_open:
            self._transport.close()

    def on_opened(self, request: Request) -> None:
        """Called when the handshake is complete."""

    def _answer_close(self, payload: bytes) -> None:
        if self._is_open:
            self._is_open = False
            self._transport.write(encode_frame(Opcode.CLOSE, payload[:2]))
        self._transport.close()

    # Called by the site

    def send(self, message: bytes) -> None:
        """Queue a message for this loop tick; abort instead if the client has stopped reading."""
        if not self.is_open:
            return
        if self._transport.get_write_buffer_size() > _MAX_UNREAD:
            self.site.metrics.stalled.inc()
            self._transport.abort()
            return
        self._outgoing.append(encode_frame(Opcode.TEXT, message))
        if len(self._outgoing) == 1:
            self.site.flush_soon(self)

    def flush(self) -> None:
        """Write the queued messages."""
        if self._outgoing:
            data, self._outgoing = b"".join(self._outgoing), []
            if not self._transport.is_closing():
                self._transport.write(data)

    def ping(self) -> None:
        """Ping the client, or abort if the idle timeout has passed."""
        if time.monotonic() > self.last_received + _IDLE_TIMEOUT:
            self._transport.abort()
        elif self.is_open:
            self._transport.write(encode_frame(Opcode.PING, b""))

    def end(self, code: CloseCode, reason: str) -> None:
        """Start the closing handshake, and abort if the client does not answer in time."""
        self.flush()
        if self.is_open:
            self._transport.write(close_frame(code, reason))
            asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT, self._transport.abort)
        else:
            self._transport.close()
        self._is_open = False

    def shutdown(self) -> None:
        """Close because the server is stopping; the code tells the client to reconnect."""
        self.end(CloseCode.RESTART, "The server stops; come again.")
