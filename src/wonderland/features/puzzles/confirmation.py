"""Whether a candidate's best choice is truly best: screening, two judgements, and best replies.

Each test comes in stages and stops as soon as the candidate is clear or hopeless, so that effort goes
where it decides something. Budgets are counted in playouts, so that a seed reproduces its puzzles.
"""

from __future__ import annotations

import random
from math import hypot
from typing import Any

from wonderland.bots.best_replies import Depth, continuations, summarise, verdict_on_second
from wonderland.bots.evaluation import default_budget, evaluate
from wonderland.components.bots import Budget
from wonderland.components.heuristics import equivalence_of, heuristics_of
from wonderland.components.judge import Evaluation
from wonderland.engine.protocol import CHANCE, Chance, Over
from wonderland.engine.values import Value
from wonderland.features.puzzles.candidates import FEWEST_CHOICES, Candidate

LEAST, LEAST_IF_HARD = 0.08, 0.05
"""Minimum loss of win probability for any choice but the solution: in general, and where the simplest
heuristic misses it."""
SURE = 4.0
"""Minimum size of that loss in standard errors."""
_SCREENS = ((100, 0.5), (400, 1.0), (2000, 1.0))
"""Playouts per choice of each screening search, and how many standard errors may be missing."""
_TRUSTED = 400
"""Playouts that usually find the best choice."""
_RUNGS = (24, 12)
"""Fractions of the coach's budget with which a position is judged until the result is clear."""
_LEAST_JUDGED = 4000
"""Fewest playouts of the first judgement: a smaller tree may be sure of a wrong choice."""
_COMFORT = 2.0
"""Standard errors by which a lead exceeds the minimum if no larger search is needed."""
_AGREEMENT, _ALLOWANCE = 3.0, 0.02
"""Two judgements agree if values differ by less than these standard errors and this allowance."""
_LOOKS = (8, 12, 16, 24, 32, 48)
"""Numbers of continuations with best replies after which the test may end."""
_CERTAIN = 3.0
"""Standard errors by which a lead with best replies must exceed 0."""
_REPLY_SHARE, _LEAF_SHARE = 400, 100
"""Fractions of the coach's budget for each reply, and for the seat's next decision."""
_LEAST_REPLY, _LEAST_LEAF = 300, 1200


class LeadingChoice(Value, frozen=True):
    """The best choice with its equivalents, and its lead over the rest."""

    actions: tuple[Any, ...]
    margin: float
    error: float
    missed_by: tuple[str, ...]
    """The keys of the heuristics that miss it, simplest first."""
    is_simple: bool
    """Whether the simplest heuristic finds it."""

    @property
    def least(self) -> float:
        """The minimum lead."""
        return LEAST if self.is_simple else LEAST_IF_HARD

    @property
    def is_clear(self) -> bool:
        """Whether the lead is large enough and statistically certain."""
        return self.exceeds(0.0) and self.margin > SURE * self.error

    def exceeds(self, errors: float) -> bool:
        """Whether the lead exceeds the minimum by so many standard errors, which may be negative."""
        return self.margin - errors * self.error >= self.least


class Confirmed(Value, frozen=True):
    """A candidate whose solution has been confirmed."""

    judgement: Evaluation
    solution: LeadingChoice
    playouts: int
    """Playouts per choice of the judgement."""


def solve(seen: Candidate, judgement: Evaluation) -> LeadingChoice:
    """Compute the lead of the best choice over everything not equivalent to it."""
    view, legal, alike = seen.view, seen.legal, equivalence_of(seen.name)
    best = judgement.best
    kind = alike(view, best.action)
    same = [value for value in judgement.action_values if alike(view, value.action) == kind]
    second = max(
        (value for value in judgement.action_values if value not in same), key=lambda value: value.chance
    )
    actions, rules = tuple(value.action for value in same), heuristics_of(seen.name)
    missed_by = tuple(
        rule.key for rule in rules if all(rule.misses(view, legal, action) for action in actions)
    )
    return LeadingChoice(
        actions,
        best.chance - second.chance,
        hypot(best.error, second.error),
        missed_by,
        rules[0].key not in missed_by,
    )


