"""The language of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import ENGLISH, Language
from wonderland.web.security import COOKIE_DAYS, LANGUAGE_COOKIE, language_in

if TYPE_CHECKING:
    from starlette.requests import Request


def negotiate_language(header: str, chosen: str = "") -> Language:
    """Return the chosen language, or the best match for an Accept-Language header.

    >>> negotiate_language("tlh, en-GB;q=0.8").code, negotiate_language("de, en;q=0.5").code
    ('en', 'de')
    >>> negotiate_language("de", "pl").code
    'pl'
    """
    if chosen in LANGUAGES:
        return load_language(chosen)
    accepted = []
    for order, entry in enumerate(header.split(",")[:20]):
        tag, _, quality = entry.strip().partition(";q=")
        try:
            accepted.append((-float(quality or 1), order, tag.split("-")[0].lower()))
        except ValueError:
            continue
    known = [code for weight, _, code in sorted(accepted) if code in LANGUAGES and weight < 0]
    return load_language(known[0] if known else ENGLISH.code)


def language_of(request: Request) -> Language:
    """Return the language of a request: from its query, its cookie, or its browser."""
    requested, cookies = request.query_params.get("lang", ""), request.headers.get("Cookie", "")
    chosen = requested if requested in LANGUAGES else language_in(cookies)
    return negotiate_language(request.headers.get("Accept-Language", ""), chosen)


def with_language(response: Response, request: Request) -> Response:
    """Set the language cookie, if the query chooses a language."""
    requested = request.query_params.get("lang", "")
    if requested in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE,
            requested,
            max_age=COOKIE_DAYS * 24 * 3600,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response
