"""Server processes: storage, key and socket, one worker or several, logging and graceful shutdown."""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from wonderland.engine.errors import FileProblem, UsageError, WonderlandError, quote
from wonderland.tables.fairness import ServerKey
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.sqlite import SqliteStorage
from wonderland.user_folders import data_folder
from wonderland.web.app import PER_ADDRESS, Site, application
from wonderland.web.http_timeout import TimeoutH11Protocol
from wonderland.web.socket_handoff import SocketHandoff, mailboxes
from wonderland.web.startup import AlreadyOpen, ServerAddress, mark_of, open_socket, server_address

logger = logging.getLogger("wonderland.serve")
_KEY_VARIABLE = "WONDERLAND_KEY"
_BACKLOG = 2048
_DRAIN_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of a server."""

    host: str = "127.0.0.1"
    port: int | None = None
    """`None` for the default port, or the next free one."""
    database: str = ""
    """A SQLite file or a postgresql:// address; empty for the default file in the data folder."""
    key: str = ""
    """The file of the server's key; empty for the default one."""
    workers: int = 1
    bots: int = 0
    """Threads for bots; 0 for one per core."""
    origins: tuple[str, ...] = ()
    public_metrics: bool = False
    per_address: int = PER_ADDRESS
    coach_playouts: int = 0
    """Playouts per choice in the coach; 0 for the game's default."""
    log: str = "warning"


def _create_data_folder() -> Path:
    """Return the default data folder, creating it if necessary."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(
            f"the folder {folder} can't be made ({error.strerror}): name a file with --database."
        ) from None
    return folder


def storage_for(settings: Settings) -> Storage:
    """Return the storage that the settings name."""
    address = settings.database
    if address.startswith(("postgresql://", "postgres://")):
        from wonderland.tables.storage.postgres import PostgresStorage  # noqa: PLC0415 - an optional dependency

        return PostgresStorage(address)
    if "://" in address:
        kind = address.partition("://")[0]  # the rest may contain a password
        raise UsageError(
            f"a database of the kind {quote(kind)} is not known: it is a file, or postgresql://…"
        )
    return SqliteStorage(Path(address) if address else _create_data_folder() / "tables.db")


def key_for(settings: Settings) -> ServerKey:
    """Load the server's key from the environment, the given file, or the file beside the database."""
    if text := os.environ.get(_KEY_VARIABLE):
        return ServerKey.from_text(text)
    if settings.key:
        return ServerKey.load(settings.key)
    if "://" in settings.database or not settings.database:
        return ServerKey.load(_create_data_folder() / "server.key")
    return ServerKey.load(Path(settings.database).with_suffix(".key"))


def mark_for(settings: Settings) -> str:
    """Return the mark that identifies servers of the same database and key."""
    database = settings.database or str(data_folder() / "tables.db")
    return mark_of(key_for(settings).fingerprint, database)


OnOpen = Callable[[ServerAddress], None]
"""Called with the server's address once it accepts connections."""


def serve(settings: Settings, on_open: OnOpen, worker: str = "") -> int:
    """Serve until a signal arrives, and return the exit code.

    `worker` is set in worker processes only: the inherited file descriptors (see `_serve_many`).
    """
    configure_logging(settings.log)
    if worker:
        descriptor, _, rest = worker.partition(",")
        sock = socket.socket(fileno=int(descriptor))
        return _serve_one(settings, sock, lambda _: None, SocketHandoff.from_text(rest))
    try:
        sock = open_socket(settings.host, settings.port, mark_for(settings))
    except AlreadyOpen as there:
        on_open(there.opened)
        return 0
    if settings.workers == 1:
        return _serve_one(settings, sock, on_open)
    return _serve_many(settings, sock, on_open)


