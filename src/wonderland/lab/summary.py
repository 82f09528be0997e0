"""Summary of a simulation as one value, for tables, JSON and plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from wonderland.engine.values import Value
from wonderland.lab.game_runner import Simulation
from wonderland.lab.run import Run
from wonderland.lab.statistics import CONFIDENCE, Estimate, mean, proportion, spread
from wonderland.lab.totals import WHOLE_WIN, Differences, Moments, Totals


class Distribution(Value, frozen=True, tag="Spread"):
    """Distribution of a number over all games: mean, deviation, range and histogram."""

    mean: Estimate
    deviation: float
    lowest: int
    median: int
    highest: int
    counts: dict[int, int]


class SeatSummary(Value, frozen=True):
    """Results of one seat."""

    seat: int
    """Counted from 1, as in the user interface."""
    bot: str
    wins: Estimate
    """Share of the wins; a shared win is divided among its winners."""
    score: Distribution


class Part(Value, frozen=True):
    """A named share of the games."""

    name: str
    share: Estimate


class Summary(Value, frozen=True):
    """Results of a simulation."""

    game: str
    options: dict[str, str]
    bots: tuple[str, ...]
    seed: str
    skipped: int
    asked: int
    games: int
    interrupted: bool
    confidence: float
    seats: tuple[SeatSummary, ...]
    by_bot: tuple[Part, ...]
    """Wins of each kind of bot, over all its seats."""
    by_order: tuple[Part, ...]
    """Wins by order of play: first, second and so on."""
    shared: Estimate
    endings: tuple[Part, ...]
    length: Distribution
    """The number of decisions."""


class VariantDifference(Value, frozen=True, tag="Change"):
    """Difference in one quantity between two variants."""

    name: str
    before: float
    after: float
    difference: Estimate
    is_clear: bool
    """Whether it differs from zero, with the confidence level corrected for all comparisons at once."""
    is_share: bool


class Comparison(Value, frozen=True):
    """Comparison of two variants."""

    before: Summary
    after: Summary
    changes: tuple[VariantDifference, ...]


def summarise(run: Run) -> Summary | Comparison:
    """Summarise a run, or compare its two simulations."""
    found = [
        _summarise_simulation(run, simulation, totals)
        for simulation, totals in zip(run.simulations, run.totals, strict=True)
    ]
    if len(found) == 1:
        return found[0]
    differences = run.differences or Differences(run.totals[0].seats, ())
    return Comparison(found[0], found[1], _changes(run.totals[0], run.totals[1], differences))


def _summarise_simulation(run: Run, simulation: Simulation, totals: Totals) -> Summary:
    setting = simulation.setting
    names = [bot.name for bot in simulation.entrants()]
    return Summary(
        game=setting.game,
        options=dict(setting.options),
        bots=simulation.bots,
        seed=simulation.seed,
        skipped=run.skip,
        asked=run.games,
        games=totals.games,
        interrupted=run.is_interrupted,
        confidence=CONFIDENCE,
        seats=tuple(
            SeatSummary(seat + 1, name, _win_share(totals, seat), _distribution(totals.scores[seat]))
            for seat, name in enumerate(names)
        ),
        by_bot=tuple(
            Part(kind, _win_share(totals, *(seat for seat, name in enumerate(names) if name == kind)))
            for kind in dict.fromkeys(names)
        ),
        by_order=tuple(
            Part(ordinal(place + 1), _share_estimate(totals.share_by_order(place)))
            for place in range(setting.seats)
        ),
        shared=proportion(totals.shared, totals.games),
        endings=tuple(
            Part(name, proportion(number, totals.games))
            for name, number in sorted(totals.endings.items(), key=lambda item: (-item[1], item[0]))
        ),
        length=_distribution(totals.lengths),
    )


def _win_share(totals: Totals, *seats: int) -> Estimate:
    return _share_estimate(totals.share_of_seats(seats))


def _share_estimate(moments: Moments) -> Estimate:
    return proportion(moments.total / WHOLE_WIN, moments.number)


def _distribution(counts: Mapping[int, int]) -> Distribution:
    if not counts:
        return Distribution(mean(Moments(0, 0, 0)), 0.0, 0, 0, 0, {})
    moments = Moments.of(counts)
    return Distribution(
        mean(moments),
        spread(moments),
        min(counts),
        _median(counts, moments.number),
        max(counts),
        dict(sorted(counts.items())),
    )


def _median(counts: Mapping[int, int], number: int) -> int:
    """Lowest value such that at least half of the numbers are at or below it."""
    below = 0
    for value, times in sorted(counts.items()):
        below += times
        if 2 * below >= number:
            return value
    raise ValueError("nothing was counted")


class _Quantity(Value, frozen=True):
    """A quantity compared between two variants."""

    name: str
    of: Callable[[Totals], Moments]
    difference: Moments
    unit: int = 1
    is_share: bool = False


def _changes(before: Totals, after: Totals, found: Differences) -> tuple[VariantDifference, ...]:
    quantities = [*_shares(before, after, found), *_numbers(before.seats, found)]
    judged_at_once = 1 - (1 - CONFIDENCE) / len(quantities)
    return tuple(
        VariantDifference(
            each.name,
            mean(each.of(before), each.unit).value,
            mean(each.of(after), each.unit).value,
            mean(each.difference, each.unit),
            mean(each.difference, each.unit, judged_at_once).is_clear_of(0.0),
            each.is_share,
        )
        for each in quantities
    )


def _shares(before: Totals, after: Totals, found: Differences) -> Iterator[_Quantity]:
    for seat in range(before.seats):
        of = partial(Totals.share_of_seats, seats=[seat])
        yield _Quantity(f"seat {seat + 1} wins", of, found.share(seat), WHOLE_WIN, is_share=True)
    for place in range(before.seats):
        of = partial(Totals.share_by_order, place=place)
        name = f"{ordinal(place + 1)} player wins"
        yield _Quantity(name, of, found.share_by_order(place), WHOLE_WIN, is_share=True)
    yield _Quantity("shared win", lambda it: _count_moments(it, it.shared), found.shared, is_share=True)
    for ending in sorted({*before.endings, *after.endings}):
        of = partial(_ending_moments, ending=ending)
        yield _Quantity(f"ends by {ending}", of, found.ending(ending), is_share=True)


def _numbers(seats: int, found: Differences) -> Iterator[_Quantity]:
    for seat in range(seats):
        yield _Quantity(
            f"score of seat {seat + 1}", partial(_score_moments, seat=seat), found.score(seat)
        )
    yield _Quantity("moves", lambda it: Moments.of(it.lengths), found.length)


def _ending_moments(totals: Totals, ending: str) -> Moments:
    return _count_moments(totals, totals.endings[ending])


def _score_moments(totals: Totals, seat: int) -> Moments:
    return Moments.of(totals.scores[seat])


def _count_moments(totals: Totals, number: int) -> Moments:
    return Moments(totals.games, number, number)


def ordinal(number: int) -> str:
    """Format an ordinal number.

    >>> [ordinal(number) for number in (1, 2, 3, 6)]
    ['1st', '2nd', '3rd', '6th']
    """
    return f"{number}{('th', 'st', 'nd', 'rd', 'th', 'th', 'th')[number]}"
