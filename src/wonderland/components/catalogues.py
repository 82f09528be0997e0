"""Loads the gettext catalogues of a language, and finds the language of an environment.

The shell's catalogues are in `wonderland/locale`, and those of a game in its own folder `locale`: one
`<code>.mo` per language. `scripts/catalogues.py` maintains them; English is the fallback.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from functools import cache

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
_UNTRANSLATED = ("C", "POSIX")
"""The locales without a language."""


@cache
def load_language(code: str) -> Language:
    """Load a language by its code, such as `de`; English if it isn't supported."""
    if code not in LANGUAGES or code == ENGLISH.code:
        return ENGLISH
    from importlib.resources import files  # noqa: PLC0415 - slow to import, and English needs no files

    catalogue = gettext.NullTranslations()
    for home in ("wonderland", *map(package_of, game_names())):
        file = files(home) / "locale" / f"{code}.mo"
        if file.is_file():
            with file.open("rb") as opened:
                catalogue.add_fallback(gettext.GNUTranslations(opened))
    return Language(code, catalogue)


def environment_language(environment: Mapping[str, str]) -> str:
    """Return the code of the language that the variables of an environment ask for, as GNU gettext does.

    The locale is that of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that isn't empty. `LANGUAGE`, a
    list of languages separated by colons, takes precedence, unless the locale is `C` or `POSIX`.

    >>> environment_language({"LANG": "pl_PL.UTF-8"})
    'pl'
    >>> environment_language({"LANGUAGE": "tlh:fr_CA:de", "LANG": "pl_PL.UTF-8"})
    'fr'
    >>> environment_language({"LANGUAGE": "fr", "LC_ALL": "C"})
    'en'
    """
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next(filter(None, (environment.get(name) for name in variables)), "")
    if locale in _UNTRANSLATED:
        return ENGLISH.code
    wanted = (environment.get("LANGUAGE") or locale).split(":")
    codes = (re.split("[_.@-]", each, maxsplit=1)[0].lower() for each in wanted)
    return next((code for code in codes if code in LANGUAGES), ENGLISH.code)
