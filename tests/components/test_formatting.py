"""Numbers, percentages and dates in each language."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys

import pytest

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.formatting import date, number, percent
from wonderland.engine.language import ENGLISH, Language

GERMAN = load_language("de")
DAY = dt.date(2026, 11, 5)


@pytest.mark.parametrize(
    ("code", "amount", "share"),
    [
        ("en", "12,345.7", "61.5%"),
        ("de", "12.345,7", "61,5\xa0%"),
        ("fr", "12\u202f345,7", "61,5\xa0%"),
        ("ja", "12,345.7", "61.5%"),
    ],
)
def test_separators_and_signs_follow_the_language(code: str, amount: str, share: str) -> None:
    say = load_language(code)
    assert number(12345.678, say, 1) == amount
    assert percent(0.6149, say) == share


def test_signs_are_shown_on_request_and_zero_has_none() -> None:
    assert number(3, ENGLISH, signed=True) == "+3"
    assert number(-3, ENGLISH) == number(-3, ENGLISH, signed=True) == "\u22123"
    assert number(-0.2, ENGLISH, signed=True) == "0"
    assert percent(-0.25, GERMAN, 0, signed=True) == "\u221225\xa0%"
    assert percent(-0.0004, ENGLISH, signed=True) == "0.0%"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_date_has_its_year_and_the_name_of_its_month(code: str) -> None:
    text = date(DAY, load_language(code))
    assert "2026" in text
    assert "-" not in text


def test_english_dates_are_british() -> None:
    assert date(DAY, ENGLISH).startswith("5 ")


def test_a_language_unknown_to_babel_is_formatted_like_english() -> None:
    assert percent(0.5, Language("xx", ENGLISH.catalogue)) == "50.0%"


def test_babel_is_imported_only_when_something_is_formatted() -> None:
    code = "import sys, wonderland.components.formatting; sys.exit('babel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
