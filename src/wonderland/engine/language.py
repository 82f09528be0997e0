"""Translation of messages with gettext: English in the source, catalogues for the other languages.

A message is looked up whole, and its named fields are filled in afterwards:
`say("{name} begins.", name="Alice")`. `wonderland.components.catalogues` loads the catalogues, and
`scripts/catalogues.py` extracts the messages. A missing translation falls back to English.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """One language: call it with an English message to get the translation."""

    code: str
    catalogue: gettext.NullTranslations = field(compare=False, repr=False)

    def __call__(self, text: str, /, **fields: Any) -> str:
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

    def join_clauses(self, clauses: Sequence[str]) -> str:
        """Join parts that contain commas themselves.

        >>> ENGLISH.join_clauses(["Alice: 1, 2", "Bill: 3", "Dinah: 4"])
        'Alice: 1, 2; Bill: 3; Dinah: 4'
        """
        return reduce(lambda one, other: self(_CLAUSES, one=one, other=other), clauses)

    def label(self, heading: str, text: str) -> str:
        """Put a heading before a text; French, for one, separates the colon with a space.

        >>> ENGLISH.label("Puzzle of the day", "Parade")
        'Puzzle of the day: Parade'
        """
        return self(_LABEL, heading=heading, text=text)

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
            "label": self.label,
            "plural": self.plural,
            "ngettext": lambda one, many, number: (
                self.catalogue.ngettext(one, many, number) % {"num": number}
            ),
            "language": self.code,
        }


def phrase(text: str) -> str:
    """Mark a message for extraction; it is translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its fields, translated as a whole where it is shown.

    A field is shown as what it is: `seat` as a player, `card` as a card, `title` as the translated title
    of a game, a tuple as a list, another message as its translation, and anything else as text.

    >>> Message("{seat} has no such card.", {"seat": 1}).said(ENGLISH)
    'player 2 has no such card.'
    >>> Message("{seat} has no such card.", {"seat": 1}).with_names(["Alice", "Bill"]).said(ENGLISH)
    'Bill has no such card.'
    """

    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def said(self, say: Language, card: Callable[[Any], str] = str) -> str:
        """Return the message in a language; `card` names a card."""
        return say(self.text, **{key: _show(key, self.fields[key], say, card) for key in self.fields})

    def sentence(self, say: Language, card: Callable[[Any], str] = str) -> str:
        """Return the message with a capital letter, unless it starts with notation.

        >>> Message("{action} comes too late.", {"action": "left3"}).sentence(ENGLISH)
        'left3 comes too late.'
        >>> Message("{seat} has no such card.", {"seat": 1}).sentence(ENGLISH)
        'Player 2 has no such card.'
        """
        first = say(self.text).partition("}")[0]
        starts_with_notation = first.startswith("{") and first[1:] not in _NAMED_FIELDS
        said = self.said(say, card)
        return said if starts_with_notation else say.capital(said)

    def with_names(self, names: Sequence[str]) -> Message:
        """Return the same message with these names in place of seats."""
        return Message(self.text, {key: _name_seat(key, self.fields[key], names) for key in self.fields})


_NAMED_FIELDS = ("card", "seat", "title")
"""Fields that are shown as names; other fields are often notation."""


def _show(key: str, value: Any, say: Language, card: Callable[[Any], str]) -> str:
    if isinstance(value, Message):
        return value.said(say, card)
    if key == "card":  # which may be a tuple
        return card(value)
    if isinstance(value, tuple):
        return say.join_list(map(str, value))
    if key == "seat" and isinstance(value, int):
        return say("player {number}", number=value + 1)
    return say(value) if key == "title" else str(value)


def _name_seat(key: str, value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, Message):
        return value.with_names(names)
    return names[value] if key == "seat" and isinstance(value, int) and value < len(names) else value


ENGLISH = Language("en", gettext.NullTranslations())
_COMMA = phrase(", ")
_CLAUSES = phrase("{one}; {other}")
_LABEL = phrase("{heading}: {text}")
_WITHOUT_SPACES = ("ja",)
