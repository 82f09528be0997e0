"""Undo: a move can be taken back only if it revealed nothing hidden to anyone.

This is checked without knowledge of the game. For each viewer, states are sampled that are consistent
with their view before the move (determinizations); what they saw must have been possible in every one. A
card played from a hidden hand isn't in every sampled hand, but a secret choice looks the same in all. A
chance outcome must have been certain.
"""

from __future__ import annotations

import random

from wonderland.engine.protocol import LUCK, Actor, Chance
from wonderland.engine.record_reader import AnyMatch

_SAMPLES = 16


def last_decision(match: AnyMatch, seat: int, begun: int = 0) -> int | None:
    """The number of moves before the last decision of a seat; `None` if it has made none.

    The first `begun` moves were made elsewhere and can't be undone.
    """
    for number in range(len(match.moves) - 1, begun - 1, -1):
        if match.moves[number].actor == seat:
            return number
    return None


def has_revealed(match: AnyMatch, moves: int) -> bool:
    """Whether anything hidden was revealed to anyone after the first `moves` moves."""
    earlier = match.fork()
    earlier.rewind(moves)
    for move in match.moves[moves:]:
        turn = earlier.turn
        if isinstance(turn, Chance) and turn.total > 1:
            return True
        before, state = earlier.state, earlier.game.apply(earlier.state, move.actor, move.action).state
        for viewer in (None, *range(len(match.names))):
            if viewer != move.actor and not _revealed_nothing(
                earlier, viewer, move.actor, before, state
            ):
                return True
        earlier.note(move.actor, move.action)
    return False


def _revealed_nothing(
    match: AnyMatch, viewer: int | None, actor: Actor, before: object, after: object
) -> bool:
    """Whether what the viewer saw was possible (for chance: certain) in every sampled state."""
    game, rng = match.game, random.Random(len(match.moves))
    view, seen = game.view(before, viewer), game.view(after, viewer)
    if seen == view:
        return True
    for _ in range(_SAMPLES):
        sampled = game.imagine(view, rng)
        turn = game.turn(sampled)
        choices = turn.outcomes if isinstance(turn, Chance) else game.legal(sampled, _seat(actor))
        fits = (
            game.view(game.apply(sampled, actor, choice).state, viewer) == seen for choice in choices
        )
        if not (all(fits) if actor is LUCK else any(fits)):
            return False
    return True


def _seat(actor: Actor) -> int:
    assert actor is not LUCK  # noqa: S101 - chance acts only in chance turns
    return actor
