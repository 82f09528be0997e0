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
            "a position of this game starts with {wanted}, not with {found}.",
            wanted=quote(game),
            found=quote(name),
        )
    facts: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in keys or key in facts:
            raise NotationError(
                "{word} doesn't belong here. A position has each of these once: {fields}.",
                word=quote(word),
                fields=tuple(f"{key}=…" for key in keys),
            )
        facts[key] = value
    for key in keys:
        if key not in facts:
            raise NotationError("{field} is missing from the position.", field=f"{key}=…")
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
        raise NotationError(
            "{fact} isn't possible: {field} must be a number from {least} to {most}.",
            fact=f"{key}={shorten(text)}",
            field=key,
            least=allowed[0],
            most=allowed[-1],
        )
    return number


def check_stage_field(key: str, text: str, stage: str) -> None:
    """Check that a field that this stage doesn't have is left empty."""
    if text != NOTHING:
        raise NotationError(
            "{fact} doesn't belong to stage={stage}: {field} must be {nothing} there.",
            fact=f"{key}={shorten(text)}",
            stage=stage,
            field=key,
            nothing=NOTHING,
        )


def check_seat_count(key: str, text: str, found: int, seats: int) -> None:
    """Check that a field lists one entry for each player."""
    if found != seats:
        raise NotationError(
            "{fact} doesn't have one entry for each of the {seats} players.",
            fact=f"{key}={shorten(text)}",
            seats=seats,
        )


def read_word(key: str, text: str, words: Mapping[str, T]) -> T:
    """Parse one of a few words."""
    if text not in words:
        raise NotationError(
            "{fact} isn't possible: {field} must be one of {known}.",
            fact=f"{key}={shorten(text)}",
            field=key,
            known=tuple(words),
        )
    return words[text]
