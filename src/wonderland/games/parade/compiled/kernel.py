"""Parade's implementation of `wonderland.kernels.kernel`, built on the rules in `play.py`."""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.play import FastPlay
    from cython.cimports.wonderland.games.parade.compiled.position import (
        DRAWING,
        ENDED,
        HAND_SIZE,
        HANDS,
        HEADER,
        KEEPING,
        KEPT,
        PAIRS,
        PLAYING,
        PRESENT,
        SLOTS,
        STARTING,
        TAKEN,
        UNSEEN,
        WORDS,
    )  # fmt: skip
    from cython.cimports.wonderland.games.parade.compiled.zones import SETS
    from cython.cimports.wonderland.kernels.kernel import (  # fmt: skip
        CHANCE,
        DECISIONS,
        ENDING,
        FIRST,
        OVER,
        SCORES,
        SEATS,
        WINNERS,
    )
    from cython.cimports.wonderland.kernels.simulation import PlayoutLoop
else:
    from wonderland.games.parade.compiled.play import FastPlay
    from wonderland.games.parade.encoding.layout import (  # fmt: skip
        DRAWING,
        ENDED,
        HAND_SIZE,
        HANDS,
        HEADER,
        KEEPING,
        KEPT,
        PAIRS,
        PLAYING,
        PRESENT,
        SETS,
        SLOTS,
        STARTING,
        TAKEN,
        UNSEEN,
        WORDS,
    )
    from wonderland.kernels.kernel import CHANCE, DECISIONS, ENDING, FIRST, OVER, SCORES, SEATS, WINNERS
    from wonderland.kernels.simulation import PlayoutLoop

COMPILED = cython.compiled
POLICIES = ("dodo", "white-rabbit")


