"""Exact solver for the end of a two-player game: the last round, and which two cards to keep.

Nobody draws any more, so the only hidden information is the other hand: four or five of the unseen
cards, all combinations equally likely. The solver enumerates them all. It models the opponent as playing
the card and keeping the two that give the lowest score right now (then the fewest cards, P15), and
counts exactly how often each of the seat's own choices wins against that. After playing its last card
the seat may still see the opponent's card before choosing what to keep, so the best pair counts for
each such card.

The opponent's cost of a card and a pair doesn't depend on the rest of the hand. So costs are computed
once per combination, enumerating hands is a search for the minimum, and wins are counted once for all
hands with the same minimum.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.play import FastPlay
    from cython.cimports.wonderland.games.parade.compiled.position import (
        PLAYING,
    )  # fmt: skip
    from cython.cimports.wonderland.games.parade.compiled.search import Search
    from cython.cimports.wonderland.games.parade.compiled.zones import (
        ADDED,
        COUNTS,
        ONE_IN_EACH,
        joined,
        points_in,
    )  # fmt: skip
else:
    from wonderland.games.parade.compiled.play import FastPlay
    from wonderland.games.parade.compiled.search import Search
    from wonderland.games.parade.compiled.zones import ADDED, joined, points_in
    from wonderland.games.parade.encoding.layout import COUNTS, ONE_IN_EACH, PLAYING

    SIDE, ALL, PAIRS, MOST = 64, 64**3, 6, 1 << 40

COMPILED = cython.compiled


def tally(zone: cython.ulonglong, other: cython.ulonglong) -> cython.int:
    """P12 to P15 for two players: return a zone's score against another times 64, plus its cards."""
    counts: cython.ulonglong = zone & COUNTS
    points: cython.int = points_in(zone, (other & COUNTS) + 2 * ONE_IN_EACH)
    cards: cython.int = (counts * ONE_IN_EACH) >> 50 & 63
    return 64 * points + cards


