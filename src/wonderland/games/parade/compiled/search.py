"""Flat Monte Carlo search for Parade: win probability of each choice, from play-outs in sampled states.

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
    from cython.cimports.wonderland.games.parade.compiled.play import (
        CHOSEN,
        KEEPING,
        FastPlay,
        copy_fields,
    )
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
                hidden += [
                    table.hands[other] >> (8 * place) & 0xFF for place in range(table.held[other])
                ]
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
            self.imagine(root, world)
            for which in range(self.candidates):
                self.wins[which] += self._try(which, world, work)
        self.worlds += worlds

    def imagine(self, root: FastPlay, world: FastPlay) -> cython.void:
        """Sample a determinization: deal the unseen cards to the other hands and the pile."""
        left: cython.int = self.pooled
        other: cython.int
        place: cython.int
        at: cython.int
        hand: cython.ulonglong
        card: cython.ulonglong
        self.random += 1
        world.restart(root, self.random, 0)
        for place in range(left):
            world.deck[place] = self.pool[place]
        for other in range(world.seats):
            if other != self.seat:
                hand = 0
                for place in range(world.held[other]):
                    at = world.below(left)
                    card = world.deck[at]
                    left -= 1
                    world.deck[at] = world.deck[left]
                    hand |= card << (8 * place)
                world.hands[other] = hand
        world.pile = left

    def _try(self, which: cython.int, world: FastPlay, play: FastPlay) -> cython.double:
        """Play one candidate in the world, then on to the end; return the seat's share of the win."""
        hand: cython.ulonglong
        winners: cython.int
        one: cython.int = self.places[which]
        copy_fields(play, world)  # including its random numbers
        if play.stage == KEEPING:
            hand = play.hands[self.seat]
            play.kept[self.seat] = (
                CHOSEN | (hand >> (8 * one) & 0xFF) << 8 | hand >> (8 * self.others[which]) & 0xFF
            )
        else:
            play.take_turn(one)
        play.run(self.policies)
        winners = play.who_won()
        return 1.0 / count(winners) if winners >> self.seat & 1 else 0.0

    def shares(self) -> dict[tuple[int, int], float]:
        """Return the win probability of each pair of cards; a single card is paired with itself."""
        found = {}
        hand: cython.ulonglong = self.root.hands[self.seat]
        which: cython.int
        for which in range(self.candidates):
            one: cython.int = hand >> (8 * self.places[which]) & 0xFF
            other: cython.int = hand >> (8 * self.others[which]) & 0xFF
            key = (min(one, other), max(one, other)) if self.root.stage == KEEPING else (one, one)
            found[key] = self.wins[which] / max(self.worlds, 1)
        return found
