"""The one-line notation of positions: the game's name, then `key=value` for each fact.

List items are joined by dots, per-seat values by slashes; `-` is an empty list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wonderland.engine.errors import NotationError, quote, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")

NOTHING = "-"


def write_line(game: str, facts: Mapping[str, str]) -> str:
    """Return the line for these facts."""
    return " ".join([game, *(f"{key}={value}" for key, value in facts.items())])


def read_line(game: str, text: str, keys: Iterable[str]) -> dict[str, str]:
    """Parse a line; `NotationError` unless it has each of these keys exactly once."""
    name, *words = text.split() or [""]
    if name.lower() != game:
        raise NotationError(
            f"a position of this game begins with {quote(game)}, not with {quote(name)}."
        )
    facts: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in keys or key in facts:
            wanted = ", ".join(f"{key}=…" for key in keys)
            raise NotationError(
                f"{quote(word)} does not belong in a position, which has once each {wanted}."
            )
        facts[key] = value
    for key in keys:
        if key not in facts:
            raise NotationError(f"the position does not say {key}=….")
    return facts


def write_list(items: Iterable[str]) -> str:
    """Join words by dots."""
    return ".".join(items) or NOTHING


def read_list(text: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Split words joined by dots, and parse each."""
    return () if text == NOTHING else tuple(read(word) for word in text.split("."))


def small_number(text: str) -> int | None:
    """Parse a number of at most four digits; `None` if it isn't one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def read_number(key: str, text: str, allowed: range) -> int:
    """Parse an integer within a range."""
    number = small_number(text)
    if number is None or number not in allowed:
        span = f"{allowed[0]} to {allowed[-1]}"
        raise NotationError(f"{key}={shorten(text)} is not possible: it is a number from {span}.")
    return number


def read_word(key: str, text: str, words: Mapping[str, T]) -> T:
    """Parse one of a few words."""
    if text not in words:
        known = " or ".join(words)
        raise NotationError(f"{key}={shorten(text)} is not possible: it is {known}.")
    return words[text]
