"""An executor on Ray: the same work, by a cluster that is there, or by one of its own on this machine.

Tasks are sent in batches, small at first and larger while they are quick, so that short ones don't cost
more on the way than in the doing. What a worker had in hand when it died is done again by another.
"""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from time import perf_counter
from typing import Any, Generic, TypeVar

from wonderland import __version__
from wonderland.engine.errors import ClusterFailed, UsageError, WonderlandError, quote, shorten
from wonderland.lab.executors import cores
from wonderland.lab.output_files import require_package

T = TypeVar("T")
R = TypeVar("R")

LARGEST = 256
"""How many tasks a batch has at most: as many may have to be done again when a worker dies."""
RETRIES = 3
"""How often a batch is given to another worker: who dies that often dies of the work itself."""
_AHEAD = 4
"""How many batches are handed out for each worker."""
_QUICK, _SLOW = 0.2, 1.0
"""Seconds: batches that take less grow, and those that take more shrink."""
_STORE = 256 * 2**20
"""Bytes for results on their way: more than they need, and less than Ray would reserve."""
_PATIENCE = 5
"""Seconds until an address counts as out of reach."""
_SETTINGS = b"\4"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
"""How a connection of HTTP/2 begins, which Ray speaks, and the kind of what is answered."""
_LONGEST_REASON = 160
_LONGEST_FOLDER = 36
"""Ray makes sockets in its folder, and the path of a socket must not be longer than 103."""


class Cluster:
    """Workers of a Ray cluster. Without an address it is a local one, for as long as the work takes.

    `workers` is how many a local cluster has, or how many of another are used at once.
    """

    def __init__(
        self, address: str | None = None, workers: int | None = None, retries: int = RETRIES
    ) -> None:
        self.address = address
        self.workers = workers
        self.retries = retries
        self._ray = _ray(is_local=address is None)

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""
        with self.connect() as most:
            # Whoever leaves early leaves: Ray ends what a program had handed out when it goes. Asked to
            # cancel a batch that is just coming in, Ray 2.60 ends the program instead.
            yield from _Batches(self._ray, self.retries, function, iter(tasks)).results(most)

    @contextmanager
    def connect(self) -> Iterator[int]:
        """Be part of the cluster meanwhile, for several runs; gives how many batches may be out at once.

        Who is part of one already, by `ray.init` or within this, stays so.
        """
        with ExitStack() as stack:
            if not self._ray.is_initialized():
                if self.address is None:
                    self._start(stack)
                else:
                    self._join(self.address, stack)
            if self.address is not None and self.workers is not None:
                yield self.workers
            else:
                yield max(1, int(self._ray.cluster_resources().get("CPU", 1))) * _AHEAD

    def _start(self, stack: ExitStack) -> None:
        """Start a cluster that nobody else hears of, and whose files go when it goes."""
        folder = tempfile.TemporaryDirectory(prefix="wonder-", ignore_cleanup_errors=True)
        where = stack.enter_context(folder)
        stack.callback(_leave, self._ray)
        try:
            self._ray.init(
                address="local",
                num_cpus=self.workers or cores(),
                num_gpus=0,
                object_store_memory=_STORE,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=where if len(where) <= _LONGEST_FOLDER else None,
            )
        except Exception as error:  # Ray raises bare ones too, as when a slow machine runs out of time
            raise ClusterFailed(f"no cluster can be started here: {_reason(error)}.") from error

    def _join(self, address: str, stack: ExitStack) -> None:
        stack.callback(_leave, self._ray)
        try:
            _check_reachable(address)
            self._ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except UsageError:
            raise
        except Exception as error:  # as above
            raise ClusterFailed(
                f"the cluster {quote(address)} can't be reached: {_reason(error)}."
            ) from error


class _Batches(Generic[T, R]):
    """Tasks that are handed out, batch by batch, and their results."""

    def __init__(self, ray: Any, retries: int, function: Callable[[T], R], tasks: Iterator[T]) -> None:
        self._ray = ray
        self._do = ray.remote(_do).options(max_retries=retries, num_cpus=1)
        self._function = ray.put(function)
        self._tasks = tasks
        self._size = 1
        self._begun: deque[Any] = deque()

    def results(self, most: int) -> Iterator[R]:
        """All results, while never more than so many batches are out."""
        while self._hand_out(most):
            done, seconds = self._result(self._begun[0])
            self._begun.popleft()
            self._resize(len(done), seconds)
            self._hand_out(most)
            yield from done

    def _hand_out(self, most: int) -> int:
        while len(self._begun) < most and (batch := list(islice(self._tasks, self._size))):
            self._begun.append(self._do.remote(__version__, self._function, batch))
        return len(self._begun)

    def _resize(self, done: int, seconds: float) -> None:
        if seconds < _QUICK and done >= self._size:
            self._size = min(2 * self._size, LARGEST)
        elif seconds > _SLOW and done <= self._size:
            self._size = max(1, self._size // 2)

    def _result(self, batch: Any) -> tuple[list[R], float]:
        exceptions = self._ray.exceptions
        try:
            found: tuple[list[R], float] = self._ray.get(batch)
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, WonderlandError):
                raise error.cause from None  # as it would be said without a cluster
            raise ClusterFailed(
                f"a worker of the cluster failed with {_reason(error.cause)}. "
                f"Is Wonderland {__version__} installed on all of its machines, and your own bots?"
            ) from error
        except exceptions.WorkerCrashedError as error:
            raise ClusterFailed("a process that was playing has died, again and again.") from error
        except exceptions.RayError as error:
            raise ClusterFailed(f"the cluster failed: {_reason(error)}.") from error
        return found


def _do(version: str, function: Callable[[T], R], tasks: list[T]) -> tuple[list[R], float]:
    """What a worker does: the results of a batch, and how long they took."""
    if version != __version__:
        raise ClusterFailed(
            f"a machine of the cluster has Wonderland {__version__} and not {version}: "
            "the same version must be installed on all of them."
        )
    began = perf_counter()
    return [function(task) for task in tasks], perf_counter() - began


def _ray(*, is_local: bool) -> Any:
    """Ray, told before it is imported to keep to itself."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # those of batches nobody waits for
    if is_local:  # the name of the switch says less than it does: listen to this machine only
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    return require_package("ray", "cluster", "--cluster")


def _leave(ray: Any) -> None:
    """Leave the cluster without what Ray's own threads have to say of work that is broken off."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        ray.shutdown()
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _check_reachable(address: str) -> None:
    """That somebody listens there who speaks as Ray does: Ray itself would try for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon:
        if address == "auto":
            return
        raise UsageError(
            f"the cluster {quote(address)} can't be reached: "
            "an address is HOST:PORT, or auto for that of this machine."
        )
    if not port.isdecimal():
        raise UsageError(f"the cluster {quote(address)} can't be reached: {quote(port)} is not a port.")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE) as link:
        if os.environ.get("RAY_USE_TLS", "0") == "0":
            link.sendall(_GREETING)
            if link.recv(9)[3:4] != _SETTINGS:
                raise ConnectionError("whoever listens there is no Ray cluster")


def _reason(error: BaseException) -> str:
    """What went wrong in one line."""
    strerror = getattr(error, "strerror", None)
    lines = [line.strip() for line in (strerror or str(error)).splitlines() if line.strip()]
    first = lines[0].partition(". ")[0] if lines else type(error).__name__
    return shorten(first, _LONGEST_REASON).rstrip(".")
