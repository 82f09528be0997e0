"""Timeout for request headers, and a limit of HTTP connections per network.

uvicorn itself waits for headers indefinitely, so a few hundred clients sending a byte now and then
(slowloris) would hold as many connections open. Nor does it limit how many one client may open, until
the process has no file descriptors left for anyone else.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from wonderland.tables.rate_limit import network_of
from wonderland.web.proxies import TrustedProxies

HEADER_TIMEOUT = 10.0
"""Seconds from opening a connection, or from the first byte of a request, to the end of its headers."""


class HttpConnections:
    """The open HTTP connections of each network; those of trusted proxies are not counted.

    WebSockets are counted elsewhere, since a player's must not be closed.
    """

    def __init__(self, most: float, proxies: TrustedProxies) -> None:
        self._most = most
        self._proxies = proxies
        self._by_network: dict[str, dict[TimeoutH11Protocol, None]] = {}

    def add(self, connection: TimeoutH11Protocol) -> None:
        """Register a new connection; if there are too many, end the oldest that nobody waits for."""
        address = connection.client[0] if connection.client else ""
        if not address or address in self._proxies:
            return
        connection.network = network_of(address)
        own = self._by_network.setdefault(connection.network, {})
        own[connection] = None
        if len(own) > self._most:
            ended = next(each for each in own if each.is_waiting)  # the new one is
            self.remove(ended)
            ended.transport.abort()

    def remove(self, connection: TimeoutH11Protocol) -> None:
        """Unregister a connection; does nothing if it isn't registered."""
        own = self._by_network.get(connection.network)
        if own is not None:
            own.pop(connection, None)
            if not own:
                del self._by_network[connection.network]


class TimeoutH11Protocol(H11Protocol):
    """uvicorn's HTTP protocol with a request timeout."""

    _timer: asyncio.TimerHandle | None = None
    network = ""
    """The client's network, by which connections are counted; empty if they are not."""

    def __init__(self, *args: Any, opened: HttpConnections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._opened = opened

    @property
    def is_waiting(self) -> bool:
        """Whether the rest of a request, or the next one, has yet to come."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: Any) -> None:
        """Start the timer."""
        super().connection_made(transport)
        self._start_timer()
        self._opened.add(self)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Give the connection up: from now on it counts as a WebSocket."""
        self._opened.remove(self)
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        """Stop the timer once a complete request has arrived."""
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._start_timer()
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._stop_timer()

    def pause_writing(self) -> None:
        """Restart the timer while the client does not read its responses."""
        super().pause_writing()
        self._stop_timer()
        self._start_timer()

    def resume_writing(self) -> None:
        """Stop the timer when the client reads again."""
        self._stop_timer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        self._opened.remove(self)
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
