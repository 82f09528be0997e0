"""Whether a move can be taken back: only if nobody has learnt anything from it that was hidden.

What somebody learnt is found without knowing the game. In every world that they could take for the real
one, what they saw must have been possible: a card that came out of a hidden hand is not in every such
world, but a choice that is kept secret looks the same in all. Where luck decided it must have been
certain what would come.
"""

from __future__ import annotations

import random

from wonderland.engine.protocol import LUCK, Actor, Chance
from wonderland.engine.record_reader import AnyMatch

_WORLDS = 16


def last_decision(match: AnyMatch, seat: int, begun: int = 0) -> int | None:
    """The number of moves before the last decision of a seat; `None` if it has made none.

    The moves that were `begun` with are not this table's.
    """
    for number in range(len(match.moves) - 1, begun - 1, -1):
        if match.moves[number].actor == seat:
            return number
    return None


def has_revealed(match: AnyMatch, moves: int) -> bool:
    """Whether anybody has learnt something hidden after this many moves."""
    earlier = match.fork()
    earlier.rewind(moves)
    for move in match.moves[moves:]:
        turn = earlier.turn
        if isinstance(turn, Chance) and turn.total > 1:
            return True
        before, state = earlier.state, earlier.game.apply(earlier.state, move.actor, move.action).state
        for viewer in (None, *range(len(match.names))):
            if viewer != move.actor and not _was_open(earlier, viewer, move.actor, before, state):
                return True
        earlier.note(move.actor, move.action)
    return False


def _was_open(match: AnyMatch, viewer: int | None, actor: Actor, before: object, after: object) -> bool:
    """Whether what this viewer saw was possible (of luck: certain) in every world it could think of."""
    game, rng = match.game, random.Random(len(match.moves))
    view, seen = game.view(before, viewer), game.view(after, viewer)
    if seen == view:
        return True
    for _ in range(_WORLDS):
        world = game.imagine(view, rng)
        turn = game.turn(world)
        choices = turn.outcomes if isinstance(turn, Chance) else game.legal(world, _seat(actor))
        fits = (game.view(game.apply(world, actor, choice).state, viewer) == seen for choice in choices)
        if not (all(fits) if actor is LUCK else any(fits)):
            return False
    return True


def _seat(actor: Actor) -> int:
    assert actor is not LUCK  # noqa: S101 - luck acts in turns of chance only
    return actor
