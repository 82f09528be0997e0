"""95% confidence intervals from counts.

Wilson's score interval (1927) for proportions, the normal approximation for means.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from wonderland.engine.values import Value
from wonderland.lab.totals import Moments

CONFIDENCE = 0.95


class Estimate(Value, frozen=True):
    """A point estimate with its confidence interval."""

    value: float
    low: float
    high: float

    def is_clear_of(self, number: float) -> bool:
        """Whether the number is outside the confidence interval."""
        return not self.low <= number <= self.high


def quantile(confidence: float = CONFIDENCE) -> float:
    """Number of standard errors on each side of an interval with this confidence.

    >>> round(quantile(), 3)
    1.96
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def proportion(successes: float, number: int, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a probability from successes, with Wilson's confidence interval.

    A shared win counts as a fraction of a success. The variance of fractions never exceeds that of whole
    successes with the same mean, so the interval is, if anything, too wide.

    >>> proportion(9, 10)
    Estimate(value=0.9, low=0.5958..., high=0.9821...)
    """
    if number == 0:
        return Estimate(0.0, 0.0, 1.0)
    z = quantile(confidence)
    share = successes / number
    scale = 1 + z * z / number
    centre = (share + z * z / (2 * number)) / scale
    half = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / scale
    return Estimate(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)))


def mean(moments: Moments, unit: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the mean of independent numbers, given in multiples of 1/`unit`."""
    if moments.number == 0:
        return Estimate(0.0, float("-inf"), float("inf"))
    middle = moments.total / moments.number / unit
    half = quantile(confidence) * spread(moments, unit) / sqrt(moments.number)
    return Estimate(middle, middle - half, middle + half)


def spread(moments: Moments, unit: int = 1) -> float:
    """Standard deviation, computed from integers to avoid cancellation."""
    if moments.number < 2:
        return 0.0
    scatter = moments.number * moments.squares - moments.total * moments.total
    return sqrt(scatter / (moments.number * (moments.number - 1))) / unit