def screen(seen: Candidate, *, simple: bool = True) -> LeadingChoice | None:
    """Search a position briefly; return the solution if it may be a puzzle.

    Without `simple`, the simplest heuristic must miss it.
    """
    solution, most = None, full_budget(seen)
    for playouts, errors in _SCREENS:
        judgement = evaluate(seen.rules, seen.state, seen.seat, Budget(min(playouts, most)))
        solution = solve(seen, judgement)
        if not solution.exceeds(-errors) or (solution.is_simple and not simple and playouts >= _TRUSTED):
            return None
    return solution if solution is not None and _is_question(seen, solution) else None


def _is_question(seen: Candidate, solution: LeadingChoice) -> bool:
    """Whether a heuristic misses the solution, guessing rarely finds it, and it doesn't end the game."""
    is_rare = len(solution.actions) * FEWEST_CHOICES <= len(seen.legal)
    return bool(solution.missed_by) and is_rare and not _ends_game(seen, solution.actions[0])


def _ends_game(seen: Candidate, action: Any) -> bool:
    """Whether the game is certainly over after an action: everyone sees that."""
    state = seen.rules.apply(seen.state, seen.seat, action).state
    while isinstance(turn := seen.rules.turn(state), Chance) and len(turn.outcomes) == 1:
        state = seen.rules.apply(state, CHANCE, turn.outcomes[0]).state
    return isinstance(turn, Over)


def full_budget(seen: Candidate) -> int:
    """Return the coach's playouts per choice."""
    return default_budget(seen.name, seen.seats).playouts or 1


def confirm(seen: Candidate, seed: str) -> Confirmed | None:
    """Judge a candidate twice and test it with best replies; `None` unless all agree."""
    found = _judge(seen, seed)
    if found is None or not _is_question(seen, found.solution):
        return None
    return found if _is_upheld(seen, found, seed) else None


def _judge(seen: Candidate, seed: str) -> Confirmed | None:
    """Judge twice, the second time with twice the budget and other random numbers, until it is clear."""
    most = full_budget(seen)
    for rung in _RUNGS:
        playouts = min(most, max(_LEAST_JUDGED * _RUNGS[0] // rung, most // rung))
        rng = random.Random(f"{seed} {seen.position} {rung}")
        once = evaluate(seen.rules, seen.state, seen.seat, Budget(playouts))
        first = solve(seen, once)
        if not first.exceeds(-1.0):
            return None
        again = evaluate(seen.rules, seen.state, seen.seat, Budget(2 * playouts), rng=rng)
        second = solve(seen, again)
        if not second.exceeds(0.0):
            return None
        is_clear = first.actions == second.actions and first.is_clear and second.is_clear
        if is_clear and (
            rung == _RUNGS[-1]
            or (first.exceeds(_COMFORT) and second.exceeds(_COMFORT) and _agree(once, again))
        ):
            return Confirmed(again, second, 2 * playouts)
    return None


def _agree(once: Evaluation, again: Evaluation) -> bool:
    """Whether two judgements give the better of their choices the same values."""
    return all(
        abs(one.chance - other.chance) <= _AGREEMENT * hypot(one.error, other.error) + _ALLOWANCE
        for one, other in zip(once.action_values, again.action_values, strict=True)
        if other.chance >= again.best.chance / 2
    )


def _is_upheld(seen: Candidate, found: Confirmed, seed: str) -> bool:
    """Play on with best replies until the lead is certain or the claim has failed."""
    verdict, full = verdict_on_second(seen.rules, seen.state, found.judgement), full_budget(seen)
    enough = found.solution.least / 2
    depth = Depth(
        _LOOKS[-1], max(_LEAST_REPLY, full // _REPLY_SHARE), max(_LEAST_LEAF, full // _LEAF_SHARE)
    )
    values: list[tuple[float, float]] = []
    for best, worse in continuations(seen.rules, verdict, depth, f"{seed} {seen.position}"):
        values.append((best, worse))
        if len(values) in _LOOKS:
            finding = summarise(verdict, values)
            lead = finding.lead
            if not finding.is_upheld or lead.value + lead.error < found.solution.least:
                return False
            if lead.value > max(enough, _CERTAIN * lead.error):
                return True
    return False
