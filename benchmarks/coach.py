"""Agreement between the coach and the strongest bot with ten times its usual budget.

    python benchmarks/coach.py --positions 40
    python benchmarks/coach.py --positions 100 --game parade --seats 4

Positions come from games of the strongest bot against itself on a small budget. Only those count where
the coach finds one choice clearly best: ahead by more than sampling error explains and by at least two
percentage points. Choices exactly as good as the best count as agreement. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from typing import Any

from wonderland.bots import decide, levels
from wonderland.bots.evaluation import default_budget, evaluate
from wonderland.components.bots import Budget, Level
from wonderland.components.judge import Evaluation
from wonderland.engine import Match, Seeded
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names

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
        match: AnyMatch = Match(game(name), seats, luck=Seeded(f"coach {name} {seats} {seed} {play}"))
        bots = [strongest.make() for _ in range(seats)]
        met = []
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            if len(match.legal(seat)) > 1:
                met.append((match.fork(), seat))
            match.play(seat, decide(bots[seat], match, seat, rng, Budget(playouts=50)))
        yield from rng.sample(met, min(2, len(met)))


def tenfold(level: Level, name: str, seats: int) -> Budget:
    """Ten times the bot's usual budget; a time budget is converted to play-outs."""
    usual = level.budget.playouts or default_budget(name, seats).playouts or 1
    return Budget(playouts=TEN_TIMES * usual)


def is_clear(found: Evaluation) -> bool:
    """Whether the best choice is clearly better than everything not equally good."""
    best = found.best
    worse = [value for value in found.worths if value.chance < best.chance - 1e-9]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=20, help="for each game and number of players")
    parser.add_argument("--game", choices=game_names(), help="only this one")
    parser.add_argument("--seats", type=int, help="only with so many players")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    headings = ["", "coach", "bot", "positions", "clear", "agreed", "", "worst (points)", "CPU"]
    print(f"| {' | '.join(headings)} |\n|---|{'---:|' * (len(headings) - 1)}")
    for name in [options.game] if options.game else game_names():
        for seats in [options.seats] if options.seats else [game(name).info.seats[0], 4]:
            print(
                f"| {' | '.join(compared(name, seats, options.positions, options.seed))} |", flush=True
            )


if __name__ == "__main__":
    main()
