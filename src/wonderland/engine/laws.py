"""Conformance tests: laws that every game must satisfy, checked on random games.

`check_all` checks laws 1 to 8 on one random game; run it with many seeds, all seat counts and all
options. Law 9 compares node counts with those in a game's reference file: see `count_nodes`. Law 10,
that a game's kernel agrees with its rules, is in `wonderland.kernels.laws`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from wonderland.engine.errors import GameOver, IllegalAction
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import CHANCE, Actor, AnyGame, Chance, Over, Seat
from wonderland.engine.record_reader import read_record

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from wonderland.engine.record_reader import AnyMatch

Observer: TypeAlias = "Callable[[AnyGame, Any, Seat | None], object]"
"""Derives something else that a seat receives from a state: a rendered page, a bot's choice."""

MAX_MOVES = 10_000
_SAMPLED_STATES = 12
_SAMPLED_ACTIONS = 4


class LawBroken(AssertionError):  # noqa: N818 - says what happened
    """A game violates a law."""

    def __init__(self, law: int, what: str) -> None:
        super().__init__(f"law {law}: {what}")
        self.law = law


def check_all(
    game: AnyGame,
    seats: int,
    options: Any,
    rng: random.Random,
    observers: Sequence[Observer] = (),
) -> AnyMatch:
    """Play one random game, check laws 1 to 8, and return the finished match."""
    match = random_match(game, seats, options, rng)
    states = [state for state, _ in match.record.states()]
    check_words(match)
    check_replay(match)
    check_pieces(game, states)
    sampled = rng.sample(states, min(_SAMPLED_STATES, len(states)))
    check_refusals(game, seats, [*sampled, states[-1]], states, rng)
    for state in sampled:
        check_secrecy(game, seats, state, rng, observers)
    return match


def random_match(game: AnyGame, seats: int, options: Any, rng: random.Random) -> AnyMatch:
    """Law 1: every game ends."""
    match: AnyMatch = Match(game, seats, options)
    while not isinstance(turn := match.turn, Over):
        if isinstance(turn, Chance):
            match.apply(CHANCE, turn.pick(rng.randrange(turn.total)))
        else:
            seat = rng.choice(seats_to_act(turn))
            match.apply(seat, rng.choice(match.legal(seat)))
        if len(match.moves) > MAX_MOVES:
            raise LawBroken(1, f"the game has not ended after {MAX_MOVES} moves")
    return match


def check_words(match: AnyMatch) -> None:
    """Law 2: actions, positions and whole records survive a round trip through text."""
    game = match.game
    for state, move in match.record.states():
        line = game.write_position(state)
        if game.read_position(line) != state:
            raise LawBroken(2, f"this position reads back as another one: {line}")
        if move is not None and game.read(game.write(move.action)) != move.action:
            raise LawBroken(2, f"{game.write(move.action)} reads back as another action")
    text = match.record.text()
    if read_record(text).whole.text() != text:
        raise LawBroken(2, f"this record reads back as another one:\n{text}")


def check_replay(match: AnyMatch) -> None:
    """Law 3: replaying a record gives the same states, events and result."""
    again: AnyMatch = Match.resume(read_record(match.record.text().encode()).whole)
    for (one, _), (other, _) in zip(match.record.states(), again.record.states(), strict=True):
        if one != other:
            raise LawBroken(3, f"the replay left the path at {match.game.write_position(one)}")
    if again.events != match.events:
        raise LawBroken(3, "the replay was told otherwise")


def check_refusals(
    game: AnyGame,
    seats: int,
    states: Sequence[Any],
    sources: Sequence[Any],
    rng: random.Random,
) -> None:
    """Law 4: an illegal action raises and changes nothing. Tries actions that are legal elsewhere."""
    actors: list[Actor] = [CHANCE, *range(seats)]
    pool = [action for state in sources for _, action in moves(game, state)]
    for state in states:
        allowed = moves(game, state)
        before = repr(state)
        for action in rng.sample(pool, min(_SAMPLED_ACTIONS, len(pool))):
            for actor in actors:
                if (actor, action) in allowed:
                    continue
                _check_refused(game, state, actor, action)
        if repr(state) != before:
            raise LawBroken(4, f"a refused action changed {before}")


def _check_refused(game: AnyGame, state: Any, actor: Actor, action: Any) -> None:
    over = isinstance(game.turn(state), Over)
    try:
        game.apply(state, actor, action)
    except GameOver:
        if over:
            return
        raise LawBroken(4, f"{game.write(action)} was called too late before the end") from None
    except IllegalAction:
        if not over:
            return
        raise LawBroken(4, f"{game.write(action)} was not called too late after the end") from None
    raise LawBroken(4, f"{game.write(action)} by {actor} was not refused")


