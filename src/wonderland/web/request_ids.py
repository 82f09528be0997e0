"""Request ids: every response names one, and every log line of the request has it.

A proxy's own id (`X-Request-ID`) is taken over if it is well formed.
"""

from __future__ import annotations

import logging
import re
import secrets
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADER = b"x-request-id"
_VALID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_current: ContextVar[str] = ContextVar("request id", default="")


class RequestIds:
    """Middleware that gives every request an id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, adding its id to the response."""
        given = next((value for name, value in scope.get("headers", ()) if name == _HEADER), b"")
        number = given if _VALID.fullmatch(given) else secrets.token_hex(8).encode()
        token = _current.set(number.decode())

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = [*message.get("headers", []), (_HEADER, number)]
                message["headers"] = headers
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        finally:
            _current.reset(token)


class AddRequestId(logging.Filter):
    """Log filter that adds the id of the current request, if there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the id, and let the record through."""
        if number := _current.get():
            record.request = number
        return True
