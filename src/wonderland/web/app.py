"""The ASGI application: everything that requests and connections share, and the routing table.

`Site` holds the table service, the bots, the rate limiters, the metrics and the open connections;
`application` turns it into a Starlette app.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route as Path

from wonderland import discovery
from wonderland.components.bots import Budget
from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.tables.automation import Automation
from wonderland.tables.rate_limit import RateLimiter
from wonderland.tables.service import TableService
from wonderland.tables.storage.interface import StorageError
from wonderland.web import api, pages
from wonderland.web.http import Route, check_origin, refusal_response
from wonderland.web.languages import with_language
from wonderland.web.metrics import Metrics
from wonderland.web.openapi import openapi_document, page
from wonderland.web.pages import problem_page
from wonderland.web.security import LOCAL_ADDRESSES, SecurityHeaders, address_of
from wonderland.web.socket_handoff import SocketHandoff
from wonderland.web.table_socket import PING_SECONDS, TableSocket
from wonderland.web.websocket import WebSocketProtocol
from wonderland.wire.asyncapi import asyncapi_document
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request


logger = logging.getLogger("wonderland.web")

ROUTES: tuple[Route, ...] = (*api.ROUTES, *discovery.routes())
"""All HTTP API routes: the core ones and those of the features."""
PAGES: tuple[tuple[str, Any], ...] = (*pages.PAGES, *discovery.pages())

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
        handoff: SocketHandoff | None = None,
        mark: str = "",
        others: str = "",
        coach_playouts: int = 0,
    ) -> None:
        self.tables = tables
        self.automation = Automation(tables, bots)
        self.evaluation_budget = Budget(playouts=coach_playouts) if coach_playouts else None
        """Playouts for evaluating one choice; `None` leaves it to the game's default."""
        self.origins = frozenset(origins)
        self.public_metrics = public_metrics
        self.per_address = per_address
        self.handoff = handoff
        self.mark = mark
        """Identifies this server's database and key, so that a second server can recognise it."""
        self.others = others
        """The address for other machines on the local network; empty if they can't connect."""
        self.live: set[TableSocket] = set()
        self._open_by_address: Counter[str] = Counter()
        self.metrics = Metrics()
        self.metrics.watch(self)
        self.creation_limiter = RateLimiter(rate=5.0, burst=300.0)
        self.hints = RateLimiter(rate=1.0, burst=30.0)
        self.codes = RateLimiter(rate=2.0, burst=60.0)
        self.requests = RateLimiter(rate=200.0, burst=1000.0)
        self._tasks: set[asyncio.Task[None]] = set()
        self._to_flush: list[WebSocketProtocol] = []
        self.services = discovery.services(self)
        """The services of the features, by feature name."""

    async def open(self) -> None:
        """Open the storage and start the table service, the bots and the features."""
        await self.tables.storage.open()
        await self.tables.open()
        self.automation.start()
        for service in self.services.values():
            service.start()
        self._ping_task = asyncio.get_running_loop().create_task(self._ping())

    async def close(self) -> None:
        """Stop everything in reverse order, finishing pending work."""
        self._ping_task.cancel()
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

    def is_crowded(self, address: str) -> bool:
        """Whether an address has reached its connection limit."""
        return self._open_by_address[address] >= self.per_address

    def add_connection(self, connection: TableSocket) -> None:
        """Register an open connection."""
        self.live.add(connection)
        self._open_by_address[connection.address] += 1

    def remove_connection(self, connection: TableSocket) -> None:
        """Unregister a connection; does nothing if it never was registered."""
        if connection in self.live:
            self.live.discard(connection)
            self._open_by_address[connection.address] -= 1
            if not self._open_by_address[connection.address]:
                del self._open_by_address[connection.address]

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
        """Continue a connection that another worker accepted and handed off."""

        async def accept() -> None:
            connection = TableSocket(self, server_state)
            connection.was_handed_off = True
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, sock)
            connection.data_received(request)

        self.spawn(accept())

    def protocol(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> TableSocket:  # noqa: ARG002
        """Create the protocol for a WebSocket; uvicorn calls this like a class."""
        return TableSocket(self, server_state)

    def limit(self, limiter: RateLimiter, request: Request) -> None:
        """Raise `Refusal` if the client's address is over the rate limit."""
        if not limiter.take(address_of(request)):
            self.metrics.limited.inc()
            raise Refusal("too many", "Too many requests; try again later.")

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

    paths = [_api_route(site, path, [r for r in ROUTES if r.path == path]) for path in _api_paths()]
    paths += [Path(path, _page_endpoint(site, handler), methods=["GET"]) for path, handler in PAGES]
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
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: _handle_http_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirect would go to whatever Host the client sent
    return app


def _page_endpoint(site: Site, handler: Any) -> Any:
    async def endpoint(request: Request) -> Response:
        try:
            site.limit(site.requests, request)
            response: Response = await handler(site, request)
        except Refusal as refusal:
            return problem_page(request, refusal)
        except StorageError as error:
            logger.warning("storage", extra={"why": str(error)})
            return problem_page(request, Refusal("storage", "The storage can't be reached; try again."))
        return with_language(response, request)

    return endpoint


def _api_paths() -> list[str]:
    return list(dict.fromkeys(route.path for route in ROUTES))


def _api_route(site: Site, path: str, routes: Sequence[Route]) -> Path:
    by_method = {route.method: route for route in routes}

    async def endpoint(request: Request) -> Response:
        route = by_method["GET" if request.method == "HEAD" else request.method]
        started = time.perf_counter()
        response = await _handle(site, route, request)
        seconds = time.perf_counter() - started
        site.metrics.requests.labels(f"{route.method} {path}", response.status_code).inc()
        site.metrics.seconds.labels(f"{route.method} {path}").observe(seconds)
        logger.info(
            "request",
            extra={
                "method": route.method,
                "route": path,
                "status": response.status_code,
                "ms": round(1000 * seconds, 1),
            },
        )
        return response

    return Path(path, endpoint, methods=list(by_method))


async def _handle(site: Site, route: Route, request: Request) -> Response:
    try:
        site.limit(site.requests, request)
        if route.method != "GET":
            check_origin(site, request)
        return await route.handler(site, request, next(iter(request.path_params.values()), ""))
    except Refusal as refusal:
        return refusal_response(request, refusal)
    except StorageError as error:
        logger.warning("storage", extra={"why": str(error)})
        return refusal_response(request, Refusal("storage", "The storage can't be reached; try again."))
    except (GameOver, IllegalAction, NotationError, UsageError) as error:
        return refusal_response(request, Refusal("bad request", str(error)))


async def _handle_http_error(request: Request, error: Exception) -> Response:
    """Answer 404 and 405 with a page for browsers and JSON for programs."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type only
    refusal = Refusal("not found", "There is nothing of that kind here.")
    is_page = "text/html" in request.headers.get("Accept", "") and request.method == "GET"
    response = problem_page(request, refusal) if is_page else refusal_response(request, refusal)
    response.status_code = error.status_code
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
        is_local = address_of(request) in LOCAL_ADDRESSES and "x-forwarded-for" not in request.headers
        if not (is_local or site.public_metrics):
            return refusal_response(request, Refusal("not yours", "These numbers are not public."))
        return Response(site.metrics.text(), media_type="text/plain; version=0.0.4")

    return endpoint
