"""A record: the whole truth about one play, and its text.

The text is a header of `Key: value` lines, an empty line, and the moves: one line a turn, which begins
with the name of the seat (or the label of what luck did) and a colon. `reading.py` reads it back.
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
LONGEST_NAME = 40
LONGEST_LUCK = 1000
_NOT_IN_A_NAME = ",:#"
_WIDTH = 100


class Move(Value, Generic[A], frozen=True):
    """One entry of a record: who decided, and what."""

    actor: Actor
    action: A


class Record(Value, Generic[O, S, A, E, V], frozen=True):
    """One play on paper. `given` fixes what luck will decide, stream by stream, in advance.

    `luck` states where luck's decisions came from, in words for whoever checks it. It belongs to just
    these moves, so a match that goes on from a record leaves it behind.
    """

    game: Game[O, S, A, E, V]
    names: tuple[str, ...]
    options: O
    moves: tuple[Move[A], ...] = ()
    given: tuple[tuple[str, tuple[A, ...]], ...] = ()
    date: str | None = None
    luck: str | None = None

    def states(self) -> Iterator[tuple[S, Move[A] | None]]:
        """Each state with the move made in it; the last one with none."""
        state = self.game.start(len(self.names), self.options)
        for move in self.moves:
            yield state, move
            state = self.game.apply(state, move.actor, move.action).state
        yield state, None

    @property
    def result(self) -> Result | None:
        """How the play ended, if it has."""
        *_, (last, _) = self.states()
        turn = self.game.turn(last)
        return turn.result if isinstance(turn, Over) else None

    def text(self) -> str:
        """The record for people to read, and for `read_record` to read back."""
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
        yield from _wrapped("Given:", words)
        if self.luck is not None:
            yield f"Luck: {validate_luck(self.luck)}"

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
    """Whose line a move stands on: a seat's, or that of a stream of luck."""
    if isinstance(turn, Chance):
        return turn.label if turn.seat is None else turn.seat
    return actor


def heading_of(turn: Turn[A], actor: Actor, names: Sequence[str]) -> str:
    """What the line of a move begins with: the seat that it belongs to, or what luck does."""
    if actor is not LUCK:
        return names[actor]
    assert isinstance(turn, Chance)  # noqa: S101 - luck acts in no other turn
    return turn.label.rpartition(".")[2].capitalize() if turn.seat is None else names[turn.seat]


def headings(turn: Turn[A], names: Sequence[str]) -> tuple[str, ...]:
    """The headings that a line may have now."""
    if isinstance(turn, Acting):
        return tuple(names[seat] for seat in turn.seats)
    return (heading_of(turn, LUCK, names),) if isinstance(turn, Chance) else ()


def validate_date(text: str) -> str:
    """A day as it stands in a record, such as 2026-11-15; `NotationError` if there is no such day."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise NotationError(f"the date {quote(text)} is not one like 2026-11-15.")
    return text


def validate_luck(text: str) -> str:
    """A statement about luck as it stands in a record; `NotationError` if it could not be read back."""
    is_one_line = text.isprintable() and text == text.strip() and "#" not in text
    if not is_one_line or not 1 <= len(text) <= LONGEST_LUCK:
        raise NotationError(
            f"the statement about luck {quote(text)} can't be used: it is one line of 1 to "
            f"{LONGEST_LUCK} printable characters without '#'."
        )
    return text


def validate_label(game: Game[O, S, A, E, V], label: str) -> str:
    """The label of one of the game's streams of luck; `NotationError` if there is none."""
    if label not in game.info.streams:
        there = shorten(", ".join(game.info.streams))
        raise NotationError(f"nothing can be given for {quote(label)}: the streams are {there}.")
    return label


def validate_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they stand in a record; `NotationError` if one could not be read back."""
    for name in names:
        if not name or name != " ".join(name.split()) or len(name) > LONGEST_NAME:
            raise NotationError(
                phrase(
                    "the name {name} can't be used: a name has 1 to {most} characters "
                    "and single spaces inside."
                ),
                name=quote(name),
                most=LONGEST_NAME,
            )
        if bad := next((c for c in name if c in _NOT_IN_A_NAME or not c.isprintable()), None):
            raise NotationError(
                phrase("the name {name} can't be used: it holds {character}."),
                name=quote(name),
                character=quote(bad),
            )
    if len({name.casefold() for name in names}) < len(names):
        raise NotationError(phrase("two seats have the same name: {names}."), names=", ".join(names))
    return tuple(names)


def _wrapped(heading: str, words: Sequence[str]) -> Iterator[str]:
    line = heading
    for word in words:
        if line != heading and len(line) + len(word) >= _WIDTH:
            yield line
            line = heading
        line = f"{line} {word}"
    if line != heading:
        yield line


def read_given_chance(game: AnyGame, luck: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """The outcomes that these words stand for, stream by stream."""
    return {label: [game.read(word) for word in words] for label, words in luck.items()}
