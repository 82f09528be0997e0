"""Advice for a position: every choice with its win probability, best first, and a reason."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import Any

import msgspec

from wonderland.bots.evaluation import default_budget, evaluate, recalled_view
from wonderland.components.bots import Budget
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.components.reasons import reasons_of
from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import game
from wonderland.web.rendering import placeholder_names, render

_CACHE_SIZE = 256
"""Cached evaluations: the same position is usually requested again at once or never."""
_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""


class AdvisedChoice(msgspec.Struct, frozen=True):
    """A legal action with its win probability."""

    action: str
    """In record notation."""
    says: str
    chance: float
    """Win probability from 0 to 1; a shared win counts as a fraction."""
    error: float
    """Its standard error; 0 if it is exact."""
    clear: bool
    """Whether the best choice is better by more than sampling error explains."""


class Advice(msgspec.Struct, frozen=True):
    """The choices in a position, best first."""

    options: list[AdvisedChoice]
    reason: str
    """Why the first beats another, in words; may be empty."""
    html: str
    """The advice, rendered."""


def seats_in(line: str, rules: AnyGame) -> int:
    """Number of players in a position, whose line separates the entries of the seats by slashes."""
    seats, found = rules.info.seats, max((word.count("/") for word in line.split()), default=0) + 1
    return min(max(found, seats[0]), seats[-1])


@lru_cache(_CACHE_SIZE)
def _evaluate_cached(name: str, line: str, seat: int, budget: Budget | None) -> Evaluation:
    rules = game(name)
    asked = budget or default_budget(name, seats_in(line, rules))
    return evaluate(rules, rules.read_position(line), seat, asked)


def advise(name: str, line: str, seat: int, say: Language, budget: Budget | None = None) -> Advice:
    """Evaluate all choices of a seat that is to act in this position; takes about a second."""
    found, rules = _evaluate_cached(name, line, seat, budget), game(name)
    view = recalled_view(rules, rules.read_position(line), seat)
    best_first = sorted(found.worths, key=lambda value: -value.chance)
    options = [_advised_choice(rules, view, value, found, say) for value in best_first]
    names = placeholder_names(seats_in(line, rules), say)
    reason = _explain_best((name, view), found, names, say)
    shown = [{"option": option, **_percent(option)} for option in options]
    close = sum(not option.clear for option in options)
    html = render("advice.html", say, options=shown, reason=reason, close=close)
    return Advice(options, reason, str(html))


def _advised_choice(
    rules: AnyGame, view: Any, value: ActionValue, judgement: Evaluation, say: Language
) -> AdvisedChoice:
    says = say.capital(words_of(rules.info.name).offer(view, value.action, say))
    is_clear = judgement.is_clear(value.action)
    return AdvisedChoice(rules.write(value.action), says, value.chance, value.error, is_clear)


def _percent(option: AdvisedChoice) -> dict[str, Any]:
    """Win probability in percent, with its margin of error rounded up."""
    return {"percent": round(100 * option.chance), "off": ceil(100 * _INTERVAL_ERRORS * option.error)}


def _explain_best(where: tuple[str, Any], found: Evaluation, names: list[str], say: Language) -> str:
    """Why the best beats the next choice that is clearly worse, or else the next one."""
    (name, view), best = where, found.best
    reasons = reasons_of(name)
    others = sorted(found.worths, key=lambda value: -value.chance)[1:]
    if reasons is None or not others:
        return ""
    other = next((value for value in others if found.is_clear(value.action)), others[0])
    return reasons.reason(view, best, other, names, say)
