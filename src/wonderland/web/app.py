"""The ASGI application: everything that requests and connections share, and the routing table.

`Site` holds the table service, the bots, the rate limiters, the metrics and the open connections;
`application` turns it into a Starlette app.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route as Path

from wonderland import discovery
from wonderland.components.bots import Budget
from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.tables.automation import Automation
from wonderland.tables.names import prepare_names
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import StorageError
from wonderland.tables.table_cache import storage_refusal
from wonderland.web import api, pages
from wonderland.web.connections import Connections
from wonderland.web.http import Route, check_origin, problem_response, refusal_response
from wonderland.web.http_timeout import HttpConnections, TimeoutH11Protocol
from wonderland.web.languages import language_of, with_language
from wonderland.web.metrics import QUESTION, Metrics, collect_metrics
from wonderland.web.moderation import ModerationWatch, current_announcement
from wonderland.web.openapi import openapi_document, page
from wonderland.web.page_work import PageWork
from wonderland.web.pages import problem_page
from wonderland.web.proxies import LOOPBACK, ProxyHeaders, TrustedProxies
from wonderland.web.readiness import ReadinessCheck
from wonderland.web.request_ids import RequestIds
from wonderland.web.second_socket import SecondSocket
from wonderland.web.security import (
    LOCAL_ADDRESSES,
    SecurityHeaders,
    address_of,
    network_for,
    source_of,
)
from wonderland.web.socket_handoff import SocketHandoff, send_answer
from wonderland.web.table_socket import PING_SECONDS, TableSocket
from wonderland.web.websocket import WebSocketProtocol
from wonderland.wire.asyncapi import asyncapi_document
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal, problem_document

if TYPE_CHECKING:
    from starlette.requests import Request


logger = logging.getLogger("wonderland.web")

ROUTES: tuple[Route, ...] = (*api.ROUTES, *discovery.routes())
"""All HTTP API routes: the core ones and those of the features."""
PAGES: tuple[tuple[str, Any], ...] = (*pages.PAGES, *discovery.pages())

_FILES = ("/static/", "/decks/")
"""Routes of files, of which every page needs many."""
PER_ADDRESS = 500
"""Default limit of open WebSockets per client address."""


class Site:
    """State shared by all requests and connections of one server process."""

    def __init__(  # noqa: PLR0913 - keyword-only, and all but the table service have a default
        self,
        tables: TableService,
        *,
        bots: int = 2,
        origins: Sequence[str] = (),
        public_metrics: bool = False,
        per_address: int = PER_ADDRESS,
        trusted_proxies: Sequence[str] = LOOPBACK,
        hosts: Sequence[str] = (),
        handoff: SocketHandoff | None = None,
        mark: str = "",
        others: str = "",
        coach_playouts: int = 0,
        home_network: str = "",
    ) -> None:
        self.tables = tables
        self.automation = Automation(tables, bots)
        self.evaluation_budget = Budget(playouts=coach_playouts) if coach_playouts else None
        """Playouts for evaluating one choice; `None` leaves it to the game's default."""
        self.origins = frozenset(origins)
        self.proxies = TrustedProxies(trusted_proxies)
        self.hosts = frozenset(host.lower() for host in hosts)
        """The names under which the server answers; any if empty."""
        self.public_metrics = public_metrics
        self.handoff = handoff
        self.mark = mark
        """Identifies this server's database and key, so that a second server can recognise it."""
        self.others = others
        """The address for other machines on the local network; empty if they can't connect."""
        self.home_network = home_network
        """This machine's address on the local network, if it was given."""
        self.second_socket: SecondSocket | None = None
        """For the local network, once the server runs; `None` if there can be none."""
        self.connections = Connections(tables.limits, per_address)
        self.http_connections = HttpConnections(
            tables.limits.of("connections_per_address"), self.proxies
        )
        self.moderation = ModerationWatch(tables, self.connections)
        self.metrics = Metrics()
        self.metrics.watch(self)
        self.creation_limiter = RateLimiter(rate=5.0, burst=300.0)
        daily = float(tables.limits.tables_per_day or 10**9)
        self.daily_limiter = RateLimiter(rate=daily / 86_400, burst=daily)
        self.hints = RateLimiter(rate=1.0, burst=30.0)
        self.codes = RateLimiter(rate=2.0, burst=60.0)
        self.requests = RateLimiter(rate=200.0, burst=1000.0)
        self._tasks: set[asyncio.Task[None]] = set()
        self._to_flush: list[WebSocketProtocol] = []
        self.work = PageWork(tables.limits)
        self.readiness = ReadinessCheck(tables.storage)
        self.services = discovery.services(self)
        """The services of the features, by feature name."""

    async def open(self) -> None:
        """Open the storage and start the table service, the bots and the features."""
        await self.tables.storage.open()
        await self.tables.open()
        await self.moderation.open()
        self.automation.start()
        for service in self.services.values():
            service.start()
        self.spawn(asyncio.to_thread(prepare_names))  # before the first table, which would wait for it
        self._ping_task = asyncio.get_running_loop().create_task(self._ping())

    async def close(self) -> None:
        """Stop everything in reverse order, finishing pending work."""
        self._ping_task.cancel()
        await self.moderation.close()
        self.work.close()
        for service in self.services.values():
            await service.close()
        await self.automation.close()
        await self.tables.close()
        await self.tables.storage.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; the reference kept here protects it from the collector."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def live(self) -> set[TableSocket]:
        """The open WebSockets."""
        return self.connections.open

    def flush_soon(self, connection: WebSocketProtocol) -> None:
        """Flush a connection at the end of this loop tick, so that its messages go out in one write."""
        self._to_flush.append(connection)
        if len(self._to_flush) == 1:
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        waiting, self._to_flush = self._to_flush, []
        for connection in waiting:
            connection.flush()

    def take_over(self, sock: socket.socket, request: bytes, server_state: Any) -> None:
        """Continue a connection that another worker accepted and handed off, or answer its question."""
        if request == QUESTION:
            self.spawn(send_answer(sock, self.metrics.text()))
            return

        async def accept() -> None:
            connection = TableSocket(self, server_state)
            connection.was_handed_off = True
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, sock)
            connection.data_received(request)

        self.spawn(accept())

    def http_protocol(self, *args: Any, **more: Any) -> TimeoutH11Protocol:
        """Create the protocol for an HTTP connection; uvicorn calls this like a class."""
        return TimeoutH11Protocol(*args, opened=self.http_connections, **more)

    def protocol(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> TableSocket:  # noqa: ARG002
        """Create the protocol for a WebSocket; uvicorn calls this like a class."""
        return TableSocket(self, server_state)

    def limit(self, limiter: RateLimiter, request: Request) -> None:
        """Raise `Refusal` if the client's address is over the rate limit."""
        network = network_for(request)
        if not limiter.take(network):
            self.metrics.limited.inc()
            refusal = Refusal(Code.SLOW_DOWN, "Too many requests. Please try again later.")
            raise refusal.retry_in(limiter.wait(network))

    def limit_creation(self, request: Request) -> None:
        """Raise `Refusal` if the client's address has created too many tables; they are kept for weeks.

        This machine has no limit by the day, since a proxy may stand for everybody there.
        """
        self.limit(self.creation_limiter, request)
        if source_of(request):
            self.limit(self.daily_limiter, request)

    def check_ban(self, request: Request) -> None:
        """Raise `Refusal` if the sender of a request is banned."""
        try:
            self.moderation.check(request)
        except Refusal:
            self.metrics.banned.inc()
            raise

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            for connection in list(self.live):
                connection.ping()


def application(site: Site) -> Starlette:
    """Return the ASGI application of a site: API routes, pages, documents and metrics."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await site.open()
        yield
        await site.close()

    async def handle_http_error(request: Request, error: Exception) -> Response:
        current_announcement.set(site.moderation.announcement)
        return await _handle_http_error(request, error)

    paths = [_api_route(site, path, [r for r in ROUTES if r.path == path]) for path in _api_paths()]
    paths += [
        Path(path, _page_endpoint(site, path, handler), methods=["GET"]) for path, handler in PAGES
    ]
    paths += [
        Path("/metrics", _metrics_endpoint(site), methods=["GET"]),
        Path("/api/openapi.json", _document_endpoint(lambda: openapi_document(ROUTES)), methods=["GET"]),
        Path("/api/asyncapi.json", _document_endpoint(asyncapi_document), methods=["GET"]),
        Path(
            "/api/docs",
            _document_endpoint(lambda: page(ROUTES), "text/html; charset=utf-8"),
            methods=["GET"],
        ),
    ]
    app = Starlette(
        routes=paths,
        middleware=[
            Middleware(RequestIds),
            Middleware(ProxyHeaders, proxies=site.proxies, hosts=site.hosts),
            Middleware(SecurityHeaders),
        ],
        exception_handlers={HTTPException: handle_http_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirect would go to whatever Host the client sent
    return app


def _page_endpoint(site: Site, path: str, handler: Any) -> Any:
    async def endpoint(request: Request) -> Response:
        started = time.perf_counter()
        current_announcement.set(site.moderation.announcement)
        response = await _answer_page(site, request, handler)
        _note_request(site, request.method, path, response.status_code, started)
        return response

    return endpoint


async def _answer_page(site: Site, request: Request, handler: Any) -> Response:
    try:
        await _limit_requests(site, request)
        response: Response = await site.work.handle(request, handler(site, request))
    except Refusal as refusal:
        return problem_page(request, refusal)
    except StorageError as error:
        return problem_page(request, storage_refusal(error))
    except Exception:  # whatever it is, the visitor gets a sentence and the log the traceback
        logger.exception("request failed", extra={"path": request.url.path})
        return problem_page(request, _failure())
    return with_language(response, request)


def _note_request(site: Site, method: str, route: str, status: int, started: float) -> None:
    """Count a request that was answered, and log it."""
    seconds = time.perf_counter() - started
    site.metrics.requests.labels(f"{method} {route}", status).inc()
    site.metrics.seconds.labels(f"{method} {route}").observe(seconds)
    extra = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
    logger.log(logging.DEBUG if route.startswith(_FILES) else logging.INFO, "request", extra=extra)


async def _limit_requests(site: Site, request: Request) -> None:
    """Refuse a request beyond the rate limit or of someone who is banned.

    That takes a moment, so that a flood of them costs little.
    """
    try:
        site.limit(site.requests, request)
        site.check_ban(request)
    except Refusal:
        await site.work.delay()
        raise


def _api_paths() -> list[str]:
    return list(dict.fromkeys(route.path for route in ROUTES))


def _api_route(site: Site, path: str, routes: Sequence[Route]) -> Path:
    by_method = {route.method: route for route in routes}

    async def endpoint(request: Request) -> Response:
        route = by_method["GET" if request.method == "HEAD" else request.method]
        started = time.perf_counter()
        response = await _handle(site, route, request)
        _note_request(site, route.method, path, response.status_code, started)
        return response

    return Path(path, endpoint, methods=list(by_method))


async def _handle(site: Site, route: Route, request: Request) -> Response:
    try:
        await _limit_requests(site, request)
        if route.method != "GET":
            check_origin(site, request)
        name = next(iter(request.path_params.values()), "")
        return await site.work.handle(request, route.handler(site, request, name))
    except Refusal as refusal:
        return refusal_response(request, refusal)
    except StorageError as error:
        return refusal_response(request, storage_refusal(error))
    except (GameOver, IllegalAction, NotationError, UsageError) as error:
        return refusal_response(request, Refusal.of(Code.INVALID_VALUE, error))
    except Exception:  # the same for programs
        logger.exception("request failed", extra={"path": request.url.path})
        return refusal_response(request, _failure())


def _failure() -> Refusal:
    """What a visitor is told of a fault of ours: no path, no code. The log describes it."""
    return Refusal(Code.SERVER_ERROR, "Something went wrong on the server. Please try again later.")


async def _handle_http_error(request: Request, error: Exception) -> Response:
    """Answer 404 and 405 with a page for browsers and JSON for programs."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type only
    code = Code.WRONG_METHOD if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED else Code.NO_SUCH_PAGE
    refusal = Refusal(code, "We couldn't find what you're looking for.")
    if "text/html" in request.headers.get("Accept", "") and request.method == "GET":
        response = problem_page(request, refusal)
        response.status_code = error.status_code
    else:
        document = problem_document(refusal, say=language_of(request))
        response = problem_response(replace(document, status=error.status_code))
    response.headers.update(error.headers or {})
    return response


def _document_endpoint(build: Callable[[], Any], media_type: str = "application/json") -> Any:
    """Endpoint of a document built on first request: it loads every game, which startup need not."""

    @cache
    def body() -> bytes:
        document = build()
        return document if isinstance(document, bytes) else msgspec.json.encode(document)

    async def endpoint(_: Request) -> Response:
        return Response(await asyncio.to_thread(body), media_type=media_type)

    return endpoint


def _metrics_endpoint(site: Site) -> Any:
    async def endpoint(request: Request) -> Response:
        # A reverse proxy on this machine is local too, but it forwards the client's address.
        is_forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded"))
        is_local = address_of(request) in LOCAL_ADDRESSES and not is_forwarded
        if not (is_local or site.public_metrics):
            return refusal_response(request, Refusal(Code.NOT_PUBLIC, "These statistics aren't public."))
        return Response(await collect_metrics(site), media_type="text/plain; version=0.0.4")

    return endpoint
