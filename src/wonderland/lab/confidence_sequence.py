"""Confidence sequences: intervals that stay valid when checked after every deal.

An ordinary 95% confidence interval is valid for a single look. Checking after every deal, and stopping
as soon as the difference seems clear, errs far more often. The remedy is to bet: a gambler who doubts
that the mean of numbers between 0 and 1 is *m* stakes part of their capital on each next number being
off, in a game that is fair if the mean is *m*. If it is, the capital is a martingale, and the
probability that it *ever* reaches twenty times the initial capital is at most one in twenty (Ville's
inequality), at any stopping time. The interval consists of the means that no gambler has grown rich by
doubting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024).

Nothing is assumed about the distribution of the numbers. Stakes adapt to the variance, so paired games,
which cancel out the effect of the deal and vary little, give clear answers soon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, log1p, sqrt

from wonderland.lab.statistics import CONFIDENCE, Estimate

_MAX_STAKE = 0.75
"""Largest fraction of the capital at risk in one bet."""
_BISECTIONS = 12
"""Bisection steps for the ends of an interval: a precision of 1 in 4096."""


@dataclass(slots=True)
class BettingTest:
    """Two gamblers who doubt a mean, starting with half a coin each: one bets on more, one on less."""

    mean: float
    up: float = log(0.5)
    """Logarithm of the capital of the gambler who bets on more."""
    down: float = log(0.5)

    def bet(self, stake: float, number: float) -> None:
        """Let both bet this fraction of their capital per unit, limited to what they can lose."""
        most_up = _MAX_STAKE / self.mean if self.mean > 0 else inf
        most_down = _MAX_STAKE / (1 - self.mean) if self.mean < 1 else inf
        self.up += log1p(min(stake, most_up) * (number - self.mean))
        self.down += log1p(-min(stake, most_down) * (number - self.mean))


class ConfidenceSequence:
    """Time-uniform confidence intervals for the mean of a sequence of numbers between 0 and 1.

    >>> evidence = ConfidenceSequence()
    >>> evidence.extend([1.0, 0.5, 1.0, 1.0] * 10)
    >>> evidence.is_uneven
    True
    """

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        self.numbers: list[float] = []
        self._threshold = -log(1 - confidence)
        self._stakes: list[float] = []
        self._total, self._squares = 0.5, 0.25  # a prior observation
        self._even = BettingTest(0.5)

    def add(self, number: float) -> None:
        """Add a number; the stake on it depends only on the numbers before it."""
        seen = len(self.numbers) + 1
        variance = self._squares / seen
        stake = sqrt(2 * (self._threshold + log(2)) / (variance * seen * log1p(seen)))
        self._even.bet(stake, number)
        self._stakes.append(stake)
        self.numbers.append(number)
        self._total += number
        self._squares += (number - self._total / (seen + 1)) ** 2

    def extend(self, numbers: Iterable[float]) -> None:
        """Add several numbers."""
        for number in numbers:
            self.add(number)

    @property
    def is_uneven(self) -> bool:
        """Whether it is clear that the mean is not one half."""
        return max(self._even.up, self._even.down) >= self._threshold

    def estimate(self) -> Estimate:
        """The mean so far, with a confidence interval that is valid at any time."""
        if not self.numbers:
            return Estimate(0.5, 0.0, 1.0)
        middle = sum(self.numbers) / len(self.numbers)
        return Estimate(middle, self._bound(middle, 0.0), self._bound(middle, 1.0))

    def _is_refuted(self, mean: float) -> bool:
        doubt = BettingTest(mean)
        for stake, number in zip(self._stakes, self.numbers, strict=True):
            doubt.bet(stake, number)
        return max(doubt.up, doubt.down) >= self._threshold

    def _bound(self, inside: float, outside: float) -> float:
        """Find by bisection the end of the interval of means that are not refuted, towards `outside`."""
        if not self._is_refuted(outside):
            return outside
        for _ in range(_BISECTIONS):
            middle = (inside + outside) / 2
            if self._is_refuted(middle):
                outside = middle
            else:
                inside = middle
        return outside
