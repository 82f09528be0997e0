"""The one-line form of a position: the game's name, then `key=value` for each fact.

Lists are joined by dots and, seat by seat, by slashes; `-` stands for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wonderland.core.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")

NOTHING = "-"


def write_line(game: str, facts: Mapping[str, str]) -> str:
    """The line for these facts."""
    return " ".join([game, *(f"{key}={value}" for key, value in facts.items())])


def read_line(game: str, text: str, keys: Iterable[str]) -> dict[str, str]:
    """The facts in a line, which must be just these."""
    name, *words = text.split() or [""]
    if name.lower() != game:
        raise NotationError(f"a position of this game begins with {game!r}, not with {name!r}.")
    facts: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in keys or key in facts:
            wanted = ", ".join(f"{key}=…" for key in keys)
            raise NotationError(f"{word!r} does not belong in a position, which has once each {wanted}.")
        facts[key] = value
    for key in keys:
        if key not in facts:
            raise NotationError(f"the position does not say {key}=….")
    return facts


def write_list(items: Iterable[str]) -> str:
    """Words joined by dots."""
    return ".".join(items) or NOTHING


def read_list(text: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Words joined by dots, each read."""
    return () if text == NOTHING else tuple(read(word) for word in text.split("."))


def read_number(key: str, text: str, allowed: range) -> int:
    """A whole number within a range."""
    if not text.isascii() or not text.isdigit() or len(text) > 4 or int(text) not in allowed:
        raise NotationError(
            f"{key}={text} is not possible: it is a number from {allowed[0]} to {allowed[-1]}."
        )
    return int(text)


def read_word(key: str, text: str, words: Mapping[str, T]) -> T:
    """One of a few words."""
    if text not in words:
        raise NotationError(f"{key}={text} is not possible: it is {' or '.join(words)}.")
    return words[text]
