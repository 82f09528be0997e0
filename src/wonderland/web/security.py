"""Origin check, security headers, device and language cookies, and the message size limit.

Rate limits are in `tables.rate_limit`, timeouts in `http_timeout` and `websocket`.
"""

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
LANGUAGE_COOKIE = "language"
"""Set once a language other than the browser's has been chosen."""
COOKIE_DAYS = 400
LARGEST_MESSAGE = 8 * 1024
"""Maximum bytes of a WebSocket message or request body."""
LOCAL_ADDRESSES = ("127.0.0.1", "::1", "localhost", "testclient")
"""Client addresses of this machine."""

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
    """Return the client address of a request; empty if unknown."""
    return request.client.host if request.client else ""


def is_allowed_origin(origin: str | None, host: str | None, site: Site) -> bool:
    """Whether a request comes from our own pages, an allowed site, or no page at all."""
    if origin is None:
        return True
    try:
        origin_host = urlsplit(origin).netloc
    except ValueError:
        return False
    return (host is not None and origin_host == host) or origin in site.origins


def device_in(cookies: str) -> str:
    """Return the hash of the device secret in a Cookie header; empty if there is none.

    Parsed by hand because the standard library drops all cookies when it can't parse one of them, and
    other sites on this host may have set anything.
    """
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE and 20 <= len(value) <= 100:
            return hash_secret(value)
    return ""


def language_in(cookies: str) -> str:
    """Return the language in a Cookie header, unvalidated; empty if there is none."""
    for cookie in cookies.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == LANGUAGE_COOKIE:
            return value
    return ""


def new_device_secret() -> str:
    """Return a random secret that identifies a device."""
    return secrets.token_urlsafe(32)


class SecurityHeaders:
    """Middleware that adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, adding headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = [*message.get("headers", []), *HEADERS]
                present = {name for name, _ in headers}
                if b"content-security-policy" not in present:
                    headers.append((b"content-security-policy", POLICY))
                if b"cache-control" not in present:
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, send_with_headers)
