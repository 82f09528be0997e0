"""What everything is worth that a seat may do, judged from what that seat knows and nothing else.

Random numbers come from the view, and what is counted is play-outs, not seconds: a position has one
verdict, whoever asks for it and however often.
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
"""Raised whenever the same positions would be judged otherwise, in any game."""
_PLAYOUTS = 200
"""For each action of a game without a judge of its own: the readable rules play, which takes time."""


def evaluate(
    game: AnyGame,
    state: Any,
    seat: Seat,
    budget: Budget | None = None,
    *,
    rng: random.Random | None = None,
) -> Evaluation:
    """What each thing is worth that this seat may do; `UsageError` where that can't be said.

    Random numbers come from elsewhere only for who wants a second opinion.
    """
    legal = game.legal(state, seat)
    if not legal:
        raise UsageError(phrase("Seat {number} has nothing to choose here."), number=seat + 1)
    if not can_evaluate(game, state, seat):
        raise UsageError(
            phrase("What seat {number} holds is not known, so it can't be judged."), number=seat + 1
        )
    view, judge = recalled_view(game, state, seat), _judge(game.info.name)
    rng = random.Random(encoder_for(game.info.name)(view)) if rng is None else rng
    asked = Budget() if budget is None else budget
    if judge is not None:
        return Evaluation(seat, tuple(judge.worths(view, legal, rng, asked)))
    if asked == Budget():
        asked = Budget(playouts=_PLAYOUTS)
    wins, tries = PlayoutSearch(game).wins(view, legal, rng, asked)
    return Evaluation(seat, tuple(map(value_from_wins, legal, wins, [tries] * len(legal))))


def recalled_view(game: AnyGame, state: Any, seat: Seat) -> Any:
    """The view of a seat that has forgotten nothing."""
    judge = _judge(game.info.name)
    return judge.known(state, seat) if isinstance(judge, PerfectRecall) else game.view(state, seat)


def can_evaluate(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Whether this seat is known to know all that it would: not if its cards were never noted."""
    view = game.view(state, seat)
    return bool(game.view(game.imagine(view, random.Random(0)), seat) == view)


def default_budget(name: str, seats: int) -> Budget:
    """How much is thought about each choice of a game where nothing else is asked for."""
    judge = _judge(name)
    if judge is not None:
        return Budget(playouts=judge.playouts(seats))
    return Budget(playouts=max(_PLAYOUTS, levels(name)[-1].budget.playouts or 0))


def evaluation_version(name: str) -> str:
    """What a verdict on this game depends on besides the position: another may judge otherwise."""
    judge = _judge(name)
    return f"{VERSION}.{0 if judge is None else judge.VERSION}"


def _judge(name: str) -> Judge | None:
    if not is_registered(name):  # it may still be judged
        return None
    return cast("Judge | None", component(name, "bots.judge"))
