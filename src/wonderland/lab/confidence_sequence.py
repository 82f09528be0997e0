"""How sure one can be while still playing: evidence that may be looked at after every deal.

An ordinary interval is right in 95 of 100 cases if one looks once. Whoever looks after every deal, and
stops as soon as the difference seems clear, is wrong far more often. The remedy is to bet: a gambler who
doubts that the mean of numbers between 0 and 1 is *m* stakes a part of what they have on each next
number being off, in a game that is fair if the mean is *m*. If so, their capital is a martingale, and
the chance that it *ever* reaches twenty times what they began with is at most one in twenty (Ville's
inequality), whenever one looks. The means that no gambler has grown rich on doubting are the interval
(Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024).

Nothing is assumed about how the numbers are spread; how much is staked adapts to their variance, so that
pairs of games that even out luck, and so scatter little, give sure answers soon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, log1p, sqrt

from wonderland.lab.statistics import CONFIDENCE, Estimate

_BOLDEST = 0.75
"""The largest part of the capital that is at risk in one bet."""
_HALVINGS = 12
"""How finely the ends of an interval are told apart: to one part in some thousands."""


@dataclass(slots=True)
class BettingTest:
    """Two gamblers who doubt a mean, with half a coin each: one bets on more, the other on less."""

    mean: float
    up: float = log(0.5)
    """The logarithm of what the first one has."""
    down: float = log(0.5)

    def bet(self, stake: float, number: float) -> None:
        """Both bet that part of a coin for each unit, but never more than they have."""
        most_up = _BOLDEST / self.mean if self.mean > 0 else inf
        most_down = _BOLDEST / (1 - self.mean) if self.mean < 1 else inf
        self.up += log1p(min(stake, most_up) * (number - self.mean))
        self.down += log1p(-min(stake, most_down) * (number - self.mean))


class ConfidenceSequence:
    """Numbers between 0 and 1 that come one after another, and what they say about their mean.

    >>> evidence = ConfidenceSequence()
    >>> evidence.extend([1.0, 0.5, 1.0, 1.0] * 10)
    >>> evidence.is_uneven
    True
    """

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        self.numbers: list[float] = []
        self._rich = -log(1 - confidence)
        self._stakes: list[float] = []
        self._total, self._scatter = 0.5, 0.25  # as if one number had been seen before the first
        self._even = BettingTest(0.5)

    def add(self, number: float) -> None:
        """One more number; the stake on it was fixed by the numbers before it."""
        seen = len(self.numbers) + 1
        variance = self._scatter / seen
        stake = sqrt(2 * (self._rich + log(2)) / (variance * seen * log1p(seen)))
        self._even.bet(stake, number)
        self._stakes.append(stake)
        self.numbers.append(number)
        self._total += number
        self._scatter += (number - self._total / (seen + 1)) ** 2

    def extend(self, numbers: Iterable[float]) -> None:
        """Several more numbers."""
        for number in numbers:
            self.add(number)

    @property
    def is_uneven(self) -> bool:
        """Whether it is clear that the mean is not one half."""
        return max(self._even.up, self._even.down) >= self._rich

    def estimate(self) -> Estimate:
        """The mean so far, and the interval that may be looked at at any time."""
        if not self.numbers:
            return Estimate(0.5, 0.0, 1.0)
        middle = sum(self.numbers) / len(self.numbers)
        return Estimate(middle, self._end(middle, 0.0), self._end(middle, 1.0))

    def _is_refuted(self, mean: float) -> bool:
        doubt = BettingTest(mean)
        for stake, number in zip(self._stakes, self.numbers, strict=True):
            doubt.bet(stake, number)
        return max(doubt.up, doubt.down) >= self._rich

    def _end(self, inside: float, outside: float) -> float:
        """The last mean on the way outside that is not refuted: further out, the doubters are richer."""
        if not self._is_refuted(outside):
            return outside
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            if self._is_refuted(middle):
                outside = middle
            else:
                inside = middle
        return outside
