"""Handling of Ctrl-C: the first stops the run and keeps its results, the second quits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """Raises an interrupt at once while waiting, but defers it while results are being counted."""

    def __init__(self) -> None:
        self._is_counting = False
        self._is_pending = False
        """Whether an interrupt is deferred until the count is complete."""

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Handle SIGINT for the duration; a no-op outside the main thread, which alone gets signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Defer the first interrupt until the end of the block, which so runs completely."""
        self._is_counting = True
        try:
            yield
        finally:
            self._is_counting = False
        if self._is_pending:
            raise KeyboardInterrupt

    def _handle(self, _: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the next one quits
        if self._is_counting:
            self._is_pending = True
        else:
            raise KeyboardInterrupt
