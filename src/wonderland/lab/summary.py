"""What a simulation found, as one value: tables show it, JSON holds it, plots draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from wonderland.engine.values import Value
from wonderland.lab.game_runner import Simulation
from wonderland.lab.run import Run
from wonderland.lab.statistics import CONFIDENCE, Estimate, mean, proportion, spread
from wonderland.lab.totals import WHOLE_WIN, Differences, Moments, Totals


class Distribution(Value, frozen=True, tag="Spread"):
    """Numbers, one for each game: their mean, how they scatter, and how often each came."""

    mean: Estimate
    deviation: float
    lowest: int
    median: int
    highest: int
    counts: dict[int, int]


class SeatSummary(Value, frozen=True):
    """How a seat fared."""

    seat: int
    """Counted from 1, as people are shown them."""
    bot: str
    wins: Estimate
    """The part of the wins, a shared one divided by those who share it."""
    score: Distribution


class Part(Value, frozen=True):
    """How often something was the case."""

    name: str
    share: Estimate


class Summary(Value, frozen=True):
    """All that a simulation found."""

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
    """The wins of each kind of bot, all its seats together."""
    by_order: tuple[Part, ...]
    """The wins of whoever was first to play, second, and so on."""
    shared: Estimate
    endings: tuple[Part, ...]
    length: Distribution
    """The number of decisions."""


class VariantDifference(Value, frozen=True, tag="Change"):
    """By how much something differs between two variants."""

    name: str
    before: float
    after: float
    difference: Estimate
    is_clear: bool
    """Whether it would be clear of nought even if all changes of a comparison were judged at once."""
    is_share: bool


class Comparison(Value, frozen=True):
    """What a variant changes."""

    before: Summary
    after: Summary
    changes: tuple[VariantDifference, ...]


def summarise(run: Run) -> Summary | Comparison:
    """What was found so far; with two simulations, what changes from the first to the second."""
    found = [
        _summary(run, simulation, totals)
        for simulation, totals in zip(run.simulations, run.totals, strict=True)
    ]
    if len(found) == 1:
        return found[0]
    differences = run.differences or Differences(run.totals[0].seats, ())
    return Comparison(found[0], found[1], _changes(run.totals[0], run.totals[1], differences))


def _summary(run: Run, simulation: Simulation, totals: Totals) -> Summary:
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
            SeatSummary(seat + 1, name, _share(totals, seat), _spread(totals.scores[seat]))
            for seat, name in enumerate(names)
        ),
        by_bot=tuple(
            Part(kind, _share(totals, *(seat for seat, name in enumerate(names) if name == kind)))
            for kind in dict.fromkeys(names)
        ),
        by_order=tuple(
            Part(ordinal(place + 1), _part(totals.share_by_order(place)))
            for place in range(setting.seats)
        ),
        shared=proportion(totals.shared, totals.games),
        endings=tuple(
            Part(name, proportion(number, totals.games))
            for name, number in sorted(totals.endings.items(), key=lambda item: (-item[1], item[0]))
        ),
        length=_spread(totals.lengths),
    )


def _share(totals: Totals, *seats: int) -> Estimate:
    return _part(totals.share_of_seats(seats))


def _part(moments: Moments) -> Estimate:
    return proportion(moments.total / WHOLE_WIN, moments.number)


def _spread(counts: Mapping[int, int]) -> Distribution:
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
    """The lowest value that at least half of all reach or stay below."""
    below = 0
    for value, times in sorted(counts.items()):
        below += times
        if 2 * below >= number:
            return value
    raise ValueError("nothing was counted")


class _Quantity(Value, frozen=True):
    """Something that can differ between two variants."""

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
        name = f"{ordinal(place + 1)} to play wins"
        yield _Quantity(name, of, found.share_by_order(place), WHOLE_WIN, is_share=True)
    yield _Quantity("the win is shared", lambda it: _times(it, it.shared), found.shared, is_share=True)
    for ending in sorted({*before.endings, *after.endings}):
        of = partial(_ended, ending=ending)
        yield _Quantity(f"ends by {ending}", of, found.ending(ending), is_share=True)


def _numbers(seats: int, found: Differences) -> Iterator[_Quantity]:
    for seat in range(seats):
        yield _Quantity(f"score of seat {seat + 1}", partial(_scored, seat=seat), found.score(seat))
    yield _Quantity("decisions", lambda it: Moments.of(it.lengths), found.length)


def _ended(totals: Totals, ending: str) -> Moments:
    return _times(totals, totals.endings[ending])


def _scored(totals: Totals, seat: int) -> Moments:
    return Moments.of(totals.scores[seat])


def _times(totals: Totals, number: int) -> Moments:
    return Moments(totals.games, number, number)


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 6)]
    ['1st', '2nd', '3rd', '6th']
    """
    return f"{number}{('th', 'st', 'nd', 'rd', 'th', 'th', 'th')[number]}"
