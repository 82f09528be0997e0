"""Timeout for request headers: clients that don't finish sending them are disconnected.

uvicorn itself waits for headers indefinitely, so a few hundred clients sending a byte now and then
(slowloris) would hold as many connections open.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_TIMEOUT = 10.0
"""Seconds from opening a connection, or from the first byte of a request, to the end of its headers."""


class TimeoutH11Protocol(H11Protocol):
    """uvicorn's HTTP protocol with a request timeout."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timer."""
        super().connection_made(transport)
        self._start_timer()

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
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
