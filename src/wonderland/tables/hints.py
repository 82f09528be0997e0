"""Hints: what the strongest bot of a game would do with what a seat can see, and why.

The bot's random numbers are seeded from the view, and where possible its budget is a number of playouts
rather than a time limit: a position has one hint, no matter who asks or how often. The reason compares
it with the best choice that is worse, as the coach does: from what the seat knows, never from the cards
of others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from wonderland.bots import levels, prepare_decision
from wonderland.bots.evaluation import evaluate, recalled_view
from wonderland.components.bots import Budget, Level
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import explainer_of
from wonderland.engine.language import Language
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value
from wonderland.kernels.kernel import kernel
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_PLAYOUTS = 6000
"""Per legal action, in place of a time limit: about half a second."""


class Hint(Value, frozen=True):
    """A suggested action, and the name of the bot that suggests it."""

    action: Any
    level: str
    compared: tuple[ActionValue, ActionValue] | None = None
    """The value of the action, and that of the best choice that is worse; `None` if there is none."""


def check_hint(table: Table, device: str, seat: int) -> None:
    """Refuse a hint for another's seat, out of turn, or at a table without hints."""
    if not table.holds(device, seat):
        raise Refusal(Code.SEAT_NOT_YOURS, "This seat isn't yours.")
    if not table.opened.hints:
        raise Refusal(Code.HINTS_OFF, "Hints are turned off at this table.")
    if seat not in table.to_act or table.places[seat].level:
        raise Refusal(Code.NOT_YOUR_TURN, "You can get a hint on your turn.")


def prepare_hint(match: AnyMatch, seat: int) -> Callable[[], Hint]:
    """Return a function that computes the hint; it is safe to call in another thread."""
    name = match.game.info.name
    level = levels(name)[-1]
    rng = random.Random(encoder_for(name)(match.view(seat)))
    choose = prepare_decision(level.make(), match, seat, rng, _budget(name, level))

    def compute() -> Hint:
        action = choose()
        return Hint(action, level.name, _compare(match, seat, action))

    return compute


def explain_hint(match: AnyMatch, seat: int, hint: Hint, names: Sequence[str], say: Language) -> str:
    """Return why the hint is better than another choice, in the coach's words, or that none is worse."""
    if len(match.legal(seat)) == 1:
        return say("That's your only choice.")
    if hint.compared is None:
        return say("As far as you can tell, your other choices are about as good.")
    explain = explainer_of(match.game.info.name)
    return explain(recalled_view(match.game, match.state, seat), *hint.compared, names, say)


def _compare(match: AnyMatch, seat: int, action: Any) -> tuple[ActionValue, ActionValue] | None:
    """Compare an action with the best of those that are worse, by what the seat knows."""
    if len(match.legal(seat)) == 1:
        return None
    name = match.game.info.name
    found = evaluate(match.game, match.state, seat, _playouts(name))
    best = found.of(action)
    worse = [value for value in found.action_values if value.chance < best.chance]
    return (best, max(worse, key=lambda value: value.chance)) if worse else None


def _budget(name: str, level: Level) -> Budget:
    """The budget of a bot, with playouts in place of a time limit where that is possible."""
    return level.budget if level.budget.seconds is None else _playouts(name) or level.budget


def _playouts(name: str) -> Budget | None:
    """A number of playouts that takes about half a second, if they are compiled."""
    fast_kernel = kernel(name)
    if fast_kernel is None or not fast_kernel.COMPILED:
        return None
    return Budget(playouts=_PLAYOUTS)
