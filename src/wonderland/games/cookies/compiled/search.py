"""Monte Carlo tree search for Cookies, compiled to C.

Each playout starts from a determinization: the others hold a random sample of the cards they have not
played. Every action is tried with the same determinizations and random numbers. The seat's own later
choices form a tree per action, explored by UCT; the others, and the seat itself beyond the tree, play
like the White Rabbit. Chance outcomes are not nodes of the tree, except where the choice depends on
them: the space the spinner points at, and the face-up cookie.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.wonderland.games.cookies.compiled.play import (
        DECIDING,
        ENDED,
        ONE,
        ONE_THING,
        TAKING,
        FastPlay,
        cards_in,
    )
    from cython.cimports.wonderland.games.cookies.compiled.policies import (
        lead_of,
        play_on,
        white_rabbit,
        winners_of,
    )
    from cython.cimports.wonderland.kernels.bits import count
else:
    from math import log, sqrt

    from wonderland.games.cookies.compiled.play import (
        DECIDING,
        ENDED,
        ONE,
        ONE_THING,
        TAKING,
        FastPlay,
        cards_in,
    )
    from wonderland.games.cookies.compiled.policies import lead_of, play_on, white_rabbit, winners_of
    from wonderland.kernels.bits import count

    # The same as in `search.pxd`.
    NODES = 1 << 16  # total capacity of all trees
    WIN, LEAD = 1000, 20  # reward for a win, and for each point of the lead
    CURIOSITY = 250_000  # square of the UCT exploration constant
    RABBITS = 15  # a bit for each seat

COMPILED = cython.compiled


class Search:
    """Search for the expected result of each action of the seat to move."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.child, self.sibling, self.choice = [0] * NODES, [0] * NODES, [0] * NODES
            self.visits, self.total = [0] * NODES, [0] * NODES
            self.path, self.wins = [0] * 128, [0.0] * 32
        self.home = FastPlay()
        self.play = FastPlay()

    def load(self, words: Sequence[int], seed: int) -> None:
        """Start a search from this state; the seed determines hidden cards and chance outcomes."""
        node: cython.int
        self.home.load(words)
        self.play.load(words)
        self.seed = seed & 0xFFFFFFFFFFFFFFFF
        self.seat = self.home.seat
        self.ways = self.home.choices()
        self.tried = 0
        self.nodes = self.ways
        for node in range(self.ways + 1):
            self._clear(node)
            self.wins[node] = 0.0

    def actions(self) -> list[int]:
        """Legal actions of the seat to move."""
        return [self.home.choice(way) for way in range(self.ways)]

    def expected(self) -> list[float]:
        """Average reward of each action: 1 for a win, and 0.02 for each point ahead."""
        counted = float(WIN * self.tried)
        return [self.total[way + 1] / counted for way in range(self.ways)]

    def won(self) -> list[float]:
        """Number of playouts won with each action; a shared win counts as a fraction."""
        return [self.wins[way + 1] for way in range(self.ways)]

    def tried_so_far(self) -> int:
        """Number of playouts of each action so far."""
        return self.tried

    def look(self, playouts: cython.int, depth: cython.int) -> None:
        """Run more playouts of each action, with trees of at most this depth (0 for none)."""
        home: FastPlay = self.home
        play: FastPlay = self.play
        way: cython.int
        with cython.nogil:
            for _ in range(playouts):
                for way in range(self.ways):
                    play.restart(home, self.seed, self.tried)
                    if not play.hands_open:
                        self._determinize(play)
                    play.apply(play.choice(way))
                    self._play_through(play, way + 1, depth)
                self.tried += 1

    def _determinize(self, play: FastPlay) -> cython.void:
        """Determinize: deal the others random cards from those they have not played."""
        seat: cython.int
        at: cython.int
        card: cython.int
        hand: cython.int
        for seat in range(play.seats):
            hand = play.hands[seat]
            if seat == self.seat:
                continue
            while hand:
                play.piles[seat] += ONE_THING + (ONE << (4 * (hand & 7)))
                hand >>= 3
            for at in range(cards_in(play.hands[seat])):
                card = play.pick(play.piles[seat])
                play.piles[seat] -= ONE_THING + (ONE << (4 * card))
                hand |= card << (3 * at)
            play.hands[seat] = hand

    def _play_through(self, play: FastPlay, root: cython.int, depth: cython.int) -> cython.void:
        """Run one playout to the end, through the tree of an action and beyond it."""
        length: cython.int = 1
        reward: cython.int
        winners: cython.int
        node: cython.int = root
        self.path[0] = root
        while play.stage != ENDED:
            if not play.is_asking():
                play.settle()
            elif length > depth:
                play_on(play, RABBITS)
            elif play.seat != self.seat:
                play.apply(white_rabbit(play))
            else:
                node = self._next(play, node)
                if not self.visits[node]:
                    depth = 0  # a new node, or no capacity for one: the tree ends here
                if node:
                    self.path[length] = node
                    length += 1
                    play.apply(self.choice[node] & 63)
        reward = LEAD * lead_of(play, self.seat)
        winners = winners_of(play)
        if winners >> self.seat & 1:
            reward += WIN
            self.wins[root] += 1.0 / count(winners)
        while length:
            length -= 1
            self.visits[self.path[length]] += 1
            self.total[self.path[length]] += reward

    def _next(self, play: FastPlay, node: cython.int) -> cython.int:
        """Select the child to try next by UCT, or expand a new one if any is untried."""
        way: cython.int
        child: cython.int
        best: cython.int = 0
        visits: cython.int = 0
        new: cython.int = 0
        curious: cython.double
        score: cython.double
        most: cython.double = -1e9
        for way in range(play.choices()):
            child = self._find(play, node, way)
            visits += self.visits[child] if child else 0
            new += 0 if child else 1
        if new:
            return self._grow(play, node, play.below(new))
        curious = CURIOSITY * log(visits)
        for way in range(play.choices()):
            child = self._find(play, node, way)
            score = cython.cast(cython.double, self.total[child]) / self.visits[child]
            score = score + sqrt(curious / self.visits[child])
            if score > most:
                most = score
                best = child
        return best

    def _key(self, play: FastPlay, way: cython.int) -> cython.int:
        """Key of the n-th legal action, with the chance outcome it depends on above bit 6."""
        if play.stage == DECIDING:
            return play.choice(way) | play.spinner << 6
        return play.choice(way) | play.face_up << 6 if play.stage == TAKING else play.choice(way)

    def _find(self, play: FastPlay, node: cython.int, way: cython.int) -> cython.int:
        """Return the node of a choice, or 0 if there is none yet."""
        key: cython.int = self._key(play, way)
        child: cython.int = self.child[node]
        while child and self.choice[child] != key:
            child = self.sibling[child]
        return child

    def _grow(self, play: FastPlay, node: cython.int, skipped: cython.int) -> cython.int:
        """Expand an untried choice, after skipping `skipped` others; return 0 if the tree is full."""
        way: cython.int = 0
        if self.nodes == NODES - 1:
            return 0
        while skipped or self._find(play, node, way):
            skipped -= 0 if self._find(play, node, way) else 1
            way += 1
        self.nodes += 1
        self._clear(self.nodes)
        self.choice[self.nodes] = self._key(play, way)
        self.sibling[self.nodes] = self.child[node]
        self.child[node] = self.nodes
        return self.nodes

    def _clear(self, node: cython.int) -> cython.void:
        self.child[node] = self.sibling[node] = self.choice[node] = 0
        self.visits[node] = self.total[node] = 0
