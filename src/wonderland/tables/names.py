"""Names that could be mistaken for others: look-alikes, invisible characters, bots and reserved names.

Two names look alike if their skeletons are equal (Unicode Technical Standard 39), like "rn" and "m", "I"
and "l", or letters of different alphabets that are drawn in the same way. `confusables.txt` maps
characters to their prototypes; `scripts/confusables.py` makes it. Names for the ratings must not look
like another name, a bot or somebody in charge. At tables anyone may be called anything, but is told
apart from others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from wonderland.bots.characters import everyone
from wonderland.bots.levels import levels
from wonderland.components.bots import translate_bot
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.errors import NotationError, quote
from wonderland.engine.record import validate_names
from wonderland.engine.registry import game_names
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_CACHE_SIZE = 4096
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""What Unicode calls default ignorable, and the empty Braille pattern."""
_STACKED_MARKS = re.compile(r"\.{5,}")
"""More marks than any writing puts on one letter; UTS 39 suggests at most four."""
_EMOJI_STYLES = ("\ufe0e", "\ufe0f")
"""Variation selectors that may follow a symbol: ♠️ is not ♠."""
_RESERVED = (
    "admin administrator administrateur administratrice administrador administradora administratorin "
    "moderator moderatorin moderateur modérateur moderatrice modératrice moderador moderadora mod mods "
    "host gastgeber gastgeberin hôte hôtesse anfitrión anfitriona gospodarz server serveur servidor "
    "serwer operator operatorin opérateur operador support staff team official offiziell officiel "
    "oficial system root sysadmin webmaster wonderland bot bots robot nobody niemand personne nadie "
    "nikt someone anonymous anonym anonyme anónimo spectator zuschauer spectateur espectador widz "
    "player spieler joueur jugador gracz everyone you "
    "ホスト サーバー 管理者 管理人 モデレーター 運営 公式 スタッフ ボット"
)
"""Names of those in charge and of nobody in particular, in the languages of the program."""


@cache
def _prototypes() -> dict[int, str]:
    """The prototype of each character that looks like another."""
    found = {}
    text = (files("wonderland.tables") / "confusables.txt").read_text(encoding="ascii")
    for line in text.splitlines()[1:]:
        prototype, same = (
            [int(code, 16) for code in part.split()] for part in line.split("\t", maxsplit=1)
        )
        found.update(dict.fromkeys(same, "".join(map(chr, prototype))))
    return found


def skeleton(text: str) -> str:
    """Return the skeleton of a text, which is the same for texts that look alike; never shown to anyone.

    >>> skeleton("\u0410lice") == skeleton("AIice") == "Alice"  # a Cyrillic A; a capital I
    True
    """
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", visible.translate(_prototypes()))


def normalise_name(name: str) -> str:
    """Return the same text for names that differ by case or by what NFKC normalises.

    >>> normalise_name("\uff21LICE") == normalise_name("Alice")  # a full-width A
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@lru_cache(_CACHE_SIZE)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like in any case; names look alike if these have something in common.

    Skeletons know nothing of case: "I" looks like "l", while "i" doesn't. So a name has two looks.

    >>> bool(looks("AIice") & looks("ALICE"))
    True
    >>> bool(looks("Alice") & looks("Alicia"))
    False
    """
    return frozenset(skeleton(normalise_name(each)) for each in (name, skeleton(name))) - {""}


@lru_cache(_CACHE_SIZE)
def look_alikes(names: tuple[str, ...]) -> frozenset[int]:
    """Return the indexes of names that look like another one of them."""
    return frozenset(
        index
        for index, name in enumerate(names)
        if any(looks(name) & looks(other) for n, other in enumerate(names) if n != index)
    )


def is_visible(name: str) -> bool:
    """Whether there is anything to see in a name."""
    return bool(looks(name))


def _bots() -> Iterator[str]:
    for name in game_names():
        yield from (each.name for each in everyone(name).values())
        yield from (each.name for each in levels(name))


@cache
def _bot_looks() -> frozenset[str]:
    languages = [load_language(code) for code in LANGUAGES]
    names = {translate_bot(name, say) for name in _bots() for say in languages}
    return frozenset(look for name in names for look in looks(name))


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(look for name in _RESERVED.split() for look in looks(name))


@lru_cache(_CACHE_SIZE)
def is_bot_name(name: str) -> bool:
    """Whether a name looks like a bot's in any language, with or without a number.

    >>> is_bot_name("Queen"), is_bot_name("queen 2"), is_bot_name("Queenie")
    (True, True, False)
    """
    return any(looks(each) & _bot_looks() for each in (name, _without_number(name)))


def prepare_names() -> None:
    """Do what the first look at a name would otherwise do: load the bots' names in all languages."""
    _bot_looks()


def _without_number(name: str) -> str:
    return name.rstrip("0123456789 -_.")


def check_table_name(name: str, others: Sequence[str]) -> None:
    """Refuse a name that is taken, that no record can hold, or whose marks cover what is near."""
    try:
        validate_names([name])
    except NotationError as error:
        raise Refusal.of(Code.NAME_NOT_ALLOWED, error) from None
    decomposed = unicodedata.normalize("NFD", name)
    if found := _STACKED_MARKS.search(_marks(decomposed)):
        raise Refusal(
            Code.NAME_NOT_ALLOWED,
            "the name {name} isn't allowed: it contains {character}.",
            name=quote(decomposed),
            character=quote(decomposed[slice(*found.span())]),
        )
    if name.casefold() in (other.casefold() for other in others):
        raise Refusal(
            Code.NAME_TAKEN,
            "Somebody at this table is already called {name}. Choose another name.",
            name=name,
        )


def _marks(text: str) -> str:
    """Return a text with a dot for each mark without a width of its own, and a space for the rest."""
    return "".join("." if unicodedata.category(each) in ("Mn", "Me") else " " for each in text)


def check_account_name(name: str) -> None:
    """Refuse a name for the ratings that has invisible characters, or is a bot's or reserved."""
    if _has_invisible(name):
        raise Refusal(
            Code.NAME_NOT_ALLOWED,
            "The name {name} contains an invisible character. Please leave it out.",
            name=_INVISIBLE.sub("", name),
        )
    letters = "".join(each for each in name if each.isalnum())
    parts = {name, letters, _without_number(name), _without_number(letters)}
    if is_bot_name(name) or any(looks(each) & _reserved_looks() for each in parts):
        raise Refusal(
            Code.NAME_NOT_ALLOWED,
            "The name {name} could be mistaken for a bot or for someone in charge. "
            "Please choose another.",
            name=name,
        )


def _has_invisible(name: str) -> bool:
    pairs = zip(name, " " + name, strict=False)
    return any(
        _INVISIBLE.match(each)
        and not (each in _EMOJI_STYLES and unicodedata.category(before).startswith("S"))
        for each, before in pairs
    )
