"""Executor on a Ray cluster: an existing one, or one started on this machine.

Tasks are sent in batches that grow while they are fast, so that short tasks don't spend more time in
transit than in execution. A batch whose worker dies is retried on another.
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
from wonderland.engine.language import phrase
from wonderland.lab.executors import count_cores
from wonderland.lab.output_files import require_package

T = TypeVar("T")
R = TypeVar("R")

LARGEST = 256
"""Maximum batch size, and so the most tasks to be retried when a worker dies."""
RETRIES = 3
"""Retries of a batch whose worker died; beyond that, the work itself is to blame."""
_BATCHES_PER_WORKER = 4
"""Batches in flight per worker."""
_FAST_SECONDS, _SLOW_SECONDS = 0.2, 1.0
"""Seconds: the batch size grows below the first, and shrinks above the second."""
_OBJECT_STORE_BYTES = 256 * 2**20
"""Ray's object store, in bytes: ample for the results, and less than Ray's default."""
_CONNECT_TIMEOUT = 5
"""Timeout in seconds for the check that an address is reachable."""
_SETTINGS = b"\4"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
"""HTTP/2 connection preface, which Ray's gRPC answers with a SETTINGS frame."""
_LONGEST_REASON = 160
_LONGEST_FOLDER = 36
"""Ray creates sockets in its folder, and a socket path is limited to 103 characters."""


