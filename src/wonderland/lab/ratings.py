"""Ratings of bots: OpenSkill with the Plackett-Luce model.

A rating is an estimate of skill with its uncertainty; if two ratings differ by 4, the better bot wins
about two games out of three. A bot's skill doesn't change, so no uncertainty is added between games.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from openskill.models import PlackettLuce

from wonderland.lab.statistics import Estimate, quantile

Who = TypeVar("Who", bound=Hashable)


def ratings(bots: int, games: Iterable[tuple[Sequence[int], int]]) -> list[Estimate]:
    """Compute the rating of each bot, with its confidence interval.

    A game is the index of the bot at each seat, and its winners as bits.

    A bot with several seats gets the average of their updates, counted once: otherwise three seats would
    look like three independent observations.
    """
    model = PlackettLuce(tau=0.0)
    now: dict[int, tuple[float, float]] = dict.fromkeys(range(bots), (model.mu, model.sigma))
    for seats, winners in games:
        if len(set(seats)) == 1:
            continue  # a bot against itself gives no information
        now.update(after(model, now, seats, winners))
    z = quantile()
    return [Estimate(mu, mu - z * sigma, mu + z * sigma) for mu, sigma in now.values()]


def after(
    model: PlackettLuce, now: Mapping[Who, tuple[float, float]], seats: Sequence[Who], winners: int
) -> dict[Who, tuple[float, float]]:
    """Return the participants' ratings after one game."""
    teams = [[model.rating(mu=now[bot][0], sigma=now[bot][1])] for bot in seats]
    ranks = [0.0 if winners >> seat & 1 else 1.0 for seat in range(len(seats))]
    rated = model.rate(teams, ranks=ranks)
    found = {}
    for bot in set(seats):
        own = [rated[seat][0] for seat, sitting in enumerate(seats) if sitting == bot]
        found[bot] = (
            sum(each.mu for each in own) / len(own),
            sum(each.sigma for each in own) / len(own),
        )
    return found
