"""HTTP with limited patience: a client that does not come to the end of its request is cut off.

uvicorn waits for the headers of a request for ever; a few hundred clients that send a byte now and then
would keep as many connections busy.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds from the opening of a connection, or the first byte of a request, to its headers' end."""


class TimeoutH11Protocol(H11Protocol):
    """uvicorn's HTTP with a timer."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timer."""
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        """Stop the timer when a whole request has come."""
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._start()
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._stop()

    def pause_writing(self) -> None:
        """Start the timer when answers are not taken."""
        super().pause_writing()
        self._stop()
        self._start()

    def resume_writing(self) -> None:
        """Stop it when they are."""
        self._stop()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._timer = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
