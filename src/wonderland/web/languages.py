"""The language of a request, and numbers formatted for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import ENGLISH, Language
from wonderland.web.security import COOKIE_DAYS, LANGUAGE_COOKIE, language_in

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language

_NARROW_SPACE = "\u202f"
_SEPARATORS = {
    "de": (",", "."),
    "es": (",", _NARROW_SPACE),
    "fr": (",", _NARROW_SPACE),
    "pl": (",", _NARROW_SPACE),
}
"""Decimal mark and thousands separator, where they differ from English."""
_MINUS = "\u2212"


def number(value: float, say: Language, digits: int = 0, *, signed: bool = False) -> str:
    """Format a number with a given number of decimals.

    >>> number(12345.678, ENGLISH, 1), number(12345.678, load_language("de"), 1)
    ('12,345.7', '12.345,7')
    >>> number(-0.2, ENGLISH, signed=True), number(3, ENGLISH, signed=True)
    ('0', '+3')
    """
    value = round(value, digits) or 0.0  # no minus sign before zero
    point, thousands = _SEPARATORS.get(say.code, (".", ","))
    text = f"{abs(value):,.{digits}f}".translate({ord(","): thousands, ord("."): point})
    plus = "+" if signed and value > 0 else ""
    return f"{_MINUS if value < 0 else plus}{text}"


def percent(share: float, say: Language, digits: int = 1, *, signed: bool = False) -> str:
    r"""Format a share as a percentage, with a no-break space before the sign.

    >>> percent(0.5, ENGLISH)
    '50.0\xa0%'
    """
    return f"{number(100 * share, say, digits, signed=signed)}\xa0%"


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
        response.set_cookie(LANGUAGE_COOKIE, requested, max_age=COOKIE_DAYS * 24 * 3600, samesite="lax")
    return response
