"""Tree search for Parade: information-set Monte-Carlo tree search over what one seat knows.

Every turn of the search imagines a world, as `search.py` does, and walks down one tree that all worlds
share: its branches are the cards that were played, which all can see. In each world only the cards of
the hand whose turn it is are open, so a branch counts how often it was open as well as how often it was
taken. Each seat takes what has been best for itself. Below the tree the play goes on by a policy.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

if cython.compiled:
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.wonderland.games.parade.play import GOLDEN, KEEPING, MASK, PLAYING, Play
    from cython.cimports.wonderland.games.parade.search import Search
else:
    from math import log, sqrt

    from wonderland.games.parade.layout import GOLDEN, KEEPING, MASK, PLAYING
    from wonderland.games.parade.play import Play
    from wonderland.games.parade.search import Search

COMPILED = cython.compiled
SIZE = 1 << 18


class Tree:
    """The tree of one choice."""

    def __init__(self) -> None:
        self.search = Search()
        if not cython.compiled:
            self.keys, self.visits, self.open = [0] * 262144, [0] * 262144, [0] * 262144
            self.gains = [0.0] * 262144
            self.path, self.movers = [0] * 64, [0] * 64
            self.shares = [0.0] * 6

    def load(self, table, seat, random):
        which: cython.int
        self.search.load(table, seat, random)
        for which in range(262144):
            self.keys[which] = 0
        self.used = 1
        self.visits[0] = self.open[0] = 0

    def grow(self, iterations: cython.int, policy: cython.int, boldness: cython.double, depth: cython.int) -> None:
        seat: cython.int
        search = self.search
        root, world = search.root, search.world
        for seat in range(root.seats):
            search.policies[seat] = policy
        self.boldness = boldness
        self.depth = depth
        with cython.nogil:
            self._grow(iterations, search, root, world)

    def _grow(self, iterations, search, root, world):
        number: cython.int
        for number in range(iterations):
            search.random += 1
            search._imagine(root, world)
            self._descend(world)
            world._play_out(search.policies)
            self._learn(world)

    def _descend(self, play):
        """Walk down, and one step out of the tree."""
        node: cython.int = 0
        place: cython.int
        entry: cython.int
        self.length = 0
        while play.stage == PLAYING and self.length < self.depth:
            place = self._select(node, play)
            entry = self.chosen
            self.path[self.length], self.movers[self.length] = entry, play.seat
            self.length += 1
            play._play(place, play._leaving(play.hands[play.seat] >> (8 * place) & 0xFF))
            if play.turns_left:
                play._drop(place)
                play._pass_on()
            else:
                play._draw(place, play._below(play.pile))
            if self.visits[entry] == 0:
                return
            node = entry

    def _select(self, node, play):
        """The place of the card to play at a node: one not tried yet, or the most promising."""
        place: cython.int
        entry: cython.int
        held: cython.int = play.held[play.seat]
        hand: cython.ulonglong = play.hands[play.seat]
        best: cython.int = 0
        unseen: cython.int = 0
        most: cython.double = -1.0
        worth: cython.double
        for place in range(held):
            entry = self._find(node, hand & 0xFF)
            hand >>= 8
            self.open[entry] += 1
            if self.visits[entry] == 0:
                unseen += 1
                if most < 2.0 or play._below(unseen) == 0:
                    most, best, self.chosen = 1000.0, place, entry
            elif most < 1000.0:
                worth = self.gains[entry] / self.visits[entry] + self.boldness * sqrt(
                    log(self.open[entry]) / self.visits[entry]
                )
                if worth > most:
                    most, best, self.chosen = worth, place, entry
        return best

    def _find(self, node, card):
        """The entry of a card at a node; made if there is none."""
        key: cython.ulonglong = (cython.cast(cython.ulonglong, node) << 7 | card) + 1
        at: cython.int = ((key * GOLDEN) & MASK) >> 46
        while self.keys[at] != 0 and self.keys[at] != key:
            at = (at + 1) & 262143
            if at == 0:
                at = 1
        if self.keys[at] == 0:
            self.keys[at] = key
            self.used += 1
            self.visits[at] = self.open[at] = 0
            self.gains[at] = 0.0
        return at

    def _learn(self, play):
        step: cython.int
        seat: cython.int
        winners: cython.int = play._winners()
        count: cython.int = 0
        for seat in range(play.seats):
            count += winners >> seat & 1
        for step in range(self.length):
            self.visits[self.path[step]] += 1
            if winners >> self.movers[step] & 1:
                self.gains[self.path[step]] += 1.0 / count

    def results(self):
        found = []
        place: cython.int
        hand: cython.ulonglong = self.search.root.hands[self.search.seat]
        for place in range(self.search.root.held[self.search.seat]):
            card: cython.int = hand >> (8 * place) & 0xFF
            entry: cython.int = self._find(0, card)
            found.append((card, card, self.gains[entry], self.visits[entry]))
        return found

    def full(self):
        return self.used > 200000