class Endgame:
    """A seat's choices at the end of a two-player game, and how often each of them wins."""

    def __init__(self) -> None:
        self.search = Search()
        self.after = FastPlay()
        if not cython.compiled:
            self.costs, self.times = [0] * ALL, [0] * ALL
            self.pool, self.zones, self.hand = [0] * SIDE, [0] * SIDE, [0] * 5
            self.wins = [0.0] * (5 * PAIRS * SIDE)

    def load(self, table: FastPlay, seat: cython.int, random: cython.ulonglong) -> None:
        """Prepare this seat's choices from a state consistent with its view."""
        self.search.load(table, seat, random)
        place: cython.int
        self.seat, self.held, self.pooled = seat, table.held[1 - seat], self.search.pooled
        for place in range(self.pooled):
            self.pool[place] = self.search.pool[place]

    def hands(self) -> int:
        """Return the number of hands that the opponent may hold."""
        return comb(self.pooled, self.held)

    def solve(self) -> None:
        """Enumerate all hands that the opponent may hold, for each card the seat may play first."""
        root, after = self.search.root, self.after
        option: cython.int
        with cython.nogil:
            for option in range(self._options(root)):
                after.copy(root)
                if root.stage == PLAYING:
                    after.take_turn(option)
                self._solve_after(option, after)

    def _options(self, root: FastPlay) -> cython.int:
        """Return the number of cards to choose from; 1 if no card is to be played."""
        return root.held[self.seat] if root.stage == PLAYING else 1

    def _solve_after(self, option: cython.int, play: FastPlay) -> cython.void:
        """Count the wins of each pair to keep, for each card that the opponent may play now."""
        which: cython.int
        for which in range(PAIRS * SIDE):
            self.wins[option * PAIRS * SIDE + which] = 0.0
        self.plays = play.stage == PLAYING
        self._reckon(play)
        self._go_through(0, 0, MOST)
        self._count_wins(option, play)

    def _reckon(self, play: FastPlay) -> cython.void:
        """Compute the opponent's cost of playing each card and keeping each pair."""
        card: cython.int
        one: cython.int
        two: cython.int
        at: cython.int
        pooled: cython.int = self.pooled
        other: cython.int = 1 - self.seat
        for card in range(pooled if self.plays else 1):
            self.zones[card] = play.zones[other]
            if self.plays:
                self.zones[card] = joined(
                    play.zones[other], play.cards, play.leaving(play.present, self.pool[card])
                )
            for one in range(pooled):
                for two in range(one + 1, pooled):
                    at = (card * SIDE + one) * SIDE + two
                    self.times[at] = 0
                    self.costs[at] = tally(self._kept(card, one, two), play.zones[self.seat])

    def _kept(self, card: cython.int, one: cython.int, two: cython.int) -> cython.ulonglong:
        """Return the opponent's zone after playing a card and keeping a pair."""
        return self.zones[card] + ADDED[self.pool[one]] + ADDED[self.pool[two]]

    def _entry(self, card: cython.int, one: cython.int, two: cython.int) -> cython.longlong:
        """Return the cost of playing a card and keeping a pair, with its index in the low bits."""
        at: cython.longlong = (card * SIDE + one) * SIDE + two
        return cython.cast(cython.longlong, self.costs[at]) * ALL + at

    def _go_through(
        self, chosen: cython.int, start: cython.int, cheapest: cython.longlong
    ) -> cython.void:
        """Enumerate the hands that extend the chosen cards; count the opponent's best option in each."""
        new: cython.int
        one: cython.int
        two: cython.int
        least: cython.longlong
        for new in range(start, self.pooled - self.held + chosen + 1):
            least = cheapest
            for one in range(chosen):
                if not self.plays:
                    least = min(least, self._entry(0, self.hand[one], new))
                    continue
                for two in range(one):
                    least = min(least, self._entry(new, self.hand[two], self.hand[one]))
                    least = min(least, self._entry(self.hand[one], self.hand[two], new))
                    least = min(least, self._entry(self.hand[two], self.hand[one], new))
            if chosen + 1 == self.held:
                self.times[least % ALL] += 1
            else:
                self.hand[chosen] = new
                self._go_through(chosen + 1, new + 1, least)

    def _count_wins(self, option: cython.int, play: FastPlay) -> cython.void:
        """Count the wins of each of the seat's pairs, by the card that the opponent has played."""
        card: cython.int
        one: cython.int
        two: cython.int
        times: cython.int
        pooled: cython.int = self.pooled
        for card in range(pooled if self.plays else 1):
            for one in range(pooled):
                for two in range(one + 1, pooled):
                    times = self.times[(card * SIDE + one) * SIDE + two]
                    if times:
                        self._add_wins(option, card, play, self._kept(card, one, two), times)

    def _add_wins(
        self,
        option: cython.int,
        card: cython.int,
        play: FastPlay,
        theirs: cython.ulonglong,
        times: cython.int,
    ) -> cython.void:
        """Add the wins over `times` hands that end with this opponent zone."""
        pair: cython.int = option * PAIRS
        one: cython.int
        two: cython.int
        mine: cython.ulonglong
        lead: cython.int
        hand: cython.ulonglong = play.hand(self.seat)
        for one in range(3):
            for two in range(one + 1, 4):
                mine = play.zones[self.seat] + (
                    ADDED[hand >> (8 * one) & 0xFF] + ADDED[hand >> (8 * two) & 0xFF]
                )
                lead = tally(theirs, mine) - tally(mine, theirs)
                if lead >= 0:
                    self.wins[pair * SIDE + card] += times if lead else 0.5 * times
                pair += 1

    def shares(self) -> dict[tuple[int, int], float]:
        """Return the win probability of each pair of cards; a single card is paired with itself."""
        root, hands = self.search.root, self.hands()
        hand = [root.hands[8 * self.seat + place] for place in range(root.held[self.seat])]
        if root.stage == PLAYING:
            return {(card, card): self._best(place) / hands for place, card in enumerate(hand)}
        return {
            (min(two), max(two)): self.wins[pair * SIDE] / hands
            for pair, two in enumerate(combinations(hand, 2))
        }

    def _best(self, option: cython.int) -> float:
        """Return the wins after a card, with the best pair for each card the opponent may play."""
        pairs = range(option * PAIRS, option * PAIRS + PAIRS)
        return sum([max([self.wins[pair * SIDE + card] for pair in pairs]) for card in range(SIDE)])
