"""Evaluates positions: the win probability of each legal action, given only what the seat knows.

The random numbers are seeded by the view, and the budget counts playouts rather than seconds, so that
evaluating a position always gives the same result.
"""

from __future__ import annotations

import random
from typing import Any, cast

from wonderland.bots import PlayoutSearch, levels
from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, Evaluation, Judge, PerfectRecall, value_from_wins
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.registry import component, is_registered
from wonderland.engine.serialization import encoder_for

__all__ = [
    "ActionValue",
    "Evaluation",
    "can_evaluate",
    "default_budget",
    "evaluate",
    "evaluation_version",
    "recalled_view",
]

VERSION = 1
"""Increased whenever evaluations change, in any game."""
_PLAYOUTS = 200
"""Per action, for games without their own judge: playouts of the readable rules are slow."""


def evaluate(
    game: AnyGame,
    state: Any,
    seat: Seat,
    budget: Budget | None = None,
    *,
    rng: random.Random | None = None,
) -> Evaluation:
    """Estimate the win probability of each legal action; `UsageError` if that is impossible.

    Pass `rng` only for an independent second estimate.
    """
    legal = game.legal(state, seat)
    if not legal:
        raise UsageError(phrase("Seat {number} has no choice to make here."), number=seat + 1)
    if not can_evaluate(game, state, seat):
        raise UsageError(
            phrase("Seat {number}'s hand isn't known, so its choices can't be analysed."),
            number=seat + 1,
        )
    view, judge = recalled_view(game, state, seat), _judge_of(game.info.name)
    rng = random.Random(encoder_for(game.info.name)(view)) if rng is None else rng
    limit = Budget() if budget is None else budget
    if judge is not None:
        return Evaluation(seat, tuple(judge.action_values(view, legal, rng, limit)))
    if limit == Budget():
        limit = Budget(playouts=_PLAYOUTS)
    wins, tries = PlayoutSearch(game).wins(view, legal, rng, limit)
    return Evaluation(seat, tuple(map(value_from_wins, legal, wins, [tries] * len(legal))))


def recalled_view(game: AnyGame, state: Any, seat: Seat) -> Any:
    """Return the view of a seat with perfect memory."""
    judge = _judge_of(game.info.name)
    return judge.known(state, seat) if isinstance(judge, PerfectRecall) else game.view(state, seat)


def can_evaluate(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Whether the state contains all that this seat knows: not if its cards were never recorded."""
    view = game.view(state, seat)
    return bool(game.view(game.sample_state(view, random.Random(0)), seat) == view)


def default_budget(name: str, seats: int) -> Budget:
    """Return the default budget for evaluating a choice of a game."""
    judge = _judge_of(name)
    if judge is not None:
        return Budget(playouts=judge.playouts(seats))
    return Budget(playouts=max(_PLAYOUTS, levels(name)[-1].budget.playouts or 0))


def evaluation_version(name: str) -> str:
    """Return the version of a game's evaluations: cached ones from another version are stale."""
    judge = _judge_of(name)
    return f"{VERSION}.{0 if judge is None else judge.VERSION}"


def _judge_of(name: str) -> Judge | None:
    if not is_registered(name):  # games outside the registry can still be evaluated
        return None
    return cast("Judge | None", component(name, "bots.judge"))
