"""Numbers as the readers of a language write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import ENGLISH, Language
from wonderland.web.security import COOKIE_DAYS, LANGUAGE, chosen_in

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language

_NARROW = "\u202f"
_MARKS = {"de": (",", "."), "es": (",", _NARROW), "fr": (",", _NARROW), "pl": (",", _NARROW)}
"""What stands before the digits behind the point, and between thousands; English has it otherwise."""
_MINUS = "\u2212"


def number(value: float, say: Language, digits: int = 0, *, signed: bool = False) -> str:
    """A number with so many digits behind the point.

    >>> from wonderland.engine.language import ENGLISH
    >>> from wonderland.components.catalogues import load_language
    >>> number(12345.678, ENGLISH, 1), number(12345.678, load_language("de"), 1)
    ('12,345.7', '12.345,7')
    >>> number(-0.2, ENGLISH, signed=True), number(3, ENGLISH, signed=True)
    ('0', '+3')
    """
    value = round(value, digits) or 0.0  # no minus before nought
    point, thousands = _MARKS.get(say.code, (".", ","))
    text = f"{abs(value):,.{digits}f}".translate({ord(","): thousands, ord("."): point})
    plus = "+" if signed and value > 0 else ""
    return f"{_MINUS if value < 0 else plus}{text}"


def percent(share: float, say: Language, digits: int = 1, *, signed: bool = False) -> str:
    r"""A part of all; the blank before the sign does not end a line.

    >>> from wonderland.engine.language import ENGLISH
    >>> percent(0.5, ENGLISH)
    '50.0\xa0%'
    """
    return f"{number(100 * share, say, digits, signed=signed)}\xa0%"


def negotiate_language(header: str, chosen: str = "") -> Language:
    """The language that somebody has chosen, or that their browser asks for, as well as we can.

    >>> wanted = (["tlh, en-GB;q=0.8"], ["de, en;q=0.5"], ["de", "pl"])
    >>> tuple(negotiate_language(*texts).code for texts in wanted)
    ('en', 'de', 'pl')
    """
    if chosen in LANGUAGES:
        return load_language(chosen)
    wishes = []
    for place, wish in enumerate(header.split(",")[:20]):
        tag, _, quality = wish.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, tag.split("-")[0].lower()))
        except ValueError:
            continue
    known = [code for weight, _, code in sorted(wishes) if code in LANGUAGES and weight < 0]
    return load_language(known[0] if known else ENGLISH.code)


def language_of(request: Request) -> Language:
    """The language that a request asks for: in its address, by an earlier choice, or by its browser."""
    asked, cookies = request.query_params.get("lang", ""), request.headers.get("Cookie", "")
    chosen = asked if asked in LANGUAGES else chosen_in(cookies)
    return negotiate_language(request.headers.get("Accept-Language", ""), chosen)


def with_language(response: Response, request: Request) -> Response:
    """Keep the language that was chosen, if one was: from now on it goes before the browser's."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        response.set_cookie(LANGUAGE, asked, max_age=COOKIE_DAYS * 24 * 3600, samesite="lax")
    return response
