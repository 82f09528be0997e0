"""Search for Parade: what each thing that a seat may do is worth, by playing on in imagined worlds.

A world is what the seat can't see, dealt at random: the cards that lie neither open nor in its hand go
to the other hands and the pile. In each world every candidate is tried with the same random numbers
afterwards, so that what differs between them is the choice and not the luck.
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
    """One seat's search: load a state that its view could come from, run, and read the results."""

    def __init__(self) -> None:
        self.root, self.world, self.work = FastPlay(), FastPlay(), FastPlay()
        if not cython.compiled:
            self.pool, self.places, self.others = [0] * 66, [0] * 15, [0] * 15
            self.wins, self.policies = [0.0] * 15, [0] * 6

    def load(self, table: FastPlay, seat: cython.int, random: cython.ulonglong) -> None:
        """Prepare for what this seat may do; what it can't see is put into one pool, in order."""
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
        """Every card of the hand, or every two of the last four."""
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
        """Try every candidate in so many more worlds, all seats going on by this policy."""
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
        """Deal what the seat can't see to the other hands and the pile."""
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
        """Play one candidate in the world, and on to the end; gives the share of the win."""
        hand: cython.ulonglong
        winners: cython.int
        one: cython.int = self.places[which]
        copy_fields(play, world)  # with its random numbers
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
        """For each card, or each two cards, the share of wins; a card alone stands with itself."""
        found = {}
        hand: cython.ulonglong = self.root.hands[self.seat]
        which: cython.int
        for which in range(self.candidates):
            one: cython.int = hand >> (8 * self.places[which]) & 0xFF
            other: cython.int = hand >> (8 * self.others[which]) & 0xFF
            key = (min(one, other), max(one, other)) if self.root.stage == KEEPING else (one, one)
            found[key] = self.wins[which] / max(self.worlds, 1)
        return found
