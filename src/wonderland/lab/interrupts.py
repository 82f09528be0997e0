"""Ctrl-C: the first one ends the playing and keeps what there is, a second one quits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """Within it an interrupt is raised while waiting, and put off while something is being counted."""

    def __init__(self) -> None:
        self._is_counting = False
        self._is_waiting = False
        """Whether an interrupt waits for the count to be complete."""

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Look after interrupts meanwhile; only the main thread gets any."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """All or nothing: what is done here is not left half done by a first interrupt."""
        self._is_counting = True
        try:
            yield
        finally:
            self._is_counting = False
        if self._is_waiting:
            raise KeyboardInterrupt

    def _handle(self, _: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the next one quits
        if self._is_counting:
            self._is_waiting = True
        else:
            raise KeyboardInterrupt
