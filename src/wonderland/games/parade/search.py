"""Search for Parade: what each thing that a seat may do is worth, by playing on in imagined worlds.

A world is what the seat can't see, dealt at random: the cards that lie neither open nor in its hand go
to the other hands and the pile. In each world every candidate is tried with the same random numbers
afterwards, so that what differs between them is the choice and not the luck.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.play import CHOSEN, KEEPING, Play, mixed
else:
    from wonderland.games.parade.layout import CHOSEN, KEEPING
    from wonderland.games.parade.play import Play, mixed

COMPILED = cython.compiled


class Search:
    """One seat's search: load a state that its view could come from, run, and read the results."""

    def __init__(self) -> None:
        self.root, self.world, self.work = Play(), Play(), Play()
        if not cython.compiled:
            self.pool, self.places, self.others = [0] * 66, [0] * 15, [0] * 15
            self.wins, self.squares, self.plays = [0.0] * 15, [0.0] * 15, [0] * 15
            self.active, self.policies = [0] * 15, [0] * 6

    def load(self, table: Play, seat: cython.int, random: cython.ulonglong) -> None:
        """Prepare for what this seat may do; what it can't see is put into one pool, in order."""
        other: cython.int
        place: cython.int
        card: cython.int
        self.root._copy(table)
        self.root.weights_from(table)
        self.world.weights_from(table)
        self.work.weights_from(table)
        self.seat = seat
        self.random = random
        hidden = [table.deck[place] for place in range(table.pile)]
        for other in range(table.seats):
            if other != seat:
                hidden += [
                    table.hands[other] >> (8 * place) & 0xFF for place in range(table.held[other])
                ]
                self.root.kept[other] = 0
        self.pooled = 0
        for card in sorted(hidden):
            self.pool[self.pooled] = card
            self.pooled += 1
        self._list_candidates()

    def _list_candidates(self) -> None:
        one: cython.int
        other: cython.int
        held: cython.int = self.root.held[self.seat]
        self.root.kept[self.seat] = 0
        self.candidates = 0
        if self.root.stage == KEEPING:
            for one in range(held):
                for other in range(one + 1, held):
                    self._add(one, other)
        else:
            for one in range(held):
                self._add(one, 0)

    def _add(self, one, other):
        self.places[self.candidates], self.others[self.candidates] = one, other
        self.wins[self.candidates] = self.squares[self.candidates] = 0.0
        self.plays[self.candidates] = 0
        self.active[self.candidates] = 1
        self.candidates += 1

    def run(self, worlds: cython.int, own: cython.int, others: cython.int) -> None:
        """Try every active candidate in so many more worlds."""
        seat: cython.int
        for seat in range(self.root.seats):
            self.policies[seat] = own if seat == self.seat else others
        root, world, work = self.root, self.world, self.work
        with cython.nogil:
            self._run(worlds, root, world, work)

    def _run(self, worlds, root, world, work):
        number: cython.int
        which: cython.int
        share: cython.double
        for number in range(worlds):
            self.random += 1
            self._imagine(root, world)
            for which in range(self.candidates):
                if self.active[which]:
                    share = self._try(which, world, work)
                    self.wins[which] += share
                    self.squares[which] += share * share
                    self.plays[which] += 1

    def _imagine(self, root, world):
        """Deal what the seat can't see to the other hands and the pile."""
        left: cython.int = self.pooled
        other: cython.int
        place: cython.int
        at: cython.int
        hand: cython.ulonglong
        card: cython.ulonglong
        world._copy(root)
        world._seed(self.random, 0)
        for place in range(left):
            world.deck[place] = self.pool[place]
        for other in range(world.seats):
            if other != self.seat:
                hand = 0
                for place in range(world.held[other]):
                    at = world._below(left)
                    card = world.deck[at]
                    left -= 1
                    world.deck[at] = world.deck[left]
                    hand |= card << (8 * place)
                world.hands[other] = hand
        world.pile = left

    def _try(self, which, world, play):
        """Play one candidate in the world, and on to the end; gives the share of the win."""
        hand: cython.ulonglong
        winners: cython.int
        one: cython.int = self.places[which]
        play._copy(world)
        play.random = world.random
        if play.stage == KEEPING:
            hand = play.hands[self.seat]
            play.kept[self.seat] = (
                CHOSEN | (hand >> (8 * one) & 0xFF) << 8 | hand >> (8 * self.others[which]) & 0xFF
            )
        else:
            play._play(one, play._leaving(play.hands[self.seat] >> (8 * one) & 0xFF))
            if play.turns_left:
                play._drop(one)
                play._pass_on()
            else:
                play._draw(one, play._below(play.pile))
        play._play_out(self.policies)
        winners = play._winners()
        if winners >> self.seat & 1 == 0:
            return 0.0
        if winners & (winners - 1) == 0:
            return 1.0
        which = 0
        while winners:
            which += 1
            winners &= winners - 1
        return 1.0 / which

    def keep_only(self, active: list[int]) -> None:
        """Go on with these candidates alone."""
        which: cython.int
        for which in range(self.candidates):
            self.active[which] = 1 if which in active else 0

    def results(self) -> list[tuple[int, int, float, int]]:
        """For each candidate: its card or two cards, the sum of its wins, and how often it was tried."""
        found = []
        hand: cython.ulonglong = self.root.hands[self.seat]
        which: cython.int
        for which in range(self.candidates):
            one: cython.int = hand >> (8 * self.places[which]) & 0xFF
            other: cython.int = hand >> (8 * self.others[which]) & 0xFF
            found.append((one, other, self.wins[which], self.plays[which]))
        return found
