"""A match: one play in memory, which is a state and the record that led to it."""

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
"""The line of a record that forbids what contradicts it, where other refusals name a rule."""


class Match(Generic[O, S, A, E, V]):
    """Plays a game and keeps the record.

    Luck is decided by `luck` as soon as it is its turn; without a `luck` it waits for `decide`, which
    is how a play at a real table is noted. What is `given` for a label comes before either.
    """

    def __init__(  # noqa: PLR0913 - all but the game and the seats have defaults and names
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
        self.given = {validate_label(game, label): tuple(its) for label, its in (given or {}).items()}
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
        """Play a record forward (only its first `upto` moves, if given), then go on with `luck`.

        What the record states about its luck stays behind: it holds for no moves but its own.
        """
        match = cls.__new__(cls)
        match.game, match.names, match.options = record.game, record.names, record.options
        match.luck, match.given, match.date = luck, dict(record.given), record.date
        match._restart()  # noqa: SLF001 - a second constructor
        for move in record.moves[:upto]:
            match.note(move.actor, move.action)
        if luck is not None:
            match.settle()
        return match

    def fork(self, luck: ChanceSource | None = None) -> Match[O, S, A, E, V]:
        """A match that goes on from here with `luck`, and leaves this one as it is."""
        match = self.__class__.__new__(self.__class__)
        match.__dict__.update(self.__dict__)
        match.luck, match.moves, match.events = luck, self.moves.fork(), self.events.fork()
        match._events_after = self._events_after[:]  # noqa: SLF001 - a third constructor
        match._drawn = self._drawn.copy()  # noqa: SLF001 - the same
        return match

    def _restart(self) -> None:
        self.state: S = self.game.start(len(self.names), self.options)
        self.moves: AppendOnlyList[Move[A]] = AppendOnlyList()
        self.events: AppendOnlyList[E] = AppendOnlyList()
        self._events_after = array("I")
        self._drawn: dict[str, int] = {}

    @property
    def turn(self) -> Turn[A]:
        """Who or what decides next."""
        return self.game.turn(self.state)

    @property
    def record(self) -> Record[O, S, A, E, V]:
        """The play so far."""
        moves, given = tuple(self.moves), tuple(self.given.items())
        return Record(self.game, self.names, self.options, moves, given, self.date)

    @property
    def decisions(self) -> int:
        """How many of the moves so far were made by seats."""
        return sum(move.actor is not LUCK for move in self.moves)

    def legal(self, seat: Seat) -> Sequence[A]:
        """What this seat may do now."""
        return self.game.legal(self.state, seat)

    def view(self, seat: Seat | None) -> V:
        """What this seat may know now; `None` is a spectator."""
        return self.game.view(self.state, seat)

    def events_seen_by(self, seat: Seat | None) -> tuple[E, ...]:
        """All that has happened, as this seat saw it."""
        seen = (self.game.witness(event, seat) for event in self.events)
        return tuple(event for event in seen if event is not None)

    def play(self, seat: Seat, action: A) -> tuple[E, ...]:
        """Carry out a seat's action and what luck adds to it; gives the events."""
        return self._played(seat, action)

    def after(self, seat: Seat, action: A, luck: ChanceSource) -> Match[O, S, A, E, V]:
        """The match after a seat's action and what luck adds to it; this one stays as it is."""
        match = self.fork(luck)
        if match.given:
            match.play(seat, action)
        else:  # the same, without looking at everything twice: tables do nothing else
            match._advance(seat, action)  # noqa: SLF001 - a fork of ours
            while isinstance(turn := match.turn, Chance):
                outcome = turn.pick(luck.below(turn.total, turn.label))
                match._advance(LUCK, outcome)  # noqa: SLF001 - the same
        match.luck = None
        return match

    def _advance(self, actor: Actor, action: A) -> None:
        step = self.game.apply(self.state, actor, action)
        self.state = step.state
        self.moves.append(Move(actor, action))
        self.events.extend(step.events)
        self._events_after.append(len(self.events))

    def decide(self, outcome: A) -> tuple[E, ...]:
        """Say what luck has decided, where this match doesn't decide it."""
        return self._played(LUCK, outcome)

    def note(self, actor: Actor, action: A) -> None:
        """Carry out one move and no more, luck included: how a record is read."""
        if self.given and isinstance(turn := self.turn, Chance):
            self.game.apply(self.state, actor, action)  # what is illegal comes before what was given
            self._check_given(turn, action)
            self._drawn[turn.label] = self._drawn.get(turn.label, 0) + 1
        self._advance(actor, action)

    def undo(self, decisions: int = 1) -> None:
        """Go back to just before the last decision of a seat, or the last few."""
        places = [n for n, move in enumerate(self.moves) if move.actor is not LUCK]
        if not 0 < decisions <= len(places):
            raise UsageError(f"{decisions} decisions can't be undone: {len(places)} have been made.")
        self.rewind(places[-decisions])

    def rewind(self, moves: int) -> None:
        """Go back to where the record had this many moves, by reading it up to there."""
        earlier = self.moves[:moves]
        self._restart()
        for move in earlier:
            self.note(move.actor, move.action)

    def before_move(self, move: int) -> int:
        """How many events had happened before the move with this number."""
        return self._events_after[move - 1] if move else 0

    def before(self, event: int) -> Match[O, S, A, E, V]:
        """The match as it was just before the move that led to this event, by its place in `events`."""
        return self.resume(self.record, upto=bisect_right(self._events_after, event))

    def _played(self, actor: Actor, action: A) -> tuple[E, ...]:
        before = len(self.events)
        self.note(actor, action)
        self.settle()
        return tuple(self.events[before:])

    def settle(self) -> None:
        """Let luck decide until a seat must, the game is over, or luck has to come from outside."""
        while isinstance(turn := self.turn, Chance):
            outcome = self._given_next(turn)
            if outcome is None:
                if self.luck is None:
                    return
                free = turn.without(self._promised(turn)) if self.given else turn
                if not free.outcomes:
                    raise UsageError(f"all that could come for {turn.label} is given to others.")
                outcome = free.pick(self.luck.below(free.total, free.label))
            self.note(LUCK, outcome)

    def _promised(self, turn: Chance[A]) -> list[A]:
        """What is given to other streams of the same pool, and so can't come in this one."""
        return [
            outcome
            for label, outcomes in self.given.items()
            if label.partition(".")[0] == turn.pool and label != turn.label
            for outcome in outcomes[self._drawn.get(label, 0) :]
        ]

    def _given_next(self, turn: Chance[A]) -> A | None:
        given = self.given.get(turn.label, ())
        drawn = self._drawn.get(turn.label, 0)
        return given[drawn] if drawn < len(given) else None

    def _check_given(self, turn: Chance[A], outcome: A) -> None:
        given = self._given_next(turn)
        if given is not None and given != outcome:
            write = self.game.write
            raise IllegalAction(write(outcome), f"{write(given)} was given here", GIVEN)


def seats_to_act(turn: Turn[A]) -> tuple[Seat, ...]:
    """The seats that may act now: none while luck decides or when the game is over."""
    return turn.seats if isinstance(turn, Acting) else ()
