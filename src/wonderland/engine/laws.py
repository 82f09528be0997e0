"""The laws that every game keeps, for its tests: play at random and check what must always hold.

`check_all` runs laws 1 to 8 over one random play; give it many seeds, all seat counts and all options.
Law 9, the node counts, compares with numbers that a game keeps in a file: see `count_nodes`. Law 10,
which ties a game's kernel to its rules, is in `wonderland.kernels.laws`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from wonderland.engine.errors import GameOver, IllegalAction
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import LUCK, Actor, AnyGame, Chance, Over, Seat
from wonderland.engine.record_reader import read_record

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from wonderland.engine.record_reader import AnyMatch

Observer: TypeAlias = "Callable[[AnyGame, Any, Seat | None], object]"
"""Something else that a seat gets to see, made from a state: a rendered page, a bot's choice."""

LONGEST_PLAY = 10_000
_STATES_LOOKED_AT = 12
_TRIES = 4


class LawBroken(AssertionError):  # noqa: N818 - it reads as what it is
    """A game does not keep a law."""

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
    """Play once at random and check laws 1 to 8 on the way; gives the finished match."""
    match = random_match(game, seats, options, rng)
    states = [state for state, _ in match.record.states()]
    check_words(match)
    check_replay(match)
    check_pieces(game, states)
    looked_at = rng.sample(states, min(_STATES_LOOKED_AT, len(states)))
    check_refusals(game, seats, [*looked_at, states[-1]], states, rng)
    for state in looked_at:
        check_secrecy(game, seats, state, rng, observers)
    return match


def random_match(game: AnyGame, seats: int, options: Any, rng: random.Random) -> AnyMatch:
    """Law 1: every game ends."""
    match: AnyMatch = Match(game, seats, options)
    while not isinstance(turn := match.turn, Over):
        if isinstance(turn, Chance):
            match.note(LUCK, turn.pick(rng.randrange(turn.total)))
        else:
            seat = rng.choice(seats_to_act(turn))
            match.note(seat, rng.choice(match.legal(seat)))
        if len(match.moves) > LONGEST_PLAY:
            raise LawBroken(1, f"the game has not ended after {LONGEST_PLAY} moves")
    return match


def check_words(match: AnyMatch) -> None:
    """Law 2: what is written reads back the same: actions, positions and the whole record."""
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
    """Law 3: a replayed record gives the same states, events and result."""
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
    """Law 4: an illegal action raises and changes nothing. Tries what was allowed elsewhere."""
    actors: list[Actor] = [LUCK, *range(seats)]
    pool = [action for state in sources for _, action in moves(game, state)]
    for state in states:
        allowed = moves(game, state)
        before = repr(state)
        for action in rng.sample(pool, min(_TRIES, len(pool))):
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
    """Laws 5 to 7: what a seat can't see changes nothing that it gets.

    `imagine` makes another state of the same view. In it the seat must see the same (6) and may do the
    same (5). Of two steps, one from each, that look the same to it afterwards it must be told the same;
    and if it is told the same of two steps from this state, it must see the same afterwards (7).
    Whatever else is made for the seat, the `observers` give, and it must be the same as well.
    """
    for seat in (*range(seats), None):
        view = game.view(state, seat)
        other = game.imagine(view, rng)
        if game.view(other, seat) != view:
            raise LawBroken(6, f"seat {seat} sees more than its view can be imagined from")
        if seat is not None and tuple(game.legal(state, seat)) != tuple(game.legal(other, seat)):
            raise LawBroken(5, f"what seat {seat} may do depends on what it can't see")
        if seats_to_act(game.turn(state)) != seats_to_act(game.turn(other)):
            raise LawBroken(5, f"who acts depends on what seat {seat} can't see")
        possible = [action for _, action in moves(game, state)]
        tried = rng.sample(possible, min(_TRIES, len(possible)))
        if seat is not None and _refusals(game, state, seat, tried) != _refusals(
            game, other, seat, tried
        ):
            raise LawBroken(7, f"a refusal tells seat {seat} what it can't see")
        for observer in observers:
            if observer(game, state, seat) != observer(game, other, seat):
                raise LawBroken(7, f"{observer} gives seat {seat} something that it can't see")
        _check_steps(game, seat, state, other, rng)


def _refusals(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> list[str]:
    """What the seat hears when it tries what is not its to do."""
    heard = []
    for action in actions:
        try:
            game.apply(state, seat, action)
        except (IllegalAction, GameOver) as refusal:
            heard.append(str(refusal))
    return heard


def _check_steps(game: AnyGame, seat: Seat | None, state: Any, other: Any, rng: random.Random) -> None:
    possible = moves(game, state)
    for actor, action in rng.sample(possible, min(_TRIES, len(possible))):
        seen, told = _taken_in(game, seat, state, actor, action)
        for there in (state, other):
            for alternative in _alternatives(game, there, actor, action, rng):
                also_seen, also_told = _taken_in(game, seat, there, actor, alternative)
                if seen == also_seen and told != also_told:
                    raise LawBroken(7, f"seat {seat} is told what it can't see: {told}")
                if told == also_told and seen != also_seen and there is state:
                    raise LawBroken(7, f"seat {seat} sees what it was not told: {seen}")


def _alternatives(game: AnyGame, state: Any, actor: Actor, action: Any, rng: random.Random) -> list[Any]:
    """A few things that the same actor may do in this state, the same thing among them if it may."""
    possible = [its_action for its_actor, its_action in moves(game, state) if its_actor == actor]
    same = [action] if action in possible else []
    return same + rng.sample(possible, min(_TRIES, len(possible)))


def _taken_in(
    game: AnyGame, seat: Seat | None, state: Any, actor: Actor, action: Any
) -> tuple[Any, list[Any]]:
    """What a seat sees after a step, and what it is told of it."""
    step = game.apply(state, actor, action)
    return game.view(step.state, seat), _told(game, step.events, seat)


def _told(game: AnyGame, events: Sequence[Any], seat: Seat | None) -> list[Any]:
    seen = [game.witness(event, seat) for event in events]
    return [event for event in seen if event is not None]


def check_pieces(game: AnyGame, states: Sequence[Any]) -> None:
    """Law 8: cards, cookies and pawns are conserved."""
    first = game.pieces(states[0])
    for state in states:
        if game.pieces(state) != first:
            raise LawBroken(8, f"something is missing, or too much, in {game.write_position(state)}")


def moves(game: AnyGame, state: Any) -> list[tuple[Actor, Any]]:
    """All that may happen next: who, and what."""
    turn = game.turn(state)
    if isinstance(turn, Chance):
        return [(LUCK, outcome) for outcome in turn.outcomes]
    return [(seat, action) for seat in seats_to_act(turn) for action in game.legal(state, seat)]


def count_nodes(game: AnyGame, state: Any, depth: int) -> int:
    """How many ways there are to go on for `depth` moves of seats and of luck (law 9)."""
    if depth == 0:
        return 1
    possible = moves(game, state)
    if depth == 1:
        return len(possible)
    return sum(
        count_nodes(game, game.apply(state, actor, action).state, depth - 1)
        for actor, action in possible
    )
