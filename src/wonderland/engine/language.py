"""Translation of messages with gettext: English in the source, catalogues for the other languages.

A message is looked up whole, and its named fields are filled in afterwards:
`say("{name} begins.", name="Alice")`. `wonderland.components.catalogues` loads the catalogues, and
`scripts/catalogues.py` extracts the messages. A missing translation falls back to English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """One language: call it with an English message to get the translation."""

    code: str
    catalogue: gettext.NullTranslations = field(compare=False, repr=False)

    def __call__(self, text: str, **fields: Any) -> str:
        """Translate a message and fill in its fields.

        >>> ENGLISH("{name} begins.", name="Alice")
        'Alice begins.'
        """
        # gettext translates "" to the header of the catalogue.
        found = self.catalogue.gettext(text) if text else ""
        return found.format(**fields) if fields else found

    def plural(self, one: str, many: str, number: int, **fields: Any) -> str:
        """Translate a message with a plural form.

        >>> ENGLISH.plural("{number} spin", "{number} spins", 2)
        '2 spins'
        """
        return self.catalogue.ngettext(one, many, number).format(number=number, **fields)

    def join_list(self, items: Iterable[str]) -> str:
        """Join items into a list."""
        return self(_COMMA).join(items)

    def sentences(self, texts: Iterable[str]) -> str:
        """Join sentences into a paragraph."""
        return ("" if self.code in _WITHOUT_SPACES else " ").join(texts)

    def capital(self, text: str) -> str:
        """Capitalize the first letter of a text, leaving the rest as it is."""
        return text[:1].upper() + text[1:]

    def context(self) -> dict[str, Any]:
        """Return the variables that templates use for translation."""
        return {
            "_": self,
            "gettext": self,
            "plural": self.plural,
            "ngettext": lambda one, many, number: (
                self.catalogue.ngettext(one, many, number) % {"num": number}
            ),
            "language": self.code,
        }


def phrase(text: str) -> str:
    """Mark a message for extraction; it is translated where it is shown."""
    return text


ENGLISH = Language("en", gettext.NullTranslations())
_COMMA = phrase(", ")
_WITHOUT_SPACES = ("ja",)
