"""Variations: what could have been played, as a tree that branches off a recorded game.

A variation is a list of moves, each with the chance outcomes that followed it, so that it replays
without a random generator. Cards come as they came in the game as long as that is possible, and by
chance beyond it. The tree is a value that travels: browsers hold it, servers check and store it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta

from wonderland.engine.chance import Seeded
from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.engine.language import phrase
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import CHANCE, AnyGame, Chance, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.replay.branch import decision_count, move_count_at

MAX_MOVES = 200
"""Limit of the moves in one tree, and of its comments on the recorded game."""
MAX_COMMENT = 500
"""Limit of one comment, in characters."""
_MAX_OUTCOMES = 100
"""More than follow any decision of our games."""

Notation = Annotated[str, Meta(max_length=80)]
Comment = Annotated[str, Meta(max_length=MAX_COMMENT)]
Comments = Annotated[
    dict[Annotated[str, Meta(pattern=r"^\d{1,6}$")], Comment], Meta(max_length=MAX_MOVES)
]
Moment = Annotated[int, Meta(ge=0, le=100_000)]


class VariationMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision, in record notation, with the chance outcomes that followed it."""

    seat: Annotated[int, Meta(ge=0, le=99)]
    action: Notation
    drawn: Annotated[tuple[Notation, ...], Meta(max_length=_MAX_OUTCOMES)] = ()


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position: a moment of the game, and the moves of a variation from there."""

    at: Moment
    moves: Annotated[tuple[VariationMove, ...], Meta(max_length=MAX_MOVES)] = ()


class VariationNode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move in a tree of variations."""

    move: VariationMove
    at: Moment
    """The moment of the game at which this variation branches off."""
    parent: Annotated[int, Meta(ge=0)] | None = None
    """The index of the move before it, which is smaller than its own; `None` at the branching point."""
    comment: Comment = ""


class VariationTree(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Variations of a recorded game, and comments."""

    nodes: Annotated[tuple[VariationNode, ...], Meta(max_length=MAX_MOVES)] = ()
    comments: Comments = msgspec.field(default_factory=dict)
    """Comments on moments of the recorded game."""


class Branches:
    """The positions of a recorded game and of its variations."""

    def __init__(self, record: AnyRecord) -> None:
        self.record = record

    @property
    def game(self) -> AnyGame:
        """The game of the record."""
        return self.record.game

    @cached_property
    def last(self) -> int:
        """The last moment of the game."""
        return decision_count(self.record)

    def match(self, line: Line) -> AnyMatch:
        """The match at a position; raise `UsageError` if a move isn't possible there."""
        match = self._match_at(line.at)
        for move in line.moves:
            self.apply(match, move)
        return match

    def matches(self, tree: VariationTree) -> list[AnyMatch]:
        """The match after each move of a tree; raise `UsageError` if one isn't possible."""
        found: list[AnyMatch] = []
        moments = {at: self._match_at(at) for at in {node.at for node in tree.nodes}}
        for place, node in enumerate(tree.nodes):
            if node.parent is None:
                match = moments[node.at].fork()
            elif node.parent < place and tree.nodes[node.parent].at == node.at:
                match = found[node.parent].fork()
            else:
                raise _mismatch()
            self.apply(match, node.move)
            found.append(match)
        return found

    def played(self, at: int) -> VariationMove | None:
        """The move of the game itself at a moment; `None` at its end."""
        if not 0 <= at < self.last:
            return None
        start = move_count_at(self.record, at)
        made, *outcomes = self.record.moves[start : move_count_at(self.record, at + 1)]
        assert made.actor is not CHANCE  # noqa: S101 - decisions are made by seats
        return _in_notation(self.game, made.actor, made.action, [each.action for each in outcomes])

    def try_move(self, line: Line, seat: Seat, action: str) -> VariationMove:
        """Make a move and let chance follow; raise a `WonderlandError` if it isn't possible."""
        match = self.match(line)
        rules, before = self.game, len(match.moves)
        if seat not in seats_to_act(match.turn):
            raise UsageError(phrase("It isn't that player's turn here."))
        read = rules.read(action)
        fork = match.fork(Seeded(f"{rules.write_position(match.state)} {seat} {action}"))
        fork.play(seat, read)
        outcomes = [move.action for move in fork.moves[before + 1 :]]
        return _in_notation(rules, seat, read, outcomes)

    def _match_at(self, at: int) -> AnyMatch:
        """The game up to a moment; from there on, chance gives what it gave in the game."""
        count = move_count_at(self.record, at)
        match: AnyMatch = Match.resume(self.record)
        match.take_back(count)
        return match

    def apply(self, match: AnyMatch, move: VariationMove) -> None:
        """Apply a stored move and its outcomes; `UsageError` if they aren't possible or not complete."""
        try:
            match.apply(move.seat, self.game.read(move.action))
            for outcome in move.drawn:
                match.apply(CHANCE, self.game.read(outcome))
        except (NotationError, IllegalAction, GameOver):
            raise _mismatch() from None
        if isinstance(match.turn, Chance):
            raise _mismatch()


def seat_to_ask(match: AnyMatch, played: VariationMove | None, viewer: Seat | None) -> Seat | None:
    """The seat whose choices a viewer may see: their own, or with all cards open the one to act.

    Of several that act at once, that is the one that made the next move of the game.
    """
    acting = seats_to_act(match.turn)
    if viewer is not None:
        return viewer if viewer in acting else None
    if played is not None and played.seat in acting:
        return played.seat
    return next(iter(acting), None)


def _in_notation(rules: AnyGame, seat: Seat, action: object, drawn: Sequence[object]) -> VariationMove:
    return VariationMove(seat, rules.write(action), tuple(map(rules.write, drawn)))


def _mismatch() -> UsageError:
    return UsageError(phrase("These variations don't belong to this game."))
