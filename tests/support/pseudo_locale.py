"""A pseudo-locale that puts every text of the catalogues in ⟦brackets⟧.

Text outside brackets has not been translated; `words_outside_brackets` finds it.
"""

from __future__ import annotations

import gettext
import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

import catalogues
from wonderland import arguments
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import Language
from wonderland.web import languages

CODE = "xx"
NAMES = {"Wonderland", "Alice", "Bill", "Dinah", "Caterpillar", "Duchess", "Gryphon"}
"""Names that are not translated."""
TEXT_ATTRIBUTES = ("aria-label", "alt", "placeholder", "title")
"""Attributes that are read to people, besides `data-` attributes of several words."""
TECHNICAL = (
    "data-beats",
    "data-fields",
    "data-files",
    "data-marks",
    "data-path",
    "data-pictures",
    "data-points",
    "data-rematch",
    "data-service-workers",
)
_SILENT = ("code", "kbd", "script", "style", "time")  # dates are formatted by Babel
_VOID = ("br", "circle", "ellipse", "hr", "img", "input", "link", "meta", "path", "rect", "use")


class BracketingCatalogue(gettext.NullTranslations):
    """Brackets the messages that extraction from the source finds, and no others."""

    def __init__(self) -> None:
        super().__init__()
        names = (catalogues.SHELL, *catalogues.GAMES)
        self.known = {message.id for name in names for message in catalogues.extract_messages(name)}
        self.known |= {text[0] for text in self.known if isinstance(text, tuple)}

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if message in self.known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        text = msgid1 if n == 1 else msgid2
        return f"⟦{text}⟧" if (msgid1, msgid2) in self.known else text


@cache
def pseudo_language() -> Language:
    """Return the pseudo-locale."""
    return Language(CODE, BracketingCatalogue())


def install_pseudo_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pseudo-locale one of the languages that can be chosen, on pages and in commands."""
    honest = load_language

    def load(code: str) -> Language:
        return pseudo_language() if code == CODE else honest(code)

    monkeypatch.setitem(LANGUAGES, CODE, "⟦xx⟧")
    for module in (arguments, languages):
        monkeypatch.setattr(module, "load_language", load)


def outside_brackets(text: str) -> str:
    """Return a text without what is in brackets, and without dates, which Babel formats."""
    text = re.sub(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b", " ", text)
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = shorter
    return text


def words_outside_brackets(text: str) -> list[str]:
    """Return the words outside brackets, except names, numbers and symbols."""
    text = outside_brackets(text)
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text)  # noqa: RUF001 - an apostrophe
    return [word for word in words if word not in NAMES and len(word) > 1]


class VisibleText(HTMLParser):
    """Reads a page and collects the text that people see or hear."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_silent = tag in _SILENT or "rulebook" in given.get("class", "") or "hreflang" in given
        if tag not in _VOID:
            self._open.append((tag, is_silent))
        for name, value in given.items():
            is_words = name.startswith("data-") and " " in value and name not in TECHNICAL
            if name in TEXT_ATTRIBUTES or is_words:
                self.texts.append(value)
            if name == "data-beats":  # the captions of a finale
                self.texts += [beat["says"] for beat in json.loads(value)]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(silent for _, silent in self._open):
            self.texts.append(data.strip())


def untranslated(page: str) -> list[str]:
    """Return the texts of a page that are in no catalogue."""
    return [text for text in VisibleText(page).texts if words_outside_brackets(text)]
