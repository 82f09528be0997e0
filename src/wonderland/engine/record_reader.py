"""Parses the text of a record. A broken record still gives the game up to the fault, and the fault.

The header is parsed first, as a whole; then the moves are played one by one, so that each is checked
against the rules in its own position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from msgspec.structs import replace

from wonderland.engine.errors import (
    GameOver,
    IllegalAction,
    NotationError,
    UsageError,
    cite_rule,
    quote,
)
from wonderland.engine.language import ENGLISH, Language, Message, phrase
from wonderland.engine.match import ContradictsGiven, Match
from wonderland.engine.protocol import CHANCE, Acting, Actor, Chance, Over
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
    message: Message
    rule: str = ""
    """The number of the rule that the record breaks, if any."""
    game: str = ""
    """The game of that rule."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}"

    @property
    def sentence(self) -> str:
        """What is wrong, in English, with the number of the rule."""
        return cite_rule(self.message.said(ENGLISH), self.rule, ENGLISH)

    def said(self, say: Language) -> str:
        """Return where and what is wrong, in a language."""
        return say(
            "Line {line}, column {column}: {what}",
            line=self.line,
            column=self.column,
            what=self.message.said(say),
        )

    def in_file(self, file: str | Message) -> NotationError:
        """Return an error that names the file as well."""
        return NotationError(
            "{file}, line {line}, column {column}: {what}",
            rule=self.rule,
            file=file,
            line=self.line,
            column=self.column,
            what=self.message,
        )


class Reading(Value, frozen=True):
    """A parsed record, up to the fault if there is one; `None` if the fault is in the header."""

    record: AnyRecord | None
    fault: Fault | None

    @property
    def whole(self) -> AnyRecord:
        """The record, if it was parsed completely; otherwise `NotationError`."""
        if (fault := self.fault) is not None:
            raise NotationError(
                "line {line}, column {column}: {what}",
                rule=fault.rule,
                line=fault.line,
                column=fault.column,
                what=fault.message,
            )
        assert self.record is not None  # noqa: S101 - a record is missing only because of a fault
        return self.record


class _BodyFault(Exception):  # noqa: N818 - internal: never leaves this module
    def __init__(self, place: TextLocation, text: str, rule: str = "", /, **fields: object) -> None:
        self.place, self.message, self.rule = place, Message(text, fields), rule

    def fault(self, header: Header) -> Fault:
        """Return the fault, with the names of the players."""
        message = self.message.with_names(header.names)
        return Fault(self.place.line, self.place.column, message, self.rule, header.game.info.name)


def read_record(text: str | bytes) -> Reading:
    """Parse a record as far as possible. Never raises, whatever the text or bytes.

    >>> print(read_record("Game: chess").fault)
    line 1, column 7: there is no game called 'chess'. The games are cookies, letters, parade.
    """
    text, undecodable = _decode(text)
    try:
        header = read_header(text)
        play: AnyMatch = Match.resume(Record(header.game, header.names, header.options))
        play.given, play.date = header.given, header.date
    except HeaderFault as error:
        place, found = error.place, error.error
        return Reading(None, Fault(place.line, place.column, found.message, found.rule, error.game))
    try:
        for line in _lines(text, header.lines):
            _play_line(play, line)
        if undecodable is None:
            _check_result(play, header)
            _check_undone(play, header)
    except _BodyFault as error:
        return Reading(_complete_record(play, header), error.fault(header))
    return Reading(_complete_record(play, header), undecodable)


def _complete_record(play: AnyMatch, header: Header) -> AnyRecord:
    """Return the record of the match, with the header's statements about shuffle and take-backs."""
    return replace(
        play.record,
        shuffle_statement=header.shuffle_statement,
        undone=tuple(undone for undone, _ in header.undone),
    )


def _decode(text: str | bytes) -> tuple[str, Fault | None]:
    """Decode UTF-8 up to the first invalid byte, which becomes the fault."""
    if isinstance(text, str):
        return text, None
    try:
        return text.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        valid = text[: error.start].decode("utf-8-sig")
        lines = valid.split("\n")
        message = Message(
            phrase("the byte {byte} isn't valid UTF-8 text."), {"byte": f"{text[error.start]:#04x}"}
        )
        unfinished = 0 if valid[-1:].isspace() else len(lines[-1].split(" ")[-1])
        return valid[: len(valid) - unfinished], Fault(len(lines), len(lines[-1]) + 1, message)


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
    raise _misplaced(play, heading, place)


def _play_word(play: AnyMatch, owner: Actor | None, word: str, place: TextLocation) -> None:
    turn, owners = play.turn, _owners(play.turn)
    if owner is None and len(owners) == 1:
        owner = owners[0]
    if owner not in owners:
        raise _misplaced(play, word, place)
    actor: Actor = CHANCE
    options: Sequence[Any] = turn.outcomes if isinstance(turn, Chance) else ()
    if isinstance(turn, Acting) and isinstance(owner, int):
        actor, options = owner, play.legal(owner)
    try:
        play.apply(actor, play.game.read(word))
    except (NotationError, IllegalAction) as error:
        if isinstance(error, ContradictsGiven):
            raise _BodyFault(place, "{error}", error=error.message) from error
        raise _BodyFault(
            place,
            phrase("{error} Expected here: {expected}."),
            error.rule,
            error=error.message,
            expected=_alternatives([play.game.write(option) for option in options]),
        ) from error


def _owners(turn: Turn[Any]) -> tuple[Actor, ...]:
    """Return the possible owners of the next line, parallel to `headings`."""
    match turn:
        case Acting(seats):
            return seats
        case Chance(seat=seat):
            return (CHANCE if seat is None else seat,)
        case Over():
            return ()
    assert_never(turn)


def _misplaced(play: AnyMatch, word: str, place: TextLocation) -> _BodyFault:
    """Return the fault of a word or a heading that doesn't belong to whoever acts next."""
    if isinstance(play.turn, Over):
        return _BodyFault(place, phrase("found {word}, but the game is already over."), word=quote(word))
    return _BodyFault(
        place,
        phrase("found {word}, but expected a line for {expected}."),
        word=quote(word),
        expected=_alternatives(headings(play.turn, play.names)),
    )


def _check_result(play: AnyMatch, header: Header) -> None:
    if header.result is None:
        return
    stated, place = header.result
    turn = play.turn
    found = turn.result.text(play.names) if isinstance(turn, Over) else UNFINISHED
    if stated != found:
        raise _BodyFault(
            place,
            phrase("the result is given as {stated}, but the moves lead to {found}."),
            stated=quote(stated),
            found=quote(found),
        )


def _check_undone(play: AnyMatch, header: Header) -> None:
    """Check that the moves that were taken back could be made where they were made."""
    line = tuple(play.moves)
    for undone, place in reversed(header.undone):
        if undone.kept > len(line):
            raise _BodyFault(
                place,
                phrase("the line says that {kept} moves were kept, but there were only {moves}."),
                kept=undone.kept,
                moves=len(line),
            )
        line = (*line[: undone.kept], *undone.moves)
        earlier = play.fork()
        try:
            earlier.rewind(0)
            for move in line:
                earlier.apply(move.actor, move.action)
        except (NotationError, IllegalAction, GameOver, UsageError) as error:
            raise _BodyFault(place, "{error}", error.rule, error=error.message) from error


def _alternatives(names: Sequence[str]) -> tuple[str, ...]:
    """Return names for a message, without the middle of a long list."""
    return (*names[: _MAX_LISTED - 1], "…", names[-1]) if len(names) > _MAX_LISTED else tuple(names)
