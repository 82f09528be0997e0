"""Expected play: the line in which everyone makes the best move for what they know.

The first move is the judge's verdict with its whole budget; the replies get a part of it.
"""

from __future__ import annotations

from wonderland.bots.evaluation import can_evaluate, default_budget
from wonderland.components.bots import Budget
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Seat
from wonderland.engine.values import Value
from wonderland.features.positions.verdict import evaluate_position
from wonderland.features.replay.variations import Branches, Line, VariationMove

MOVES = 5
"""Length of a line."""
_SHARE = 10
"""The replies get this part of the budget."""


class ExpectedPlay(Value, frozen=True):
    """A line, and every position whose choices were evaluated for it."""

    moves: tuple[VariationMove, ...]
    evaluated: tuple[tuple[object, Seat], ...]
    """States and seats."""


def expect_play(
    branches: Branches, line: Line, seat: Seat, budget: Budget | None = None
) -> ExpectedPlay:
    """Return the line expected after a position, where a seat is to act; it ends at an unknown hand."""
    rules, seats = branches.game, len(branches.record.names)
    match, moves, evaluated = branches.match(line), list[VariationMove](), list[tuple[object, Seat]]()
    acting: tuple[Seat, ...] = (seat,)
    effort = budget
    while acting and len(moves) < MOVES and can_evaluate(rules, match.state, acting[0]):
        evaluated.append((match.state, acting[0]))
        found = evaluate_position(rules, match.state, acting[0], seats, effort)
        here = Line(line.at, (*line.moves, *moves))
        move = branches.try_move(here, acting[0], rules.write(found.best.action))
        moves.append(move)
        branches.apply(match, move)
        acting, effort = seats_to_act(match.turn), _reply_budget(rules.info.name, seats, budget)
    return ExpectedPlay(tuple(moves), tuple(evaluated))


def _reply_budget(name: str, seats: int, budget: Budget | None) -> Budget:
    playouts = (budget or default_budget(name, seats)).playouts or _SHARE
    return Budget(playouts=max(1, playouts // _SHARE))
