"""A match: one game in progress, as its current state and the moves that led to it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Generic

from wonderland.engine.append_only import AppendOnlyList
from wonderland.engine.errors import IllegalAction, UsageError
from wonderland.engine.protocol import LUCK, A, Acting, Actor, Chance, E, Game, O, S, V
from wonderland.engine.record import Move, Record, validate_date, validate_label, validate_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wonderland.engine.chance import ChanceSource
    from wonderland.engine.protocol import Seat, Turn

GIVEN = "Given"
"""Used in place of a rule number when a move contradicts the `Given` line of a record."""


class Match(Generic[O, S, A, E, V]):
    """Plays a game and keeps its record.

    Chance outcomes are drawn from `luck` as soon as they are due. Without it the match waits for
    `decide`, which is how a game at a real table is recorded. Outcomes `given` for a stream take
    precedence over both.
    """

    def __init__(  # noqa: PLR0913 - all but the first two are optional or keyword-only
        self,
        game: Game[O, S, A, E, V],
        seats: int | Sequence[str],
        options: O | None = None,
        *,
        luck: ChanceSource | None = None,
        given: Mapping[str, Sequence[A]] | None = None,
        date: str | None = None,
    ) -> None:
        if isinstance(seats, int):
            seats = [f"Player {number + 1}" for number in range(seats)]
        self.game = game
        self.names = validate_names(seats)
        self.options = game.options_type() if options is None else options
        self.luck = luck
        self.given = {
            validate_label(game, label): tuple(outcomes) for label, outcomes in (given or {}).items()
        }
        self.date = None if date is None else validate_date(date)
        self._restart()
        self.settle()

    @classmethod
    def resume(
        cls,
        record: Record[O, S, A, E, V],
        *,
        upto: int | None = None,
        luck: ChanceSource | None = None,
    ) -> Match[O, S, A, E, V]:
        """Replay a record (only its first `upto` moves, if given), then continue with `luck`.

        The record's statement about its shuffle is dropped, since it covers only the recorded moves.
        """
        match = cls.__new__(cls)
        match.game, match.names, match.options = record.game, record.names, record.options
        match.luck, match.given, match.date = luck, dict(record.given), record.date
        match._restart()  # noqa: SLF001 - an alternative constructor
        for move in record.moves[:upto]:
            match.note(move.actor, move.action)
        if luck is not None:
            match.settle()
        return match

    def fork(self, luck: ChanceSource | None = None) -> Match[O, S, A, E, V]:
        """Return an independent match that continues from here with `luck`."""
        match = self.__class__.__new__(self.__class__)
        match.__dict__.update(self.__dict__)
        match.luck, match.moves, match.events = luck, self.moves.fork(), self.events.fork()
        match._events_after = self._events_after[:]  # noqa: SLF001 - an alternative constructor
        match._given_used = self._given_used.copy()  # noqa: SLF001 - likewise
        return match

    def _restart(self) -> None:
        self.state: S = self.game.start(len(self.names), self.options)
        self.moves: AppendOnlyList[Move[A]] = AppendOnlyList()
        self.events: AppendOnlyList[E] = AppendOnlyList()
        self._events_after = array("I")
        self._given_used: dict[str, int] = {}

    @property
    def turn(self) -> Turn[A]:
        """What comes next: seats to act, a chance node, or the end."""
        return self.game.turn(self.state)

    @property
    def record(self) -> Record[O, S, A, E, V]:
        """The record of the match so far."""
        moves, given = tuple(self.moves), tuple(self.given.items())
        return Record(self.game, self.names, self.options, moves, given, self.date)

    @property
    def decisions(self) -> int:
        """The number of moves so far that were made by seats."""
        return sum(move.actor is not LUCK for move in self.moves)

    def legal(self, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat."""
        return self.game.legal(self.state, seat)

    def view(self, seat: Seat | None) -> V:
        """Return everything that a seat may know now; `None` is a spectator."""
        return self.game.view(self.state, seat)

    def events_seen_by(self, seat: Seat | None) -> tuple[E, ...]:
        """Return all events so far as this seat saw them."""
        seen = (self.game.witness(event, seat) for event in self.events)
        return tuple(event for event in seen if event is not None)

    def play(self, seat: Seat, action: A) -> tuple[E, ...]:
        """Apply a seat's action and the chance outcomes that follow; return the events."""
        return self._play_and_settle(seat, action)

    def after(self, seat: Seat, action: A, luck: ChanceSource) -> Match[O, S, A, E, V]:
        """Return a fork after a seat's action and the chance outcomes that follow."""
        match = self.fork(luck)
        if match.given:
            match.play(seat, action)
        else:  # a fast path without the checks of `note`: this is the hot path of live tables
            match._advance(seat, action)  # noqa: SLF001 - our own fork
            while isinstance(turn := match.turn, Chance):
                outcome = turn.pick(luck.below(turn.total, turn.label))
                match._advance(LUCK, outcome)  # noqa: SLF001 - likewise
        match.luck = None
        return match

    def _advance(self, actor: Actor, action: A) -> None:
        step = self.game.apply(self.state, actor, action)
        self.state = step.state
        self.moves.append(Move(actor, action))
        self.events.extend(step.events)
        self._events_after.append(len(self.events))

    def decide(self, outcome: A) -> tuple[E, ...]:
        """Supply a chance outcome, in a match without its own chance source."""
        return self._play_and_settle(LUCK, outcome)

    def note(self, actor: Actor, action: A) -> None:
        """Apply a single move of a seat or of chance, without drawing what follows."""
        if self.given and isinstance(turn := self.turn, Chance):
            # An illegal move is reported as such, even if it contradicts `given` as well.
            self.game.apply(self.state, actor, action)
            self._check_given(turn, action)
            self._given_used[turn.label] = self._given_used.get(turn.label, 0) + 1
        self._advance(actor, action)

    def undo(self, decisions: int = 1) -> None:
        """Undo the given number of seat decisions, and everything after them."""
        decided_at = [index for index, move in enumerate(self.moves) if move.actor is not LUCK]
        if not 0 < decisions <= len(decided_at):
            raise UsageError(f"{decisions} decisions can't be undone: {len(decided_at)} have been made.")
        self.rewind(decided_at[-decisions])

    def rewind(self, moves: int) -> None:
        """Go back to the first `moves` moves, by replaying them."""
        earlier = self.moves[:moves]
        self._restart()
        for move in earlier:
            self.note(move.actor, move.action)

    def before_move(self, move: int) -> int:
        """Return the number of events before the move at this index."""
        return self._events_after[move - 1] if move else 0

    def before(self, event: int) -> Match[O, S, A, E, V]:
        """Return the match just before the move that caused the event at this index."""
        return self.resume(self.record, upto=bisect_right(self._events_after, event))

    def _play_and_settle(self, actor: Actor, action: A) -> tuple[E, ...]:
        before = len(self.events)
        self.note(actor, action)
        self.settle()
        return tuple(self.events[before:])

    def settle(self) -> None:
        """Draw chance outcomes until a seat must act, the game is over, or there is no chance source."""
        while isinstance(turn := self.turn, Chance):
            outcome = self._next_given(turn)
            if outcome is None:
                if self.luck is None:
                    return
                available = turn.without(self._reserved_outcomes(turn)) if self.given else turn
                if not available.outcomes:
                    raise UsageError(f"all that could come for {turn.label} is given to others.")
                outcome = available.pick(self.luck.below(available.total, available.label))
            self.note(LUCK, outcome)

    def _reserved_outcomes(self, turn: Chance[A]) -> list[A]:
        """Return the outcomes given to other streams of the pool, which this one must not draw."""
        return [
            outcome
            for label, outcomes in self.given.items()
            if label.partition(".")[0] == turn.pool and label != turn.label
            for outcome in outcomes[self._given_used.get(label, 0) :]
        ]

    def _next_given(self, turn: Chance[A]) -> A | None:
        given = self.given.get(turn.label, ())
        used = self._given_used.get(turn.label, 0)
        return given[used] if used < len(given) else None

    def _check_given(self, turn: Chance[A], outcome: A) -> None:
        given = self._next_given(turn)
        if given is not None and given != outcome:
            write = self.game.write
            raise IllegalAction(write(outcome), f"{write(given)} was given here", GIVEN)


def seats_to_act(turn: Turn[A]) -> tuple[Seat, ...]:
    """Return the seats that may act now: none at a chance node or after the end."""
    return turn.seats if isinstance(turn, Acting) else ()
