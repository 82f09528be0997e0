"""Advice for a position: every choice with its win probability, best first, and a reason."""

from __future__ import annotations

from typing import Any

import msgspec

from wonderland.components.bots import Budget
from wonderland.components.formatting import percent
from wonderland.engine.language import Language
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import game
from wonderland.features.positions.verdict import RatedChoice, judge_position
from wonderland.web.rendering import placeholder_names, render


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


def advise(name: str, line: str, seat: int, say: Language, budget: Budget | None = None) -> Advice:
    """Evaluate all choices of a seat that is to act in this position; takes about a second."""
    rules = game(name)
    names = placeholder_names(seats_in(line, rules), say)
    verdict = judge_position(rules, rules.read_position(line), seat, names, say, budget)
    options = [
        AdvisedChoice(each.action, each.says, each.chance, each.error, each.is_clear)
        for each in verdict.choices
    ]
    shown = [
        {"option": option, **choice_figures(each, say)}
        for option, each in zip(options, verdict.choices, strict=True)
    ]
    close = sum(not option.clear for option in options)
    html = render("advice.html", say, options=shown, reason=verdict.reason, close=close)
    return Advice(options, verdict.reason, str(html))


def choice_figures(choice: RatedChoice, say: Language) -> dict[str, Any]:
    """Win probability as templates show it, in percent, with its margin of error."""
    return {
        "width": round(100 * choice.chance),
        "chance": percent(choice.chance, say, 0),
        "off": choice.margin,
    }
