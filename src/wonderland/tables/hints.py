"""Hints: what the strongest bot of a game would do with what a seat can see.

The bot's random numbers are seeded from the view, and where possible its budget is a number of playouts
rather than a time limit: a position has one hint, no matter who asks or how often.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from wonderland.bots import levels, prepare_decision
from wonderland.components.bots import Budget, Level
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value
from wonderland.kernels.kernel import kernel
from wonderland.tables.table import Table
from wonderland.wire.problems import Refusal

_PLAYOUTS = 6000
"""Per legal action, in place of a time limit: about half a second."""


class Hint(Value, frozen=True):
    """A suggested action, and the name of the bot that suggests it."""

    action: Any
    level: str


def check_hint(table: Table, device: str, seat: int) -> None:
    """Refuse a hint for another's seat, out of turn, or at a table without hints."""
    if not table.holds(device, seat):
        raise Refusal("not yours", "This seat is not yours.")
    if not table.opened.hints:
        raise Refusal("not now", "There are no hints at this table.")
    if seat not in table.to_act or table.places[seat].level:
        raise Refusal("not now", "There is a hint when it is your turn.")


def prepare_hint(match: AnyMatch, seat: int) -> Callable[[], Hint]:
    """Return a function that computes the hint; it is safe to call in another thread."""
    name = match.game.info.name
    level = levels(name)[-1]
    rng = random.Random(encoder_for(name)(match.view(seat)))
    choose = prepare_decision(level.make(), match, seat, rng, _budget(name, level))
    return lambda: Hint(choose(), level.name)


def _budget(name: str, level: Level) -> Budget:
    fast_kernel = kernel(name)
    is_timed = level.budget.seconds is not None
    if is_timed and fast_kernel is not None and fast_kernel.COMPILED:
        return Budget(playouts=_PLAYOUTS)
    return level.budget
