"""The coach's verdicts: how stable, how true and how fast they are. Prints Markdown tables.

    python benchmarks/coach.py --positions 40
    python benchmarks/coach.py --positions 100 --game parade --seats 4
    python benchmarks/coach.py calibration --positions 100
    python benchmarks/coach.py speed --positions 3

Positions come from games of the strongest bot against itself on a small budget.

`agreement`, which is the default, asks the strongest bot with ten times its usual budget. Only those
positions count where the coach finds one choice clearly best: ahead by more than sampling error explains
and by at least two percentage points. Choices exactly as good as the best count as agreement.

`calibration` plays on: of the positions in which the coach gives the best choice 60 to 70%, how many are
won when the strongest bots make this choice and play on? Each position is played on several times; the
intervals take the positions, not the continuations, as independent.

`speed` reviews whole games as the server does: the longest time until a first verdict, and the mean
until the last, by the clock and of processor time, on one thread and on one for each core.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from statistics import fmean, pvariance
from typing import Any, NamedTuple

from wonderland.bots import decide, levels
from wonderland.bots.evaluation import default_budget, evaluate
from wonderland.components.bots import Budget, Level
from wonderland.components.judge import Evaluation
from wonderland.engine import Match, Seeded
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.engine.registry import game, game_names
from wonderland.features.coach.review import Coach
from wonderland.lab.statistics import proportion

TEN_TIMES = 10
MARGIN = 0.02
"""Smaller differences in win probability don't count as clear, however certain."""


def positions(name: str, seats: int, seed: int) -> Iterator[tuple[AnyMatch, int]]:
    """Yield matches in which a seat has a choice, at most two from each game."""
    rng = random.Random(f"{name} {seats} {seed}")
    strongest = levels(name)[-1]
    play = 0
    while True:
        play += 1
        match: AnyMatch = Match(game(name), seats, chance=Seeded(f"coach {name} {seats} {seed} {play}"))
        bots = [strongest.make() for _ in range(seats)]
        met = []
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            if len(match.legal(seat)) > 1:
                met.append((match.fork(), seat))
            match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=50)))
        yield from rng.sample(met, min(2, len(met)))


def tenfold(level: Level, name: str, seats: int) -> Budget:
    """Ten times the bot's usual budget; a time budget is converted to playouts."""
    usual = level.budget.playouts or default_budget(name, seats).playouts or 1
    return Budget(playouts=TEN_TIMES * usual)


def is_clear(found: Evaluation) -> bool:
    """Whether the best choice is clearly better than everything not equally good."""
    best = found.best
    worse = [value for value in found.action_values if value.chance < best.chance - 1e-9]
    return bool(worse) and all(is_missed(found, value.action) for value in worse)


def is_missed(found: Evaluation, action: Any) -> bool:
    """Whether an action is clearly worse than the best."""
    return found.is_clear(action) and found.cost(action) >= MARGIN


def compared(name: str, seats: int, number: int, seed: int) -> list[str]:
    """Compute a row of the table."""
    level = levels(name)[-1]
    bot, budget = level.make(), tenfold(level, name, seats)
    clear = agreed = 0
    worst, began = 0.0, time.process_time()
    for at, (match, seat) in zip(range(number), positions(name, seats, seed), strict=False):
        found = evaluate(match.game, match.state, seat)
        if not is_clear(found):
            continue
        wanted = decide(bot, match, seat, random.Random(f"{seed} {at}"), budget)
        clear += 1
        agreed += not is_missed(found, wanted)
        worst = max(worst, found.cost(wanted))
    share = f"{100 * agreed / clear:.0f} %" if clear else "-"
    return [
        f"{game(name).info.title}, {seats} players",
        f"{default_budget(name, seats).playouts:,}",
        f"{level.name}, {budget.playouts:,}",
        str(number),
        str(clear),
        str(agreed),
        share,
        f"{100 * worst:.1f}",
        f"{time.process_time() - began:.0f} s",
    ]


# Calibration

BINS = 10
INTERVAL_ERRORS = 1.96


def play_on(match: AnyMatch, seat: int, action: Any, seed: str, budget: Budget) -> float:
    """Make a choice, let the strongest bots play to the end, and return the seat's share of the win."""
    name, rng = match.game.info.name, random.Random(seed)
    bots = [levels(name)[-1].make() for _ in match.names]
    here = match.fork(Seeded(seed))
    here.play(seat, action)
    while not isinstance(turn := here.turn, Over):
        acting = seats_to_act(turn)[0]
        here.play(acting, decide(bots[acting], here, acting, rng, budget))
    winners = turn.result.winners
    return 1 / len(winners) if seat in winners else 0.0