def check_secrecy(
    game: AnyGame,
    seats: int,
    state: Any,
    rng: random.Random,
    observers: Sequence[Observer] = (),
) -> None:
    """Laws 5 to 7: hidden information affects nothing that a seat receives.

    `sample_state` returns another state with the same view. In it the seat must have the same view (6)
    and the same legal actions (5). If two steps, one from each state, lead to the same view, the seat
    must witness the same events; and if it witnesses the same events of two steps from this state, both
    must lead to the same view (7). The outputs of the `observers` must be the same as well.
    """
    for seat in (*range(seats), None):
        view = game.view(state, seat)
        other = game.sample_state(view, rng)
        if game.view(other, seat) != view:
            raise LawBroken(6, f"a state sampled from the view of seat {seat} has another view")
        if seat is not None and tuple(game.legal(state, seat)) != tuple(game.legal(other, seat)):
            raise LawBroken(5, f"what seat {seat} may do depends on what it can't see")
        if seats_to_act(game.turn(state)) != seats_to_act(game.turn(other)):
            raise LawBroken(5, f"who acts depends on what seat {seat} can't see")
        possible = [action for _, action in moves(game, state)]
        tried = rng.sample(possible, min(_SAMPLED_ACTIONS, len(possible)))
        if seat is not None and _refusals(game, state, seat, tried) != _refusals(
            game, other, seat, tried
        ):
            raise LawBroken(7, f"a refusal tells seat {seat} what it can't see")
        for observer in observers:
            if observer(game, state, seat) != observer(game, other, seat):
                raise LawBroken(7, f"{observer} gives seat {seat} something that it can't see")
        _check_steps(game, seat, state, other, rng)


def _refusals(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> list[str]:
    """Return the messages that a seat gets for illegal actions."""
    messages = []
    for action in actions:
        try:
            game.apply(state, seat, action)
        except (IllegalAction, GameOver) as refusal:
            messages.append(str(refusal))
    return messages


def _check_steps(game: AnyGame, seat: Seat | None, state: Any, other: Any, rng: random.Random) -> None:
    possible = moves(game, state)
    for actor, action in rng.sample(possible, min(_SAMPLED_ACTIONS, len(possible))):
        view, events = _observe_step(game, seat, state, actor, action)
        for source in (state, other):
            for alternative in _alternatives(game, source, actor, action, rng):
                other_view, other_events = _observe_step(game, seat, source, actor, alternative)
                if view == other_view and events != other_events:
                    raise LawBroken(7, f"seat {seat} is told what it can't see: {events}")
                if events == other_events and view != other_view and source is state:
                    raise LawBroken(7, f"seat {seat} sees what it was not told: {view}")


def _alternatives(game: AnyGame, state: Any, actor: Actor, action: Any, rng: random.Random) -> list[Any]:
    """Sample actions of the actor in this state, including the given one if it is possible."""
    possible = [its_action for its_actor, its_action in moves(game, state) if its_actor == actor]
    same = [action] if action in possible else []
    return same + rng.sample(possible, min(_SAMPLED_ACTIONS, len(possible)))


def _observe_step(
    game: AnyGame, seat: Seat | None, state: Any, actor: Actor, action: Any
) -> tuple[Any, list[Any]]:
    """Return a seat's view after a step, and the events that it witnesses."""
    step = game.apply(state, actor, action)
    return game.view(step.state, seat), _witnessed(game, step.events, seat)


def _witnessed(game: AnyGame, events: Sequence[Any], seat: Seat | None) -> list[Any]:
    seen = [game.witness(event, seat) for event in events]
    return [event for event in seen if event is not None]


def check_pieces(game: AnyGame, states: Sequence[Any]) -> None:
    """Law 8: cards, cookies and pawns are conserved."""
    first = game.pieces(states[0])
    for state in states:
        if game.pieces(state) != first:
            raise LawBroken(8, f"something is missing, or too much, in {game.write_position(state)}")


def moves(game: AnyGame, state: Any) -> list[tuple[Actor, Any]]:
    """Return every possible move: actor and action, or chance outcome."""
    turn = game.turn(state)
    if isinstance(turn, Chance):
        return [(CHANCE, outcome) for outcome in turn.outcomes]
    return [(seat, action) for seat in seats_to_act(turn) for action in game.legal(state, seat)]


def count_nodes(game: AnyGame, state: Any, depth: int) -> int:
    """Count the sequences of `depth` moves, of seats and of chance, from this state (law 9)."""
    if depth == 0:
        return 1
    possible = moves(game, state)
    if depth == 1:
        return len(possible)
    return sum(
        count_nodes(game, game.apply(state, actor, action).state, depth - 1)
        for actor, action in possible
    )
