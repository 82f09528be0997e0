"""Worker processes: starts them on one socket, restarts those that die, and stops all on a signal.

A worker that keeps dying is restarted more and more slowly, and the delay decays while it runs, so the
server neither spins nor gives up, however long it lives.
"""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wonderland.web.socket_handoff import mailboxes

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from wonderland.web.server import Settings

logger = logging.getLogger("wonderland.serve")
_POLL_SECONDS = 0.2
_FIRST_DELAY, _LONGEST_DELAY = 0.2, 30.0
_HALF_LIFE = 60.0
"""Seconds of running after which the delay before the next restart has halved."""
_FAILED_TO_START = 2
"""Exit code of a worker that has reported why it can't start."""
_STOPPED_AT_START = (-signal.SIGTERM, -signal.SIGINT, 128 + signal.SIGINT)
"""Exit codes of a worker that is stopped before it handles signals itself."""


class Backoff:
    """The delay before the next restart: doubles with every death, halves with every minute of life.

    >>> backoff = Backoff()
    >>> [backoff.delay_after(0.0) for _ in range(4)]
    [0.2, 0.4, 0.8, 1.6]
    >>> backoff.delay_after(180.0)  # after three minutes
    0.4
    """

    def __init__(self) -> None:
        self._delay = 0.0

    def delay_after(self, lifetime: float) -> float:
        """Return the seconds to wait before restarting a process that lived this long."""
        decayed = self._delay * 0.5 ** (lifetime / _HALF_LIFE)
        self._delay = min(_LONGEST_DELAY, max(_FIRST_DELAY, 2 * decayed))
        return self._delay


class _Worker:
    """One worker process and its successors."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self._start = start
        self._backoff = Backoff()
        self._restart_at: float | None = None
        self._restarts = 0
        self._started = time.monotonic()
        self.process = start()

    def tend(self) -> bool:
        """Restart the process if it has died and the delay has passed; return `False` to give up."""
        now = time.monotonic()
        if self._restart_at is None and self.process.poll() is not None:
            code = self.process.returncode
            if code == _FAILED_TO_START and not self._restarts:
                return False
            delay = self._backoff.delay_after(now - self._started)
            level = logging.ERROR if delay == _LONGEST_DELAY else logging.WARNING
            logger.log(level, "a worker process exited", extra={"code": code, "restart_in": delay})
            self._restart_at = now + delay
        if self._restart_at is not None and now >= self._restart_at:
            self._restart_at = None
            self._restarts += 1
            self._started = now
            self.process = self._start()
        return True


def serve_workers(settings: Settings, sock: socket.socket, on_open: Callable[[], None]) -> int:
    """Run several workers on one socket until a signal arrives; return the exit code."""
    stopping = False

    def stop(*_: int | FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    receivers, senders = mailboxes(settings.workers)

    def start(index: int) -> subprocess.Popen[bytes]:
        """Start a worker with the shared socket, its index, its own mailbox and everyone's mailboxes."""
        descriptors = [sock.fileno(), receivers[index].fileno(), *(each.fileno() for each in senders)]
        argument = ",".join(map(str, [descriptors[0], index, *descriptors[1:]]))
        return _start_worker(settings, argument, descriptors)

    workers = [_Worker(lambda index=index: start(index)) for index in range(settings.workers)]  # type: ignore[misc]
    on_open()
    while not stopping:
        time.sleep(_POLL_SECONDS)
        for worker in workers:
            stopping = stopping or not worker.tend()
    for worker in workers:
        worker.process.terminate()
    codes = {worker.process.wait() for worker in workers} - set(_STOPPED_AT_START)
    return max(map(abs, codes), default=0)


def _start_worker(settings: Settings, argument: str, descriptors: list[int]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "wonderland", "serve", *_worker_arguments(settings, argument)]
    return subprocess.Popen(command, pass_fds=descriptors)  # noqa: S603 - this very program


def _worker_arguments(settings: Settings, argument: str) -> Sequence[str]:
    arguments = [f"--worker={argument}", f"--log={settings.log}", f"--bots={settings.bot_threads}"]
    arguments += [f"--per-address={settings.per_address}", f"--coach-playouts={settings.coach_playouts}"]
    arguments += [f"--limit={limit}" for limit in settings.limits.texts()]
    arguments += [f"--database={settings.database}"] * bool(settings.database)
    arguments += [f"--key={settings.key}"] * bool(settings.key)
    arguments += [f"--origin={origin}" for origin in settings.origins]
    arguments += [f"--trusted-proxy={network}" for network in settings.trusted_proxies]
    arguments += [f"--allowed-host={host}" for host in settings.hosts]
    arguments += ["--public-metrics"] * settings.public_metrics
    return arguments
