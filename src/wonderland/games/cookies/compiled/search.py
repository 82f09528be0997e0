"""Looking ahead in Cookies, compiled to C: what each action leads to, over many plays to the end.

Each play begins in a world that the seat can't tell from the real one: the others hold any of the cards
that they have not played. The same worlds and the same luck are tried with each action. The seat's own
later choices grow a tree for each action, and those that did well are made more often (UCT); the others,
and the seat itself once it is beyond the tree, play like the White Rabbit. What luck decides is not part
of the tree but for what the choice is about: the space at which the spinner points, the cookie face up.
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

    # `search.pxd` has the same for C.
    NODES = 1 << 16  # how large the trees may grow together
    WIN, LEAD = 1000, 20  # what a win counts, and each point of the lead
    CURIOSITY = 250_000  # the square of how much a choice counts that was hardly tried
    RABBITS = 15  # a bit for each seat

COMPILED = cython.compiled


class Search:
    """What the seat on turn can expect of each of its actions."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.child, self.sibling, self.choice = [0] * NODES, [0] * NODES, [0] * NODES
            self.visits, self.total = [0] * NODES, [0] * NODES
            self.path, self.wins = [0] * 128, [0.0] * 32
        self.home = FastPlay()
        self.play = FastPlay()

    def load(self, words: Sequence[int], seed: int) -> None:
        """Look ahead from this state, in worlds and with luck that come from the seed."""
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
        """What the seat on turn may do."""
        return [self.home.choice(way) for way in range(self.ways)]

    def expected(self) -> list[float]:
        """For each action how well it went on average: 1 for a win, 0.02 for each point ahead."""
        counted = float(WIN * self.tried)
        return [self.total[way + 1] / counted for way in range(self.ways)]

    def won(self) -> list[float]:
        """For each action the plays that were won with it; a win that is shared counts in parts."""
        return [self.wins[way + 1] for way in range(self.ways)]

    def tried_so_far(self) -> int:
        """How often each action has been tried."""
        return self.tried

    def look(self, playouts: cython.int, depth: cython.int) -> None:
        """Play so many more times with each action; trees grow to this depth, with 0 not at all."""
        home: FastPlay = self.home
        play: FastPlay = self.play
        way: cython.int
        with cython.nogil:
            for _ in range(playouts):
                for way in range(self.ways):
                    play.restart(home, self.seed, self.tried)
                    if not play.hands_open:
                        self._imagine(play)
                    play.apply(play.choice(way))
                    self._play_through(play, way + 1, depth)
                self.tried += 1

    def _imagine(self, play: FastPlay) -> cython.void:
        """Deal the others any of the cards that they have not played."""
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
        """One play to the end, first in the tree of an action, then beyond it."""
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
                    depth = 0  # it is new, or there is no room for it: the tree ends here
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
        """The node of the choice that is to be tried next: one that is new, if any is."""
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
        """The n-th action that is legal, and above six bits what it is about."""
        if play.stage == DECIDING:
            return play.choice(way) | play.spinner << 6
        return play.choice(way) | play.face_up << 6 if play.stage == TAKING else play.choice(way)

    def _find(self, play: FastPlay, node: cython.int, way: cython.int) -> cython.int:
        """The node of a choice, or 0 if there is none yet."""
        key: cython.int = self._key(play, way)
        child: cython.int = self.child[node]
        while child and self.choice[child] != key:
            child = self.sibling[child]
        return child

    def _grow(self, play: FastPlay, node: cython.int, skipped: cython.int) -> cython.int:
        """A node for one of the choices that have none, after so many others; 0 if there is no room."""
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
