"""Parses the text of a record. A broken record still gives the game up to the fault, and the fault.

The header is parsed first, as a whole; then the moves are played one by one, so that each is checked
against the rules in its own position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from msgspec.structs import replace

from wonderland.engine.errors import IllegalAction, NotationError, quote
from wonderland.engine.match import GIVEN, Match
from wonderland.engine.protocol import LUCK, Acting, Actor, Chance, Over
from wonderland.engine.record import UNFINISHED, Record, headings
from wonderland.engine.record_header import Header, HeaderFault, TextLocation, read_header
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.engine.protocol import Turn

AnyRecord: TypeAlias = Record[Any, Any, Any, Any, Any]
AnyMatch: TypeAlias = Match[Any, Any, Any, Any, Any]

_MAX_LISTED = 8


class Fault(Value, frozen=True):
    """An error in a record, with its location; lines and columns are counted from 1."""

    line: int
    column: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}"


class Reading(Value, frozen=True):
    """A parsed record, up to the fault if there is one; `None` if the fault is in the header."""

    record: AnyRecord | None
    fault: Fault | None

    @property
    def whole(self) -> AnyRecord:
        """The record, if it was parsed completely; otherwise `NotationError`."""
        if self.record is None or self.fault is not None:
            raise NotationError(str(self.fault))
        return self.record


class _BodyFault(Exception):  # noqa: N818 - internal: never leaves this module
    def __init__(self, place: TextLocation, sentence: str) -> None:
        self.fault = Fault(place.line, place.column, sentence)


def read_record(text: str | bytes) -> Reading:
    """Parse a record as far as possible. Never raises, whatever the text or bytes.

    >>> print(read_record("Game: chess").fault)
    line 1, column 7: there is no game called 'chess': the games are cookies, letters, parade.
    """
    text, undecodable = _decode(text)
    try:
        header = read_header(text)
        play: AnyMatch = Match.resume(Record(header.game, header.names, header.options))
        play.given, play.date = header.given, header.date
    except HeaderFault as error:
        return Reading(None, Fault(error.place.line, error.place.column, error.sentence))
    try:
        for line in _lines(text, header.lines):
            _play_line(play, line)
        if undecodable is None:
            _check_result(play, header)
    except _BodyFault as error:
        return Reading(_complete_record(play, header), error.fault)
    return Reading(_complete_record(play, header), undecodable)


def _complete_record(play: AnyMatch, header: Header) -> AnyRecord:
    """Return the record of the match, with the header's statement about the shuffle."""
    return replace(play.record, luck=header.luck)


def _decode(text: str | bytes) -> tuple[str, Fault | None]:
    """Decode UTF-8 up to the first invalid byte, which becomes the fault."""
    if isinstance(text, str):
        return text, None
    try:
        return text.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        valid = text[: error.start].decode("utf-8-sig")
        lines = valid.split("\n")
        sentence = f"the byte {text[error.start]:#04x} is not UTF-8 text, which a record is."
        unfinished = 0 if valid[-1:].isspace() else len(lines[-1].split(" ")[-1])
        return valid[: len(valid) - unfinished], Fault(len(lines), len(lines[-1]) + 1, sentence)


class _Line(Value, frozen=True):
    """One line of moves: its heading, if any, and its words, each with its location."""

    heading: tuple[str, TextLocation] | None
    words: tuple[tuple[str, TextLocation], ...]


def _lines(text: str, skip: int) -> Iterator[_Line]:
    for number, full in enumerate(text.split("\n"), start=1):
        if number <= skip:
            continue
        line = full.partition("#")[0]
        heading, colon, rest = line.partition(":")
        if not colon:
            heading, rest = "", line
        offset = len(line) - len(rest)
        words = tuple(
            (word.group(), TextLocation(number, offset + word.start() + 1))
            for word in re.finditer(r"\S+", rest)
        )
        location = TextLocation(number, len(heading) - len(heading.lstrip()) + 1)
        yield _Line((" ".join(heading.split()), location) if colon else None, words)


def _play_line(play: AnyMatch, line: _Line) -> None:
    owner = None if line.heading is None else _find_owner(play, *line.heading)
    for word, place in line.words:
        _play_word(play, owner, word, place)


def _find_owner(play: AnyMatch, heading: str, place: TextLocation) -> Actor:
    """Return the seat or chance player that a line with this heading belongs to."""
    for name, owner in zip(headings(play.turn, play.names), _owners(play.turn), strict=True):
        if name.casefold() == heading.casefold():
            return owner
    raise _BodyFault(place, f"found {quote(heading)}, but {_describe_expected(play)}.")


def _play_word(play: AnyMatch, owner: Actor | None, word: str, place: TextLocation) -> None:
    turn, owners = play.turn, _owners(play.turn)
    if owner is None and len(owners) == 1:
        owner = owners[0]
    if owner not in owners:
        raise _BodyFault(place, f"found {quote(word)}, but {_describe_expected(play)}.")
    actor: Actor = LUCK
    options: Sequence[Any] = turn.outcomes if isinstance(turn, Chance) else ()
    if isinstance(turn, Acting) and isinstance(owner, int):
        actor, options = owner, play.legal(owner)
    try:
        play.note(actor, play.game.read(word))
    except (NotationError, IllegalAction) as error:
        if isinstance(error, IllegalAction) and error.rule == GIVEN:
            raise _BodyFault(place, str(error)) from error
        expected = _join_alternatives([play.game.write(option) for option in options])
        raise _BodyFault(place, f"{str(error).rstrip('.')}; here comes {expected}.") from error


def _owners(turn: Turn[Any]) -> tuple[Actor, ...]:
    """Return the possible owners of the next line, parallel to `headings`."""
    match turn:
        case Acting(seats):
            return seats
        case Chance(seat=seat):
            return (LUCK if seat is None else seat,)
        case Over():
            return ()
    assert_never(turn)


def _describe_expected(play: AnyMatch) -> str:
    if isinstance(play.turn, Over):
        return "the game is over here"
    return f"here comes a line for {_join_alternatives(headings(play.turn, play.names))}"


def _check_result(play: AnyMatch, header: Header) -> None:
    if header.result is None:
        return
    stated, place = header.result
    turn = play.turn
    found = turn.result.text(play.names) if isinstance(turn, Over) else UNFINISHED
    if stated != found:
        raise _BodyFault(
            place, f"the result is given as {quote(stated)}, but the moves lead to {quote(found)}."
        )


def _join_alternatives(names: Sequence[str]) -> str:
    """Join names for a message, shortening a long list."""
    shown = list(names[:_MAX_LISTED])
    if len(names) > _MAX_LISTED:
        return f"one of {', '.join(shown)} and {len(names) - _MAX_LISTED} more"
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}"