def calibrate(options: argparse.Namespace, name: str, seats: int) -> Iterator[list[str]]:
    """Compute the rows of one game: for each bin, what was predicted, and what was won."""
    budget = Budget(playouts=options.playouts)
    found: list[tuple[float, float]] = []
    met = zip(range(options.positions), positions(name, seats, options.seed), strict=False)
    for at, (match, seat) in met:
        best = evaluate(match.game, match.state, seat).best
        won = [
            play_on(match, seat, best.action, f"{options.seed} {at} {number}", budget)
            for number in range(options.continuations)
        ]
        found.append((best.chance, fmean(won)))
    for number in range(BINS):
        inside = [pair for pair in found if min(int(pair[0] * BINS), BINS - 1) == number]
        if inside:
            yield [
                f"{game(name).info.title}, {seats} players",
                f"{100 * number // BINS} to {100 * (number + 1) // BINS} %",
                str(len(inside)),
                f"{100 * fmean(chance for chance, _ in inside):.1f} %",
                _share_with_interval([won for _, won in inside]),
            ]
    lead = [won - chance for chance, won in found]
    yield [
        f"{game(name).info.title}, {seats} players",
        "all",
        str(len(found)),
        f"{100 * fmean(chance for chance, _ in found):.1f} %",
        f"{_share_with_interval([won for _, won in found])}, off by {100 * fmean(lead):+.1f}",
    ]


def _share_with_interval(shares: list[float]) -> str:
    """The mean of independent shares with its 95% interval; for few of them, that of a proportion."""
    mean, number = fmean(shares), len(shares)
    error = INTERVAL_ERRORS * sqrt(pvariance(shares) / (number - 1)) if number > 1 else 1.0
    low, high = max(0.0, mean - error), min(1.0, mean + error)
    if number < MANY:
        few = proportion(mean * number, number)
        low, high = few.low, few.high
    return f"{100 * mean:.1f} % ({100 * low:.0f} to {100 * high:.0f})"


MANY = 30
"""From this many positions on, their mean is nearly normal."""


# Speed


def whole_game(name: str, seats: int, seed: int) -> AnyRecord:
    """A game of the strongest bot against itself."""
    rng, strongest = random.Random(f"{name} {seats} {seed}"), levels(name)[-1]
    match: AnyMatch = Match(game(name), seats, chance=Seeded(f"speed {name} {seats} {seed}"))
    bots = [strongest.make() for _ in range(seats)]
    while not isinstance(turn := match.turn, Over):
        seat = seats_to_act(turn)[0]
        match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=50)))
    return match.record


class Timing(NamedTuple):
    """How long a review took, in seconds by the clock and of processor time."""

    decisions: int
    first: float
    first_work: float
    """Until the first verdict; with several threads, this includes work on the next ones."""
    all: float
    all_work: float


def time_review(record: AnyRecord, threads: int) -> Timing:
    """Review a game as the server does."""
    began, used = time.perf_counter(), time.process_time()
    coach, first = Coach(record), (0.0, 0.0)
    with ThreadPoolExecutor(threads) as pool:
        for number, _ in enumerate(pool.map(coach.answer, coach.questions)):
            if number == 0:
                first = time.perf_counter() - began, time.process_time() - used
    spent = time.perf_counter() - began, time.process_time() - used
    return Timing(len(coach.questions), *first, *spent)


def time_reviews(options: argparse.Namespace, name: str, seats: int) -> Iterator[list[str]]:
    """Compute the rows of one game: on one thread, and on one for each core."""
    records = [whole_game(name, seats, options.seed + at) for at in range(options.positions)]
    for threads in sorted({1, os.cpu_count() or 1}):
        runs = [time_review(record, threads) for record in records]
        yield [
            f"{game(name).info.title}, {seats} players",
            str(threads),
            str(len(runs)),
            f"{fmean(run.decisions for run in runs):.0f}",
            f"{max(run.first for run in runs):.2f} s",
            f"{max(run.first_work for run in runs):.2f} s",
            f"{fmean(run.all for run in runs):.1f} s",
            f"{fmean(run.all_work for run in runs):.1f} s",
        ]


# Tables

HEADINGS = {
    "agreement": ("", "coach", "bot", "positions", "clear", "agreed", "", "worst (points)", "CPU"),
    "calibration": ("", "judged", "positions", "mean verdict", "won when played on"),
    "speed": ("", "threads", "games", "decisions", "first", "first, CPU", "all", "all, CPU"),
}


def rows(options: argparse.Namespace, name: str, seats: int) -> Iterator[list[str]]:
    """Measure one game with one number of players."""
    measures: dict[str, Callable[..., Iterator[list[str]]]] = {
        "calibration": calibrate,
        "speed": time_reviews,
    }
    if options.measure in measures:
        yield from measures[options.measure](options, name, seats)
    else:
        yield compared(name, seats, options.positions, options.seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("measure", nargs="?", choices=list(HEADINGS), default="agreement")
    parser.add_argument(
        "--positions", type=int, default=20, help="for each game and number of players; games for speed"
    )
    parser.add_argument("--game", choices=game_names(), help="only this one")
    parser.add_argument("--seats", type=int, help="only with this number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--continuations", type=int, default=4, help="of each position, to calibrate")
    parser.add_argument("--playouts", type=int, default=400, help="of the bots that play on")
    options = parser.parse_args()
    headings = HEADINGS[options.measure]
    print(f"| {' | '.join(headings)} |\n|---|{'---:|' * (len(headings) - 1)}")
    for name in [options.game] if options.game else game_names():
        for seats in [options.seats] if options.seats else [game(name).info.seats[0], 4]:
            for row in rows(options, name, seats):
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
