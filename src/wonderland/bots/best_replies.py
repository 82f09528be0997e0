"""Tests what a judge claims about a position: best replies, searched deeper, must uphold it.

A verdict claims a win probability for the best choice, and that another choice is clearly worse. To test
it, the game is played on from the position: every other seat makes the judge's own best reply to what it
sees, and when the seat has to choose again, the judge evaluates that position. The mean over many such
continuations is the deeper value of a choice, which a sound judge has foreseen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import hypot, sqrt
from statistics import fmean, pvariance
from typing import Any

from wonderland.bots.evaluation import default_budget, evaluate, recalled_view
from wonderland.components.bots import Budget
from wonderland.components.heuristics import equivalence_of, heuristics_of
from wonderland.components.judge import Evaluation
from wonderland.engine.protocol import CHANCE, AnyGame, Chance, Over, Seat
from wonderland.engine.values import Value

ALLOWANCE = 0.03
"""How far replies that are only nearly the best may shift a value."""
_SIGNIFICANT_ERRORS = 3.0
_EQUAL_WITHIN = 0.005
"""Replies whose win probabilities differ by less are equally good."""


class Verdict(Value, frozen=True):
    """A position, what a judge claims about it, and a choice that it calls clearly worse."""

    state: Any
    seat: Seat
    claim: Evaluation
    worse: Any

    @property
    def lead(self) -> float:
        """The claimed lead of the best choice."""
        return self.claim.cost(self.worse)


class Depth(Value, frozen=True):
    """How thoroughly a verdict is tested. Playouts are per choice, and never more than the judge's."""

    continuations: int
    reply: int
    """Playouts for each reply of another seat."""
    leaf: int
    """Playouts for the seat's own next decision."""


class Mean(Value, frozen=True):
    """A mean and its standard error."""

    value: float
    error: float


class Finding(Value, frozen=True):
    """The deeper values of a verdict's two choices."""

    verdict: Verdict
    best: Mean
    worse: Mean
    lead: Mean
    """The difference of the two, which are searched in the same sampled states."""

    @property
    def is_value_upheld(self) -> bool:
        """Whether the best choice is worth what was claimed, within the errors of both."""
        claim = self.verdict.claim.best
        margin = _SIGNIFICANT_ERRORS * hypot(claim.error, self.best.error) + ALLOWANCE
        return abs(self.best.value - claim.chance) <= margin

    @property
    def is_lead_upheld(self) -> bool:
        """Whether the other choice is as much worse as was claimed, within the errors of both."""
        claim = self.verdict.claim
        errors = hypot(claim.best.error, claim.of(self.verdict.worse).error, self.lead.error)
        return self.lead.value >= self.verdict.lead - _SIGNIFICANT_ERRORS * errors - ALLOWANCE

    @property
    def is_upheld(self) -> bool:
        """Whether the verdict stands."""
        return self.is_value_upheld and self.is_lead_upheld


def verdict_on_second(game: AnyGame, state: Any, claim: Evaluation) -> Verdict:
    """Return the verdict on the best choice that isn't equivalent to the best of all."""
    view, alike = recalled_view(game, state, claim.seat), equivalence_of(game.info.name)
    kind = alike(view, claim.best.action)
    others = [value for value in claim.action_values if alike(view, value.action) != kind]
    second = max(others, key=lambda value: value.chance)
    return Verdict(state, claim.seat, claim, second.action)


def examine(game: AnyGame, verdict: Verdict, depth: Depth, seed: str = "") -> Finding:
    """Search both choices of a verdict deeper."""
    return summarise(verdict, tuple(continuations(game, verdict, depth, seed)))


def continuations(
    game: AnyGame, verdict: Verdict, depth: Depth, seed: str = ""
) -> Iterator[tuple[float, float]]:
    """Yield the deeper values of both choices in one sampled state after another."""
    actions = (verdict.claim.best.action, verdict.worse)
    for number in range(depth.continuations):
        best, worse = (
            _continue(game, verdict, action, depth, random.Random(f"{seed} {number}"))
            for action in actions
        )
        yield best, worse


def summarise(verdict: Verdict, values: Sequence[tuple[float, float]]) -> Finding:
    """Return what a number of continuations say about a verdict."""
    best, worse = zip(*values, strict=True)
    leads = [one - other for one, other in values]
    return Finding(verdict, _mean(best), _mean(worse), _mean(leads))


def _mean(values: Sequence[float]) -> Mean:
    """Return the mean of values, with an error that is never 0: a few equal values prove little."""
    return Mean(fmean(values), sqrt((pvariance(values) + 0.25 / len(values)) / len(values)))


def _continue(game: AnyGame, verdict: Verdict, action: Any, depth: Depth, rng: random.Random) -> float:
    """Return the value of an action in one continuation: the result, or the next decision's value."""
    seat, usual = verdict.seat, default_budget(game.info.name, len(verdict.claim.action_values)).playouts
    reply, leaf = (Budget(min(limit, usual or limit)) for limit in (depth.reply, depth.leaf))
    state = game.apply(_sample(game, verdict, rng), seat, action).state
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            state = game.apply(state, CHANCE, turn.pick(rng.randrange(turn.total))).state
            continue
        actor = turn.seats[0]
        legal = game.legal(state, actor)
        if len(legal) == 1:
            state = game.apply(state, actor, legal[0]).state
        elif actor == seat:
            return evaluate(game, state, seat, leaf).best.chance
        else:
            state = game.apply(state, actor, _best_reply(game, state, actor, reply, rng)).state
    return 1 / len(turn.result.winners) if seat in turn.result.winners else 0.0


def _best_reply(game: AnyGame, state: Any, seat: Seat, budget: Budget, rng: random.Random) -> Any:
    """Return a seat's best reply; among equals, one that the game's simplest heuristic suggests.

    A seat that can't win any more may decide who does, and is expected to play naturally.
    """
    found = evaluate(game, state, seat, budget)
    best = [each.action for each in found.action_values if found.cost(each.action) <= _EQUAL_WITHIN]
    for heuristic in heuristics_of(game.info.name)[:1]:
        suggested = heuristic.choices(recalled_view(game, state, seat), game.legal(state, seat))
        best = [action for action in best if action in suggested] or best
    return rng.choice(best)


def _sample(game: AnyGame, verdict: Verdict, rng: random.Random) -> Any:
    """Return a state that the seat can't tell from the verdict's."""
    view = game.view(verdict.state, verdict.seat)
    if recalled_view(game, verdict.state, verdict.seat) != view:
        return verdict.state  # a memory game: a seat that forgets nothing knows all there is to know
    return game.sample_state(view, rng)