class Cluster:
    """Executor on a Ray cluster; without an address, a local cluster is started for the duration.

    `workers` is the number of workers of a local cluster, or the most to use at once of another.
    """

    def __init__(
        self, address: str | None = None, workers: int | None = None, retries: int = RETRIES
    ) -> None:
        self.address = address
        self.workers = workers
        self.retries = retries
        self._ray = _import_ray(is_local=address is None)

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        with self.connect() as most:
            # On early exit nothing is cancelled: Ray drops the tasks of a driver that disconnects.
            # Cancelling a batch whose result is just arriving crashes the driver in Ray 2.60.
            yield from _Batches(self._ray, self.retries, function, iter(tasks)).results(most)

    @contextmanager
    def connect(self) -> Iterator[int]:
        """Stay connected for several runs; yields the maximum number of batches in flight.

        An existing connection, from `ray.init` or an enclosing call, is reused and left open.
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
                yield max(1, int(self._ray.cluster_resources().get("CPU", 1))) * _BATCHES_PER_WORKER

    def _start(self, stack: ExitStack) -> None:
        """Start a private local cluster, whose files are removed with it."""
        folder = tempfile.TemporaryDirectory(prefix="wonder-", ignore_cleanup_errors=True)
        where = stack.enter_context(folder)
        stack.callback(_disconnect, self._ray)
        try:
            self._ray.init(
                address="local",
                num_cpus=self.workers or count_cores(),
                num_gpus=0,
                object_store_memory=_OBJECT_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=where if len(where) <= _LONGEST_FOLDER else None,
            )
        except Exception as error:  # Ray also raises bare `Exception`, for example on a start-up timeout
            raise ClusterFailed(
                phrase("can't start a cluster on this computer: {reason}."), reason=_reason(error)
            ) from error

    def _join(self, address: str, stack: ExitStack) -> None:
        stack.callback(_disconnect, self._ray)
        try:
            _check_reachable(address)
            self._ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except UsageError:
            raise
        except Exception as error:  # as above
            raise ClusterFailed(
                phrase("can't connect to the cluster {address}: {reason}."),
                address=quote(address),
                reason=_reason(error),
            ) from error


class _Batches(Generic[T, R]):
    """Tasks submitted batch by batch, and their results."""

    def __init__(self, ray: Any, retries: int, function: Callable[[T], R], tasks: Iterator[T]) -> None:
        self._ray = ray
        self._run_batch = ray.remote(_run_batch).options(max_retries=retries, num_cpus=1)
        self._function = ray.put(function)
        self._tasks = tasks
        self._size = 1
        self._pending: deque[Any] = deque()

    def results(self, most: int) -> Iterator[R]:
        """Yield all results, with at most `most` batches in flight."""
        while self._submit(most):
            done, seconds = self._wait_for(self._pending[0])
            self._pending.popleft()
            self._resize(len(done), seconds)
            self._submit(most)
            yield from done

    def _submit(self, most: int) -> int:
        while len(self._pending) < most and (batch := list(islice(self._tasks, self._size))):
            self._pending.append(self._run_batch.remote(__version__, self._function, batch))
        return len(self._pending)

    def _resize(self, done: int, seconds: float) -> None:
        if seconds < _FAST_SECONDS and done >= self._size:
            self._size = min(2 * self._size, LARGEST)
        elif seconds > _SLOW_SECONDS and done <= self._size:
            self._size = max(1, self._size // 2)

    def _wait_for(self, batch: Any) -> tuple[list[R], float]:
        exceptions = self._ray.exceptions
        try:
            found: tuple[list[R], float] = self._ray.get(batch)
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, WonderlandError):
                raise error.cause from None  # the same error as without a cluster
            raise ClusterFailed(
                phrase(
                    "a worker in the cluster failed: {reason}. Check that Wonderland {version} and your "
                    "own bots are installed on all of its machines."
                ),
                reason=_reason(error.cause),
                version=__version__,
            ) from error
        except exceptions.WorkerCrashedError as error:
            raise ClusterFailed(
                phrase(
                    "a worker process in the cluster crashed repeatedly. Check the memory of its "
                    "machines."
                )
            ) from error
        except exceptions.RayError as error:
            raise ClusterFailed(
                phrase("the cluster failed: {reason}."), reason=_reason(error)
            ) from error
        return found


def _run_batch(version: str, function: Callable[[T], R], tasks: list[T]) -> tuple[list[R], float]:
    """Run a batch on a worker, and return its results and the seconds it took."""
    if version != __version__:
        raise ClusterFailed(
            phrase(
                "a machine in the cluster has Wonderland {found} instead of {wanted}. Install the "
                "same version on all of them."
            ),
            found=__version__,
            wanted=version,
        )
    started = perf_counter()
    return [function(task) for task in tasks], perf_counter() - started


def _import_ray(*, is_local: bool) -> Any:
    """Import Ray, with usage statistics and unhandled-error logs disabled beforehand."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # errors of abandoned batches
    if is_local:  # despite its name, this makes Ray listen on localhost only
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    return require_package("ray", "cluster", "--cluster")


def _disconnect(ray: Any) -> None:
    """Disconnect from the cluster, silencing what Ray's threads print about abandoned work."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        ray.shutdown()
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _check_reachable(address: str) -> None:
    """Check quickly that a Ray server listens there, because Ray itself would retry for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon:
        if address == "auto":
            return
        raise UsageError(
            phrase(
                "{address} isn't the address of a cluster. Use HOST:PORT, or 'auto' for the cluster "
                "on this computer."
            ),
            address=quote(address),
        )
    if not port.isdecimal():
        raise UsageError(
            phrase("{address} isn't the address of a cluster: {port} isn't a port number."),
            address=quote(address),
            port=quote(port),
        )
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_TIMEOUT) as link:
        if os.environ.get("RAY_USE_TLS", "0") == "0":
            link.sendall(_GREETING)
            if link.recv(9)[3:4] != _SETTINGS:
                raise ConnectionError("the server there isn't a Ray cluster")


def _reason(error: BaseException) -> str:
    """Summarise an error in one line."""
    strerror = getattr(error, "strerror", None)
    lines = [line.strip() for line in (strerror or str(error)).splitlines() if line.strip()]
    first = lines[0].partition(". ")[0] if lines else type(error).__name__
    return shorten(first, _LONGEST_REASON).rstrip(".")
