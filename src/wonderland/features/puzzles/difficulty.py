"""How difficult a puzzle is: solvers of different strength try it, and it is rated by their success.

Solvers are the levels of the game above the random one, and the strongest level with little time. The
ratings of puzzles and solvers are on one scale, as in chess: a solver finds the solution of a puzzle
with the same rating in half of its tries, and one that is 400 points easier in ten of eleven. The
average puzzle of a game has 1500.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp, log, sqrt

from wonderland.bots import decide, levels
from wonderland.components.bots import Budget, Level
from wonderland.engine.values import Value
from wonderland.features.puzzles.candidates import Candidate
from wonderland.features.puzzles.confirmation import LeadingChoice

TRIES = 8
"""Number of tries of each solver."""
_MOST_PLAYOUTS = 200
_HURRIED = (8, 30, 120)
"""Playouts per choice of the strongest level."""


_SCALE, _MIDDLE = 400 / log(10), 1500
"""Rating points for a factor e in the odds, and the mean rating of puzzles."""
_SPREAD, _LOOSE = 2.0, 10.0
"""Assumed standard deviations of puzzles and solvers, in logarithms of the odds."""
_ROUNDS = 60
_LEAST_SPREAD = 0.25
"""Where almost every or no try should succeed, residuals say little."""


class TrialSolver(Value, frozen=True):
    """A level that tries puzzles, with a budget that makes it fallible."""

    name: str
    level: Level
    budget: Budget


def solvers(name: str) -> tuple[TrialSolver, ...]:
    """Return the solvers of a game's puzzles, in the order of their levels."""
    _, *others, strongest = levels(name)
    found = []
    for level in others:
        playouts = min(level.budget.playouts or _MOST_PLAYOUTS, _MOST_PLAYOUTS)
        found.append(TrialSolver(level.name, level, Budget(playouts=playouts)))
    hurried = (
        TrialSolver(f"{strongest.name}:{playouts}", strongest, Budget(playouts=playouts))
        for playouts in _HURRIED
    )
    return (*found, *hurried)


def try_puzzle(seen: Candidate, solution: LeadingChoice, seed: str) -> tuple[tuple[bool, ...], ...]:
    """Return which tries of each solver find the solution."""
    return tuple(
        tuple(
            decide(
                solver.level.make(),
                seen.match,
                seen.seat,
                random.Random(f"{seed} {seen.position} {attempt}"),
                solver.budget,
            )
            in solution.actions
            for attempt in range(TRIES)
        )
        for solver in solvers(seen.name)
    )


class Ratings(Value, frozen=True):
    """Ratings of puzzles and solvers on one scale."""

    puzzles: tuple[tuple[int, int], ...]
    """Rating and deviation of each puzzle."""
    solvers: tuple[int, ...]


def rate(successes: Sequence[Sequence[int]], tries: int) -> Ratings:
    """Estimate the ratings of puzzles from the successful tries of each solver at each of them.

    The model is that of Rasch: the odds of success depend on the difference of two ratings. The mean
    of all puzzles is 1500. Puzzles are assumed to be spread around it, so that one which no solver finds
    is not infinitely difficult. Tries of one solver at one puzzle are not independent, so
    deviations are widened by how much the successes scatter around the model.
    """
    strengths, difficulties = [0.0] * len(successes[0]), [0.0] * len(successes)
    for _ in range(_ROUNDS):
        middle = sum(difficulties) / len(difficulties)
        for place, row in enumerate(successes):
            slope, weight = (middle - difficulties[place]) / _SPREAD**2, 1 / _SPREAD**2
            for strength, found in zip(strengths, row, strict=True):
                chance = _chance(strength - difficulties[place])
                slope += tries * chance - found
                weight += tries * chance * (1 - chance)
            difficulties[place] += _limited(slope / weight)
        for solver, strength in enumerate(strengths):
            slope, weight = -strength / _LOOSE**2, 1 / _LOOSE**2
            for level, row in zip(difficulties, successes, strict=True):
                chance = _chance(strength - level)
                slope += row[solver] - tries * chance
                weight += tries * chance * (1 - chance)
            strengths[solver] += _limited(slope / weight)
    middle = sum(difficulties) / len(difficulties)
    widening = _widening(successes, tries, strengths, difficulties)
    rated: list[tuple[int, int]] = []
    for level in difficulties:
        chances = [_chance(strength - level) for strength in strengths]
        seen = sum(tries * chance * (1 - chance) for chance in chances) / widening
        deviation = _SCALE / sqrt(seen + 1 / _SPREAD**2)
        rated.append((round(_MIDDLE + _SCALE * (level - middle)), round(deviation)))
    return Ratings(
        tuple(rated),
        tuple(round(_MIDDLE + _SCALE * (each - middle)) for each in strengths),
    )


def _widening(
    successes: Sequence[Sequence[int]],
    tries: int,
    strengths: Sequence[float],
    difficulties: Sequence[float],
) -> float:
    """Return the mean squared residual in units of its expectation, at least 1."""
    total, number = 0.0, 0
    for level, row in zip(difficulties, successes, strict=True):
        for strength, found in zip(strengths, row, strict=True):
            chance = _chance(strength - level)
            spread = tries * chance * (1 - chance)
            if spread > _LEAST_SPREAD:
                total += (found - tries * chance) ** 2 / spread
                number += 1
    return max(1.0, total / number) if number else 1.0


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _limited(step: float) -> float:
    return max(-1.0, min(1.0, step))