@cython.final
@cython.cclass
class KernelState(FastPlay):
    """A game as numbers, implementing `wonderland.kernels.kernel.KernelState`."""

    def seed(self, seed: int, stream: int = 0) -> None:
        """Reseed the random numbers."""
        self.reseed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    def load(self, words: Sequence[int]) -> None:
        """Load a packed state."""
        which: cython.int
        place: cython.int
        slot: cython.int
        card: cython.int
        header: cython.ulonglong = words[HEADER]
        self.stage, self.seat, self.begins = header & 15, header >> 4 & 15, header >> 8 & 15
        self.seats, self.turns_left, self.ends = header >> 12 & 15, header >> 16 & 15, header >> 20 & 3
        self.pile, self.entered = 0, header >> 24 & 63
        for which in range(SETS):
            self.sets[which] = 0
        for which in range(6):
            self.kept[which], self.taken[which] = words[KEPT + which], words[TAKEN + which]
            self.held[which] = words[HANDS + which] >> 56
            for place in range(HAND_SIZE):
                self.hands[8 * which + place] = words[HANDS + which] >> (8 * place) & 0xFF
        for card in range(66):
            if words[UNSEEN + (card >> 6)] >> (card & 63) & 1:
                self.deck[self.pile] = card
                self.pile += 1
        for slot in range(64 - self.entered, 64):
            self._enter(words[SLOTS + (slot >> 3)] >> (8 * (slot & 7)) & 0xFF, slot)
        self.present = words[PRESENT]
        self._fill_zones()
        if self.stage == ENDED:
            self._reveal()

    def words(self) -> list[int]:
        """Return the current state, packed."""
        words = [0] * WORDS
        which: cython.int
        one: cython.ulonglong = 1
        number: cython.ulonglong
        words[HEADER] = (
            self.stage
            | self.seat << 4
            | self.begins << 8
            | self.seats << 12
            | self.turns_left << 16
            | self.ends << 20
            | self.entered << 24
        )
        for which in range(self.pile):
            words[UNSEEN + (self.deck[which] >> 6)] |= one << (self.deck[which] & 63)
        for which in range(6):
            number = self.held[which]
            words[HANDS + which] = self.hand(which) | number << 56
            words[KEPT + which], words[TAKEN + which] = self.kept[which], self.taken[which]
        words[PRESENT] = self.present
        for which in range(64 - self.entered, 64):
            number = self.cards[which]
            words[SLOTS + (which >> 3)] |= number << (8 * (which & 7))
        return words

    def turn(self) -> int:
        """Return the lowest seat that may act now, `CHANCE`, or `OVER`."""
        if self.stage in (PLAYING, KEEPING):
            return self.seat
        return OVER if self.stage == ENDED else CHANCE

    def legal(self, seat: cython.int) -> list[int]:
        """Return the legal actions: P4, any card of the hand; P11, any two of the last four."""
        if seat < 0 or seat >= self.seats:
            return []
        hand = sorted([self.hands[8 * seat + place] for place in range(self.held[seat])])
        if self.stage == PLAYING and seat == self.seat:
            return hand
        if self.stage == KEEPING and not self.kept[seat]:
            return [PAIRS + 66 * a + b for a in hand for b in hand if a < b]
        return []

    def chances(self) -> list[tuple[int, int]]:
        """Return the possible chance outcomes with their weights."""
        if self.stage == STARTING:
            return [(seat, 1) for seat in range(self.seats)]
        if self.turn() != CHANCE:
            return []
        return [(self.deck[at], 1) for at in range(self.pile)]

    def apply(self, actor: cython.int, action: cython.int) -> None:
        """Apply a legal action or possible chance outcome, unchecked."""
        place: cython.int = 0
        if actor < 0:
            if self.stage != STARTING:
                while self.deck[place] != action:
                    place += 1
            self._decide(place if self.stage != STARTING else action)
        elif action >= PAIRS:
            self._keep(actor, (action - PAIRS) // 66, (action - PAIRS) % 66)
        else:
            while self.hands[8 * actor + place] != action:
                place += 1
            self._play(place)
            self._drop(place)
            if self.turns_left:
                self._pass_on()
            else:
                self.stage = DRAWING

    def winners(self) -> int:
        """P15: return the winning seats as bits."""
        return self.who_won()

    def scores(self) -> list[int]:
        """P12 to P14: return the score of each seat."""
        return [self.points[seat] for seat in range(self.seats)]

    def ending(self) -> int:
        """P8: return what triggered the last round, as an index into `Packing.ENDINGS`."""
        return self.ends - 1

    def play_out(self, policies: Sequence[int]) -> int:
        """Play to the end, each seat by its policy; return the number of decisions."""
        chosen: cython.int[6]
        seat: cython.int
        if not cython.compiled:
            chosen = [0] * 6
        for seat in range(self.seats):
            chosen[seat] = policies[seat]
        with cython.nogil:
            seat = self.run(chosen)
        return seat

    def simulate(
        self, rows: cython.int[::1], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state out `count` times, writing one row per game."""
        PlayOuts(self, policies).run(rows, seed, first, count)


@cython.final
@cython.cclass
class PlayOuts(PlayoutLoop):
    """Repeated playouts of one position of Parade."""

    play: FastPlay
    home: FastPlay
    policies: cython.int[6]

    def __init__(self, play: FastPlay, policies: Sequence[int]) -> None:
        seat: cython.int
        self.play, self.home = play, play.clone()
        if not cython.compiled:
            self.policies = [0] * 6
        for seat in range(play.seats):
            self.policies[seat] = policies[seat]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_out(
        self, seed: cython.ulonglong, stream: cython.ulonglong, row: cython.p_int
    ) -> cython.void:
        """Play out once and fill the row."""
        seat: cython.int
        self.play.restart(self.home, seed, stream)
        row[DECISIONS] = self.play.run(self.policies)
        row[WINNERS] = self.play.who_won()
        row[FIRST] = self.play.begins
        row[ENDING] = self.play.ends - 1
        for seat in range(SEATS):
            row[SCORES + seat] = self.play.points[seat] if seat < self.play.seats else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self) -> cython.void:
        """Restore the original position."""
        self.play.copy(self.home)
