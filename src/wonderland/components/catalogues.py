"""Words in the languages of those who read them: English in the source, catalogues of gettext besides.

A text is looked up whole, with named fields to be filled in: `say("{name} begins.", name="Alice")`. The
shell's catalogues are in `wonderland/locale`, a game's in a folder `locale` of its own, one `<code>.mo`
for each language. `scripts/catalogues.py` finds the texts; without a catalogue one reads English.
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
"""What there are catalogues for, and what its speakers call it; in English the words are written."""


@cache
def load_language(code: str) -> Language:
    """A language by its code, such as `de`; English if there is none."""
    if code not in LANGUAGES or code == ENGLISH.code:
        return ENGLISH
    found = gettext.NullTranslations()
    for home in ("wonderland", *map(package_of, game_names())):
        file = files(home) / "locale" / f"{code}.mo"
        if file.is_file():
            with file.open("rb") as opened:
                found.add_fallback(gettext.GNUTranslations(opened))
    return Language(code, found)
