"""The site: a house of tables with its doors, as an ASGI application."""

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
from wonderland.web.security import NEAR, SecurityHeaders, address_of
from wonderland.web.socket_handoff import SocketHandoff
from wonderland.web.table_socket import PING_SECONDS, TableSocket
from wonderland.web.websocket import WebSocketProtocol
from wonderland.wire.asyncapi import asyncapi_document
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request


logger = logging.getLogger("wonderland.web")

ROUTES: tuple[Route, ...] = (*api.ROUTES, *discovery.routes())
"""Everything that can be asked for over HTTP, from every module that answers."""
PAGES: tuple[tuple[str, Any], ...] = (*pages.PAGES, *discovery.pages())

PER_ADDRESS = 500
"""WebSockets from one address."""


class Site:
    """What requests and connections share."""

    def __init__(  # noqa: PLR0913 - by name, and all but the house have a default
        self,
        house: TableService,
        *,
        bots: int = 2,
        origins: Sequence[str] = (),
        public_metrics: bool = False,
        per_address: int = PER_ADDRESS,
        handing: SocketHandoff | None = None,
        mark: str = "",
        others: str = "",
        coach_playouts: int = 0,
    ) -> None:
        self.house = house
        self.attendants = Automation(house, bots)
        self.evaluation_budget = Budget(playouts=coach_playouts) if coach_playouts else None
        """How much is tried to judge a choice; as much as the game needs if nothing is set."""
        self.origins = frozenset(origins)
        self.public_metrics = public_metrics
        self.per_address = per_address
        self.handing = handing
        self.mark = mark
        """What other processes know this server's tables by."""
        self.others = others
        """The address for other machines in the house, if it is open to them."""
        self.live: set[TableSocket] = set()
        self._from: Counter[str] = Counter()
        self.metrics = Metrics()
        self.metrics.watch(self)
        self.laying = RateLimiter(rate=5.0, burst=300.0)
        self.hints = RateLimiter(rate=1.0, burst=30.0)
        self.codes = RateLimiter(rate=2.0, burst=60.0)
        self.requests = RateLimiter(rate=200.0, burst=1000.0)
        self._tasks: set[asyncio.Task[None]] = set()
        self._to_flush: list[WebSocketProtocol] = []
        self.services = discovery.services(self)
        """What each feature keeps, by its name."""

    async def open(self) -> None:
        """Begin to serve."""
        await self.house.storage.open()
        await self.house.open()
        self.attendants.start()
        for service in self.services.values():
            service.start()
        self._pinging = asyncio.get_running_loop().create_task(self._ping())

    async def close(self) -> None:
        """Finish what was begun, and let go."""
        self._pinging.cancel()
        for service in self.services.values():
            await service.close()
        await self.attendants.close()
        await self.house.close()
        await self.house.storage.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in its own time."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def is_crowded(self, address: str) -> bool:
        """Whether there are too many connections from an address to let one more in."""
        return self._from[address] >= self.per_address

    def come(self, connection: TableSocket) -> None:
        """Somebody looks at a table from now on."""
        self.live.add(connection)
        self._from[connection.address] += 1

    def gone(self, connection: TableSocket) -> None:
        """They don't any more, if they did."""
        if connection in self.live:
            self.live.discard(connection)
            self._from[connection.address] -= 1
            if not self._from[connection.address]:
                del self._from[connection.address]

    def flush_soon(self, connection: WebSocketProtocol) -> None:
        """Let what is sent in one tick of the loop go out together."""
        self._to_flush.append(connection)
        if len(self._to_flush) == 1:
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        waiting, self._to_flush = self._to_flush, []
        for connection in waiting:
            connection.flush()

    def take_over(self, sock: socket.socket, request: bytes, server_state: Any) -> None:
        """Go on with a connection that another process has accepted."""

        async def opening() -> None:
            live = TableSocket(self, server_state)
            live.was_handed_on = True
            await asyncio.get_running_loop().connect_accepted_socket(lambda: live, sock)
            live.data_received(request)

        self.spawn(opening())

    def protocol(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> TableSocket:  # noqa: ARG002
        """What uvicorn makes for a WebSocket."""
        return TableSocket(self, server_state)

    def limit(self, buckets: RateLimiter, request: Request) -> None:
        """Refuse a request from where too many come from."""
        if not buckets.take(address_of(request)):
            self.metrics.limited.inc()
            raise Refusal("too many", "Too many requests; try again later.")

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            for connection in list(self.live):
                connection.ping()


def application(site: Site) -> Starlette:
    """The site for an ASGI server."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await site.open()
        yield
        await site.close()

    paths = [_path(site, path, [r for r in ROUTES if r.path == path]) for path in _paths()]
    paths += [Path(path, _page(site, handler), methods=["GET"]) for path, handler in PAGES]
    paths += [
        Path("/metrics", _metrics(site), methods=["GET"]),
        Path("/api/openapi.json", _document(lambda: openapi_document(ROUTES)), methods=["GET"]),
        Path("/api/asyncapi.json", _document(asyncapi_document), methods=["GET"]),
        Path("/api/docs", _document(lambda: page(ROUTES), "text/html; charset=utf-8"), methods=["GET"]),
    ]
    found = Starlette(
        routes=paths,
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: _missing},
        lifespan=lifespan,
    )
    found.router.redirect_slashes = False  # to whatever host a client names
    return found


def _page(site: Site, handler: Any) -> Any:
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


def _paths() -> list[str]:
    return list(dict.fromkeys(route.path for route in ROUTES))


def _path(site: Site, path: str, routes: Sequence[Route]) -> Path:
    by_method = {route.method: route for route in routes}

    async def endpoint(request: Request) -> Response:
        route = by_method["GET" if request.method == "HEAD" else request.method]
        begun = time.perf_counter()
        response = await _handled(site, route, request)
        seconds = time.perf_counter() - begun
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


async def _handled(site: Site, route: Route, request: Request) -> Response:
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


async def _missing(request: Request, error: Exception) -> Response:
    """What is not there, or not to be asked for in that way."""
    assert isinstance(error, HTTPException)  # noqa: S101 - which it is for
    refusal = Refusal("not found", "There is nothing of that kind here.")
    is_page = "text/html" in request.headers.get("Accept", "") and request.method == "GET"
    response = problem_page(request, refusal) if is_page else refusal_response(request, refusal)
    response.status_code = error.status_code
    response.headers.update(error.headers or {})
    return response


def _document(make: Callable[[], Any], media_type: str = "application/json") -> Any:
    """A document that is made on first request: it needs every game, starting a server does not."""

    @cache
    def body() -> bytes:
        made = make()
        return made if isinstance(made, bytes) else msgspec.json.encode(made)

    async def endpoint(_: Request) -> Response:
        return Response(await asyncio.to_thread(body), media_type=media_type)

    return endpoint


def _metrics(site: Site) -> Any:
    async def endpoint(request: Request) -> Response:
        # A proxy on this machine also comes from here, but says for whom it asks.
        near = address_of(request) in NEAR and "x-forwarded-for" not in request.headers
        if not (near or site.public_metrics):
            return refusal_response(request, Refusal("not yours", "These numbers are not public."))
        return Response(site.metrics.text(), media_type="text/plain; version=0.0.4")

    return endpoint
