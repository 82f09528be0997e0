"""The verdict on a position: every choice of a seat with its win probability, and why the best is best.

It needs no server: the terminal and the pages show the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Any

from wonderland.bots.evaluation import default_budget, evaluate, recalled_view
from wonderland.components.bots import Budget
from wonderland.components.formatting import percent
from wonderland.components.judge import ActionValue, Evaluation
from wonderland.components.reasons import explainer_of, reasons_of
from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.registry import game
from wonderland.engine.values import Value

_CACHE_SIZE = 256
"""Cached evaluations: the same position is usually requested again at once or never."""
_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""


class RatedChoice(Value, frozen=True):
    """A legal action with its win probability."""

    action: str
    """In record notation."""
    says: str
    chance: float
    error: float
    """The standard error of `chance`; 0 if it is exact."""
    is_clear: bool
    """Whether the best choice is better by more than sampling error explains."""

    @property
    def margin(self) -> int:
        """Half-width of the 95% confidence interval in percentage points, rounded up."""
        return ceil(100 * _INTERVAL_ERRORS * self.error)


class Verdict(Value, frozen=True):
    """All choices of a seat, and what to learn from them."""

    seat: Seat
    choices: tuple[RatedChoice, ...]
    """Best first."""
    played: str
    """The action that was played here, in record notation; empty if none was."""
    summary: str
    """What the played action cost, in a sentence; empty if none was."""
    reason: str
    """Why the best choice beats the played one, or else the next; may be empty."""

    def is_about_as_good(self, choice: RatedChoice) -> bool:
        """Whether a choice other than the best is as good, as far as anyone can tell."""
        return not choice.is_clear and choice != self.choices[0]


def evaluate_position(
    rules: AnyGame, state: Any, seat: Seat, seats: int, budget: Budget | None = None
) -> Evaluation:
    """Evaluate the choices of a seat; the most recent evaluations are cached."""
    return _evaluate_line(rules.info.name, rules.write_position(state), seat, seats, budget)


@lru_cache(_CACHE_SIZE)
def _evaluate_line(name: str, line: str, seat: int, seats: int, budget: Budget | None) -> Evaluation:
    rules = game(name)
    return evaluate(rules, rules.read_position(line), seat, budget or default_budget(name, seats))


def judge_position(  # noqa: PLR0913, PLR0917 - a position, its seat, the audience and the effort
    rules: AnyGame,
    state: Any,
    seat: Seat,
    names: Sequence[str],
    say: Language,
    budget: Budget | None = None,
    *,
    played: Any = None,
) -> Verdict:
    """Judge the choices of a seat that is to act, by what it knows; takes about a second."""
    found = evaluate_position(rules, state, seat, len(names), budget)
    view = recalled_view(rules, state, seat)
    best_first = sorted(found.action_values, key=lambda value: -value.chance)
    return Verdict(
        seat,
        tuple(_rated_choice(rules, view, value, found, say) for value in best_first),
        "" if played is None else rules.write(played),
        "" if played is None else summarise(found, played, names[seat], say),
        _explain(rules, view, found, played, names, say),
    )


def _rated_choice(
    rules: AnyGame, view: Any, value: ActionValue, found: Evaluation, say: Language
) -> RatedChoice:
    says = say.capital(words_of(rules.info.name).describe_action(view, value.action, say))
    is_clear = found.is_clear(value.action)
    return RatedChoice(rules.write(value.action), says, value.chance, value.error, is_clear)


def summarise(found: Evaluation, played: Any, name: str, say: Language) -> str:
    """Say in a sentence what the played action cost."""
    chances = found.best.chance, found.of(played).chance
    is_best = played == found.best.action
    return describe_cost(name, *chances, say, is_clear=found.is_clear(played), is_best=is_best)


def describe_cost(  # noqa: PLR0913 - a choice, the best one, and the audience
    name: str, before: float, after: float, say: Language, *, is_clear: bool, is_best: bool
) -> str:
    """Say what a choice cost: the win chance after the best choice, and after this one."""
    if is_clear:
        digits = 0 if round(100 * before) != round(100 * after) else 1
        return say(
            "This lowered {name}'s win chance from {before} to {after}.",
            name=name,
            before=percent(before, say, digits),
            after=percent(after, say, digits),
        )
    if is_best:
        return say("{name} found the best choice.", name=name)
    return say("{name}'s choice is as good as the best, as far as the coach can tell.", name=name)


def _explain(  # noqa: PLR0913, PLR0917 - everything that an explanation depends on
    rules: AnyGame,
    view: Any,
    found: Evaluation,
    played: Any,
    names: Sequence[str],
    say: Language,
) -> str:
    """Why the best beats the played choice if that is clearly worse, or the next clearly worse one."""
    best, name = found.best, rules.info.name
    if played is not None and found.is_clear(played):
        return explainer_of(name)(view, best, found.of(played), names, say)
    reasons = reasons_of(name)
    others = sorted(found.action_values, key=lambda value: -value.chance)[1:]
    if reasons is None or not others:
        return ""
    other = next((value for value in others if found.is_clear(value.action)), others[0])
    return reasons.reason(view, best, other, names, say)
