"""The threads in which bots think, and the queues in which they wait for them.

What waits is only a reference to its table: a bot is created when its turn to think comes, and freed
afterwards, so that memory is bounded by the number of threads. Owners are served in turn. Bots at tables
where nobody is present wait in a second queue, which is served when the first one is empty.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from wonderland.tables.fair_queue import FairQueue, Owner
from wonderland.tables.limits import Limits

_NICENESS = 10
"""Of bot threads: moves of people come first, and bots still get a tenth of a busy processor."""

Prepare = Callable[[], Callable[[], Any] | None]
"""Called in the event loop when the turn comes: returns the work for a thread, or `None` to skip it."""
Done = Callable[[Future[Any] | None], None]
"""Called in the event loop with the result of the work; `None` if it was skipped."""


def lower_priority() -> None:
    """Lower the priority of the current thread; only Linux has priorities for single threads."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


class _Job(NamedTuple):
    prepare: Prepare
    done: Done


class BotPool:
    """Runs at most as many jobs as there are threads; the others wait in fair, bounded queues."""

    def __init__(self, threads: int, limits: Limits) -> None:
        most, per_owner = limits.of("bots_waiting"), limits.of("bots_waiting_per_owner")
        self._waiting = FairQueue[_Job](most, per_owner)
        self._unattended = FairQueue[_Job](most, per_owner)
        self._threads = threads
        self._running = 0
        self._is_closed = False
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot", initializer=lower_priority)

    def __len__(self) -> int:
        """The number of jobs that run or wait."""
        return self._running + len(self._waiting) + len(self._unattended)

    def submit(self, owner: Owner, prepare: Prepare, done: Done, *, attended: bool = True) -> bool:
        """Queue a job; return `False` if the queue is full for this owner, who must try again later."""
        queue = self._waiting if attended else self._unattended
        if self._is_closed or not queue.put(owner, _Job(prepare, done)):
            return False
        self._start_next()
        return True

    def close(self) -> None:
        """Drop everything that waits; what runs is finished but not reported."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _start_next(self) -> None:
        while self._running < self._threads and not self._is_closed:
            job = self._waiting.pop() or self._unattended.pop()
            if job is None:
                return
            work = job.prepare()
            if work is None:
                job.done(None)
            else:
                self._run(work, job.done)

    def _run(self, work: Callable[[], Any], done: Done) -> None:
        self._running += 1
        loop = asyncio.get_running_loop()

        def finish(future: Future[Any]) -> None:
            self._running -= 1
            self._start_next()
            done(future)

        def on_done(future: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop may have been closed by now
                loop.call_soon_threadsafe(finish, future)

        self._pool.submit(work).add_done_callback(on_done)
