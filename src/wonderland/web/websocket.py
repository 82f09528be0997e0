"""A WebSocket as asyncio's protocol: opened by `websockets`, then nothing but frames.

It is handed to uvicorn in place of its own. No task and no queue stands between what comes in and what
is done with it; what is sent in one tick of the loop goes out together. Whoever does not read what is
sent is cut off when too much of it waits; that costs nobody else anything.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

from websockets.http11 import Request
from websockets.server import ServerProtocol

from wonderland.web.security import LARGEST_MESSAGE, NEAR
from wonderland.web.websocket_frames import Broken, Code, Opcode, Reader, close_frame, encode_frame

if TYPE_CHECKING:
    from wonderland.web.app import Site

logger = logging.getLogger("wonderland.web")
_MOST_UNREAD = 512 * 1024
"""Bytes that may wait to be read by one client."""
_PATIENCE = 60.0
"""Seconds without any sign of life."""
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_GOOD_BYE = 2.0
"""Seconds for the other side to close."""


class WebSocketProtocol(asyncio.Protocol, ABC):
    """One WebSocket. Subclasses say whom they let in (`greet`) and what a message means (`hear`)."""

    __slots__ = (
        "_is_open",
        "_opening",
        "_outgoing",
        "_reader",
        "_transport",
        "address",
        "connections",
        "heard",
        "site",
    )

    def __init__(self, site: Site, server_state: Any) -> None:
        self.site = site
        self.connections: set[Any] = server_state.connections
        self.heard = time.monotonic()
        self.address = ""
        self._opening: ServerProtocol | None = ServerProtocol()
        self._reader = Reader(LARGEST_MESSAGE)
        self._outgoing: list[bytes] = []
        self._is_open = False

    def belongs_elsewhere(self, request: Request, data: bytes) -> bool:  # noqa: ARG002 - mostly not
        """Whether the connection has been handed on to another process."""
        return False

    @abstractmethod
    def greet(self, request: Request) -> tuple[int, str] | None:
        """Why a request to open is refused, if it is: a status of HTTP and a sentence."""

    @abstractmethod
    def hear(self, message: bytes) -> None:
        """Take a message."""

    def left(self) -> None:
        """The connection has ended."""

    @property
    def is_open(self) -> bool:
        """Whether messages go out."""
        return self._is_open and not self._transport.is_closing()

    # What asyncio and uvicorn call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        self._transport = cast("asyncio.Transport", transport)
        self.address = (self._transport.get_extra_info("peername") or ("",))[0]
        self.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - whatever the reason
        """Forget it."""
        self._is_open = False
        self.connections.discard(self)
        self.left()

    def eof_received(self) -> None:
        """Close when the other side has."""
        self._is_open = False

    def data_received(self, data: bytes) -> None:
        """Take what came: the request first, then frames."""
        self.heard = time.monotonic()
        if self._opening is not None:
            try:
                self._open(self._opening, data)
            except Exception:  # uvicorn must get to hand the connection over, whatever was sent
                logger.exception("an odd handshake")
                self._opening, self._is_open = None, False
                self._transport.write(_BAD_REQUEST)
                self._transport.close()
            return
        try:
            for opcode, payload in self._reader.feed(data):
                if opcode == Opcode.TEXT:
                    if self._is_open:
                        self.hear(payload)
                elif opcode == Opcode.PING:
                    self.flush()
                    self._transport.write(encode_frame(Opcode.PONG, payload))
                elif opcode == Opcode.CLOSE:
                    self._answer_close(payload)
        except Broken as broken:
            self.end(broken.code, str(broken))

    def _open(self, opening: ServerProtocol, data: bytes) -> None:
        opening.receive_data(data)
        for event in opening.events_received():
            if isinstance(event, Request):
                if self.belongs_elsewhere(event, data):
                    self._opening = None
                    return
                forwarded = event.headers.get_all("X-Forwarded-For")
                if forwarded and self.address in NEAR:  # a proxy here says for whom it asks
                    self.address = forwarded[-1].rpartition(",")[2].strip()
                refused = self.greet(event)
                response = opening.reject(*refused) if refused else opening.accept(event)
                opening.send_response(response)
                self._opening = None
                self._is_open = response.status_code == 101
                self._transport.write(b"".join(opening.data_to_send()))
                if self._is_open:
                    self.opened(event)
        if not self._is_open:
            self._transport.close()

    def opened(self, request: Request) -> None:
        """The connection is open."""

    def _answer_close(self, payload: bytes) -> None:
        if self._is_open:
            self._is_open = False
            self._transport.write(encode_frame(Opcode.CLOSE, payload[:2]))
        self._transport.close()

    # What the site calls

    def send(self, message: bytes) -> None:
        """Send a message soon, unless too many wait unread: then the connection ends."""
        if not self.is_open:
            return
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self.site.metrics.stalled.inc()
            self._transport.abort()
            return
        self._outgoing.append(encode_frame(Opcode.TEXT, message))
        if len(self._outgoing) == 1:
            self.site.flush_soon(self)

    def flush(self) -> None:
        """Let go of what was sent."""
        if self._outgoing:
            data, self._outgoing = b"".join(self._outgoing), []
            if not self._transport.is_closing():
                self._transport.write(data)

    def ping(self) -> None:
        """Ask whether anyone is there, and give up who has not answered for long."""
        if time.monotonic() > self.heard + _PATIENCE:
            self._transport.abort()
        elif self.is_open:
            self._transport.write(encode_frame(Opcode.PING, b""))

    def end(self, code: Code, reason: str) -> None:
        """Say why it ends, and wait a little for the other side to close."""
        self.flush()
        if self.is_open:
            self._transport.write(close_frame(code, reason))
            asyncio.get_running_loop().call_later(_GOOD_BYE, self._transport.abort)
        else:
            self._transport.close()
        self._is_open = False

    def shutdown(self) -> None:
        """Say good-bye: the server stops, and the client should come again."""
        self.end(Code.RESTART, "The server stops; come again.")
