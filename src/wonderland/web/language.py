"""Words in the languages of those who read them: catalogues of gettext, chosen by the browser."""

from __future__ import annotations

import gettext
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en",)
"""What there is a catalogue for; English is what the words are written in."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: called with an English text, it gives the text in that language."""

    code: str
    catalogue: gettext.NullTranslations = field(compare=False, repr=False)

    def __call__(self, text: str, **fields: Any) -> str:
        """The text, with its fields filled in."""
        found = self.catalogue.gettext(text)
        return found.format(**fields) if fields else found

    def plural(self, one: str, many: str, number: int, **fields: Any) -> str:
        """The text for a number of things."""
        return self.catalogue.ngettext(one, many, number).format(number=number, **fields)

    def context(self) -> dict[str, Any]:
        """What templates need."""
        return {
            "_": self.catalogue.gettext,
            "gettext": self.catalogue.gettext,
            "ngettext": lambda one, many, number: (
                self.catalogue.ngettext(one, many, number) % {"num": number}
            ),
            "language": self.code,
        }


@cache
def language(code: str) -> Language:
    """A language by its code, such as `de`; English if there is none."""
    if code not in LANGUAGES or code == "en":
        return Language("en", gettext.NullTranslations())
    with (files("wonderland.web") / "locale" / f"{code}.mo").open("rb") as file:
        return Language(code, gettext.GNUTranslations(file))


def preferred(header: str) -> Language:
    """The language that a browser asks for, as well as we can.

    >>> preferred("tlh, en-GB;q=0.8").code
    'en'
    """
    wishes = []
    for place, wish in enumerate(header.split(",")[:20]):
        tag, _, quality = wish.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, tag.split("-")[0].lower()))
        except ValueError:
            continue
    known = [code for _, _, code in sorted(wishes) if code in LANGUAGES]
    return language(known[0] if known else "en")
