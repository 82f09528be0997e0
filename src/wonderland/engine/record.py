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
from wonderland.engine.options import write_options
from wonderland.engine.protocol import CHANCE, A, Acting, Actor, Chance, E, Game, O, Over, S, V
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wonderland.engine.outcome import Result
    from wonderland.engine.protocol import AnyGame, Turn

UNFINISHED = "unfinished"
CHANCE_MARK = "-"
"""The actor of a chance outcome in an `Undone` line, where seats are counted from 1."""
MAX_NAME_LENGTH = 40
MAX_STATEMENT_LENGTH = 1000
_FORBIDDEN_IN_NAMES = ",:#"
_LINE_WIDTH = 100


class Move(Value, Generic[A], frozen=True):
    """One move: the actor and the action or chance outcome."""

    actor: Actor
    action: A


class Undone(Value, Generic[A], frozen=True):
    """Moves that were taken back: those after the first `kept` ones."""

    kept: int
    moves: tuple[Move[A], ...]


class Record(Value, Generic[O, S, A, E, V], frozen=True):
    """The record of one game. `given` fixes chance outcomes in advance, stream by stream.

    `shuffle_statement` says where the chance outcomes came from, for anyone who verifies the shuffle. It
    covers only these moves, so a match that continues from the record drops it. `undone` holds what was
    taken back, in the order in which that happened; no other moves are affected by it.
    """

    game: Game[O, S, A, E, V]
    names: tuple[str, ...]
    options: O
    moves: tuple[Move[A], ...] = ()
    given: tuple[tuple[str, tuple[A, ...]], ...] = ()
    date: str | None = None
    shuffle_statement: str | None = None
    undone: tuple[Undone[A], ...] = ()

    def lines_of_play(self) -> list[tuple[Move[A], ...]]:
        """Return the moves as they were before each time that some were taken back, and in the end."""
        lines = [self.moves]
        for undone in reversed(self.undone):
            lines.append((*lines[-1][: undone.kept], *undone.moves))
        return lines[::-1]

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
        for undone in self.undone:
            moves = (
                f"{_actor_mark(move.actor)} {self.game.write(move.action)}" for move in undone.moves
            )
            yield f"Undone: {' '.join((str(undone.kept), *moves))}"
        if self.shuffle_statement is not None:
            yield f"Luck: {validate_shuffle_statement(self.shuffle_statement)}"

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


def _actor_mark(actor: Actor) -> str:
    """Return the mark of an actor in an `Undone` line."""
    return CHANCE_MARK if actor is CHANCE else str(actor + 1)


def owner_of(turn: Turn[A], actor: Actor) -> Actor | str:
    """Return the owner of the line that a move belongs on: a seat, or a chance stream's label."""
    if isinstance(turn, Chance):
        return turn.label if turn.seat is None else turn.seat
    return actor


def heading_of(turn: Turn[A], actor: Actor, names: Sequence[str]) -> str:
    """Return the heading of the line of a move: a player's name, or that of a chance stream."""
    if actor is not CHANCE:
        return names[actor]
    assert isinstance(turn, Chance)  # noqa: S101 - chance has no other turns
    return turn.label.rpartition(".")[2].capitalize() if turn.seat is None else names[turn.seat]


def headings(turn: Turn[A], names: Sequence[str]) -> tuple[str, ...]:
    """Return the headings that the next line may have."""
    if isinstance(turn, Acting):
        return tuple(names[seat] for seat in turn.seats)
    return (heading_of(turn, CHANCE, names),) if isinstance(turn, Chance) else ()


def validate_date(text: str) -> str:
    """Check a date such as 2026-11-15; `NotationError` if it is invalid."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise NotationError("the date {date} isn't written like 2026-11-15.", date=quote(text))
    return text


def validate_shuffle_statement(text: str) -> str:
    """Check a statement about the shuffle; `NotationError` if it could not be parsed again."""
    is_one_line = text.isprintable() and text == text.strip() and "#" not in text
    if not is_one_line or not 1 <= len(text) <= MAX_STATEMENT_LENGTH:
        raise NotationError(
            "the statement about the shuffle {text} isn't allowed: use one line of 1 to {most} "
            "printable characters without '#'.",
            text=quote(text),
            most=MAX_STATEMENT_LENGTH,
        )
    return text


def validate_label(game: Game[O, S, A, E, V], label: str) -> str:
    """Check the label of a chance stream; `NotationError` if the game has no such stream."""
    if label not in game.info.streams:
        raise NotationError(
            "{label} can't be set in advance. The streams are {known}.",
            label=quote(label),
            known=shorten(", ".join(game.info.streams)),
        )
    return label


def validate_names(names: Sequence[str]) -> tuple[str, ...]:
    """Check players' names; `NotationError` if a record with them could not be parsed again."""
    for name in names:
        if not name or name != " ".join(name.split()) or len(name) > MAX_NAME_LENGTH:
            raise NotationError(
                "the name {name} isn't allowed: use 1 to {most} characters, with only single "
                "spaces between words.",
                name=quote(name),
                most=MAX_NAME_LENGTH,
            )
        if bad := next((c for c in name if c in _FORBIDDEN_IN_NAMES or not c.isprintable()), None):
            raise NotationError(
                "the name {name} isn't allowed: it contains {character}.",
                name=quote(name),
                character=quote(bad),
            )
    if len({name.casefold() for name in names}) < len(names):
        raise NotationError("two seats have the same name: {names}.", names=tuple(names))
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


def read_given_chance(game: AnyGame, given: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """Parse given chance outcomes, stream by stream."""
    return {label: [game.read(word) for word in words] for label, words in given.items()}