def _serve_one(
    settings: Settings,
    sock: socket.socket,
    on_open: OnOpen,
    handoff: SocketHandoff | None = None,
) -> int:
    tables = TableService(storage_for(settings), key_for(settings))
    opened = server_address(sock, settings.port)
    site = Site(
        tables,
        bots=settings.bots or os.cpu_count() or 1,
        origins=settings.origins,
        public_metrics=settings.public_metrics,
        per_address=settings.per_address,
        handoff=handoff,
        mark=mark_for(settings),
        others=opened.others,
        coach_playouts=settings.coach_playouts,
    )
    config = uvicorn.Config(
        application(site),
        http=TimeoutH11Protocol,
        ws=site.protocol,  # type: ignore[arg-type]  # called like a class
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
        backlog=_BACKLOG,
    )
    server = _Server(config, site, lambda: on_open(opened))
    server.run(sockets=[sock])
    if server.failure is not None:
        raise server.failure
    return 0


class _Server(uvicorn.Server):
    """uvicorn server that opens the site before listening and closes it after the last connection."""

    def __init__(self, config: uvicorn.Config, site: Site, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.site = site
        self.ready = ready
        self.failure: WonderlandError | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals without re-raising them afterwards: a requested stop exits with 0."""
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the site, then listen."""
        try:
            await self.site.open()
        except WonderlandError as error:
            self.failure = error
            self.should_exit = True
            return
        await super().startup(sockets)
        # What is loaded by now lives as long as the process: keep the collector from rescanning it.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        sys.setswitchinterval(0.0005)  # the storage's writer thread needs the GIL only briefly
        if self.site.handoff is not None:
            self.site.handoff.receive(partial(self.site.take_over, server_state=self.server_state))
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, drain the connections, then close the site."""
        if self.site.handoff is not None:
            self.site.handoff.close()
        await super().shutdown(sockets)
        await self.site.close()


def _serve_many(settings: Settings, sock: socket.socket, on_open: OnOpen) -> int:
    """Run several workers on one socket: restart any that dies, stop all of them on a signal."""
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

    workers = [start(index) for index in range(settings.workers)]
    on_open(server_address(sock, settings.port))
    restarts = 0
    while not stopping:
        time.sleep(0.2)
        for index, worker in enumerate(workers):
            if worker.poll() is None or stopping:
                continue
            restarts += 1
            if worker.returncode == 2 or restarts > 5 * settings.workers:  # 2: it has reported the error
                stopping = True
            else:
                logger.warning("a worker has ended", extra={"code": worker.returncode})
                workers[index] = start(index)
    for worker in workers:
        worker.terminate()
    codes = [worker.wait() for worker in workers]
    return max(map(abs, codes), default=0)


def _start_worker(settings: Settings, argument: str, descriptors: list[int]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "wonderland", "serve", *_worker_arguments(settings, argument)]
    return subprocess.Popen(command, pass_fds=descriptors)  # noqa: S603 - this very program


def _worker_arguments(settings: Settings, argument: str) -> Sequence[str]:
    arguments = [f"--worker={argument}", f"--log={settings.log}", f"--bots={settings.bots}"]
    arguments += [f"--per-address={settings.per_address}", f"--coach-playouts={settings.coach_playouts}"]
    arguments += [f"--database={settings.database}"] * bool(settings.database)
    arguments += [f"--key={settings.key}"] * bool(settings.key)
    arguments += [f"--origin={origin}" for origin in settings.origins]
    arguments += ["--public-metrics"] * settings.public_metrics
    return arguments


_STANDARD_ATTRIBUTES = {
    *logging.makeLogRecord({}).__dict__,
    "message",
    "asctime",
    "color_message",
    "taskName",
}


class JsonLines(logging.Formatter):
    """Log formatter: one JSON object per line, including the fields given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "name": record.name,
            "message": record.getMessage(),
            **{
                name: value
                for name, value in record.__dict__.items()
                if name not in _STANDARD_ATTRIBUTES
            },
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def configure_logging(level: str) -> None:
    """Log JSON lines to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True  # it would log full URLs
    for chatty in ("websockets.server", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))
