"""What keeps strangers from doing harm: limits of size and rate, the origin of requests, headers."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wonderland.tables.handlers import hash_secret

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from wonderland.web.app import Site

COOKIE = "wonderland"
LANGUAGE = "language"
"""The cookie of those who have chosen another language than their browser's."""
COOKIE_DAYS = 400
LARGEST_MESSAGE = 8 * 1024
"""Bytes in one message or request."""
NEAR = ("127.0.0.1", "::1", "localhost", "testclient")
"""This machine."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
POLICY = (
    b"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def allowed_origin(origin: str | None, host: str | None, site: Site) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    if origin is None:
        return True
    try:
        theirs = urlsplit(origin).netloc
    except ValueError:
        return False
    return (host is not None and theirs == host) or origin in site.origins


def device_in(cookies: str) -> str:
    """The hash of the device that a header of cookies names; empty if it names none.

    What else stands there is another's business and may be anything; the library for cookies gives up on
    all of them when it can't read one.
    """
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE and 20 <= len(value) <= 100:
            return hash_secret(value)
    return ""


def chosen_in(cookies: str) -> str:
    """The language that a header of cookies names; it may be anything."""
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == LANGUAGE:
            return value
    return ""


def new_device() -> str:
    """The secret of a device."""
    return secrets.token_urlsafe(32)


class SecurityHeaders:
    """Adds to every answer what browsers should refrain from."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with headers."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = [*message.get("headers", []), *HEADERS]
                there = {name for name, _ in headers}
                if b"content-security-policy" not in there:
                    headers.append((b"content-security-policy", POLICY))
                if b"cache-control" not in there:
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, sending)
