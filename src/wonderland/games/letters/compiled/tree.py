"""Monte Carlo tree search for Letters with any number of players, compiled to C.

Players with perfect memory have no secrets from each other, so one tree serves all seats: a branch is a
position together with a choice, and every seat maximises its own wins. Positions that differ only in
spaces, in which menaces are left, or in which letters of unused colours are left are the same, and
positions reached in different ways share their branches. Below the tree all seats play carefully: they
take a sure win, and don't hand one over if they can help it.

The table of branches is open-addressed. A key describes its position completely, in 55 bits: two for
each letter in play (on the rail, face up, face down again, never turned), the numbers of cards of other
kinds that were never turned, the seat, and the choice.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.wonderland.games.letters.compiled.play import (
        CHOOSING,
        DUCHESS,
        DUCHESS_COUNTS,
        MENACES,
        ONE,
        PLAYABLE,
        WORD,
        FastPlay,
    )
    from cython.cimports.wonderland.kernels.bits import count, first
    from cython.cimports.wonderland.kernels.rng import GAMMA
else:
    from math import log, sqrt

    from wonderland.games.letters.compiled.play import (
        CHOOSING,
        DUCHESS,
        DUCHESS_COUNTS,
        MENACES,
        ONE,
        PLAYABLE,
        WORD,
        FastPlay,
    )
    from wonderland.kernels.bits import count, first
    from wonderland.kernels.rng import GAMMA

    # The same as in `tree.pxd`.
    SIZE, CAPACITY, NEW, MOST = 1 << 16, 50_000, 31, 32

COMPILED = cython.compiled


class Tree:
    """Search for the win probability of each choice of the seat to move."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.root, self.won, self.options, self.slots = ([0] * MOST for _ in range(4))
            self.path, self.movers = [0] * 256, [0] * 256
            self.keys, self.visits, self.wins = [0] * SIZE, [0] * SIZE, [0] * SIZE
        self.home, self.play = FastPlay(), FastPlay()
        self.used = 0

    def load(self, words: Sequence[int], seed: int) -> None:
        """Start a search from this state, in which a seat has to choose."""
        way: cython.int
        self.home.load(words)
        self.seed = seed & 0xFFFFFFFFFFFFFFFF
        self.tried = 0
        if self.used:
            for way in range(SIZE):
                self.keys[way] = 0
        self.used = 0
        self.ways = self.list_choices(self.home)
        for way in range(self.ways):
            self.root[way], self.won[way] = self.options[way], 0

    def choices(self) -> list[int]:
        """Return the choices: the numbers of cards turned down again, and 31 for any new card."""
        return [self.root[way] for way in range(self.ways)]

    def count_wins(self) -> list[int]:
        """Return how often each choice has won since the last call, and start counting again."""
        wins = [self.won[way] for way in range(self.ways)]
        for way in range(self.ways):
            self.won[way] = 0
        return wins

    def grow(self, turns: cython.int, boldness: cython.double, caution: cython.int) -> None:
        """Try each choice this many more times, all with the same random numbers.

        `boldness` is the exploration constant of UCT. `caution` controls progressive widening: the
        higher it is, the more visits a position needs before another choice is tried there.
        """
        way: cython.int
        seat: cython.int = self.home.seat
        play: FastPlay = self.play
        home: FastPlay = self.home
        self.boldness, self.caution = boldness, caution
        with cython.nogil:
            for _ in range(turns):
                for way in range(self.ways):
                    play.restart(home, self.seed, self.tried)
                    self.turn(play, self.root[way])
                    self.play_through(play)
                    if play.seat == seat:
                        self.won[way] += 1
                self.tried += 1

    # One playout

    def play_through(self, play: FastPlay) -> cython.void:
        """Walk down the tree and one step beyond it, play to the end, and learn from the result."""
        choice: cython.int
        slot: cython.int = 0
        self.steps = 0
        while play.stage == CHOOSING and slot >= 0:
            slot = self.select(play)
            if slot >= 0:
                self.path[self.steps], self.movers[self.steps] = slot, play.seat
                self.steps += 1
                self.turn(play, self.chosen)
                if self.visits[slot] == 0:
                    slot = -1
        if play.stage == CHOOSING:
            play.shuffle()
        while play.stage == CHOOSING:
            choice = self.careful(play)
            play.turn_up(play.draw(play.below(play.left)) if choice == NEW else ONE << choice)
        self.learn(play)

    def turn(self, play: FastPlay, choice: cython.int) -> cython.void:
        """Turn a card; chance picks a new one."""
        play.turn_up(ONE << (play.one_of(play.unseen) if choice == NEW else choice))

    def learn(self, play: FastPlay) -> cython.void:
        """Credit every branch on the path to its mover."""
        step: cython.int
        for step in range(self.steps):
            self.visits[self.path[step]] += 1
            if self.movers[step] == play.seat:
                self.wins[self.path[step]] += 1

    # Choices

    def completes(self, play: FastPlay, seat: cython.int, up: cython.uint) -> cython.bint:
        """Whether a seat has all letters that it still needs among these cards."""
        rail: cython.int = play.rails[seat]
        return rail + PLAYABLE[(up >> play.colours[seat] & WORD) >> rail] == 5

    def careful(self, play: FastPlay) -> cython.int:
        """Choose as a careful player does.

        With all letters face up, turn a card that can't be a menace. Otherwise turn the first own letter
        that was turned down again, or else a new card, or else a letter that wins for nobody.
        """
        own: cython.uint = play.down & (WORD << play.colours[play.seat])
        rest: cython.uint = play.down
        card: cython.int = NEW
        seat: cython.int
        safe: cython.bint
        if play.down and self.completes(play, play.seat, play.up):
            return first(play.down)
        if own:
            return first(own)
        if play.unseen:
            return NEW
        while rest:
            card = first(rest)
            safe = True
            for seat in range(play.seats):
                if self.completes(play, seat, play.up | ONE << card):
                    safe = False
            if safe:
                return card
            rest &= rest - 1
        return card

    def list_choices(self, play: FastPlay) -> cython.int:
        """List the distinct choices, the most promising first; return their number."""
        best: cython.int = self.careful(play)
        own: cython.uint = WORD << play.colours[play.seat]
        rest: cython.uint = play.down & own
        number: cython.int = 1
        part: cython.int
        self.options[0] = best
        for part in range(2):
            while rest:
                if first(rest) != best:
                    self.options[number] = first(rest)
                    number += 1
                rest &= rest - 1
            if part == 0:
                rest = play.down & ~own
                if play.unseen and best != NEW:
                    self.options[number] = NEW
                    number += 1
        return number

    def select(self, play: FastPlay) -> cython.int:
        """Select an untried choice, or the best by UCT; return its branch, or -1 if there is no room."""
        number: cython.int = self.list_choices(play)
        base: cython.ulonglong = self.key(play)
        way: cython.int
        slot: cython.int
        tried: cython.int = 0
        total: cython.int = 0
        new: cython.int = -1
        best: cython.int = -1
        most: cython.double = -1.0
        score: cython.double
        logarithm: cython.double
        for way in range(number):
            slot = self.find(base | cython.cast(cython.ulonglong, self.options[way]) << 50)
            self.slots[way] = slot
            if slot >= 0:
                tried += 1
                total += self.visits[slot]
            elif new < 0:
                new = way
        if new >= 0 and total >= self.caution * tried * tried:
            self.chosen = self.options[new]
            if self.used == CAPACITY:
                return -1
            slot = -1 - self.slots[new]
            self.used += 1
            self.keys[slot] = base | cython.cast(cython.ulonglong, self.chosen) << 50
            self.visits[slot] = self.wins[slot] = 0
            return slot
        logarithm = log(total)
        for way in range(number):
            slot = self.slots[way]
            if slot >= 0:
                score = cython.cast(cython.double, self.wins[slot]) / self.visits[slot]
                score = score + self.boldness * sqrt(logarithm / self.visits[slot])
                if score > most:
                    most, best = score, way
        self.chosen = self.options[best]
        return self.slots[best]

    # The table of branches

    def key(self, play: FastPlay) -> cython.ulonglong:
        """Return the key of a position, without a choice; never 0."""
        low: cython.ulonglong = (play.up | play.unseen) & play.in_play
        high: cython.ulonglong = (play.down | play.unseen) & play.in_play
        rest: cython.ulonglong = count(play.unseen & MENACES)
        unused: cython.uint = play.unseen & ~play.in_play & ~MENACES
        if unused:
            rest |= cython.cast(cython.ulonglong, count(unused)) << 4
        if play.options & DUCHESS_COUNTS and play.unseen & DUCHESS:
            rest |= 8
        return low | high << 20 | rest << 40 | cython.cast(cython.ulonglong, play.seat) << 48

    def find(self, key: cython.ulonglong) -> cython.int:
        """Return the index of a branch; if there is none, -1 minus the index of its free slot."""
        at: cython.int = ((key + 1) * GAMMA >> 32) & (SIZE - 1)
        while self.keys[at] != key:
            if self.keys[at] == 0:
                return -1 - at
            at = (at + 1) & (SIZE - 1)
        return at
