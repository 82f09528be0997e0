"""Numbers as the readers of a language write them."""

from __future__ import annotations

from wonderland.core.language import Language

_NARROW = "\u202f"
_MARKS = {"de": (",", "."), "es": (",", _NARROW), "fr": (",", _NARROW), "pl": (",", _NARROW)}
"""What stands before the digits behind the point, and between thousands; English has it otherwise."""
_MINUS = "\u2212"


def number(value: float, say: Language, digits: int = 0, *, signed: bool = False) -> str:
    """A number with so many digits behind the point.

    >>> from wonderland.core.language import ENGLISH, language
    >>> number(12345.678, ENGLISH, 1), number(12345.678, language("de"), 1)
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

    >>> from wonderland.core.language import ENGLISH
    >>> percent(0.5, ENGLISH)
    '50.0\xa0%'
    """
    return f"{number(100 * share, say, digits, signed=signed)}\xa0%"
