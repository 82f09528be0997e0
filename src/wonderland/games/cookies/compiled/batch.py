"""Vectorized Cookies for learning agents: the encoding of `learning.py`, on top of `play.py`.

A negative action lets a policy decide: -1 plays at random, -2 is the White Rabbit.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.cookies.compiled.play import (
        DECIDING,
        ENDED,
        JOKER,
        PLAYING,
        PLUS,
        RIGHT,
        TAKING,
        UP,
        WALK,
        FastPlay,
        cards_in,
        fields,
        fields_size,
        right_card,
    )
    from cython.cimports.wonderland.games.cookies.compiled.policies import white_rabbit, winners_of
    from cython.cimports.wonderland.kernels.batch import Batch, GameWorker
else:
    from wonderland.games.cookies.compiled.play import (
        DECIDING,
        ENDED,
        JOKER,
        PLAYING,
        PLUS,
        RIGHT,
        TAKING,
        UP,
        WALK,
        FastPlay,
        cards_in,
        right_card,
    )
    from wonderland.games.cookies.compiled.policies import white_rabbit, winners_of
    from wonderland.kernels.batch import Batch, GameWorker

    IN_WORDS, WALKING, ALL = 20, 24, 34  # the same as in `batch.pxd`

COMPILED = cython.compiled


def batch(words: Sequence[int], plays: int, seats: int, actions: int, features: int) -> Batch:
    """Create a batch of `plays` games that start from this state."""
    return Batch(CookiesWorker, words, plays, seats, actions, features)


class CookiesWorker(GameWorker):
    """Worker that plays one game of Cookies after another."""

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
        return winners_of(self.play)

    def decide(self, action: cython.int) -> cython.bint:
        meant: cython.int
        if action == -1:
            meant = self.play.any_choice()
        elif action == -2:
            meant = white_rabbit(self.play)
        else:
            meant = self.meant_by(action)
        self.play.apply(meant if meant >= 0 else self.play.choice(0))  # the lowest legal number
        self.play.settle()
        return meant < 0

    def meant_by(self, action: cython.int) -> cython.int:
        """Return the kernel's number for an agent's action, or -1 if it is illegal."""
        hand: cython.int = self.play.hands[self.play.seat]
        more: cython.int = 0
        side: cython.int = 0
        if self.play.stage != PLAYING:
            side = IN_WORDS if self.play.stage == TAKING else IN_WORDS + 2
            return action - IN_WORDS + UP if side <= action < side + 2 else -1
        if WALKING <= action < ALL:
            more, action = WALK, action - WALKING
        elif 10 <= action < IN_WORDS:
            more, action = PLUS, action - 10
        if action < 0 or action >= 10 or (more and more != self.play.more()):
            return -1
        card: cython.int = hand & 7
        if action >= 5:
            if hand <= 7:
                return -1
            card, side = right_card(hand), RIGHT
        if card == JOKER:
            return action % 5 + 5 + side + more
        return action % 5 + side + more if card == action % 5 + 1 else -1

    def allow(self, into: cython.p_schar) -> cython.void:
        action: cython.int
        for action in range(ALL if self.play.kind_hole else WALKING):
            into[action] = self.meant_by(action) >= 0

    def observe(self, into: cython.p_schar) -> cython.void:
        """Write the observation, in the order of `features` in `learning.py`."""
        at: cython.int
        value: cython.int
        seats: cython.int = self.play.seats
        size: cython.int = self.play.size
        shown: cython.int = seats if self.play.hands_open else 1
        stack: cython.int = 6 * shown * self.play.hand_size + seats * (14 + size)
        self.show_hands(into, shown)
        self.show_seats(into, 6 * shown * self.play.hand_size)
        for value in range(2, 6):
            into[stack + value - 2] = self.play.stack >> (4 * value) & 15
            into[stack + 2 + value] = self.play.face_up == value
        into[stack + 8] = self.play.small_left
        at = stack + 9
        if self.play.spinner:
            into[at + self.play.spinner - 1] = 1
        at += size
        into[at] = self.play.spins if self.play.stage == DECIDING else 0
        into[at + 1] = 1  # observations are relative to the seat to move
        at += 1 + seats
        into[at] = self.play.stage == PLAYING
        into[at + 1] = self.play.stage == DECIDING
        into[at + 2] = self.play.stage == TAKING

    def show_hands(self, into: cython.p_schar, shown: cython.int) -> cython.void:
        """Write the visible hands, from the left."""
        other: cython.int
        at: cython.int
        hand: cython.int
        seat: cython.int = self.play.seat
        for other in range(shown):
            hand = self.play.hands[seat]
            at = 6 * self.play.hand_size * other
            while hand:
                into[at + (hand & 7) - 1] = 1
                hand >>= 3
                at += 6
            seat = seat + 1 if seat + 1 < self.play.seats else 0

    def show_seats(self, into: cython.p_schar, at: cython.int) -> cython.void:
        """Write the features of each seat, from `held` to `small`."""
        other: cython.int
        kind: cython.int
        hand: cython.int
        seat: cython.int = self.play.seat
        seats: cython.int = self.play.seats
        pawns: cython.int = at + 7 * seats
        large: cython.int = pawns + seats * self.play.size
        taken: cython.int = large + 2 * seats
        for other in range(seats):
            hand = self.play.hands[seat]
            into[at + other] = cards_in(hand)
            for kind in range(1, 7):
                into[at + seats + 6 * other + kind - 1] = self.play.piles[seat] >> (4 * kind) & 15
            if other and not self.play.hands_open:
                while hand:
                    into[at + seats + 6 * other + (hand & 7) - 1] += 1
                    hand >>= 3
            into[pawns + self.play.size * other + self.play.pawns[seat]] = 1
            into[large + other] = self.play.large == seat
            into[large + seats + other] = self.play.stuck >> seat & 1
            for kind in range(2, 6):
                into[taken + 4 * other + kind - 2] = self.play.taken[seat] >> (4 * kind) & 15
            into[taken + 4 * seats + other] = self.play.taken[seat] >> 24 & 0xFF
            seat = seat + 1 if seat + 1 < seats else 0
