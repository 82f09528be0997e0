"""Branch off from a record: its moves up to a moment, with every hidden card filled in.

A moment is a number of decisions: 0 is the deal, and chance outcomes belong to the preceding decision.
"""

from __future__ import annotations

import random

from msgspec.structs import replace

from wonderland.components.information_sets import resample_history
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.match import Match
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Chance, Over, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord


def decision_count(record: AnyRecord) -> int:
    """Number of decisions in a record, which is also its last moment."""
    return sum(move.actor is not CHANCE for move in record.moves)


def move_count_at(record: AnyRecord, moment: int) -> int:
    """Number of moves made by a moment; raise `UsageError` if there is no such moment."""
    places = [place for place, move in enumerate(record.moves) if move.actor is not CHANCE]
    if not 0 <= moment <= len(places):
        raise UsageError(
            phrase("there is no position {number}. Choose one from 0 to {last}."),
            number=moment,
            last=len(places),
        )
    return [*places, len(record.moves)][moment]


def branch_at(record: AnyRecord, moment: int, rng: random.Random) -> AnyRecord:
    """Return a record that can be continued from a moment; raise `UsageError` if the game is over there.

    Where the record was taken from one seat, a history consistent with that seat's view is sampled, so
    that no cards are unknown. The record's shuffle statement and predetermined outcomes are dropped.
    """
    moves = record.moves[: move_count_at(record, moment)]
    begun = replace(record, moves=moves, given=(), shuffle_statement=None)
    match: AnyMatch = Match.resume(begun)
    if isinstance(match.turn, Over):
        raise UsageError(phrase("the game is already over at that point. Go back to an earlier move."))
    if any(move.action is FACE_DOWN for move in moves):
        begun = replace(begun, moves=tuple(resample_history(match, recording_seat(record), rng)))
    return begun


def recording_seat(record: AnyRecord) -> Seat | None:
    """First seat whose cards are all known: the one from whose viewpoint the record was taken.

    `None` means a spectator, who sees no hidden cards.
    """
    unknown = {
        turn.seat
        for state, move in record.states()
        if move is not None
        and move.action is FACE_DOWN
        and isinstance(turn := record.game.turn(state), Chance)
    }
    return next((seat for seat in range(len(record.names)) if seat not in unknown), None)
