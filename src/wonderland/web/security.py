"""Origin check, security headers, device and language cookies, and the message size limit.

Rate limits are in `tables.rate_limit`, timeouts in `http_timeout` and `websocket`.
"""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wonderland.tables.handlers import hash_secret
from wonderland.tables.rate_limit import network_of

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


def network_for(request: Request) -> str:
    """Return the network of a request, by which limits count."""
    return network_of(address_of(request))


def source_of(request: Request) -> str:
    """Return the network that a table or a player comes from; empty for this machine.

    A proxy on this machine that doesn't forward addresses stands for everybody.
    """
    return source_network(address_of(request))


def source_network(address: str) -> str:
    """Return the network of an address; empty for this machine."""
    return "" if address in LOCAL_ADDRESSES else network_of(address)


def is_allowed_origin(origin: str | None, host: str | None, site: Site) -> bool:
    """Whether a request comes from our own pages, an allowed site, or no page at all."""
    if origin is None:
        return True
    try:
        origin_host = urlsplit(origin).netloc
    except ValueError:
        return False
    return (host is not None and origin_host == host) or origin in site.origins


_FORWARDING = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers by which a proxy tells that it forwards a request."""


def is_from_this_computer(request: Request) -> bool:
    """Whether a request was made on this machine, by a page that was opened under a loopback address.

    Both ends of the connection must be loopback addresses, and no proxy may have forwarded it. The host
    must be one of them too, not a name that another site has pointed at this machine (DNS rebinding),
    and a page's origin must be the same.
    """
    ends = (request.client.host if request.client else "", (request.scope.get("server") or ("",))[0])
    host = request.headers.get("Host", "")
    origin = request.headers.get("Origin")
    return (
        all(map(_is_loopback, ends))
        and not any(name in request.headers for name in _FORWARDING)
        and _is_loopback_host(host)
        and (origin is None or origin == f"http://{host}")
        and request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    )


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _is_loopback_host(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or _is_loopback(name)


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


def cookie_in(cookies: str, name: str) -> str:
    """Return the value of a cookie in a Cookie header, unvalidated; empty if there is none."""
    for cookie in cookies.split(";"):
        found, _, value = cookie.strip().partition("=")
        if found == name:
            return value
    return ""


def language_in(cookies: str) -> str:
    """Return the language in a Cookie header, unvalidated; empty if there is none."""
    return cookie_in(cookies, LANGUAGE_COOKIE)


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
