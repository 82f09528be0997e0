"""Playing strength: every bot level against the next lower one, and Parade's Queen against flat search.

    .venv/bin/python benchmarks/bots.py                       everything: hours
    .venv/bin/python benchmarks/bots.py --deals 50 cookies    duels named "cookies…", 50 deals
    .venv/bin/python benchmarks/bots.py --skip 300 --deals 200 "queen 4"    deals 300 to 499
    .venv/bin/python benchmarks/bots.py --list

One challenger plays against copies of another bot. Each deal is played with the challenger in every seat
and the same shuffle; the 95% confidence interval is the normal one over deals, which are independent.
Budgets are playouts per action, so that the games are the same on every machine; the time per decision
is measured along the way.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from dataclasses import dataclass
from math import inf, sqrt
from statistics import mean, stdev

from wonderland.bots import decide, levels
from wonderland.engine import Match, Over, Seeded, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.games.parade.bots.levels import Queen
from wonderland.lab.arena import Tournament
from wonderland.lab.game_runner import GameSetup, entrants_of

FLAT = "wonderland.games.parade.bots.levels:FlatSearch"
"""The baseline: every card in a number of determinizations, greedy playouts."""
FEW = 2000
"""Playouts for a level with a time budget: far fewer than it makes in that time."""
SEED = "measured"


class _NoEnd:
    """An endgame solver that always reports too much work."""

    def load(self, *_: object) -> None:
        """Do nothing."""

    def hands(self) -> float:
        """Number of deals to enumerate: too many."""
        return inf


class SearchingQueen(Queen):
    """The Queen without her endgame solver: she searches to the end."""

    def __init__(self) -> None:
        super().__init__()
        self.endgame = _NoEnd()


@dataclass(frozen=True, slots=True)
class Duel:
    """One challenger against copies of another bot."""

    name: str
    game: str
    challenger: str
    other: str
    seats: int
    deals: int

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.challenger, *[self.other] * (self.seats - 1))


def duels() -> list[Duel]:
    """All duels. The Queen's playouts are what she makes in 0.1 s on the reference machine."""
    found = []
    for name in game_names():
        for lower, higher in itertools.pairwise(levels(name)):
            by_the_clock = higher.budget.seconds is not None
            challenger = f"{higher.word}@{FEW}" if by_the_clock else higher.word
            found.append(Duel(f"{name} {higher.word}", name, challenger, lower.word, 2, 500))
    parade = [
        ("parade queen 2 players, flat 1000", "queen@14000", f"{FLAT}@1000", 2, 1000),
        ("parade queen 4 players, flat 1000", "queen@6500", f"{FLAT}@1000", 4, 500),
        ("parade queen 2 players, same time", "queen@14000", f"{FLAT}@20000", 2, 1000),
        ("parade queen 4 players, same time", "queen@6500", f"{FLAT}@12500", 4, 500),
        ("parade endgame", "queen@1000", "bots:SearchingQueen@1000", 2, 1000),
    ]
    return found + [Duel(name, "parade", *rest) for name, *rest in parade]  # type: ignore[arg-type]


def seconds_a_choice(duel: Duel, bot: str, games: int = 2) -> float:
    """Mean thinking time of a bot per decision."""
    (who,) = entrants_of(duel.game, (bot,))
    spent = choices = 0.0
    for number in range(games):
        match = Match(game(duel.game), duel.seats, chance=Seeded(number))
        rng, player = random.Random(number), who.make()
        while not isinstance(turn := match.turn, Over):
            seat = seats_to_act(turn)[0]
            start = time.perf_counter()
            action = decide(player, match, seat, rng, who.budget)
            spent += time.perf_counter() - start
            choices += 1
            match.play(seat, action)
    return spent / choices


def play(duel: Duel, deals: int, skip: int, workers: int) -> None:
    """Play a duel and print its row, with interim results along the way."""
    setting = GameSetup(duel.game, duel.seats)
    tournament = Tournament(setting, duel.bots, deals, SEED, skip=skip, workers=workers)

    def line(_: int = 0) -> str:
        shares = [played.share(0) for played in tournament.played]
        half = 1.96 * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 1.0
        return (
            f"{duel.challenger} | {duel.other.rpartition(':')[2]} | {duel.seats} "
            f"| {100 * mean(shares):.1f} ± {100 * half:.1f} % | {tournament.games}"
        )

    def tell(done: int) -> None:
        if done % max(50, deals // 10) == 0:
            print(f"... {duel.name}: {line()}", flush=True)

    tournament.play(tell)
    times = " | ".join(f"{1000 * seconds_a_choice(duel, bot):.1f}" for bot in duel.bots[:2])
    print(f"| {duel.game} | {line()} | {times} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="a name, or parts that must all be in it")
    parser.add_argument("--deals", type=int, help="how many, instead of what is usual")
    parser.add_argument("--skip", type=int, default=0, help="leave out this many: played before")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    named = [duel for duel in duels() if duel.name == " ".join(asked.names)]
    wanted = named or [duel for duel in duels() if all(name in duel.name for name in asked.names)]
    if asked.list:
        print("\n".join(duel.name for duel in wanted))
        return
    print("| game | challenger | others | seats | wins | games | ms a choice | the others' |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    for duel in wanted:
        play(duel, asked.deals or duel.deals, asked.skip, asked.workers)


if __name__ == "__main__":
    main()
