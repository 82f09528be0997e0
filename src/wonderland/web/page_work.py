"""The work of requests: rendering outside the event loop, and limits in milliseconds of work.

Pages are rendered in one thread, one at a time, so that moves, which are handled in the event loop, wait
for the interpreter lock only briefly; networks take turns. What a request costs, in the thread and in
the event loop, is measured and charged to its network and its device. Whoever is in debt is refused
until the debt is paid off; commands are refused later than pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wonderland.tables.fair_queue import FairQueue, Owner
from wonderland.tables.rate_limit import RateLimiter
from wonderland.web.security import LOCAL_ADDRESSES, address_of, device_in, network_for
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.tables.limits import Limits
    from wonderland.web.app import Site

T = TypeVar("T")
_BURST_SECONDS = 20.0
"""How much of the work per second may be saved up."""
_REFUSAL_DELAY = 0.25
"""Seconds to wait before refusing, so that refusals in a loop cost little."""
_MAX_DELAYED = 200
"""Refusals that may wait; beyond them there is no delay."""


class Bill:
    """Who pays for a request, and the site that does the work."""

    __slots__ = ("owner", "work")

    def __init__(self, work: PageWork, owner: Owner) -> None:
        self.work, self.owner = work, owner


_current: ContextVar[Bill | None] = ContextVar("bill", default=None)


class PageWork:
    """The thread that renders pages, its queue, and what each network and device has spent."""

    def __init__(self, limits: Limits) -> None:
        self._by_network = _limiter(limits.work_per_address)
        self._by_device = _limiter(limits.work_per_person)
        self._debt = {
            self._by_network: -_BURST_SECONDS * limits.work_per_address / 2,
            self._by_device: -_BURST_SECONDS * limits.work_per_person / 2,
        }
        self._queue = FairQueue[Callable[[], None]](
            limits.of("pages_waiting"), limits.of("pages_waiting_per_address")
        )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="page")
        self._is_running = False
        self._delayed = 0
        self.refused = 0
        """The number of requests that were refused for their cost."""

    def __len__(self) -> int:
        """The number of pages that wait to be rendered."""
        return len(self._queue)

    def close(self) -> None:
        """Drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # Costs

    def check(self, owner: Owner, *, has_priority: bool = False) -> None:
        """Raise `Refusal` if a network or a device has spent too much; commands have a reserve."""
        for limiter, key in self._accounts(owner):
            wait = limiter.wait(key, self._debt[limiter] if has_priority else 0.0)
            if wait > 0:
                self.refused += 1
                raise Refusal(
                    Code.SLOW_DOWN, "That was a lot in a short time. Please wait a moment and try again."
                ).retry_in(wait)

    def charge(self, owner: Owner, seconds: float) -> None:
        """Charge a network and a device for work."""
        for limiter, key in self._accounts(owner):
            limiter.charge(key, 1000 * seconds)

    def _accounts(self, owner: Owner) -> list[tuple[RateLimiter, str]]:
        """The accounts that pay: none for this machine, since a proxy may stand for everybody there."""
        if owner.network in LOCAL_ADDRESSES:
            return []
        accounts = [(self._by_network, owner.network)]
        return [*accounts, (self._by_device, owner.device)] if owner.device else accounts

    # Requests

    async def handle(self, request: Request, answer: Coroutine[Any, Any, T]) -> T:
        """Answer a request unless its sender is in debt; charge what it costs in the event loop."""
        owner = owner_of(request)
        try:
            self.check(owner, has_priority=_has_priority(request.url.path))
        except Refusal:
            answer.close()
            await self.delay()
            raise
        _current.set(Bill(self, owner))
        metered = _Metered(answer)
        try:
            return await metered
        finally:
            self.charge(owner, metered.seconds)

    async def delay(self) -> None:
        """Wait before a refusal."""
        if self._delayed < _MAX_DELAYED:
            self._delayed += 1
            try:
                await asyncio.sleep(_REFUSAL_DELAY)
            finally:
                self._delayed -= 1

    # Rendering

    async def run(self, owner: Owner, function: Callable[[], T]) -> T:
        """Run a function in the page thread when the owner's turn comes, and charge its time."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        context = copy_context()  # with the id of the request, for the log

        def measured() -> tuple[T, float]:
            started = time.thread_time()
            return function(), time.thread_time() - started

        def start() -> None:
            if answer.cancelled():  # the client has gone
                self._finish()
            else:
                loop.run_in_executor(self._thread, context.run, measured).add_done_callback(done)

        def done(future: asyncio.Future[tuple[T, float]]) -> None:
            self._finish()
            if answer.cancelled() or future.cancelled():
                answer.cancel()
            elif error := future.exception():
                answer.set_exception(error)
            else:
                result, seconds = future.result()
                self.charge(owner, seconds)
                answer.set_result(result)

        turn = Owner(owner.device or owner.network) if owner.network in LOCAL_ADDRESSES else owner
        if not self._queue.put(turn, start):
            self.refused += 1
            raise Refusal(
                Code.SERVER_BUSY, "The server is busy right now. Please try again in a moment."
            )
        if not self._is_running:
            self._start_next()
        return await answer

    def _start_next(self) -> None:
        start = self._queue.pop()
        self._is_running = start is not None
        if start is not None:
            start()

    def _finish(self) -> None:
        asyncio.get_running_loop().call_soon(self._start_next)


def _limiter(milliseconds: int) -> RateLimiter:
    """A limit of work per second; 0 lifts it."""
    rate = float(milliseconds or 10**9)
    return RateLimiter(rate, _BURST_SECONDS * rate)


def _has_priority(path: str) -> bool:
    """Whether a request comes before pages: a command, or a part of a page that is there already."""
    return path.endswith("/commands") or path.startswith("/static/")


def owner_of(request: Request) -> Owner:
    """Who pays for a request."""
    address = address_of(request)
    network = address if address in LOCAL_ADDRESSES else network_for(request)
    return Owner(network, device_in(request.headers.get("Cookie", "")))


class _Metered(Awaitable[T], Generic[T]):
    """Awaits a coroutine, and adds up the processor time that it takes in the event loop."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        resume: Callable[[Any], Any] = self._work.send
        value: Any = None
        while True:
            started = time.thread_time()
            try:
                awaited = resume(value)
            except StopIteration as stop:
                result: T = stop.value
                return result
            finally:
                self.seconds += time.thread_time() - started
            try:
                value, resume = (yield awaited), self._work.send
            except BaseException as error:  # noqa: BLE001 - passed on, whatever it is
                value, resume = error, self._work.throw


async def run_off_loop(function: Callable[[], T]) -> T:
    """Run expensive work of the current request in the page thread, at its sender's expense."""
    bill = _current.get()
    if bill is None:  # outside a request
        return await asyncio.to_thread(function)
    return await bill.work.run(bill.owner, function)


def off_loop(
    handler: Callable[[Site, Request], Response],
) -> Callable[[Site, Request], Awaitable[Response]]:
    """Turn a function that renders a page into a handler that does so in the page thread."""

    @wraps(handler)
    async def handle(site: Site, request: Request) -> Response:
        return await run_off_loop(lambda: handler(site, request))

    return handle
