"""A position of Parade, its random numbers, and the end of a game; compiled to C where possible."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.zones import (  # noqa: I001
        ADDED, NO_CARD, NO_SLOT, best_two, joined, lowest_scores, needed_by, score,
    )  # fmt: skip
    from cython.cimports.wonderland.kernels.rng import advance, scale, splitmix64, start_stream
else:
    from wonderland.games.parade.compiled.zones import (  # noqa: I001
        ADDED, best_two, joined, lowest_scores, needed_by, score,
    )  # fmt: skip
    from wonderland.games.parade.encoding.layout import (
        CHOSEN, ENDED, HAND_SIZE, NO_CARD, NO_SLOT, RANDOM, SETS,
    )  # fmt: skip
    from wonderland.kernels.fields import copy_fields
    from wonderland.kernels.rng import advance, scale, splitmix64, start_stream

COMPILED = cython.compiled


class PlayState:
    """The fields that copying a game copies: its position and the state of its random numbers."""


class Position(PlayState):
    """The cards, whose turn it is, and a random number generator."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.sets, self.zones, self.taken, self.kept = [0] * SETS, [0] * 6, [0] * 6, [0] * 6
            self.held, self.points = [0] * 6, [0] * 6
            self.hands, self.deck, self.cards = [0] * 48, [0] * 72, [0] * 72
        self.cards[NO_SLOT], self.random = NO_CARD, 0

    def reseed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = start_stream(seed, stream + 1)

    def _number(self) -> cython.ulonglong:
        self.random = advance(self.random)
        return splitmix64(self.random)

    def below(self, limit: cython.int) -> cython.int:
        return scale(self._number(), limit)

    def copy(self, other: Position) -> cython.void:
        """Copy the other's position, but keep this game's random numbers."""
        random: cython.ulonglong = self.random
        copy_fields(self, other)
        self.random = random

    def restart(self, home: Position, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Copy another game's position, and reseed the random numbers from a stream."""
        copy_fields(self, home)
        self.reseed(seed, stream)

    # The end

    def hand(self, seat: cython.int) -> cython.ulonglong:
        """Return a hand as one word, the first card in the lowest byte."""
        place: cython.int
        hand: cython.ulonglong = 0
        for place in range(HAND_SIZE):
            hand |= cython.cast(cython.ulonglong, self.hands[8 * seat + place]) << (8 * place)
        return hand

    def _fill_zones(self) -> cython.void:
        """Count the cards of all seats, and add up their values."""
        seat: cython.int
        for seat in range(self.seats):
            self.zones[seat] = joined(0, self.cards, self.taken[seat])

    def _finish(self, policies: cython.p_int) -> cython.int:
        """P11: choose for all seats that haven't yet; return how many did."""
        seat: cython.int
        two: cython.int
        chose: cython.int = 0
        for seat in range(self.seats):
            if self.kept[seat] == 0:
                chose += 1
                if policies[seat] == RANDOM:
                    self._keep_any(seat)
                else:
                    two = best_two(
                        self.zones[seat], self.hand(seat), needed_by(self.zones, self.seats, seat)
                    )
                    self.kept[seat] = CHOSEN | two & 0xFFFF
        self._reveal()
        return chose

    def _keep_any(self, seat: cython.int) -> cython.void:
        """Keep two random cards of the four."""
        one: cython.int = self.below(4)
        other: cython.int = (one + 1 + self.below(3)) & 3
        self.kept[seat] = CHOSEN | self.hands[8 * seat + one] << 8 | self.hands[8 * seat + other]

    def _keep(self, seat: cython.int, one: cython.int, other: cython.int) -> cython.void:
        """P11: record a secret choice; after the last one, reveal and score them all."""
        owner: cython.int
        self.kept[seat] = CHOSEN | (one << 8) | other
        self.seat = 0
        while self.seat < self.seats and self.kept[self.seat]:
            self.seat += 1
        for owner in range(self.seats):
            if not self.kept[owner]:
                return
        self._reveal()

    def _reveal(self) -> cython.void:
        """P11 to P14: reveal the cards that were kept, and score all."""
        seat: cython.int
        for seat in range(self.seats):
            if self.kept[seat]:
                two: cython.int = self.kept[seat]
                self.zones[seat] += ADDED[two >> 8 & 0xFF] + ADDED[two & 0xFF]
        self.stage = ENDED
        score(self.zones, self.seats, self.points)

    def who_won(self) -> cython.int:
        """P15: return the winners as bits."""
        return lowest_scores(self.zones, self.seats, self.points)
