"""Reads the header of a record: which game, under which rules, by whom, with which options."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wonderland.engine.errors import GameFailed, NotationError, UsageError, quote
from wonderland.engine.options import read_options
from wonderland.engine.record import validate_date, validate_label, validate_luck, validate_names
from wonderland.engine.registry import game
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wonderland.engine.protocol import AnyGame

KEYS = ("game", "rules", "seats", "options", "date", "result", "given", "luck")


class TextLocation(Value, frozen=True):
    """Where in a text something stands; lines and columns are counted from 1."""

    line: int
    column: int


class HeaderFault(Exception):  # noqa: N818 - carries a place and a sentence to the reader of records
    """The header can't be understood, so there is no game to play the moves in."""

    def __init__(self, place: TextLocation, sentence: str) -> None:
        super().__init__(sentence)
        self.place = place
        self.sentence = sentence


@dataclass(slots=True)
class Header:
    """What the header says."""

    game: AnyGame
    names: tuple[str, ...]
    options: Any
    date: str | None
    result: tuple[str, TextLocation] | None
    given: dict[str, tuple[Any, ...]]
    luck: str | None
    lines: int
    """How many lines of the text it takes."""


@dataclass(slots=True)
class _Entries:
    """The lines of a header by key, each value with its place."""

    values: dict[str, list[tuple[str, TextLocation]]] = field(default_factory=dict)
    lines: int = 0

    def only(self, key: str) -> tuple[str, TextLocation] | None:
        """The value of a key that may stand once."""
        found = self.values.get(key, [])
        if len(found) > 1:
            raise HeaderFault(found[1][1], f"{key.capitalize()} stands in the header twice.")
        return found[0] if found else None

    def needed(self, key: str, example: str) -> tuple[str, TextLocation]:
        found = self.only(key)
        if found is None:
            raise HeaderFault(
                TextLocation(self.lines + 1, 1),
                f"the header has no line for {key.capitalize()}, such as '{example}'.",
            )
        return found


def read_header(text: str) -> Header:
    """The header at the top of a record's text; raises `HeaderFault`."""
    entries = _entries(text)
    name, place = entries.needed("game", "Game: parade")
    with _blamed_on(place):
        the_game = game(name)
    _check_version(the_game, *entries.needed("rules", f"Rules: {the_game.info.rules_version}"))
    seats, at_seats = entries.needed("seats", "Seats: Alice, Hatter")
    with _blamed_on(at_seats):
        names = validate_names([name.strip() for name in seats.split(",")])
    texts, at_options = entries.only("options") or ("", at_seats)
    with _blamed_on(at_options):
        options = read_options(the_game, _pairs(texts))
    with _blamed_on(at_seats):
        the_game.start(len(names), options)
    date = entries.only("date")
    if date is not None:
        with _blamed_on(date[1]):
            validate_date(date[0])
    luck = entries.only("luck")
    if luck is not None:
        with _blamed_on(luck[1]):
            validate_luck(luck[0])
    return Header(
        the_game,
        names,
        options,
        date[0] if date else None,
        entries.only("result"),
        _given(the_game, entries.values.get("given", [])),
        luck[0] if luck else None,
        entries.lines,
    )


def _entries(text: str) -> _Entries:
    """The `Key: value` lines down to the first empty line, or the first with another key."""
    entries = _Entries()
    for number, full in enumerate(text.split("\n"), start=1):
        line = full.partition("#")[0].rstrip()
        key, colon, value = line.partition(":")
        name = key.strip().lower()
        if full.strip() and not line:
            entries.lines = number  # a line of comment
            continue
        if not colon or name not in KEYS:
            break
        column = len(line) - len(value.lstrip()) + 1
        entries.values.setdefault(name, []).append((value.strip(), TextLocation(number, column)))
        entries.lines = number
    return entries


def _check_version(the_game: AnyGame, text: str, place: TextLocation) -> None:
    current = the_game.info.rules_version
    if text != str(current):
        raise HeaderFault(
            place,
            f"the record follows version {quote(text)} of the rules of {the_game.info.title}, "
            f"but this program plays version {current}.",
        )


def _pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in pairs:
            raise NotationError(f"{quote(word)} is not a name with its value, once, such as name=value.")
        pairs[name] = value
    return pairs


def _given(the_game: AnyGame, lines: list[tuple[str, TextLocation]]) -> dict[str, tuple[Any, ...]]:
    given: dict[str, tuple[Any, ...]] = {}
    for text, place in lines:
        with _blamed_on(place):
            for label, words in _pairs(text).items():
                outcomes = tuple(the_game.read(word) for word in words.split(","))
                given[validate_label(the_game, label)] = given.get(label, ()) + outcomes
    return given


@contextmanager
def _blamed_on(place: TextLocation) -> Iterator[None]:
    """What can't be read in here becomes a fault at this place."""
    try:
        yield
    except (GameFailed, NotationError, UsageError) as error:
        raise HeaderFault(place, str(error)) from error
