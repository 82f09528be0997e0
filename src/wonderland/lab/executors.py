"""Cuts work into numbered pieces and has them done: here, in threads, or in processes.

An executor is anything with `run(function, tasks)` that gives the results in the order of the tasks. The
function stands in a module and the tasks are plain values, so that they can be sent anywhere. Since
results come in order, whatever is there when a run is interrupted is the beginning of the whole.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor as Pool
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeVar

from wonderland.engine.errors import ClusterFailed

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""How many tasks are handed out for each worker: enough that none waits for the one that is slow."""


class Executor(Protocol):
    """Whoever does the work."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        ...


class SerialExecutor:
    """Does everything itself, one after the other."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        return map(function, tasks)


class ThreadExecutor:
    """Several threads, for what lets go of Python's lock."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield from _in_order(pool, self.workers, function, tasks)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class ProcessExecutor:
    """Several processes, for Python that keeps the lock. They are ended when nobody waits any more."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe with threads
        pool = ProcessPoolExecutor(self.workers, context, _leave_interrupts_to_the_parent)
        done = False
        try:
            yield from _in_order(pool, self.workers, function, tasks)
            done = True
        except BrokenProcessPool as error:
            raise ClusterFailed("a process that was playing has died.") from error
        finally:
            if not done:  # a bot may think for minutes yet
                for process in set(multiprocessing.active_children()) - others:
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: Pool, workers: int, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
    """Keep the workers busy without ever holding more than a few results."""
    waiting = iter(tasks)
    begun: deque[Future[R]] = deque(
        pool.submit(function, task) for task in islice(waiting, workers * _AHEAD)
    )
    while begun:
        result = begun.popleft().result()
        begun.extend(pool.submit(function, task) for task in islice(waiting, 1))
        yield result


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def executor(workers: int, *, threads: bool) -> Executor:
    """The right one for so many workers."""
    if workers == 1:
        return SerialExecutor()
    return ThreadExecutor(workers) if threads else ProcessExecutor(workers)


def cores() -> int:
    """How many workers this process may keep busy."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cut(first: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """Numbers from `first` on, in pieces of at most `size`: where each begins, and how many it has.

    >>> list(cut(5, 7, 3))
    [(5, 3), (8, 3), (11, 1)]
    """
    for begin in range(first, first + count, size):
        yield begin, min(size, first + count - begin)
