"""A match: one game in progress, as its current state and the moves that led to it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Generic

from wonderland.engine.append_only import AppendOnlyList
from wonderland.engine.errors import IllegalAction, UsageError
from wonderland.engine.language import phrase
from wonderland.engine.protocol import CHANCE, A, Acting, Actor, Chance, E, Game, O, S, V
from wonderland.engine.record import Move, Record, validate_date, validate_label, validate_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wonderland.engine.chance import ChanceSource
    from wonderland.engine.protocol import Seat, Turn


class ContradictsGiven(IllegalAction):
    """A chance outcome that contradicts the `Given` line of a record."""


class Match(Generic[O, S, A, E, V]):
    """Plays a game and keeps its record.

    Chance outcomes are drawn from `chance` as soon as they are due. Without it the match waits for
    `decide`, which is how a game at a real table is recorded. Outcomes `given` for a stream take
    precedence over both, and so do those `revealed` before a move was taken back.
    """

    def __init__(  # noqa: PLR0913 - all but the first two are optional or keyword-only
        self,
        game: Game[O, S, A, E, V],
        seats: int | Sequence[str],
        options: O | None = None,
        *,
        chance: ChanceSource | None = None,
        given: Mapping[str, Sequence[A]] | None = None,
        date: str | None = None,
    ) -> None:
        if isinstance(seats, int):
            seats = [f"Player {number + 1}" for number in range(seats)]
        self.game = game
        self.names = validate_names(seats)
        self.options = game.options_type() if options is None else options
        self.chance = chance
        self.given = {
            validate_label(game, label): tuple(outcomes) for label, outcomes in (given or {}).items()
        }
        self.revealed: dict[str, tuple[A, ...]] = {}
        """By stream, what was drawn so far by anyone, moves that were taken back included."""
        self.date = None if date is None else validate_date(date)
        self._restart()
        self.settle()

    @classmethod
    def resume(
        cls,
        record: Record[O, S, A, E, V],
        *,
        upto: int | None = None,
        chance: ChanceSource | None = None,
    ) -> Match[O, S, A, E, V]:
        """Replay a record (only its first `upto` moves, if given), then continue with `chance`.

        The record's statement about its shuffle is dropped, since it covers only the recorded moves.
        """
        match = cls.__new__(cls)
        match.game, match.names, match.options = record.game, record.names, record.options
        match.chance, match.given, match.date = chance, dict(record.given), record.date
        match.revealed = {}
        match._restart()  # noqa: SLF001 - an alternative constructor
        for move in record.moves[:upto]:
            match.apply(move.actor, move.action)
        if chance is not None:
            match.settle()
        return match

    def fork(self, chance: ChanceSource | None = None) -> Match[O, S, A, E, V]:
        """Return an independent match that continues from here with `chance`."""
        match = self.__class__.__new__(self.__class__)
        match.__dict__.update(self.__dict__)
        match.chance, match.moves, match.events = chance, self.moves.fork(), self.events.fork()
        match._events_after = self._events_after[:]  # noqa: SLF001 - an alternative constructor
        match._drawn = self._drawn.copy()  # noqa: SLF001 - likewise
        return match

    def _restart(self) -> None:
        self.state: S = self.game.start(len(self.names), self.options)
        self.previous_state: S = self.state
        """The state before the last move."""
        self.moves: AppendOnlyList[Move[A]] = AppendOnlyList()
        self.events: AppendOnlyList[E] = AppendOnlyList()
        self._events_after = array("I")
        self._drawn: dict[str, int] = {}

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
        return sum(move.actor is not CHANCE for move in self.moves)

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

    def after(self, seat: Seat, action: A, chance: ChanceSource) -> Match[O, S, A, E, V]:
        """Return a fork after a seat's action and the chance outcomes that follow."""
        match = self.fork(chance)
        if match.given or match.revealed:
            match.play(seat, action)
        else:  # a fast path without the checks of `apply`: this is the hot path of live tables
            match._advance(seat, action)  # noqa: SLF001 - our own fork
            while isinstance(turn := match.turn, Chance):
                outcome = turn.pick(chance.below(turn.total, turn.label))
                match._advance(CHANCE, outcome)  # noqa: SLF001 - likewise
        match.chance = None
        return match

    def _advance(self, actor: Actor, action: A) -> None:
        step = self.game.apply(self.state, actor, action)
        self.previous_state, self.state = self.state, step.state
        self.moves.append(Move(actor, action))
        self.events.extend(step.events)
        self._events_after.append(len(self.events))

    def decide(self, outcome: A) -> tuple[E, ...]:
        """Supply a chance outcome, in a match without its own chance source."""
        return self._play_and_settle(CHANCE, outcome)

    def apply(self, actor: Actor, action: A) -> None:
        """Apply a single move of a seat or of chance, without drawing what follows."""
        if (self.given or self.revealed) and isinstance(turn := self.turn, Chance):
            # An illegal move is reported as such, even if it contradicts `given` as well.
            self.game.apply(self.state, actor, action)
            self._check_given(turn, action)
            self._drawn[turn.label] = self._drawn.get(turn.label, 0) + 1
        self._advance(actor, action)

    def undo(self, decisions: int = 1) -> None:
        """Undo the given number of seat decisions, and everything after them."""
        decided_at = [index for index, move in enumerate(self.moves) if move.actor is not CHANCE]
        if not 0 < decisions <= len(decided_at):
            raise UsageError(
                f"can't undo {decisions} decisions, because only {len(decided_at)} have been made."
            )
        self.rewind(decided_at[-decisions])

    def rewind(self, moves: int) -> None:
        """Go back to the first `moves` moves, by replaying them."""
        earlier = self.moves[:moves]
        self._restart()
        for move in earlier:
            self.apply(move.actor, move.action)

    def take_back(self, moves: int) -> None:
        """Go back to the first `moves` moves; what chance has revealed since then stays as it was.

        A stream gives the same outcomes again, as far as they are still possible, and no other stream of
        its pool gives them. So nothing can be drawn twice in the hope of something better.
        """
        drawn: dict[str, list[A]] = {}
        for state, move in self.record.states():
            if move is not None and isinstance(turn := self.game.turn(state), Chance):
                drawn.setdefault(turn.label, []).append(move.action)
        self.revealed = {
            label: (*drawn.get(label, ()), *self.revealed.get(label, ())[len(drawn.get(label, ())) :])
            for label in self.revealed | drawn
        }
        self.rewind(moves)

    def before_move(self, move: int) -> int:
        """Return the number of events before the move at this index."""
        return self._events_after[move - 1] if move else 0

    def before(self, event: int) -> Match[O, S, A, E, V]:
        """Return the match just before the move that caused the event at this index."""
        return self.resume(self.record, upto=bisect_right(self._events_after, event))

    def _play_and_settle(self, actor: Actor, action: A) -> tuple[E, ...]:
        before = len(self.events)
        self.apply(actor, action)
        self.settle()
        return tuple(self.events[before:])

    def settle(self) -> None:
        """Draw chance outcomes until a seat must act, the game is over, or there is no chance source."""
        while isinstance(turn := self.turn, Chance):
            outcome = self._fixed_outcome(turn)
            if outcome is None:
                if self.chance is None:
                    return
                available = self.available(turn)
                if not available.outcomes:
                    raise UsageError(
                        f"nothing is left for {turn.label}: every possible outcome is given elsewhere."
                    )
                outcome = available.pick(self.chance.below(available.total, available.label))
            self.apply(CHANCE, outcome)

    def next_draw(self) -> tuple[str, int] | None:
        """Return the label and limit of the draw that is due; `None` if its outcome is fixed already."""
        turn = self.turn
        if not isinstance(turn, Chance) or self._fixed_outcome(turn) is not None:
            return None
        return turn.label, self.available(turn).total

    def available(self, turn: Chance[A]) -> Chance[A]:
        """Return a chance node without the outcomes that are fixed for other streams of its pool."""
        if not self.given and not self.revealed:
            return turn
        free = turn.without(self._fixed_elsewhere(self.given, turn))
        unseen = free.without(self._fixed_elsewhere(self.revealed, turn))
        return unseen if unseen.outcomes else free

    def _fixed_elsewhere(self, fixed: Mapping[str, Sequence[A]], turn: Chance[A]) -> list[A]:
        """Return the outcomes that are still to come from other streams of the pool."""
        return [
            outcome
            for label, outcomes in fixed.items()
            if label.partition(".")[0] == turn.pool and label != turn.label
            for outcome in outcomes[self._drawn.get(label, 0) :]
        ]

    def _fixed_outcome(self, turn: Chance[A]) -> A | None:
        """Return the outcome that is given, or was revealed before and is still possible."""
        given = self._next_given(turn)
        if given is not None:
            return given
        revealed = self.revealed.get(turn.label, ())[self._drawn.get(turn.label, 0) :][:1]
        return next((outcome for outcome in revealed if outcome in turn.outcomes), None)

    def _next_given(self, turn: Chance[A]) -> A | None:
        given = self.given.get(turn.label, ())
        used = self._drawn.get(turn.label, 0)
        return given[used] if used < len(given) else None

    def _check_given(self, turn: Chance[A], outcome: A) -> None:
        given = self._next_given(turn)
        if given is not None and given != outcome:
            write = self.game.write
            raise ContradictsGiven(
                write(outcome), phrase("the record gives {given} here."), given=write(given)
            )


def seats_to_act(turn: Turn[A]) -> tuple[Seat, ...]:
    """Return the seats that may act now: none at a chance node or after the end."""
    return turn.seats if isinstance(turn, Acting) else ()
