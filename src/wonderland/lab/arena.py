"""Tournaments: bots meet on the same deals, in every seat, until it is clear who is better.

A *deal* is one piece of luck. On each deal the bots of a *meeting* play every rotation over the seats,
so that nobody owes a win to good cards or a good place. Who meets whom:

- two seats: every pair of bots, in two games a deal, with places exchanged;
- as many bots as seats: all at one table, in as many games a deal as there are seats; in which order
  they sit is drawn anew for each deal, so that nobody always follows the same neighbour;
- otherwise every pair: one of the first among others of the second, and one of the second among others
  of the first, each in every seat.

What counts for a pair is the *edge* of one over the other on each deal: its share of the wins less that
of the other. Equal bots have an edge of nought in the mean, whatever luck does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations

from wonderland.bots import Entrant
from wonderland.engine.values import Value
from wonderland.lab.confidence_sequence import ConfidenceSequence
from wonderland.lab.executors import Executor, executor
from wonderland.lab.game_runner import GameSetup, entrants_of, play_one
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.statistics import CONFIDENCE


class Deal(Value, frozen=True):
    """One meeting on one deal: all that a worker needs to know."""

    setting: GameSetup
    bots: tuple[str, ...]
    """All that take part in the tournament, as commands name them."""
    meeting: tuple[int, ...]
    """The bots that meet here, by their numbers: two, or all."""
    number: int
    seed: str


class GamePlayed(Value, frozen=True):
    """Who sat where, and who won."""

    seats: tuple[int, ...]
    """The number of the bot at each seat."""
    winners: int
    """A bit for each seat."""

    def share(self, bot: int) -> float:
        """The part of the win that a bot had."""
        own = [seat for seat, sitting in enumerate(self.seats) if sitting == bot]
        return sum(self.winners >> seat & 1 for seat in own) / self.winners.bit_count()


class DealPlayed(Value, frozen=True):
    """What came of a deal."""

    meeting: tuple[int, ...]
    number: int
    games: tuple[GamePlayed, ...]

    def share(self, bot: int) -> float:
        """The part of the wins that a bot had, where it was alone of its kind."""
        alone = [game for game in self.games if game.seats.count(bot) == 1]
        return sum(game.share(bot) for game in alone) / len(alone)


def arrangements(deal: Deal) -> list[tuple[int, ...]]:
    """Who sits where in each game of a deal."""
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
    """Play all games of a deal: the function that is handed to executors."""
    bots = entrants_of(deal.setting.game, deal.bots)
    luck = f"{deal.seed} deal {deal.number}"
    where = f"deal {deal.number} of seed {deal.seed!r}; --skip {deal.number} --deals 1 plays it again"
    whims = f"{luck} whims"  # of a seat, whoever sits there: bots that are alike do alike
    games = []
    for seats in arrangements(deal):
        sitting: list[Entrant] = [bots[bot] for bot in seats]
        played = play_one(deal.setting, sitting, luck, whims, where)
        games.append(GamePlayed(seats, sum(1 << seat for seat in played.result.winners)))
    return DealPlayed(deal.meeting, deal.number, tuple(games))


@dataclass(slots=True)
class Pair:
    """What is known of two bots that have met."""

    one: int
    other: int
    edge: ConfidenceSequence
    """Of the first over the second, on a scale where one half is none."""
    shares: tuple[ConfidenceSequence, ConfidenceSequence]

    def add(self, played: DealPlayed) -> None:
        """One more deal."""
        mine, theirs = played.share(self.one), played.share(self.other)
        self.edge.add((1 + mine - theirs) / 2)
        self.shares[0].add(mine)
        self.shares[1].add(theirs)


@dataclass(slots=True)
class Tournament:
    """What was asked for, and what has been played so far."""

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
        couples = list(combinations(range(len(self.bots)), 2))
        sure = 1 - (1 - CONFIDENCE) / len(couples)  # all pairs together are right in 95 of 100 cases
        self.pairs = [
            Pair(one, other, ConfidenceSequence(sure), (ConfidenceSequence(), ConfidenceSequence()))
            for one, other in couples
        ]

    @property
    def meetings(self) -> list[tuple[int, ...]]:
        """Who meets on each deal."""
        if len(self.bots) == self.setting.seats:
            return [tuple(range(len(self.bots)))]
        return [(pair.one, pair.other) for pair in self.pairs]

    @property
    def games(self) -> int:
        """How many games have been played."""
        return sum(len(deal.games) for deal in self.played)

    @property
    def is_clear(self) -> bool:
        """Whether it is clear of every pair who is better."""
        return all(pair.edge.is_uneven for pair in self.pairs)

    def play(self, tell: Callable[[int], object] = lambda _: None, by: Executor | None = None) -> None:
        """Play on to the end, telling how many deals are done; an interrupt keeps what there is.

        It is judged only after a deal that all have played, in the order of the deals: where it stops
        does not depend on who finished first.
        """
        interrupts = Interrupts()
        try:
            with interrupts.guard(), closing(self._results(by)) as results:
                for result in results:
                    with interrupts.put_off():
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
    """The names of the bots for tables, with numbers behind those that would be the same."""
    names = [bot.name for bot in entrants_of(game, bots)]
    return [
        name if names.count(name) == 1 else f"{name} {names[:number].count(name) + 1}"
        for number, name in enumerate(names)
    ]
