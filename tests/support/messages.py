"""Messages as people read them, by their id in the catalogues."""

from __future__ import annotations

import html
from functools import cache
from gettext import GNUTranslations
from typing import Any

from catalogues import CODES, GAMES, SHELL, catalogue_file
from wonderland.components.catalogues import load_language
from wonderland.engine.language import ENGLISH


@cache
def _known() -> frozenset[str]:
    """Return the ids of all messages: those of any language, since every catalogue has the same."""
    found = set()
    for name in (SHELL, *GAMES):
        with catalogue_file(name, CODES[0]).with_suffix(".mo").open("rb") as file:
            keys = vars(GNUTranslations(file))["_catalog"]
        found |= {key if isinstance(key, str) else key[0] for key in keys}
    return frozenset(found)


def message(text: str, /, *, language: str = ENGLISH.code, **fields: Any) -> str:
    """Render a message with its values; fail if no catalogue has it."""
    assert text in _known(), f"no catalogue has the message {text!r}: was it reworded?"
    return load_language(language)(text, **fields)


def message_in_html(text: str, /, **fields: Any) -> str:
    """Render a message as a page contains it."""
    return html.escape(message(text, **fields))
