"""The public interface over HTTP: everything that a person can do in the browser, for programs.

`openapi.py` describes it from the same table of routes, `ROUTES`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from wonderland.engine.values import Value
from wonderland.tables.handlers import hash_secret
from wonderland.web.languages import language_of
from wonderland.web.security import (
    COOKIE,
    COOKIE_DAYS,
    LARGEST_MESSAGE,
    allowed_origin,
    device_in,
    new_device,
)
from wonderland.wire.problems import STATUS, UNREADABLE, Refusal, encode_refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.web.app import Site

_PATIENCE = 10.0
"""Seconds for the body of a request."""

Handler = Callable[["Site", "Request", str], Awaitable[Response]]


class Route(Value, frozen=True):
    """One thing that can be asked for: how, by which handler, and what goes in and comes out."""

    method: str
    path: str
    handler: Handler
    about: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    queries: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # queries that are no numbers
    media: str = "application/json"


def json_response(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, status, media_type="application/json")


def refusal_response(
    request: Request, refusal: Refusal, key: str = "", version: int | None = None
) -> Response:
    """A refusal as JSON, with the status that it has in HTTP, in the language that was asked for."""
    return json_response(
        encode_refusal(refusal, key, version, language_of(request)), STATUS[refusal.problem]
    )


async def read_body(request: Request, kind: Any, most: int = LARGEST_MESSAGE) -> Any:
    """What a request brings, as a value of this type; `Refusal` if it is none."""
    if request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
        raise Refusal("bad request", "The body must be JSON (Content-Type: application/json).")
    body = b""
    try:
        async with asyncio.timeout(_PATIENCE):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Refusal(
                        "bad request", "A request has {number} KiB at most.", number=most >> 10
                    )
    except TimeoutError:
        raise Refusal("bad request", "The request did not come to its end in time.") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise Refusal("bad request", "This can't be understood: {reason}.", reason=error) from None


def number_in(request: Request, name: str) -> int | None:
    """A number in the query; `Refusal` if it is none."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refusal("bad request", "The {name} is a number.", name=name)
    return int(text)


def check_origin(site: Site, request: Request) -> None:
    """Refuse what a page of somebody else's sends."""
    if not allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), site):
        raise Refusal("not yours", "This page may not do anything here.")


def device_for(request: Request) -> tuple[str, str | None]:
    """The device of a request; if it has none yet, a new one with the secret for its cookie."""
    device = device_in(request.headers.get("Cookie", ""))
    if device:
        return device, None
    secret = new_device()
    return hash_secret(secret), secret


def with_cookie(response: Response, request: Request, secret: str | None) -> Response:
    """Give the device its cookie, if it is a new one."""
    if secret is not None:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_DAYS * 24 * 3600,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response
