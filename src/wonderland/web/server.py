"""Starts a server: storage, key, sockets, one process or several, and a clean end."""

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
_WAITING_CONNECTIONS = 2048
_DRAIN_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int | None = None
    """The usual one, or the next that is free, if none."""
    database: str = ""
    """A file for SQLite, or an address that begins with postgresql://; empty for the usual file."""
    key: str = ""
    """The file of the server's key; empty for the usual one."""
    workers: int = 1
    bots: int = 0
    """Threads in which bots think; as many as there are cores if 0."""
    origins: tuple[str, ...] = ()
    public_metrics: bool = False
    per_address: int = PER_ADDRESS
    coach_playouts: int = 0
    """How often the coach tries each choice; as often as the game needs if 0."""
    log: str = "warning"


def _kept_in() -> Path:
    """Where what people play is kept, if they don't say otherwise; made if it is not there."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(
            f"the folder {folder} can't be made ({error.strerror}): name a file with --database."
        ) from None
    return folder


def storage_for(settings: Settings) -> Storage:
    """What keeps the tables."""
    address = settings.database
    if address.startswith(("postgresql://", "postgres://")):
        from wonderland.tables.storage.postgres import PostgresStorage  # noqa: PLC0415 - an extra

        return PostgresStorage(address)
    if "://" in address:
        kind = address.partition("://")[0]  # the rest may hold a password
        raise UsageError(
            f"a database of the kind {quote(kind)} is not known: it is a file, or postgresql://…"
        )
    return SqliteStorage(Path(address) if address else _kept_in() / "tables.db")


def key_for(settings: Settings) -> ServerKey:
    """The server's key: from the environment, from the file named, or beside the database."""
    if text := os.environ.get(_KEY_VARIABLE):
        return ServerKey.from_text(text)
    if settings.key:
        return ServerKey.load(settings.key)
    if "://" in settings.database or not settings.database:
        return ServerKey.load(_kept_in() / "server.key")
    return ServerKey.load(Path(settings.database).with_suffix(".key"))


def mark_for(settings: Settings) -> str:
    """What tells the servers of one database from others."""
    database = settings.database or str(data_folder() / "tables.db")
    return mark_of(key_for(settings).fingerprint, database)


Tell = Callable[[ServerAddress], None]
"""Is told where the server is, once it is open."""


def serve(settings: Settings, tell: Tell, worker: str = "") -> int:
    """Serve until a signal comes; gives the exit code. `worker`: what one of several is told."""
    set_up(settings.log)
    if worker:
        descriptor, _, rest = worker.partition(",")
        sock = socket.socket(fileno=int(descriptor))
        return _serve_one(settings, sock, lambda _: None, SocketHandoff.from_text(rest))
    try:
        sock = open_socket(settings.host, settings.port, mark_for(settings))
    except AlreadyOpen as there:
        tell(there.opened)
        return 0
    if settings.workers == 1:
        return _serve_one(settings, sock, tell)
    return _serve_many(settings, sock, tell)


def _serve_one(
    settings: Settings,
    sock: socket.socket,
    tell: Tell,
    handing: SocketHandoff | None = None,
) -> int:
    house = TableService(storage_for(settings), key_for(settings))
    opened = server_address(sock, settings.port)
    site = Site(
        house,
        bots=settings.bots or os.cpu_count() or 1,
        origins=settings.origins,
        public_metrics=settings.public_metrics,
        per_address=settings.per_address,
        handing=handing,
        mark=mark_for(settings),
        others=opened.others,
        coach_playouts=settings.coach_playouts,
    )
    config = uvicorn.Config(
        application(site),
        http=TimeoutH11Protocol,
        ws=site.protocol,  # type: ignore[arg-type]  # it is called like a class
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
        backlog=_WAITING_CONNECTIONS,
    )
    server = _Server(config, site, lambda: tell(opened))
    server.run(sockets=[sock])
    if server.failure is not None:
        raise server.failure
    return 0


class _Server(uvicorn.Server):
    """Opens the site before it listens, and closes it after the last connection."""

    def __init__(self, config: uvicorn.Config, site: Site, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.site = site
        self.ready = ready
        self.failure: WonderlandError | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when told to, and call that a good end."""
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
        # What is here now stays: the collector need not look at it again, nor look so often.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        sys.setswitchinterval(0.0005)  # the storage's writer is done with the interpreter in no time
        if self.site.handing is not None:
            self.site.handing.receive(partial(self.site.take_over, server_state=self.server_state))
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, say good-bye, finish what was begun."""
        if self.site.handing is not None:
            self.site.handing.close()
        await super().shutdown(sockets)
        await self.site.close()


def _serve_many(settings: Settings, sock: socket.socket, tell: Tell) -> int:
    """Several processes at one socket. One that dies is replaced; a signal ends them all."""
    stopping = False

    def stop(*_: int | FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    take, put = mailboxes(settings.workers)

    def start(place: int) -> subprocess.Popen[bytes]:
        """A worker: the socket that all listen at, its number, its mailbox, and everybody's."""
        ends = [sock.fileno(), take[place].fileno(), *(each.fileno() for each in put)]
        told = ",".join(map(str, [ends[0], place, *ends[1:]]))
        return _worker(settings, told, ends)

    workers = [start(place) for place in range(settings.workers)]
    tell(server_address(sock, settings.port))
    quickly = 0
    while not stopping:
        time.sleep(0.2)
        for place, worker in enumerate(workers):
            if worker.poll() is None or stopping:
                continue
            quickly += 1
            if worker.returncode == 2 or quickly > 5 * settings.workers:  # it has said what is wrong
                stopping = True
            else:
                logger.warning("a worker has ended", extra={"code": worker.returncode})
                workers[place] = start(place)
    for worker in workers:
        worker.terminate()
    codes = [worker.wait() for worker in workers]
    return max(map(abs, codes), default=0)


def _worker(settings: Settings, told: str, descriptors: list[int]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "wonderland", "serve", *_arguments(settings, told)]
    return subprocess.Popen(command, pass_fds=descriptors)  # noqa: S603 - ourselves


def _arguments(settings: Settings, told: str) -> Sequence[str]:
    given = [f"--worker={told}", f"--log={settings.log}", f"--bots={settings.bots}"]
    given += [f"--per-address={settings.per_address}", f"--coach-playouts={settings.coach_playouts}"]
    given += [f"--database={settings.database}"] * bool(settings.database)
    given += [f"--key={settings.key}"] * bool(settings.key)
    given += [f"--origin={origin}" for origin in settings.origins]
    given += ["--public-metrics"] * settings.public_metrics
    return given


_USUAL = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """Writes a record with whatever was given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "name": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in _USUAL},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Log in this way to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True  # it writes whole addresses
    for chatty in ("websockets.server", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))
