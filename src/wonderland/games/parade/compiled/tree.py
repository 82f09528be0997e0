"""Information-set Monte Carlo tree search for Parade, over what one seat knows.

Each iteration samples a world, as `search.py` does, and walks down one tree that all worlds share. Its
branches are the cards played, which are public. In a given world only the cards in the hand of the seat
to move are available, so a branch counts its availability as well as its visits. Each seat maximises its
own wins. Below the tree, the game is played out by a policy.

The tree is a hash table: a branch's index is also the number of the node that it leads to. Entries carry
the stamp of their search, so stale ones are recognised and nothing has to be cleared.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.wonderland.games.parade.compiled.play import FastPlay
    from cython.cimports.wonderland.games.parade.compiled.position import (
        PLAYING,
    )  # fmt: skip
    from cython.cimports.wonderland.games.parade.compiled.search import Search
    from cython.cimports.wonderland.games.parade.compiled.zones import MASK
    from cython.cimports.wonderland.kernels.bits import count
    from cython.cimports.wonderland.kernels.rng import GAMMA
else:
    from math import log, sqrt

    from wonderland.games.parade.compiled.play import FastPlay
    from wonderland.games.parade.compiled.search import Search
    from wonderland.games.parade.encoding.layout import MASK, PLAYING
    from wonderland.kernels.bits import count
    from wonderland.kernels.rng import GAMMA

    SIZE, CAPACITY, ROOT = 1 << 16, 50_000, 1 << 19

COMPILED = cython.compiled


class Tree:
    """A search tree over sequences of played cards."""

    def __init__(self) -> None:
        self.search = Search()
        self.stamp = 0
        if not cython.compiled:
            self.keys, self.visits, self.open = [0] * SIZE, [0] * SIZE, [0] * SIZE
            self.gains = [0.0] * SIZE
            self.path, self.movers = [0] * 64, [0] * 64

    def load(self, table: FastPlay, seat: cython.int, random: cython.ulonglong) -> None:
        """Prepare a search of this seat's choices from a state consistent with its view."""
        self.search.load(table, seat, random)
        self.stamp += 1
        self.used = 0

    def grow(
        self,
        turns: cython.int,
        policy: cython.int,
        boldness: cython.double,
        caution: cython.int,
        evenly: cython.int = 0,
    ) -> None:
        """Run this many more iterations; below the tree all seats play by this policy.

        `boldness` is the exploration constant of UCT. `caution` controls progressive widening: the
        higher it is, the more visits a node needs before another card is tried there. With `evenly`,
        the root visits each card of the hand equally often, so that their results are comparable.
        """
        seat: cython.int
        search, root, world = self.search, self.search.root, self.search.world
        for seat in range(6):
            search.policies[seat] = policy
        self.boldness, self.caution, self.evenly = boldness, caution, evenly
        with cython.nogil:
            self._grow(turns, search, root, world)

    def _grow(self, turns: cython.int, search: Search, root: FastPlay, world: FastPlay) -> cython.void:
        for _ in range(turns):
            search.determinize(root, world)
            self._descend(world)
            world.run(search.policies)
            self._learn(world)

    def _descend(self, play: FastPlay) -> cython.void:
        """Walk down the tree, and one step beyond it."""
        node: cython.int = ROOT
        place: cython.int
        seat: cython.int
        self.steps = 0
        while play.stage == PLAYING:
            place = self._select(node, play)
            seat = play.seat
            play.take_turn(place)
            node = self.chosen
            if node < 0:
                return
            self.path[self.steps], self.movers[self.steps] = node, seat
            self.steps += 1
            if self.visits[node] == 0:
                return

    def _select(self, node: cython.int, play: FastPlay) -> cython.int:
        """Return the position in hand of the card to play at a node: an untried one, or the best by UCT.

        The card that takes the fewest points is tried first; others are added as the node collects
        visits, so that rarely visited parts of the tree don't waste them on poor cards.
        """
        place: cython.int
        entry: cython.int
        cost: cython.int
        tried: cython.int = 0
        new: cython.int = -1
        least: cython.int = 1 << 30
        slot: cython.int = 0
        best: cython.int = 0
        most: cython.double = -1e18
        value: cython.double
        hand: cython.int = 8 * play.seat
        for place in range(play.held[play.seat]):
            entry = self._find(node, play.hands[hand + place])
            if entry < 0:
                cost = play.cost(play.leaving(play.present, play.hands[hand + place]))
                if cost < least:
                    least, new, slot = cost, place, -1 - entry
            else:
                tried += 1
                self.open[entry] += 1
                if self.evenly and node == ROOT:
                    value = -self.visits[entry]
                else:
                    value = self.gains[entry] / self.visits[entry] + self.boldness * sqrt(
                        log(self.open[entry]) / self.visits[entry]
                    )
                if value > most:
                    most, best, self.chosen = value, place, entry
        if new >= 0 and (
            tried == 0 or node == ROOT or self.visits[node] >= self.caution * tried * tried
        ):
            self._add(slot, node, play.hands[hand + new])
            return new
        return best

    def _add(self, slot: cython.int, node: cython.int, card: cython.int) -> cython.void:
        """Add a branch, unless the table is full."""
        if self.used == CAPACITY:
            self.chosen = -1
            return
        self.used += 1
        self.keys[slot] = self._key(node, card)
        self.visits[slot], self.open[slot], self.gains[slot] = 0, 1, 0.0
        self.chosen = slot

    def _key(self, node: cython.int, card: cython.int) -> cython.ulonglong:
        return ((self.stamp << 20 | node) << 7) | card

    def _find(self, node: cython.int, card: cython.int) -> cython.int:
        """Return the index of a card's branch; if there is none, -1 minus the index of its free slot."""
        key: cython.ulonglong = self._key(node, card)
        at: cython.int = (((key * GAMMA) & MASK) >> 32) & (SIZE - 1)
        while self.keys[at] != key:
            if self.keys[at] >> 27 != self.stamp:
                return -1 - at
            at = (at + 1) & (SIZE - 1)
        return at

    def _learn(self, play: FastPlay) -> cython.void:
        """Back up the result: credit every branch on the path with its mover's share of the win."""
        step: cython.int
        winners: cython.int = play.who_won()
        share: cython.float = 1.0 / count(winners)
        for step in range(self.steps):
            self.visits[self.path[step]] += 1
            if winners >> self.movers[step] & 1:
                self.gains[self.path[step]] += share

    def found(self) -> dict[int, tuple[int, float]]:
        """Return the visits and the win probability of each card in hand."""
        found = {}
        root = self.search.root
        place: cython.int
        for place in range(root.held[self.search.seat]):
            card: cython.int = root.hands[8 * self.search.seat + place]
            entry: cython.int = self._find(ROOT, card)
            tried = self.visits[entry] if entry >= 0 else 0
            found[card] = (tried, self.gains[entry] / tried if tried else 0.0)
        return found
