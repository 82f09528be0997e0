"""Flat Monte Carlo search for Parade: win probability of each choice, from playouts in sampled states.

A world is a determinization: the cards that the seat can't see are dealt at random to the other hands
and the pile. In each world every candidate is played out with the same random numbers (common random
numbers), so that candidates differ by the choice and not by chance.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.play import FastPlay
    from cython.cimports.wonderland.games.parade.compiled.position import (
        CHOSEN,
        KEEPING,
        copy_fields,
    )  # fmt: skip
    from cython.cimports.wonderland.kernels.bits import count
else:
    from wonderland.games.parade.compiled.play import FastPlay
    from wonderland.games.parade.encoding.layout import CHOSEN, KEEPING
    from wonderland.kernels.bits import count
    from wonderland.kernels.fields import copy_fields

COMPILED = cython.compiled


class Search:
    """A flat search for one seat: load a state consistent with its view, run, and read the results."""

    def __init__(self) -> None:
        self.root, self.world, self.work = FastPlay(), FastPlay(), FastPlay()
        if not cython.compiled:
            self.pool, self.places, self.others = [0] * 66, [0] * 15, [0] * 15
            self.wins, self.policies = [0.0] * 15, [0] * 6

    def load(self, table: FastPlay, seat: cython.int, random: cython.ulonglong) -> None:
        """Prepare a search of this seat's choices; the cards it can't see form one sorted pool."""
        other: cython.int
        place: cython.int
        self.root.copy(table)
        self.seat, self.random, self.worlds = seat, random, 0
        hidden = [table.deck[place] for place in range(table.pile)]
        for other in range(table.seats):
            self.root.kept[other] = 0
            if other != seat:
                hidden += [table.hands[8 * other + place] for place in range(table.held[other])]
        self.pooled = len(hidden)
        for place, card in enumerate(sorted(hidden)):
            self.pool[place] = card
        self._list_candidates()

    def _list_candidates(self) -> cython.void:
        """List every card of the hand, or every pair of the last four."""
        one: cython.int
        other: cython.int
        held: cython.int = self.root.held[self.seat]
        self.candidates = 0
        for one in range(held):
            for other in range(one + 1, held if self.root.stage == KEEPING else one + 2):
                self.places[self.candidates], self.others[self.candidates] = one, other
                self.wins[self.candidates] = 0.0
                self.candidates += 1

    def run(self, worlds: cython.int, policy: cython.int) -> None:
        """Try every candidate in this many more worlds, with all seats playing on by this policy."""
        seat: cython.int
        for seat in range(6):
            self.policies[seat] = policy
        root, world, work = self.root, self.world, self.work
        with cython.nogil:
            self._run(worlds, root, world, work)

    def _run(self, worlds: cython.int, root: FastPlay, world: FastPlay, work: FastPlay) -> cython.void:
        which: cython.int
        for _ in range(worlds):
            self.determinize(root, world)
            for which in range(self.candidates):
                self.wins[which] += self._try(which, world, work)
        self.worlds += worlds

    def determinize(self, root: FastPlay, world: FastPlay) -> cython.void:
        """Sample a determinization: deal the unseen cards to the other hands and the pile."""
        left: cython.int = self.pooled
        other: cython.int
        place: cython.int
        at: cython.int
        self.random += 1
        world.restart(root, self.random, 0)
        for place in range(left):
            world.deck[place] = self.pool[place]
        for other in range(world.seats):
            if other != self.seat:
                for place in range(world.held[other]):
                    at = world.below(left)
                    left -= 1
                    world.hands[8 * other + place] = world.deck[at]
                    world.deck[at] = world.deck[left]
        world.pile = left

    def _try(self, which: cython.int, world: FastPlay, play: FastPlay) -> cython.double:
        """Play one candidate in the world, then on to the end; return the seat's share of the win."""
        mine: cython.int = 8 * self.seat
        winners: cython.int
        one: cython.int = self.places[which]
        copy_fields(play, world)  # including its random numbers
        if play.stage == KEEPING:
            play.kept[self.seat] = (
                CHOSEN | play.hands[mine + one] << 8 | play.hands[mine + self.others[which]]
            )
        else:
            play.take_turn(one)
        play.run(self.policies)
        winners = play.who_won()
        return 1.0 / count(winners) if winners >> self.seat & 1 else 0.0

    def shares(self) -> dict[tuple[int, int], float]:
        """Return the win probability of each pair of cards; a single card is paired with itself."""
        found = {}
        mine: cython.int = 8 * self.seat
        which: cython.int
        for which in range(self.candidates):
            one: cython.int = self.root.hands[mine + self.places[which]]
            other: cython.int = self.root.hands[mine + self.others[which]]
            key = (min(one, other), max(one, other)) if self.root.stage == KEEPING else (one, one)
            found[key] = self.wins[which] / max(self.worlds, 1)
        return found
