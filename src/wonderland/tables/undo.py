"""Undo: what can be taken back, and by whom.

The only person at a table of bots may take back anything: chance outcomes that were revealed stay as
they were (`Match.take_back`). Between people a move can be taken back, by agreement, only if it revealed
nothing hidden to anyone.

This is checked without knowledge of the game. For each viewer, states are sampled that are consistent
with their view before the move (determinizations); what they saw must have been possible in every one. A
card played from a hidden hand isn't in every sampled hand, but a secret choice looks the same in all. A
chance outcome must have been certain.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from wonderland.engine.protocol import CHANCE, Actor, Chance
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables.rated_games import check_unrated
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_SAMPLES = 16
"""Sampled states for the decision whether something can be taken back."""
_QUICK_SAMPLES = 4
"""Sampled states for saying so in an update, of which there is one per move and seat."""
_REMEMBERED_MOVES = 4096


def check_undo(table: Table, seat: int, samples: int = _SAMPLES) -> int:
    """Return the number of moves to go back to; `Refusal` if the seat can't take anything back."""
    check_unrated(table)
    if table.status != "playing" or table.match is None:
        raise Refusal(Code.NOT_PLAYING, "You can only do that during a game.")
    if table.proposal is not None:
        raise Refusal(Code.REQUEST_PENDING, "Another request is still waiting for an answer.")
    if table.places[seat].level:
        raise Refusal(Code.BOT_IS_PLAYING, "A bot is playing for this seat. Take the seat back first.")
    moves = last_decision(table.match, seat, len(table.opened.begun))
    if moves is None:
        raise Refusal(Code.NOTHING_TO_TAKE_BACK, "There's nothing to take back yet.")
    if not is_solo(table) and has_revealed(table.match, moves, samples):
        # not saying what: other players may have forgotten it
        raise Refusal(Code.REVEALED, "You can't take this back, because it revealed something hidden.")
    return moves


def can_undo(table: Table, seat: int) -> bool:
    """Whether taking back can succeed: at once for a person alone, else if the others agree.

    Between people this is called for every update, so moves after which chance acted are ruled out
    without a closer look, and fewer states are sampled than for the decision itself.
    """
    if table.match is None or table.opened.rated or table.places[seat].kind != "person":
        return False
    if not is_solo(table) and _is_final(table.match, seat, len(table.opened.begun)):
        return False
    try:
        check_undo(table, seat, _QUICK_SAMPLES)
    except Refusal:
        return False
    return True


def _is_final(match: AnyMatch, seat: int, begun: int) -> bool:
    """Whether a seat has made no decision yet, or chance has acted since the last one."""
    moves = match.moves
    for number in range(len(moves) - 1, begun - 1, -1):
        if (actor := moves[number].actor) is CHANCE:
            return True
        if actor == seat:
            return False
    return True


def is_solo(table: Table) -> bool:
    """Whether one person plays against bots, so that taking back concerns nobody else."""
    return sum(place.kind != "bot" for place in table.places) == 1


def last_decision(match: AnyMatch, seat: int, begun: int = 0) -> int | None:
    """The number of moves before the last decision of a seat; `None` if it has made none.

    The first `begun` moves were made elsewhere and can't be undone.
    """
    moves = match.moves
    for number in range(len(moves) - 1, begun - 1, -1):
        if moves[number].actor == seat:
            return number
    return None


class _CheckedMoves:
    """What was found out about moves; the oldest are forgotten.

    Moves are told apart by identity: forks of a match share them, and every move at a table is asked
    about again after the next ones, for each seat.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Move[Any], bool, int]] = {}
        """By the identity of a move, which is kept so that no other can have it; and the samples."""

    def get(self, move: Move[Any], samples: int) -> bool | None:
        """Return whether a move revealed something; `None` if that is not known well enough."""
        known = self._known.get(id(move))
        if known is None or not (known[1] or known[2] >= samples):
            return None
        return known[1]

    def add(self, move: Move[Any], samples: int, *, revealed: bool) -> bool:
        """Remember whether a move revealed something in a number of samples, and return it."""
        if len(self._known) >= _REMEMBERED_MOVES:
            del self._known[next(iter(self._known))]
        self._known[id(move)] = move, revealed, samples
        return revealed


_checked = _CheckedMoves()


def has_revealed(match: AnyMatch, moves: int, samples: int = _SAMPLES) -> bool:
    """Whether anything hidden was revealed to anyone after the first `moves` moves."""
    later = match.moves[moves:]
    if later and _checked.get(later[-1], samples) is None:
        step = _Step(match, len(match.moves) - 1, later[-1], match.previous_state, match.state)
        _checked.add(later[-1], samples, revealed=step.reveals(samples))
    known = [_checked.get(move, samples) for move in later]
    if True in known or None not in known:
        return True in known
    earlier = match.fork()
    earlier.rewind(moves)
    for number, move in enumerate(later, start=moves):
        earlier.apply(move.actor, move.action)
        step = _Step(match, number, move, earlier.previous_state, earlier.state)
        if _checked.add(move, samples, revealed=step.reveals(samples)):
            return True
    return False


class _Step(NamedTuple):
    """One move of a match, with the states before and after it."""

    match: AnyMatch
    number: int
    move: Move[Any]
    before: object
    after: object

    def reveals(self, samples: int) -> bool:
        """Whether the move revealed anything hidden to anyone."""
        turn = self.match.game.turn(self.before)
        if isinstance(turn, Chance) and turn.total > 1:
            return True
        return any(
            viewer != self.move.actor and not self._hides(viewer, samples)
            for viewer in (None, *range(len(self.match.names)))
        )

    def _hides(self, viewer: int | None, samples: int) -> bool:
        """Whether what the viewer saw was possible (for chance: certain) in every sampled state."""
        game, actor, rng = self.match.game, self.move.actor, random.Random(self.number)
        view, seen = game.view(self.before, viewer), game.view(self.after, viewer)
        if seen == view:
            return True
        for _ in range(samples):
            sampled = game.sample_state(view, rng)
            turn = game.turn(sampled)
            choices = turn.outcomes if isinstance(turn, Chance) else game.legal(sampled, _seat(actor))
            fits = (
                game.view(game.apply(sampled, actor, choice).state, viewer) == seen for choice in choices
            )
            if not (all(fits) if actor is CHANCE else any(fits)):
                return False
        return True


def _seat(actor: Actor) -> int:
    assert actor is not CHANCE  # noqa: S101 - chance acts only in chance turns
    return actor
