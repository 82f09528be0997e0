"""What to play in a position: every choice with its chance to win, best first, and why."""

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

_REMEMBERED = 256
"""Verdicts: the same position is mostly asked for again at once, or not at all."""
_WIDE = 2.0
"""So many standard errors either way are how sure a chance is."""


class AdvisedChoice(msgspec.Struct, frozen=True):
    """Something that can be played."""

    action: str
    """In the words of records."""
    says: str
    chance: float
    """Of winning, from 0 to 1; a win that is shared counts in parts."""
    error: float
    """The standard error of it: 0 where it is exact."""
    clear: bool
    """Whether the best is better than this by more than chance explains."""


class Advice(msgspec.Struct, frozen=True):
    """What to play, best first."""

    options: list[AdvisedChoice]
    reason: str
    """Why the first is better than another, in words; empty if there is nothing to say."""
    html: str
    """All of it, drawn."""


def seats_in(line: str, rules: AnyGame) -> int:
    """How many play in a position, whose line has something for each of them, with slashes between."""
    seats, found = rules.info.seats, max((word.count("/") for word in line.split()), default=0) + 1
    return min(max(found, seats[0]), seats[-1])


@lru_cache(_REMEMBERED)
def _judgement(name: str, line: str, seat: int, budget: Budget | None) -> Evaluation:
    rules = game(name)
    asked = budget or default_budget(name, seats_in(line, rules))
    return evaluate(rules, rules.read_position(line), seat, asked)


def advise(name: str, line: str, seat: int, say: Language, budget: Budget | None = None) -> Advice:
    """What a seat should play, which may choose in this position; takes about a second."""
    found, rules = _judgement(name, line, seat, budget), game(name)
    view = recalled_view(rules, rules.read_position(line), seat)
    best_first = sorted(found.worths, key=lambda worth: -worth.chance)
    options = [_option(rules, view, worth, found, say) for worth in best_first]
    names = placeholder_names(seats_in(line, rules), say)
    reason = _reason((name, view), found, names, say)
    shown = [{"option": option, **_percent(option)} for option in options]
    close = sum(not option.clear for option in options)
    html = render("advice.html", say, options=shown, reason=reason, close=close)
    return Advice(options, reason, str(html))


def _option(
    rules: AnyGame, view: Any, worth: ActionValue, judgement: Evaluation, say: Language
) -> AdvisedChoice:
    says = say.capital(words_of(rules.info.name).offer(view, worth.action, say))
    is_clear = judgement.is_clear(worth.action)
    return AdvisedChoice(rules.write(worth.action), says, worth.chance, worth.error, is_clear)


def _percent(option: AdvisedChoice) -> dict[str, Any]:
    """The chance in hundredths, with how far off it may be, rounded up."""
    return {"percent": round(100 * option.chance), "off": ceil(100 * _WIDE * option.error)}


def _reason(where: tuple[str, Any], found: Evaluation, names: list[str], say: Language) -> str:
    """Why the best beats the next one, or the next one that is clearly worse."""
    (name, view), best = where, found.best
    reasons = reasons_of(name)
    others = sorted(found.worths, key=lambda worth: -worth.chance)[1:]
    if reasons is None or not others:
        return ""
    other = next((worth for worth in others if found.is_clear(worth.action)), others[0])
    return reasons.reason(view, best, other, names, say)
