"""WebSocket connections as an asyncio protocol; replaces uvicorn's own implementation.

The sans-I/O part of `websockets` does the opening handshake and reads and writes frames. Messages are
handled directly in `data_received`, without a task or queue per connection, and those sent in one loop
tick go out in one write. A client that stops reading is disconnected once too many bytes are buffered
for it, so slow clients cost the others nothing. Every frame counts towards the rate limit, control
frames and fragments included, and nothing more is read from a client that has exceeded it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Protocol, Side, State
from websockets.server import ServerProtocol

from wonderland.tables.rate_limit import TokenBucket, network_of
from wonderland.web.proxies import WRONG_HOST, is_allowed_host
from wonderland.web.security import LARGEST_MESSAGE

if TYPE_CHECKING:
    from wonderland.web.app import Site

logger = logging.getLogger("wonderland.web")
_MAX_UNREAD = 512 * 1024
"""Bytes that may be buffered for a client that does not read."""
_RATE, _BURST = 100.0, 200.0
"""Frames per second that a client may send, and how many at once."""
_SLICE = 4096
"""Bytes to read at a time: a client could fit thousands of frames into what arrives at once."""
_IDLE_TIMEOUT = 60.0
"""Seconds without any data, pongs included, before a connection counts as dead."""
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_RETRY_AFTER = "10"
"""Seconds after which a client that was turned away may come again."""
_CLOSE_TIMEOUT = 2.0
"""Seconds for the client to answer the closing handshake."""


class CloseCode(IntEnum):
    """Close codes that we send: standard ones, and ours from 4000 on."""

    UNSUPPORTED = 1003
    POLICY = 1008
    RESTART = 1012
    TRY_LATER = 1013
    NOT_YOURS = 4403
    NOT_FOUND = 4404


class WebSocketProtocol(asyncio.Protocol, ABC):
    """One WebSocket connection. Subclasses decide on admission (`check_request`) and handle messages."""

    __slots__ = (
        "_bucket",
        "_fragments",
        "_frames",
        "_is_cut_off",
        "_is_open",
        "_outgoing",
        "_transport",
        "address",
        "connections",
        "host",
        "last_received",
        "local_host",
        "network",
        "site",
    )

    def __init__(self, site: Site, server_state: Any) -> None:
        self.site = site
        self.connections: set[Any] = server_state.connections
        self.last_received = time.monotonic()
        self.address = ""
        self.local_host = ""
        """The address of this machine at which the client connected."""
        self.host: str | None = None
        """The name under which the client knows the server."""
        self.network = ""
        """The client's network, by which limits count."""
        self._frames: Protocol = ServerProtocol()
        self._fragments = b""
        """The beginning of an unfinished message."""
        self._bucket = TokenBucket(_RATE, _BURST)
        self._outgoing: list[bytes] = []
        self._is_open = False
        self._is_cut_off = False
        """Whether whatever the client still sends is ignored."""

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
        self.local_host = (self._transport.get_extra_info("sockname") or ("",))[0]
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
        if isinstance(self._frames, ServerProtocol):
            try:
                self._open(self._frames, data)
            except Exception:  # whatever was sent, uvicorn must finish handing over the connection
                logger.exception("invalid handshake")
                self._is_open = False
                self._transport.write(_BAD_REQUEST)
                self._transport.close()
            return
        for begin in range(0, len(data), _SLICE):
            if self._is_cut_off:
                return
            self._receive(self._frames, data[begin : begin + _SLICE])

    def _receive(self, frames: Protocol, data: bytes) -> None:
        frames.receive_data(data)
        for frame in frames.events_received():
            if not self._bucket.take():
                self._is_cut_off = True
                self._transport.pause_reading()
                self.site.metrics.limited.inc()
                self.end(CloseCode.POLICY, "Too many messages; come again later.")
                return
            if self._is_open:
                self._receive_frame(cast("Frame", frame))
        if frames.writes:
            self._answer(frames)

    def _receive_frame(self, frame: Frame) -> None:
        """Handle a data frame; `websockets` answers control frames and violations of the protocol."""
        opcode = frame.opcode
        if opcode is Opcode.TEXT and frame.fin:
            self.receive_message(bytes(frame.data))
        elif opcode is Opcode.TEXT or opcode is Opcode.CONT:
            self._fragments += frame.data
            if frame.fin:
                message, self._fragments = self._fragments, b""
                self.receive_message(message)
        elif opcode is Opcode.BINARY:
            self.end(CloseCode.UNSUPPORTED, "Only text messages are supported.")

    def _answer(self, frames: Protocol) -> None:
        """Send what the protocol answers: pongs, and close frames, after which the connection ends."""
        self.flush()
        answer = b"".join(frames.data_to_send())
        if self._has_stalled():
            return
        self._transport.write(answer)
        if frames.state is State.OPEN:
            return
        self._is_open = False
        if frames.close_rcvd is not None:
            self._transport.close()
        else:  # closing at once could destroy the close frame, as data of the client is unread
            asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT, self._transport.abort)

    def _open(self, handshake: ServerProtocol, data: bytes) -> None:
        handshake.receive_data(data)
        for event in handshake.events_received():
            if isinstance(event, Request):
                if self.hand_off(event, data):
                    return
                headers = [(name.lower(), value) for name, value in event.headers.raw_items()]
                client = self.site.proxies.client(self.address, headers)
                self.address, self.host = client.address, client.host or event.headers.get("Host")
                self.network = network_of(self.address)
                rejection = self._check_host() or self.check_request(event)
                response = handshake.reject(*rejection) if rejection else handshake.accept(event)
                if response.status_code == 429:
                    response.headers["Retry-After"] = _RETRY_AFTER
                handshake.send_response(response)
                # The protocol of the handshake would keep the request in memory.
                self._frames = Protocol(Side.SERVER, max_size=LARGEST_MESSAGE, logger=logger)
                self._is_open = response.status_code == 101
                self._transport.write(b"".join(handshake.data_to_send()))
                if self._is_open:
                    self.on_opened(event)
        if not self._is_open:
            self._transport.close()

    def _check_host(self) -> tuple[int, str] | None:
        return None if is_allowed_host(self.host, self.site.hosts) else (421, WRONG_HOST)

    def on_opened(self, request: Request) -> None:
        """Called when the handshake is complete."""

    # Called by the site

    def send(self, message: bytes) -> None:
        """Queue a message for this loop tick; abort instead if the client has stopped reading."""
        if not self.is_open or self._has_stalled():
            return
        self._outgoing.append(Frame(Opcode.TEXT, message).serialize(mask=False))
        if len(self._outgoing) == 1:
            self.site.flush_soon(self)

    def _has_stalled(self) -> bool:
        """Abort if too much is buffered for the client; return whether that was so."""
        if self._transport.get_write_buffer_size() <= _MAX_UNREAD:
            return False
        self.site.metrics.stalled.inc()
        self._transport.abort()
        return True

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
            self._transport.write(Frame(Opcode.PING, b"").serialize(mask=False))

    def end(self, code: CloseCode, reason: str) -> None:
        """Start the closing handshake, and abort if the client does not answer in time."""
        self.flush()
        if self.is_open:
            self._frames.send_close(code, reason)
            self._transport.write(b"".join(self._frames.data_to_send()))
            asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT, self._transport.abort)
        else:
            self._transport.close()
        self._is_open = False

    def shutdown(self) -> None:
        """Close because the server is stopping; the code tells the client to reconnect."""
        self.end(CloseCode.RESTART, "The server stops; come again.")
