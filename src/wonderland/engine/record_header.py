"""Parses the header of a record: the game and its rules version, players, options, date, result."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wonderland.engine.errors import GameFailed, NotationError, UsageError, WonderlandError, quote
from wonderland.engine.options import read_options
from wonderland.engine.protocol import CHANCE
from wonderland.engine.record import (
    CHANCE_MARK,
    Move,
    Undone,
    validate_date,
    validate_label,
    validate_names,
    validate_shuffle_statement,
)
from wonderland.engine.registry import game
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wonderland.engine.protocol import AnyGame

_MAX_DIGITS = 7
KEYS = ("game", "rules", "seats", "options", "date", "result", "given", "undone", "luck")


class TextLocation(Value, frozen=True):
    """A position in a text; lines and columns are counted from 1."""

    line: int
    column: int


class HeaderFault(Exception):  # noqa: N818 - internal: `read_record` converts it to a `Fault`
    """The header is invalid, so the moves can't be played."""

    def __init__(self, place: TextLocation, error: WonderlandError, game: str = "") -> None:
        super().__init__(str(error))
        self.place = place
        self.error = error
        self.game = game
        """The game that the error is about, if it is known."""


@dataclass(slots=True)
class Header:
    """The parsed header."""

    game: AnyGame
    names: tuple[str, ...]
    options: Any
    date: str | None
    result: tuple[str, TextLocation] | None
    given: dict[str, tuple[Any, ...]]
    shuffle_statement: str | None
    undone: list[tuple[Undone[Any], TextLocation]]
    lines: int
    """The number of lines that it occupies."""


@dataclass(slots=True)
class _Entries:
    """The lines of a header by key, each value with its location."""

    values: dict[str, list[tuple[str, TextLocation]]] = field(default_factory=dict)
    lines: int = 0

    def optional(self, key: str) -> tuple[str, TextLocation] | None:
        """Return the value of a key that may occur at most once."""
        found = self.values.get(key, [])
        if len(found) > 1:
            twice = NotationError("{key} is in the header twice.", key=key.capitalize())
            raise HeaderFault(found[1][1], twice)
        return found[0] if found else None

    def required(self, key: str, example: str) -> tuple[str, TextLocation]:
        """Return the value of a key that must occur exactly once."""
        found = self.optional(key)
        if found is None:
            missing = NotationError(
                "the header has no line for {key}, such as '{example}'.",
                key=key.capitalize(),
                example=example,
            )
            raise HeaderFault(TextLocation(self.lines + 1, 1), missing)
        return found


def read_header(text: str) -> Header:
    """Parse the header of a record; raises `HeaderFault`."""
    entries = _parse_entries(text)
    name, place = entries.required("game", "Game: parade")
    with _faults_at(place):
        the_game = game(name)
    _check_version(the_game, *entries.required("rules", f"Rules: {the_game.info.rules_version}"))
    seats, at_seats = entries.required("seats", "Seats: Alice, Hatter")
    with _faults_at(at_seats):
        names = validate_names([name.strip() for name in seats.split(",")])
    texts, at_options = entries.optional("options") or ("", at_seats)
    with _faults_at(at_options, the_game):
        options = read_options(the_game, _parse_pairs(texts))
    with _faults_at(at_seats, the_game):
        the_game.start(len(names), options)
    date = entries.optional("date")
    if date is not None:
        with _faults_at(date[1]):
            validate_date(date[0])
    statement = entries.optional("luck")
    if statement is not None:
        with _faults_at(statement[1]):
            validate_shuffle_statement(statement[0])
    return Header(
        the_game,
        names,
        options,
        date[0] if date else None,
        entries.optional("result"),
        _parse_given(the_game, entries.values.get("given", [])),
        statement[0] if statement else None,
        [_parse_undone(the_game, len(names), *line) for line in entries.values.get("undone", [])],
        entries.lines,
    )


def _parse_entries(text: str) -> _Entries:
    """Collect the `Key: value` lines, up to an empty line or an unknown key."""
    entries = _Entries()
    for number, full in enumerate(text.split("\n"), start=1):
        line = full.partition("#")[0].rstrip()
        key, colon, value = line.partition(":")
        name = key.strip().lower()
        if full.strip() and not line:
            entries.lines = number  # a comment line
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
        other = NotationError(
            "this record follows version {found} of the rules of {title}, but this program plays "
            "version {current}.",
            found=quote(text),
            title=the_game.info.title,
            current=current,
        )
        raise HeaderFault(place, other)


def _parse_pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in pairs:
            raise NotationError(
                "{word} isn't a name with a value, such as name=value, or comes twice.", word=quote(word)
            )
        pairs[name] = value
    return pairs


def _parse_given(the_game: AnyGame, lines: list[tuple[str, TextLocation]]) -> dict[str, tuple[Any, ...]]:
    given: dict[str, tuple[Any, ...]] = {}
    for text, place in lines:
        with _faults_at(place, the_game):
            for label, words in _parse_pairs(text).items():
                outcomes = tuple(the_game.read(word) for word in words.split(","))
                given[validate_label(the_game, label)] = given.get(label, ()) + outcomes
    return given


def _parse_undone(
    the_game: AnyGame, seats: int, text: str, place: TextLocation
) -> tuple[Undone[Any], TextLocation]:
    """Parse how many moves were kept, then each move that was taken back after its actor."""
    kept, *words = text.split() or [""]
    actors = {CHANCE_MARK: CHANCE} | {str(seat + 1): seat for seat in range(seats)}
    is_complete = kept.isascii() and kept.isdecimal() and len(kept) < _MAX_DIGITS and not len(words) % 2
    with _faults_at(place, the_game):
        if not is_complete or not words or any(actor not in actors for actor in words[::2]):
            raise NotationError(
                "the line must give the number of moves that were kept, then each move that was taken "
                "back, such as '12 1 G3 - +B4'."
            )
        moves = zip(words[::2], words[1::2], strict=True)
        done = tuple(Move(actors[actor], the_game.read(word)) for actor, word in moves)
    return Undone(int(kept), done), place


@contextmanager
def _faults_at(place: TextLocation, about: AnyGame | None = None) -> Iterator[None]:
    """Turn parse errors inside the block into a `HeaderFault` at this location."""
    try:
        yield
    except (GameFailed, NotationError, UsageError) as error:
        raise HeaderFault(place, error, "" if about is None else about.info.name) from error
