"""Batched Letters for learning agents: the encoding of `learning.py`, built on the rules in `play.py`.

A negative action lets a built-in policy decide: -1 turns at random, -2 uses the simple heuristic with
perfect memory.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.letters.compiled.play import (
        CARDS,
        ENDED,
        MENACES,
        OPEN_MEMORY,
        TURNING,
        WORD,
        FastPlay,
        fields,
        fields_size,
    )
    from cython.cimports.wonderland.kernels.batch import Batch, GameWorker
    from cython.cimports.wonderland.kernels.bits import first
else:
    from wonderland.games.letters.compiled.play import (
        CARDS,
        ENDED,
        MENACES,
        OPEN_MEMORY,
        TURNING,
        WORD,
        FastPlay,
    )
    from wonderland.kernels.batch import Batch, GameWorker
    from wonderland.kernels.bits import first

COMPILED = cython.compiled


def batch(words: Sequence[int], plays: int, seats: int, actions: int, features: int) -> Batch:
    """Create a batch of games that start from this state."""
    return Batch(LettersWorker, words, plays, seats, actions, features)


class LettersWorker(GameWorker):
    """Plays one game of Letters after another."""

    def __init__(self, words: Sequence[int]) -> None:
        self.home, self.play = FastPlay(), FastPlay()
        self.home.load(words)
        self.play.load(words)
        if cython.compiled:
            self.fields, self.size = fields(self.play), fields_size(self.play)

    def words(self) -> list[int]:
        return self.play.words()

    def begin(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.play.restart(self.home, seed, stream)
        self.play.settle()

    def on_turn(self) -> cython.int:
        return -1 if self.play.stage == ENDED else self.play.seat

    def winners(self) -> cython.int:
        return 1 << self.play.seat

    def decide(self, action: cython.int) -> cython.bint:
        """L5: turn the card on a space."""
        can: cython.uint = self.play.face_down()
        own: cython.uint = self.play.down & (WORD << self.play.colours[self.play.seat])
        is_wrong: cython.bint = False
        if action == -2 and own:
            action = self.play.space_of[first(own)]
        elif action == -2 and self.play.never:
            action = self.play.one_of(self.play.never)
        elif action in (-1, -2):
            action = self.play.one_of(can)
        elif action < 0 or action >= CARDS or not can >> action & 1:
            is_wrong, action = True, first(can)
        self.play.stage, self.play.space = TURNING, action
        self.play.turn()
        return is_wrong

    def allow(self, into: cython.p_schar) -> cython.void:
        space: cython.int
        can: cython.uint = self.play.face_down()
        for space in range(CARDS):
            into[space] = can >> space & 1

    def observe(self, into: cython.p_schar) -> cython.void:
        """Write the observation in the layout of `learning.features`."""
        other: cython.int
        seat: cython.int = self.play.seat
        seats: cython.int = self.play.seats
        is_open: cython.bint = self.play.options & OPEN_MEMORY != 0
        menaces: cython.int = CARDS * (1 + seats)
        rails: cython.int = menaces + CARDS
        known: cython.int = rails + 2 * seats + CARDS + 2 + 5 * (4 - seats)
        self.allow(into)
        for other in range(seats):
            self.show_letters(into, CARDS * (1 + other), self.play.up, self.play.colours[seat])
            if is_open:
                self.show_letters(into, known + CARDS * other, self.play.down, self.play.colours[seat])
            into[rails + other] = self.play.rails[seat]
            seat = seat + 1 if seat + 1 < seats else 0
        self.show_menaces(into, menaces)
        into[rails + seats] = 1  # the observer is the seat to move
        into[rails + 2 * seats + CARDS] = 1  # and has to choose
        self.show_removed(into, rails + 2 * seats + CARDS + 2)

    def show_letters(
        self, into: cython.p_schar, at: cython.int, cards: cython.uint, colour: cython.int
    ) -> cython.void:
        """Write the letters of this colour among these cards, by space."""
        place: cython.int
        for place in range(5):
            if cards >> (colour + place) & 1:
                into[at + self.play.space_of[colour + place]] = place + 1

    def show_menaces(self, into: cython.p_schar, at: cython.int) -> cython.void:
        cards: cython.uint = self.play.up & MENACES
        while cards:
            into[at + self.play.space_of[first(cards)]] = first(cards) - 19
            cards &= cards - 1

    def show_removed(self, into: cython.p_schar, at: cython.int) -> cython.void:
        """Write the removed letters of unused colours, in colour order."""
        card: cython.int
        for card in range(20):
            if not self.play.in_play >> card & 1:
                into[at] = self.play.removed >> card & 1
                at += 1
