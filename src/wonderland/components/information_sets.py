"""Information sets: a game's history as one seat observed it, and other histories it can't rule out.

A game may have a component `encoding.information_sets` that bounds the length of its histories and
resamples them: not only what the others may hold now, as `Game.sample_state` does, but when each of
those cards came to them. Search over information states needs that to model what the *others* remember.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.errors import GameFailed
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Actor, AnyGame, Chance, Seat
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.values import Value

_MAX_TRIES = 10_000


class HistoryBounds(Value, frozen=True):
    """Upper bounds on the size of a game's histories."""

    decisions: int
    """Decisions of all seats together, in one game."""
    outcomes: int
    """Chance outcomes, in one game."""
    chance_numbers: int
    """The exclusive bound of the numbers of chance outcomes in `packing`."""
    marks: int
    """The exclusive bound of `InformationSets.mark`."""


class ObservedMove(Value, frozen=True):
    """A move as one seat observed it; the action is `FACE_DOWN` if it was hidden."""

    actor: Actor
    action: Any
    events: tuple[Any, ...]
    """The events as the seat witnessed them."""


class InformationSets(Protocol):
    """The component `encoding.information_sets` of a game; `options` are the game's own.

    A game with this component guarantees that moves without events are visible to everyone.
    """

    def bounds(self, seats: int, options: Any) -> HistoryBounds:
        """Return the bounds of its histories."""
        ...

    def is_open(self, options: Any) -> bool:
        """Whether everyone sees every event, so that all seats know the same."""
        ...

    def mark(self, number: int, action: Any) -> int:
        """Return the publicly visible part of a move as a number.

        `number` comes from `learning` for a decision, and from `packing` for a chance outcome. It is
        usually the mark as well.
        """
        ...


@runtime_checkable
class Resampling(Protocol):
    """Optional extra of `encoding.information_sets`, for games with private information."""

    def resample_history(self, noted: Sequence[ObservedMove], rng: random.Random) -> list[Move[Any]]:
        """Sample uniformly from the histories that give the same observations."""
        ...


def histories(name: str) -> InformationSets | None:
    """Return the component `encoding.information_sets` of a game, if it has one."""
    return cast("InformationSets | None", component(name, "encoding.information_sets"))


def observed_history(match: AnyMatch, seat: Seat | None, first: int = 0) -> Iterator[ObservedMove]:
    """Yield the moves of a match from index `first` on, as a seat or a spectator observes them."""
    witness = match.game.witness
    eventless_are_public = histories(match.game.info.name) is not None
    end = match.before_move(first)
    for number, move in enumerate(match.moves[first:], start=first + 1):
        start, end = end, match.before_move(number)
        events = match.events[start:end]
        seen = [witness(event, seat) for event in events]
        is_seen = move.actor == seat or (seen == events if events else eventless_are_public)
        action = move.action if is_seen else FACE_DOWN
        yield ObservedMove(move.actor, action, tuple([event for event in seen if event is not None]))


def resample_history(match: AnyMatch, seat: Seat | None, rng: random.Random) -> list[Move[Any]]:
    """Sample a history that this seat would have observed exactly like the real one.

    Uses nothing that the seat did not observe. `None` is a spectator.
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
    """Sample a consistent history by trial and error; only feasible for small games."""
    game, view = match.game, match.view(seat)
    start = game.start(len(match.names), match.options)
    for _ in range(_MAX_TRIES):
        state, moves = start, list[Move[Any]]()
        for note in noted:
            candidates = list(_consistent_moves(game, state, note, seat))
            if not candidates:
                break
            (chosen,) = rng.choices(candidates, [weight for _, weight, _ in candidates])
            action, _, state = chosen
            moves.append(Move(note.actor, action))
        if len(moves) == len(noted) and game.view(state, seat) == view:
            return moves
    raise GameFailed(
        f"no game of {game.info.title} could be found that matches what this seat has seen."
    )


def _consistent_moves(
    game: AnyGame, state: Any, note: ObservedMove, seat: Seat | None
) -> Iterator[tuple[Any, int, Any]]:
    """Yield the actions that match an observed move, each with its weight and the resulting state."""
    turn = game.turn(state)
    if note.actor is CHANCE:
        possible = list(turn.weighted() if isinstance(turn, Chance) else ())
    else:
        possible = [(action, 1) for action in game.legal(state, note.actor)]
    for action, weight in possible:
        if note.action is FACE_DOWN or note.action == action:
            step = game.apply(state, note.actor, action)
            seen = [game.witness(event, seat) for event in step.events]
            if tuple([event for event in seen if event is not None]) == note.events:
                yield action, weight, step.state
