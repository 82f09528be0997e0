"""The complete record of one game, and its text format.

The text has a header of `Key: value` lines, an empty line, and the moves: one line per turn, which
begins with the player's name (or the label of a chance stream) and a colon. `record_reader` parses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic

from wonderland.engine.errors import NotationError, quote, shorten
from wonderland.engine.language import phrase
from wonderland.engine.options import write_options
from wonderland.engine.protocol import LUCK, A, Acting, Actor, Chance, E, Game, O, Over, S, V
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.engine.outcome import Result
    from wonderland.engine.protocol import AnyGame, Turn

UNFINISHED = "unfinished"
MAX_NAME_LENGTH = 40
MAX_STATEMENT_LENGTH = 1000
_FORBIDDEN_IN_NAMES = ",:#"
_LINE_WIDTH = 100


class Move(Value, Generic[A], frozen=True):
    """One move: the actor and the action or chance outcome."""

    actor: Actor
    action: A


class Record(Value, Generic[O, S, A, E, V], frozen=True):
    """The record of one game. `given` fixes chance outcomes in advance, stream by stream.

    `luck` states where the chance outcomes came from, for anyone who verifies the shuffle. It covers
    only these moves, so a match that continues from the record drops it.
    """

    game: Game[O, S, A, E, V]
    names: tuple[str, ...]
    options: O
    moves: tuple[Move[A], ...] = ()
    given: tuple[tuple[str, tuple[A, ...]], ...] = ()
    date: str | None = None
    luck: str | None = None

    def states(self) -> Iterator[tuple[S, Move[A] | None]]:
        """Replay the game: yield each state with the move made in it (`None` for the last)."""
        state = self.game.start(len(self.names), self.options)
        for move in self.moves:
            yield state, move
            state = self.game.apply(state, move.actor, move.action).state
        yield state, None

    @property
    def result(self) -> Result | None:
        """The result, if the game is over."""
        *_, (last, _) = self.states()
        turn = self.game.turn(last)
        return turn.result if isinstance(turn, Over) else None

    def text(self) -> str:
        """Return the record as text, which `read_record` parses."""
        return "\n".join([*self._header(), "", *self._body(), ""])

    def _header(self) -> Iterator[str]:
        yield f"Game: {self.game.info.name}"
        yield f"Rules: {self.game.info.rules_version}"
        yield f"Seats: {', '.join(self.names)}"
        if options := write_options(self.game, self.options):
            yield f"Options: {' '.join(f'{name}={value}' for name, value in options.items())}"
        if self.date is not None:
            yield f"Date: {self.date}"
        result = self.result
        yield f"Result: {result.text(self.names) if result else UNFINISHED}"
        words = [
            f"{label}={','.join(self.game.write(outcome) for outcome in outcomes)}"
            for label, outcomes in self.given
        ]
        yield from _wrap_words("Given:", words)
        if self.luck is not None:
            yield f"Luck: {validate_shuffle_statement(self.luck)}"

    def _body(self) -> Iterator[str]:
        moves = [
            (owner_of(self.game.turn(state), move.actor), self.game.turn(state), move)
            for state, move in self.states()
            if move is not None
        ]
        for _, line in groupby(moves, key=itemgetter(0)):
            (_, turn, first), *others = line
            words = [self.game.write(move.action) for move in (first, *(move for _, _, move in others))]
            yield " ".join([f"{heading_of(turn, first.actor, self.names)}:", *words])


def owner_of(turn: Turn[A], actor: Actor) -> Actor | str:
    """Return the owner of the line that a move belongs on: a seat, or a chance stream's label."""
    if isinstance(turn, Chance):
        return turn.label if turn.seat is None else turn.seat
    return actor


def heading_of(turn: Turn[A], actor: Actor, names: Sequence[str]) -> str:
    """Return the heading of the line of a move: a player's name, or that of a chance stream."""
    if actor is not LUCK:
        return names[actor]
    assert isinstance(turn, Chance)  # noqa: S101 - chance has no other turns
    return turn.label.rpartition(".")[2].capitalize() if turn.seat is None else names[turn.seat]


def headings(turn: Turn[A], names: Sequence[str]) -> tuple[str, ...]:
    """Return the headings that the next line may have."""
    if isinstance(turn, Acting):
        return tuple(names[seat] for seat in turn.seats)
    return (heading_of(turn, LUCK, names),) if isinstance(turn, Chance) else ()


def validate_date(text: str) -> str:
    """Check a date such as 2026-11-15; `NotationError` if it is invalid."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise NotationError(f"the date {quote(text)} is not one like 2026-11-15.")
    return text


def validate_shuffle_statement(text: str) -> str:
    """Check a statement about the shuffle; `NotationError` if it could not be parsed again."""
    is_one_line = text.isprintable() and text == text.strip() and "#" not in text
    if not is_one_line or not 1 <= len(text) <= MAX_STATEMENT_LENGTH:
        raise NotationError(
            f"the statement about luck {quote(text)} can't be used: it is one line of 1 to "
            f"{MAX_STATEMENT_LENGTH} printable characters without '#'."
        )
    return text


def validate_label(game: Game[O, S, A, E, V], label: str) -> str:
    """Check the label of a chance stream; `NotationError` if the game has no such stream."""
    if label not in game.info.streams:
        known = shorten(", ".join(game.info.streams))
        raise NotationError(f"nothing can be given for {quote(label)}: the streams are {known}.")
    return label


def validate_names(names: Sequence[str]) -> tuple[str, ...]:
    """Check players' names; `NotationError` if a record with them could not be parsed again."""
    for name in names:
        if not name or name != " ".join(name.split()) or len(name) > MAX_NAME_LENGTH:
            raise NotationError(
                phrase(
                    "the name {name} can't be used: a name has 1 to {most} characters "
                    "and single spaces inside."
                ),
                name=quote(name),
                most=MAX_NAME_LENGTH,
            )
        if bad := next((c for c in name if c in _FORBIDDEN_IN_NAMES or not c.isprintable()), None):
            raise NotationError(
                phrase("the name {name} can't be used: it holds {character}."),
                name=quote(name),
                character=quote(bad),
            )
    if len({name.casefold() for name in names}) < len(names):
        raise NotationError(phrase("two seats have the same name: {names}."), names=", ".join(names))
    return tuple(names)


def _wrap_words(heading: str, words: Sequence[str]) -> Iterator[str]:
    """Break words into lines, each with the heading."""
    line = heading
    for word in words:
        if line != heading and len(line) + len(word) >= _LINE_WIDTH:
            yield line
            line = heading
        line = f"{line} {word}"
    if line != heading:
        yield line


def read_given_chance(game: AnyGame, luck: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """Parse given chance outcomes, stream by stream."""
    return {label: [game.read(word) for word in words] for label, words in luck.items()}
