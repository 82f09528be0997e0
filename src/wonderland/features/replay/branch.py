"""Where one play is left for another: a record up to a moment, in which every card is known.

A moment is a number of decisions: 0 is the deal, and what luck added to a decision belongs to it.
"""

from __future__ import annotations

import random

from msgspec.structs import replace

from wonderland.components.information_sets import resample_history
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.match import Match
from wonderland.engine.protocol import FACE_DOWN, LUCK, Chance, Over, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord


def decision_count(record: AnyRecord) -> int:
    """How many decisions a record has: the number of its last moment."""
    return sum(move.actor is not LUCK for move in record.moves)


def move_count_at(record: AnyRecord, moment: int) -> int:
    """How many moves had been made at a moment; `UsageError` if there is no such moment."""
    places = [place for place, move in enumerate(record.moves) if move.actor is not LUCK]
    if not 0 <= moment <= len(places):
        raise UsageError(
            phrase("there is no position {number}: they go from 0 to {last}."),
            number=moment,
            last=len(places),
        )
    return [*places, len(record.moves)][moment]


def branch_at(record: AnyRecord, moment: int, rng: random.Random) -> AnyRecord:
    """The record of a play that can go on from a moment; `UsageError` if there is nothing to go on.

    What was noted from one side gets a past that looked the same from there, so that nobody's cards
    are unknown. What the record says of its luck, or gives in advance, stays behind.
    """
    moves = record.moves[: move_count_at(record, moment)]
    begun = replace(record, moves=moves, given=(), luck=None)
    match: AnyMatch = Match.resume(begun)
    if isinstance(match.turn, Over):
        raise UsageError(phrase("the game is over there: go back to a decision."))
    if any(move.action is FACE_DOWN for move in moves):
        begun = replace(begun, moves=tuple(resample_history(match, recording_seat(record), rng)))
    return begun


def recording_seat(record: AnyRecord) -> Seat | None:
    """The first seat whose cards are all known, from whose side the play was noted.

    `None` is a spectator, who sees nobody's cards.
    """
    unknown = {
        turn.seat
        for state, move in record.states()
        if move is not None
        and move.action is FACE_DOWN
        and isinstance(turn := record.game.turn(state), Chance)
    }
    return next((seat for seat in range(len(record.names)) if seat not in unknown), None)
