"""Words in the languages of those who read them: English in the source, catalogues of gettext besides.

A text is looked up whole, with named fields to be filled in: `say("{name} begins.", name="Alice")`. The
shell's catalogues are in `wonderland/locale`, a game's in a folder `locale` of its own, one `<code>.mo`
for each language. `scripts/catalogues.py` finds the texts; without a catalogue one reads English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """One language: called with an English text, it gives the text in that language."""

    code: str
    catalogue: gettext.NullTranslations = field(compare=False, repr=False)

    def __call__(self, text: str, **fields: Any) -> str:
        """The text, with its fields filled in.

        >>> ENGLISH("{name} begins.", name="Alice")
        'Alice begins.'
        """
        found = self.catalogue.gettext(text) if text else ""  # gettext keeps its header below ""
        return found.format(**fields) if fields else found

    def plural(self, one: str, many: str, number: int, **fields: Any) -> str:
        """The text for a number of things.

        >>> ENGLISH.plural("{number} spin", "{number} spins", 2)
        '2 spins'
        """
        return self.catalogue.ngettext(one, many, number).format(number=number, **fields)

    def join_list(self, items: Iterable[str]) -> str:
        """Several things, one after the other."""
        return self(_COMMA).join(items)

    def sentences(self, texts: Iterable[str]) -> str:
        """Several sentences, one after the other."""
        return ("" if self.code in _WITHOUT_BLANKS else " ").join(texts)

    def capital(self, text: str) -> str:
        """A text as the beginning of a sentence."""
        return text[:1].upper() + text[1:]

    def context(self) -> dict[str, Any]:
        """What templates need."""
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
    """A text that is put into the catalogues now, and said later."""
    return text


ENGLISH = Language("en", gettext.NullTranslations())
_COMMA = phrase(", ")
_WITHOUT_BLANKS = ("ja",)
