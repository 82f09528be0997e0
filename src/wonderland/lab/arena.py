"""Tournaments: bots meet on the same deals, in every seat, until it is clear which is better.

A *deal* is one seed for all chance outcomes. On each deal, the bots of a *meeting* play every rotation
over the seats, so that neither good cards nor a good seat favours anyone. The meetings are:

- two seats: every pair of bots, in two games per deal, with seats swapped;
- equal numbers of bots and seats: all at one table, in one game per seat and deal; the seating order is
  reshuffled for each deal, so that nobody always follows the same neighbour;
- otherwise every pair: one of the first among copies of the second, and one of the second among copies
  of the first, each in every seat.

A pair is judged by the *edge* of one over the other on each deal: its share of the wins minus that of
the other. Bots of equal strength have an expected edge of zero on any deal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations

from wonderland.bots import Entrant
from wonderland.engine.errors import quote
from wonderland.engine.language import Message, phrase
from wonderland.engine.values import Value
from wonderland.lab.confidence_sequence import ConfidenceSequence
from wonderland.lab.executors import Executor, executor
from wonderland.lab.game_runner import GameSetup, entrants_of, play_one
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.statistics import CONFIDENCE


class Deal(Value, frozen=True):
    """One meeting on one deal, with everything a worker needs."""

    setting: GameSetup
    bots: tuple[str, ...]
    """All bots of the tournament, as written on the command line."""
    meeting: tuple[int, ...]
    """Indices of the bots that meet: two, or all."""
    number: int
    seed: str


class GamePlayed(Value, frozen=True):
    """Seating and winners of one game."""

    seats: tuple[int, ...]
    """Index of the bot at each seat."""
    winners: int
    """Winning seats as bits."""

    def share(self, bot: int) -> float:
        """A bot's share of the win."""
        own = [seat for seat, sitting in enumerate(self.seats) if sitting == bot]
        return sum(self.winners >> seat & 1 for seat in own) / self.winners.bit_count()


class DealPlayed(Value, frozen=True):
    """Results of one meeting on one deal."""

    meeting: tuple[int, ...]
    number: int
    games: tuple[GamePlayed, ...]

    def share(self, bot: int) -> float:
        """A bot's share of the wins in the games where it had a single seat."""
        alone = [game for game in self.games if game.seats.count(bot) == 1]
        return sum(game.share(bot) for game in alone) / len(alone)


def arrangements(deal: Deal) -> list[tuple[int, ...]]:
    """Seating of each game of a deal."""
    seats = deal.setting.seats
    if len(deal.meeting) == seats:
        order = list(deal.meeting)
        if seats > 2:
            random.Random(f"{deal.seed} order {deal.number}").shuffle(order)
        orders = [tuple(order)]
    else:
        one, other = deal.meeting
        orders = [(one, *[other] * (seats - 1)), (other, *[one] * (seats - 1))]
    return [order[-turn:] + order[:-turn] for order in orders for turn in range(seats)]


def play_deal(deal: Deal) -> DealPlayed:
    """Play all games of a deal; this is the function given to executors."""
    bots = entrants_of(deal.setting.game, deal.bots)
    chance_seed = f"{deal.seed} deal {deal.number}"
    where = Message(
        phrase("deal {number} of seed {seed} (to repeat it: {flags})"),
        {
            "number": deal.number,
            "seed": quote(deal.seed),
            "flags": f"--skip {deal.number} --deals 1",
        },
    )
    bot_seed = f"{chance_seed} whims"  # per seat, so that equal bots act alike
    games = []
    for seats in arrangements(deal):
        sitting: list[Entrant] = [bots[bot] for bot in seats]
        played = play_one(deal.setting, sitting, chance_seed, bot_seed, where)
        games.append(GamePlayed(seats, sum(1 << seat for seat in played.result.winners)))
    return DealPlayed(deal.meeting, deal.number, tuple(games))


@dataclass(slots=True)
class Pair:
    """Evidence about two bots that have met."""

    one: int
    other: int
    edge: ConfidenceSequence
    """Edge of the first over the second, scaled to 0..1 so that one half means none."""
    shares: tuple[ConfidenceSequence, ConfidenceSequence]

    def add(self, played: DealPlayed) -> None:
        """Add the result of one deal."""
        mine, theirs = played.share(self.one), played.share(self.other)
        self.edge.add((1 + mine - theirs) / 2)
        self.shares[0].add(mine)
        self.shares[1].add(theirs)


@dataclass(slots=True)
class Tournament:
    """A tournament: its parameters, and the results so far."""

    setting: GameSetup
    bots: tuple[str, ...]
    deals: int
    seed: str
    skip: int = 0
    workers: int = 1
    until_clear: bool = False
    played: list[DealPlayed] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    is_interrupted: bool = False

    def __post_init__(self) -> None:
        pairs = list(combinations(range(len(self.bots)), 2))
        confidence = 1 - (1 - CONFIDENCE) / len(pairs)  # Bonferroni: 95% for all pairs together
        self.pairs = [
            Pair(
                one, other, ConfidenceSequence(confidence), (ConfidenceSequence(), ConfidenceSequence())
            )
            for one, other in pairs
        ]

    @property
    def meetings(self) -> list[tuple[int, ...]]:
        """The meetings of each deal."""
        if len(self.bots) == self.setting.seats:
            return [tuple(range(len(self.bots)))]
        return [(pair.one, pair.other) for pair in self.pairs]

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(len(deal.games) for deal in self.played)

    @property
    def is_clear(self) -> bool:
        """Whether every pair has a clear winner."""
        return all(pair.edge.is_uneven for pair in self.pairs)

    def play(self, tell: Callable[[int], object] = lambda _: None, by: Executor | None = None) -> None:
        """Play to the end, reporting progress to `tell`; an interrupt keeps the results so far.

        Early stopping is decided only after deals that all meetings have played, in order, so it doesn't
        depend on which worker finished first.
        """
        interrupts = Interrupts()
        try:
            with interrupts.guard(), closing(self._results(by)) as results:
                for result in results:
                    with interrupts.defer():
                        self._count(result)
                    tell(len(self.played))
                    is_round = len(self.played) % len(self.meetings) == 0
                    if self.until_clear and is_round and self.is_clear:
                        return
        except KeyboardInterrupt:
            self.is_interrupted = True

    def _results(self, by: Executor | None) -> Generator[DealPlayed, None, None]:
        chosen = by or executor(self.workers, threads=False)
        yield from chosen.run(play_deal, self._tasks())

    def _tasks(self) -> Iterator[Deal]:
        for number in range(self.skip, self.skip + self.deals):
            for meeting in self.meetings:
                yield Deal(self.setting, self.bots, meeting, number, self.seed)

    def _count(self, result: DealPlayed) -> None:
        self.played.append(result)
        for pair in self.pairs:
            if {pair.one, pair.other} <= set(result.meeting):
                pair.add(result)


def names_of(game: str, bots: tuple[str, ...]) -> list[str]:
    """Names of the bots for tables, with a number appended to duplicates."""
    names = [bot.name for bot in entrants_of(game, bots)]
    return [
        name if names.count(name) == 1 else f"{name} {names[:number].count(name) + 1}"
        for number, name in enumerate(names)
    ]
