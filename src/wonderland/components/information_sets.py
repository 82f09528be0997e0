"""The moves of a play as one seat could note them, and the other plays that it would have noted alike.

A game may have a component `encoding.information_sets` that says how long its plays can be, and imagines
the past of a seat: not only what the others may hold now, as `Game.imagine` does, but when each of those
cards came to them. Search over what a seat knows needs that where it asks what the *others* remember.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.errors import GameFailed
from wonderland.engine.protocol import FACE_DOWN, LUCK, Actor, AnyGame, Chance, Seat
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.values import Value

_TRIES = 10_000


class HistoryBounds(Value, frozen=True):
    """How large the plays of a game can be: none goes beyond, few come near."""

    decisions: int
    """Of all seats together, in one play."""
    outcomes: int
    """Of luck, in one play."""
    luck: int
    """The numbers of luck's outcomes, as `packing` counts them, are below this."""
    marks: int
    """The marks of moves, as `Histories.mark` gives them, are below this."""


class ObservedMove(Value, frozen=True):
    """A move as one seat noted it: `FACE_DOWN` is an action that it did not see."""

    actor: Actor
    action: Any
    events: tuple[Any, ...]
    """As the seat witnessed them."""


class InformationSets(Protocol):
    """The component `encoding.information_sets` of a game; `options` are the game's own.

    A game that has it promises that everyone sees the moves from which no events come.
    """

    def bounds(self, seats: int, options: Any) -> HistoryBounds:
        """How large its plays can be."""
        ...

    def is_open(self, options: Any) -> bool:
        """Whether everyone witnesses everything, so that nobody knows what others don't."""
        ...

    def mark(self, number: int, action: Any) -> int:
        """What everyone who sees a move sees of it, as a number.

        `number` is that of `learning` for a decision and that of `packing` for an outcome of luck;
        mostly it is the mark as well.
        """
        ...


@runtime_checkable
class Resampling(Protocol):
    """Optional part of a game's histories, for a game whose seats hide things from each other."""

    def resample_history(self, noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
        """A play that would have been noted in the same way, each as likely as any other."""
        ...


def histories(name: str) -> InformationSets | None:
    """What a game says of its histories, if it does."""
    return cast("InformationSets | None", component(name, "encoding.information_sets"))


def observed_history(match: AnyMatch, seat: Seat | None, first: int = 0) -> Iterator[ObservedMove]:
    """The moves of a match, from this one on, as a seat or a spectator could note them."""
    witness = match.game.witness
    silent_are_seen = histories(match.game.info.name) is not None
    ends = match.before_move(first)
    for number, move in enumerate(match.moves[first:], start=first + 1):
        begins, ends = ends, match.before_move(number)
        events = match.events[begins:ends]
        seen = [witness(event, seat) for event in events]
        is_seen = move.actor == seat or (seen == events if events else silent_are_seen)
        action = move.action if is_seen else FACE_DOWN
        yield ObservedMove(move.actor, action, tuple([event for event in seen if event is not None]))


def resample_history(match: AnyMatch, seat: Seat | None, rng: random.Random) -> list[Move[Any]]:
    """The moves of some play that this seat would have witnessed exactly as it did this one.

    Nothing that the seat did not witness has a part in it. No seat is a spectator.
    """
    noted = tuple(observed_history(match, seat))
    if not any(note.action is FACE_DOWN for note in noted):
        return [Move(note.actor, note.action) for note in noted]
    own = component(match.game.info.name, "encoding.information_sets")
    if isinstance(own, Resampling):
        return own.resample_history(noted, rng)
    return resample_by_search(match, noted, seat, rng)


def resample_by_search(
    match: AnyMatch, noted: Sequence[ObservedMove], seat: Seat | None, rng: random.Random
) -> list[Move[Any]]:
    """The same for a game that says nothing of its histories: by trying, which is for small games."""
    game, view = match.game, match.view(seat)
    start = game.start(len(match.names), match.options)
    for _ in range(_TRIES):
        state, moves = start, list[Move[Any]]()
        for note in noted:
            ways = list(_ways(game, state, note, seat))
            if not ways:
                break
            (way,) = rng.choices(ways, [weight for _, weight, _ in ways])
            action, _, state = way
            moves.append(Move(note.actor, action))
        if len(moves) == len(noted) and game.view(state, seat) == view:
            return moves
    raise GameFailed(f"no play of {game.info.title} was found that this seat could have witnessed.")


def _ways(
    game: AnyGame, state: Any, note: ObservedMove, seat: Seat | None
) -> Iterator[tuple[Any, int, Any]]:
    """What may have been done here if it looks as it was noted, with its weight and what it led to."""
    turn = game.turn(state)
    if note.actor is LUCK:
        possible = list(turn.weighted() if isinstance(turn, Chance) else ())
    else:
        possible = [(action, 1) for action in game.legal(state, note.actor)]
    for action, weight in possible:
        if note.action is FACE_DOWN or note.action == action:
            step = game.apply(state, note.actor, action)
            seen = [game.witness(event, seat) for event in step.events]
            if tuple([event for event in seen if event is not None]) == note.events:
                yield action, weight, step.state
