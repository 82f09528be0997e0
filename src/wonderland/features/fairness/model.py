"""What a browser needs to verify the shuffle of a finished game: the statement, and every draw."""

from __future__ import annotations

import msgspec

from wonderland.engine.protocol import CHANCE, Chance
from wonderland.engine.record_reader import AnyRecord


class Draw(msgspec.Struct, frozen=True):
    """One random outcome, with its alternatives as the rules list them."""

    move: int
    """The number of the move in its line of play, from 1."""
    label: str
    """The stream that it was drawn from."""
    outcomes: list[str]
    weights: list[int]
    """The weight of each outcome; empty if all are equally likely."""
    outcome: str


class LineOfPlay(msgspec.Struct, frozen=True):
    """The draws of a game until moves were taken back, or until its end."""

    kept: int
    """The number of moves that this line shares with the one before it."""
    draws: list[Draw]
    """Those after the moves that were kept."""


class ShuffleProof(msgspec.Struct, frozen=True):
    """Everything that a program without the rules needs to recompute the random outcomes of a game."""

    statement: str = msgspec.field(name="luck")
    """The `Luck` line of the record."""
    begun: list[str]
    """The moves that were taken over from another game, each after its actor."""
    lines: list[LineOfPlay]


def build_proof(record: AnyRecord) -> ShuffleProof | None:
    """Collect the draws of a record; `None` if it doesn't say how it was shuffled."""
    if record.shuffle_statement is None:
        return None
    begun = int(record.shuffle_statement.partition(" begun=")[2] or 0)
    kept = [0, *(undone.kept for undone in record.undone)]
    lines = [
        LineOfPlay(shared, _draws(msgspec.structs.replace(record, moves=moves), shared))
        for shared, moves in zip(kept, record.lines_of_play(), strict=True)
    ]
    return ShuffleProof(record.shuffle_statement, _describe_moves(record, begun), lines)


def _draws(record: AnyRecord, after: int) -> list[Draw]:
    write = record.game.write
    return [
        Draw(number, turn.label, list(map(write, turn.outcomes)), list(turn.weights), write(move.action))
        for number, (state, move) in enumerate(record.states(), start=1)
        if number > after and move is not None and isinstance(turn := record.game.turn(state), Chance)
    ]


def _describe_moves(record: AnyRecord, number: int) -> list[str]:
    return [
        f"{'-' if move.actor is CHANCE else move.actor + 1} {record.game.write(move.action)}"
        for move in record.moves[:number]
    ]
