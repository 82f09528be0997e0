"""When the moves of bots are shown, so that the time a bot thinks says nothing about its cards.

A bot that searches is quick with an easy hand and slow with a difficult one. So its move waits for a
moment that was fixed when its turn began: the answer time of its level. A bot that takes longer, on a
busy machine, waits for the next of the ticks that follow at regular intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, Protocol


class Timer(Protocol):
    """The part of an event loop that is needed here."""

    def time(self) -> float:
        """The current time in seconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], Any]) -> Any:
        """Call a function at a given time."""
        ...


class ReleaseSchedule:
    """Delays the moves of bots until they may be shown; without a tick, nothing is delayed."""

    __slots__ = ("_tick", "_timer")

    def __init__(self, timer: Timer, tick: float) -> None:
        self._timer = timer
        self._tick = tick

    def begin(self, answer_time: float) -> Callable[[Callable[[], None]], None]:
        """Note that a turn begins; the result is to be called with what to do at the release."""
        began = self._timer.time()

        def release(action: Callable[[], None]) -> None:
            now = self._timer.time()
            if not answer_time or not self._tick:
                action()
            else:
                self._timer.call_at(release_time(now - began, answer_time, self._tick) + began, action)

        return release


def release_time(thought: float, answer_time: float, tick: float) -> float:
    """The time from the beginning of a turn to its release, for a bot that thought for a while.

    >>> [release_time(thought, 0.5, 0.25) for thought in (0.001, 0.4, 0.5, 0.6, 1.1)]
    [0.5, 0.5, 0.5, 0.75, 1.25]
    """
    return answer_time + tick * ceil(max(0.0, thought - answer_time) / tick)
