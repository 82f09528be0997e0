"""Ratings of bots that have met at many tables: OpenSkill, after Plackett and Luce.

A rating is a guess at a bot's skill, and how sure it is; of two bots whose ratings differ by 4, the
better one wins about two games of three. Skill does not change while bots play, so nothing is added to
the uncertainty from game to game.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from openskill.models import PlackettLuce

from wonderland.lab.statistics import Estimate, quantile

Who = TypeVar("Who", bound=Hashable)


def ratings(bots: int, games: Iterable[tuple[Sequence[int], int]]) -> list[Estimate]:
    """The rating of each of so many bots.

    A game is the number of the bot at each seat, and its winners as bits.

    A bot that sits at several seats learns from all of them, and counts what it learns once: otherwise
    three seats of one bot would seem three times as sure.
    """
    model = PlackettLuce(tau=0.0)
    now: dict[int, tuple[float, float]] = dict.fromkeys(range(bots), (model.mu, model.sigma))
    for seats, winners in games:
        if len(set(seats)) == 1:
            continue  # a bot tells nothing about itself
        now.update(after(model, now, seats, winners))
    z = quantile()
    return [Estimate(mu, mu - z * sigma, mu + z * sigma) for mu, sigma in now.values()]


def after(
    model: PlackettLuce, now: Mapping[Who, tuple[float, float]], seats: Sequence[Who], winners: int
) -> dict[Who, tuple[float, float]]:
    """The ratings of those who took part, after one game."""
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
