"""Executors that run tasks in this thread, in threads, or in processes.

An executor is anything with `run(function, tasks)` that yields the results in the order of the tasks.
The function is at module level and tasks are plain values, so both can be pickled. Because results come
in order, an interrupted run has a prefix of all results.
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
from wonderland.engine.language import phrase

T = TypeVar("T")
R = TypeVar("R")

_TASKS_PER_WORKER = 4
"""Tasks in flight per worker: enough that none idles while one is slow."""


class Executor(Protocol):
    """Runs tasks and returns their results in order."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        ...


class SerialExecutor:
    """Runs tasks one after another in this thread."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        return map(function, tasks)


class ThreadExecutor:
    """Runs tasks in threads, for functions that release the GIL."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield from _run_in_order(pool, self.workers, function, tasks)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class ProcessExecutor:
    """Runs tasks in processes, for functions that hold the GIL; terminates them on early exit."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")  # same on every platform, safe with threads
        pool = ProcessPoolExecutor(self.workers, context, _ignore_interrupts)
        done = False
        try:
            yield from _run_in_order(pool, self.workers, function, tasks)
            done = True
        except BrokenProcessPool as error:
            raise ClusterFailed(
                phrase(
                    "a worker process crashed. If the computer ran out of memory, use fewer --workers."
                )
            ) from error
        finally:
            if not done:  # a bot may go on thinking for minutes
                for process in set(multiprocessing.active_children()) - others:
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _run_in_order(
    pool: Pool, workers: int, function: Callable[[T], R], tasks: Iterable[T]
) -> Iterator[R]:
    """Yield results in order, keeping the workers busy with a bounded number of tasks in flight."""
    waiting = iter(tasks)
    pending: deque[Future[R]] = deque(
        pool.submit(function, task) for task in islice(waiting, workers * _TASKS_PER_WORKER)
    )
    while pending:
        result = pending.popleft().result()
        pending.extend(pool.submit(function, task) for task in islice(waiting, 1))
        yield result


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def executor(workers: int, *, threads: bool) -> Executor:
    """Return the right executor for a number of workers."""
    if workers == 1:
        return SerialExecutor()
    return ThreadExecutor(workers) if threads else ProcessExecutor(workers)


def count_cores() -> int:
    """Number of CPU cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def split_range(first: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """Split `count` numbers from `first` on into chunks of at most `size`: the start and length of each.

    >>> list(split_range(5, 7, 3))
    [(5, 3), (8, 3), (11, 1)]
    """
    for begin in range(first, first + count, size):
        yield begin, min(size, first + count - begin)
