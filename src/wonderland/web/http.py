"""Building blocks of HTTP handlers: `Route`, JSON responses, request bodies, query numbers, cookies.

Shared by the API (`api.py`), the pages and the features; errors are raised as `Refusal`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
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
    device_in,
    is_allowed_origin,
    new_device_secret,
)
from wonderland.wire.codes import Code
from wonderland.wire.problems import (
    PROBLEM_TYPE,
    UNREADABLE,
    ProblemDocument,
    Refusal,
    problem_document,
    retry_headers,
)

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.web.app import Site

_BODY_TIMEOUT = 10.0
"""Seconds to receive the body of a request."""

Handler = Callable[["Site", "Request", str], Coroutine[Any, Any, Response]]


class Route(Value, frozen=True):
    """An API endpoint: method, path, handler, and the types of its request and response."""

    method: str
    path: str
    handler: Handler
    about: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    queries: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # query parameters that are text; those in `queries` are numbers
    media: str = "application/json"


def json_response(value: Any, status: int = 200) -> Response:
    """Return a value as a JSON response; bytes are taken as encoded already."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, status, media_type="application/json")


def problem_response(document: ProblemDocument) -> Response:
    """Return a problem document with its HTTP status."""
    return Response(msgspec.json.encode(document), document.status, media_type=PROBLEM_TYPE)


def refusal_response(
    request: Request, refusal: Refusal, key: str = "", version: int | None = None
) -> Response:
    """Return a refusal as a problem document, in the language of the request."""
    response = problem_response(problem_document(refusal, key, version, language_of(request)))
    response.headers.update(retry_headers(refusal))
    return response


async def read_body(request: Request, kind: Any, most: int = LARGEST_MESSAGE) -> Any:
    """Decode the JSON body of a request as a type; `Refusal` if it is invalid, too large or too slow."""
    if request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
        raise Refusal(Code.NOT_JSON, "The request body must be JSON (Content-Type: application/json).")
    body = b""
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Refusal(
                        Code.REQUEST_TOO_LARGE,
                        "A request can be at most {number} KiB.",
                        number=most >> 10,
                    )
    except TimeoutError:
        raise Refusal(Code.REQUEST_TOO_SLOW, "The request took too long to arrive.") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise Refusal(Code.INVALID_REQUEST, "Invalid request: {reason}.", reason=error) from None


def number_in(request: Request, name: str) -> int | None:
    """Return a number from the query, or `None` if it is absent; `Refusal` if it is not a number."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refusal(Code.NOT_A_NUMBER, "{name} must be a number.", name=name)
    return int(text)


def check_origin(site: Site, request: Request) -> None:
    """Refuse a cross-site request."""
    if not is_allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), site):
        raise Refusal(Code.WRONG_ORIGIN, "This page isn't allowed to do that here.")


def device_for(request: Request) -> tuple[str, str | None]:
    """Return the device of a request, or a new device and the secret for its cookie."""
    device = device_in(request.headers.get("Cookie", ""))
    if device:
        return device, None
    secret = new_device_secret()
    return hash_secret(secret), secret


def with_cookie(response: Response, request: Request, secret: str | None) -> Response:
    """Set the device cookie, if there is a new secret."""
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
