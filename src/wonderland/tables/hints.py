"""A hint: what the strongest bot of a game would do in a seat's place, by what that seat may know.

The bot's random numbers come from the view, and it thinks by counting where it can, not by the clock: a
position has one hint, whoever asks for it and however often.
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
"""For each thing that may be done, where a level would otherwise think by the clock: half a second."""


class Hint(Value, frozen=True):
    """What could be done, and who says so."""

    action: Any
    level: str


def check_hint(table: Table, device: str, seat: int) -> None:
    """Refuse a hint to whom it is not due: somebody else's seat, another's turn, a table without."""
    if not table.holds(device, seat):
        raise Refusal("not yours", "This seat is not yours.")
    if not table.opened.hints:
        raise Refusal("not now", "There are no hints at this table.")
    if seat not in table.to_act or table.places[seat].level:
        raise Refusal("not now", "There is a hint when it is your turn.")


def prepare_hint(match: AnyMatch, seat: int) -> Callable[[], Hint]:
    """What finds the hint for a seat, to be called in another thread: the match may go on meanwhile."""
    name = match.game.info.name
    level = levels(name)[-1]
    rng = random.Random(encoder_for(name)(match.view(seat)))
    choose = prepare_decision(level.make(), match, seat, rng, _budget(name, level))
    return lambda: Hint(choose(), level.name)


def _budget(name: str, level: Level) -> Budget:
    quick = kernel(name)
    by_the_clock = level.budget.seconds is not None
    if by_the_clock and quick is not None and quick.COMPILED:
        return Budget(playouts=_PLAYOUTS)
    return level.budget
