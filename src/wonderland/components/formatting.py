"""Numbers, percentages and dates, formatted for a language by Babel.

Babel is imported on first use, so that commands that format nothing start as fast without it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from wonderland.engine.language import ENGLISH, Language

if TYPE_CHECKING:
    import datetime as dt

    from babel import Locale

_ENGLISH = "en_GB"
MINUS = "\N{MINUS SIGN}"
"""What stands before a negative number in a text; a hyphen is shorter, and may end a line."""


def number(value: float, say: Language, digits: int = 0, *, signed: bool = False) -> str:
    """Format a number with a given number of decimals.

    >>> number(12345.678, ENGLISH, 1), number(12345.678, Language("de", ENGLISH.catalogue), 1)
    ('12,345.7', '12.345,7')
    >>> number(-0.2, ENGLISH, signed=True), number(3, ENGLISH, signed=True)
    ('0', '+3')
    """
    return _format(value, _pattern(say.code, digits), say.code, digits, signed=signed)


def percent(share: float, say: Language, digits: int = 1, *, signed: bool = False) -> str:
    r"""Format a share as a percentage.

    >>> percent(0.61, ENGLISH, 0), percent(0.61, Language("de", ENGLISH.catalogue), 0)
    ('61%', '61\xa0%')
    >>> percent(0.055, ENGLISH, signed=True)
    '+5.5%'
    """
    pattern = _pattern(say.code, digits, is_percent=True)
    return _format(share, pattern, say.code, digits + 2, signed=signed)


def date(day: dt.date, say: Language) -> str:
    """Format a date, with the name of the month.

    >>> import datetime as dt
    >>> date(dt.date(2026, 11, 5), ENGLISH)
    '5 November 2026'
    """
    from babel.dates import format_date  # noqa: PLC0415 - slow to import

    return format_date(day, "long", _locale(say.code))


def _format(value: float, pattern: str, code: str, digits: int, *, signed: bool) -> str:
    from babel.numbers import format_decimal, format_percent  # noqa: PLC0415 - slow to import

    value = round(value, digits) or 0.0  # no minus sign before zero
    write = format_percent if "%" in pattern else format_decimal
    text = write(abs(value), pattern, _locale(code))
    plus = "+" if signed and value > 0 else ""
    return f"{MINUS if value < 0 else plus}{text}"


@cache
def _locale(code: str) -> Locale:
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - slow to import

    try:
        return Locale.parse(_ENGLISH if code == ENGLISH.code else code)
    except UnknownLocaleError:
        return Locale.parse(_ENGLISH)


@cache
def _pattern(code: str, digits: int, *, is_percent: bool = False) -> str:
    """Return the locale's pattern of numbers or percentages, with a given number of decimals."""
    locale = _locale(code)
    formats = locale.percent_formats if is_percent else locale.decimal_formats
    usual: str = formats[None].pattern.replace(".###", "")
    return usual.replace("0", f"0.{digits * '0'}") if digits else usual
