"""Server processes: storage, key and socket, one worker or several, logging and graceful shutdown."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from wonderland.engine.errors import WonderlandError
from wonderland.tables.fairness import ServerKey
from wonderland.tables.limits import Limits
from wonderland.tables.service import TableService
from wonderland.tables.storage.location import create_data_folder, database_file, storage_at
from wonderland.web.app import PER_ADDRESS, Site, application
from wonderland.web.kernel_reload import pending_stamp, reload_when_compiled
from wonderland.web.proxies import LOOPBACK
from wonderland.web.request_ids import AddRequestId
from wonderland.web.second_socket import SecondSocket
from wonderland.web.socket_handoff import SocketHandoff
from wonderland.web.startup import AlreadyOpen, ServerAddress, mark_of, open_socket, server_address
from wonderland.web.workers import serve_workers

logger = logging.getLogger("wonderland.serve")
_KEY_VARIABLE = "WONDERLAND_KEY"
_BACKLOG = 2048
_DRAIN_SECONDS = 10
_MAX_FILES = 65_536
"""Files to allow if the system does; more would only cost memory."""


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
    """Threads for bots in each process; 0 for `default_bots`."""
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = LOOPBACK
    hosts: tuple[str, ...] = ()
    """The names under which the server answers; any if empty."""
    public_metrics: bool = False
    per_address: int = PER_ADDRESS
    limits: Limits = field(default_factory=Limits)
    coach_playouts: int = 0
    """Playouts per choice in the coach; 0 for the game's default."""
    log: str = "warning"
    home_network: str = ""
    """The address for the switch that opens the server to the home network; empty to find it."""

    @property
    def bot_threads(self) -> int:
        """The number of threads for bots in each process."""
        return self.bots or default_bots(os.cpu_count() or 1, self.workers)


def default_bots(cores: int, workers: int) -> int:
    """Return how many bots may think at a time in each worker, so that a core is left for its moves.

    >>> default_bots(1, 1), default_bots(2, 1), default_bots(8, 1), default_bots(8, 2)
    (1, 1, 7, 3)
    """
    return max(1, (cores - workers) // workers)


def key_for(settings: Settings) -> ServerKey:
    """Load the server's key from the environment, the given file, or the file beside the database."""
    if text := os.environ.get(_KEY_VARIABLE):
        return ServerKey.from_text(text)
    if settings.key:
        return ServerKey.load(settings.key)
    if "://" in settings.database or not settings.database:
        return ServerKey.load(create_data_folder() / "server.key")
    return ServerKey.load(Path(settings.database).with_suffix(".key"))


def mark_for(settings: Settings) -> str:
    """Return the mark that identifies servers of the same database and key."""
    database = settings.database or str(database_file(""))
    return mark_of(key_for(settings).fingerprint, database)


OnOpen = Callable[[ServerAddress], None]
"""Called with the server's address once it accepts connections."""


def serve(settings: Settings, on_open: OnOpen, worker: str = "") -> int:
    """Serve until a signal arrives, and return the exit code.

    `worker` is set in worker processes only: the inherited file descriptors (see `workers.py`).
    """
    configure_logging(settings.log)
    allow_more_files()
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
    return serve_workers(settings, sock, lambda: on_open(server_address(sock, settings.port)))


def allow_more_files() -> None:
    """Let this process open as many files as it may; by default that is 1,024, connections included."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not available on all platforms

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _serve_one(
    settings: Settings,
    sock: socket.socket,
    on_open: OnOpen,
    handoff: SocketHandoff | None = None,
) -> int:
    tables = TableService(storage_at(settings.database), key_for(settings), settings.limits)
    opened = server_address(sock, settings.port)
    site = Site(
        tables,
        bots=settings.bot_threads,
        origins=settings.origins,
        trusted_proxies=settings.trusted_proxies,
        hosts=settings.hosts,
        public_metrics=settings.public_metrics,
        per_address=settings.per_address,
        handoff=handoff,
        mark=mark_for(settings),
        others=opened.others,
        coach_playouts=settings.coach_playouts,
        home_network=settings.home_network,
    )
    config = uvicorn.Config(
        application(site),
        http=site.http_protocol,  # type: ignore[arg-type]  # called like a class
        ws=site.protocol,  # type: ignore[arg-type]  # called like a class
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # see proxies.py
        timeout_graceful_shutdown=_DRAIN_SECONDS,
        backlog=_BACKLOG,
    )
    server = _Server(config, site, lambda: on_open(opened))
    host, port = sock.getsockname()[:2]
    if handoff is None and ip_address(host).is_loopback:  # else others can connect already
        server.second_port = port
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
        self.second_port: int | None = None
        """The port for a second socket; `None` if there can be none."""
        self._kernels: asyncio.Task[None] | None = None

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
        if self.second_port is not None:
            self.site.second_socket = SecondSocket(
                self._create_protocol, self.server_state.connections, self.servers, self.second_port
            )
        if self.site.handoff is not None:
            self.site.handoff.receive(partial(self.site.take_over, server_state=self.server_state))
        if stamp := pending_stamp():
            self._kernels = asyncio.create_task(reload_when_compiled(stamp))
        self.ready()

    def _create_protocol(self) -> asyncio.Protocol:
        """Create the protocol of a connection, as uvicorn does for its own sockets."""
        create: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = create(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, drain the connections, then close the site."""
        if self._kernels is not None:
            self._kernels.cancel()
        if self.site.handoff is not None:
            self.site.handoff.close()
        await super().shutdown(sockets)
        await self.site.close()


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
    handler.addFilter(AddRequestId())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True  # it would log full URLs
    for chatty in ("websockets.server", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    # uvicorn warns of every malformed request, with which strangers could fill the log.
    logging.getLogger("uvicorn.error").setLevel(max(logging.ERROR, logging.getLogger().level))
