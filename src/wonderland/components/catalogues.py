"""Loads the gettext catalogues of a language.

The shell's catalogues are in `wonderland/locale`, and those of a game in its own folder `locale`: one
`<code>.mo` per language. `scripts/catalogues.py` maintains them; English is the fallback.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib.resources import files

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.registry import game_names, package_of

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "ja": "日本語",
    "pl": "Polski",
}
"""The supported languages with their own names; English is the source language."""


@cache
def load_language(code: str) -> Language:
    """Load a language by its code, such as `de`; English if it isn't supported."""
    if code not in LANGUAGES or code == ENGLISH.code:
        return ENGLISH
    catalogue = gettext.NullTranslations()
    for home in ("wonderland", *map(package_of, game_names())):
        file = files(home) / "locale" / f"{code}.mo"
        if file.is_file():
            with file.open("rb") as opened:
                catalogue.add_fallback(gettext.GNUTranslations(opened))
    return Language(code, catalogue)
