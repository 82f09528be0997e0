"""The rules of `rules.py` and `journey.py` on plain numbers, compiled to C.

`packing.py` converts states to these numbers, and `play.pxd` declares their types. A hand has three bits
per card, the left one lowest. A pile or stack has a four-bit count for each kind of item, and the total
from bit 32 on. What a seat has taken is counted likewise: four bits for each value of large cookie,
small ones from bit 24, and the score in the lowest eight bits, which no kind uses.

Card plays are numbered below 60: 0 to 4 play a card 1 to 5, 5 to 9 a Joker; add 10 for the right card,
20 to add 1 to the number, 40 to walk. `UP`, `DOWN`, `ACCEPT` and `AGAIN` follow.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.kernels.rng import advance, scale, splitmix64, start_stream
else:
    from wonderland.kernels.fields import copy_fields
    from wonderland.kernels.rng import advance, scale, splitmix64, start_stream

    # The same as in `play.pxd`.
    STARTING, DEALING, TURNING_FIRST, PLAYING, CLIMBING, DECIDING = range(6)
    SPINNING, TAKING, TAKING_DOWN, TURNING_UP, DRAWING, ENDED = range(6, 12)
    TEA_PARTY, SMALL_COOKIES, CATERPILLAR, CHESHIRE_CAT, RABBIT_HOLE = range(5)
    NOBODY, JOKER = 4, 6
    RIGHT, PLUS, WALK = 10, 20, 40
    UP, DOWN, ACCEPT, AGAIN = range(60, 64)
    ONE, ONE_THING = 1, 1 << 32


def cards_in(hand: cython.int) -> cython.int:
    return 3 if hand > 63 else 2 if hand > 7 else 1 if hand else 0


def right_card(hand: cython.int) -> cython.int:
    """The rightmost card of a hand of two or three."""
    return hand >> 6 if hand > 63 else hand >> 3


def steps_of(action: cython.int) -> cython.int:
    """The number a card is played as, including the added 1 (C8)."""
    return action % 5 + (2 if PLUS <= action < WALK else 1)


class PlayState:
    """The copied fields of a game: its position and the state of its random number generator."""


class FastPlay(PlayState):
    """One game, with its random number generator."""

    def __init__(self) -> None:
        self.load([0] * 44)
        self.random = 0

    def load(self, words: Sequence[int]) -> None:
        words = list(words)
        self.stage, self.seat, self.first, self.spins, self.large, self.stuck = words[:6]
        self.spinner, self.last, self.face_up, self.small_left = words[6:10]
        self.stack, self.cats, self.cats_used, self.seats, self.size, self.hand_size = words[10:16]
        self.hands_open, self.kind_hole = words[16:18]
        self.pawns, self.hands, self.taken = words[18:22], words[22:26], words[26:30]
        self.piles, self.cat_order, self.board = words[30:34], words[34:38], words[38:44]
        self.spin_total = 0
        for space in range(self.size):
            self.spin_total += self.number_at(space)

    def words(self) -> list[int]:
        words = [self.stage, self.seat, self.first, self.spins, self.large, self.stuck, self.spinner]
        words += [self.last, self.face_up, self.small_left, self.stack, self.cats, self.cats_used]
        words += [self.seats, self.size, self.hand_size, self.hands_open, self.kind_hole]
        words += list(self.pawns) + list(self.hands) + list(self.taken)
        return words + list(self.piles) + list(self.cat_order) + list(self.board)

    def copy(self, other: FastPlay) -> cython.void:
        """Copy another game's position, but keep this one's random number generator."""
        random: cython.ulonglong = self.random
        copy_fields(self, other)
        self.random = random

    def restart(self, home: FastPlay, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Copy another game's position and reseed."""
        copy_fields(self, home)
        self.reseed(seed, stream)

    def clone(self) -> FastPlay:
        """Return a copy with the same position and random number generator."""
        other: FastPlay = FastPlay()
        copy_fields(other, self)
        return other

    # Chance

    def reseed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = start_stream(seed, stream + 1)

    def below(self, number: cython.int) -> cython.int:
        """Random number from 0 up to, but excluding, `number`."""
        self.random = advance(self.random)
        return scale(splitmix64(self.random), number)

    def pick(self, pile: cython.ulonglong) -> cython.int:
        """Draw from a pile, each item with equal probability."""
        left: cython.int = self.below(cython.cast(cython.int, pile >> 32))
        kind: cython.int = 0
        there: cython.int = pile & 15
        while left >= there:
            left -= there
            kind += 1
            there = pile >> (4 * kind) & 15
        return kind

    def chance_outcome(self) -> cython.int:
        """Sample the next chance outcome."""
        if self.stage in (DRAWING, DEALING):
            return self.pick(self.piles[self.seat])
        if self.stage in (CLIMBING, SPINNING):
            return self.below(self.size)
        return self.below(self.seats) if self.stage == STARTING else self.pick(self.stack)

    def settle(self) -> cython.void:
        """Resolve chance outcomes until a seat must decide or the game is over."""
        while self.stage != ENDED and not self.is_asking():
            self.apply(self.chance_outcome())

    # Movement and the end of a turn, as in `journey.py`

    def kind_at(self, space: cython.int) -> cython.int:
        return self.board[space >> 4] >> ((space & 15) << 2) & 15

    def number_at(self, space: cython.int) -> cython.int:
        return self.board[3 + (space >> 4)] >> ((space & 15) << 2) & 15

    def free_from(self, seat: cython.int, target: cython.int) -> cython.int:
        """This space, or the next one without another pawn; keeps counting past the last space (C9)."""
        others: cython.ulonglong = 0
        each: cython.int
        for each in range(self.seats):
            if each != seat:
                others |= ONE << self.pawns[each]
        while others >> (target if target < self.size else target - self.size) & 1:
            target += 1
        return target

    def take(self, cookie: cython.int) -> cython.void:
        """Give a large cookie to the player."""
        self.taken[self.seat] += ONE_THING + (ONE << (4 * cookie)) + cookie

    def travel(self, target: cython.int) -> cython.void:
        """Move to this space, which keeps counting past the last one (C9, C10)."""
        self.pawns[self.seat] = target if target < self.size else target - self.size
        if target > self.size and self.face_up:
            self.take(self.face_up)
            self.face_up = 0
            if self.stack:
                self.stage = TURNING_UP
                return
        self.arrive()

    def arrive(self) -> cython.void:
        """Carry out the effect of the space on which the pawn has stopped (C11)."""
        seat: cython.int = self.seat
        space: cython.int = self.pawns[seat]
        kind: cython.int = self.kind_at(space)
        if kind == CHESHIRE_CAT and not self.cats >> space & 1:  # C16
            self.move_on(space)
            return
        if kind == TEA_PARTY:  # C13
            if self.stack:
                self.stage = TAKING
                return
            if self.face_up:
                self.take(self.face_up)
                self.face_up = 0
        elif kind == SMALL_COOKIES and self.small_left:  # C14
            self.stage = SPINNING
            return
        elif kind == CATERPILLAR:  # C15
            self.large = NOBODY if self.large == seat else seat
        self.end_turn()

    def move_on(self, cat: cython.int) -> cython.void:
        """Move on from a Cheshire Cat (C16); a word of `cat_order` holds ten spaces in order of use."""
        word: cython.int = self.cats_used // 10
        at: cython.int = self.cats_used % 10
        earlier: cython.ulonglong = self.cat_order[word] if at else 0
        self.cat_order[word] = earlier | (cython.cast(cython.ulonglong, cat) << (6 * at))
        self.cats |= ONE << cat
        self.cats_used += 1
        self.travel(self.free_from(self.seat, cat + steps_of(self.last - 1)))

    def end_turn(self) -> cython.void:
        """Draw if there is a pile (C12), then pass the turn or end the game (C19)."""
        following: cython.int = self.seat + 1 if self.seat + 1 < self.seats else 0
        if self.piles[self.seat] and self.stage != DRAWING:
            self.stage = DRAWING
        elif self.hands[following]:
            self.stage = PLAYING
            self.seat = following
        else:
            self.stage = ENDED

    # Decisions of seats

    def play_card(self, action: cython.int) -> cython.void:
        """Play a card (C7, C8, C22); in the Rabbit Hole, its number is the number of spins (C18)."""
        seat: cython.int = self.seat
        space: cython.int = self.pawns[seat]
        hand: cython.int = self.hands[seat]
        if action // RIGHT & 1:
            self.hands[seat] = hand & (63 if hand > 63 else 7)
        else:
            self.hands[seat] = hand >> 3
        self.last = action + 1
        self.stuck &= ~(1 << seat)
        self.cats = 0
        self.cats_used = 0
        if self.large != seat and action < WALK and self.kind_at(space) == RABBIT_HOLE:
            self.stage = CLIMBING
            self.spins = steps_of(action)
        else:
            self.travel(self.free_from(seat, space + steps_of(action)))

    def climbing_to(self) -> cython.int:
        """The space the spinner points at, counted past the last one if the way leads there (C18)."""
        space: cython.int = self.spinner - 1
        return space if space > self.pawns[self.seat] else space + self.size

    def answer(self, action: cython.int) -> cython.void:
        """Choose a large cookie (C13), or answer a spin (C18)."""
        if action == UP:
            self.take(self.face_up)
            self.face_up = 0
            self.cats = 0
            self.cats_used = 0
            self.stage = TURNING_UP
        elif action == DOWN:
            self.stage = TAKING_DOWN
        elif action == ACCEPT:
            self.travel(self.climbing_to())
        else:
            self.stage = CLIMBING

    # Chance outcomes

    def draw(self, card: cython.int) -> cython.void:
        """Deal to the right of the hand (C6), or draw to the right of its first card (C12, C21)."""
        seat: cython.int = self.seat
        hand: cython.int = self.hands[seat]
        self.piles[seat] -= ONE_THING + (ONE << (4 * card))
        if self.stage == DRAWING:
            self.hands[seat] = hand & 7 | card << 3 | hand >> 3 << 6
            self.end_turn()
            return
        self.hands[seat] = hand | card << (3 * cards_in(hand))
        if cards_in(self.hands[seat]) == self.hand_size:
            self.seat = seat + 1
            if self.seat == self.seats:
                self.seat = self.first
                self.stage = TURNING_FIRST

    def turn_cookie(self, cookie: cython.int) -> cython.void:
        """Take the top cookie of the stack, or turn it up (C5, C10, C13)."""
        self.stack -= ONE_THING + (ONE << (4 * cookie))
        if self.stage == TAKING_DOWN:
            self.take(cookie)
            self.end_turn()
            return
        self.face_up = cookie
        if self.stage == TURNING_FIRST:
            self.stage = PLAYING
        elif self.pawns[self.seat] == TEA_PARTY:  # it stopped there and already took its cookie
            self.end_turn()
        else:
            self.arrive()

    def spin(self, space: cython.int) -> cython.void:
        """Spin for small cookies (C14), or to climb out (C18)."""
        number: cython.int = self.number_at(space)
        self.spinner = space + 1
        if self.stage == SPINNING:
            number = min(number, self.small_left)
            self.small_left -= number
            self.taken[self.seat] += number * ((ONE << 24) + 1)
            self.end_turn()
            return
        self.spins -= 1
        if self.kind_at(space) != RABBIT_HOLE and self.free_from(NOBODY, space) == space:
            self.stage = DECIDING
            if not self.spins:
                self.travel(self.climbing_to())
        elif self.spins:
            self.stage = CLIMBING
        else:
            self.stuck |= 1 << self.seat
            self.end_turn()

    def apply(self, action: cython.int) -> cython.void:
        """Apply an action or a chance outcome, depending on the stage."""
        if self.stage == PLAYING:
            self.play_card(action)
        elif self.stage in (DRAWING, DEALING):
            self.draw(action)
        elif self.stage in (TAKING, DECIDING):
            self.answer(action)
        elif self.stage in (CLIMBING, SPINNING):
            self.spin(action)
        elif self.stage == STARTING:
            self.first, self.seat, self.stage = action, 0, DEALING
        else:
            self.turn_cookie(action)

    # Legal actions

    def is_asking(self) -> cython.bint:
        """Whether a seat must decide."""
        return self.stage in (PLAYING, TAKING, DECIDING)

    def more(self) -> cython.int:
        """Offset of the extra plays available, `PLUS` (C8) or `WALK` (C22), or 0."""
        if self.large == self.seat:
            return PLUS
        return WALK if self.kind_hole and self.stuck >> self.seat & 1 else 0

    def choices(self) -> cython.int:
        """Number of legal actions of the seat to move."""
        hand: cython.int = self.hands[self.seat]
        ways: cython.int = 5 if hand & 7 == JOKER else 1
        if self.stage != PLAYING:
            return 2
        if hand > 7:
            ways += 5 if right_card(hand) == JOKER else 1
        return ways * 2 if self.more() else ways

    def choice(self, way: cython.int) -> cython.int:
        """The n-th legal action, counting from 0."""
        card: cython.int = self.hands[self.seat] & 7
        of_left: cython.int = 5 if card == JOKER else 1
        more: cython.int = self.more()
        action: cython.int = 0
        if self.stage != PLAYING:
            return (UP if self.stage == TAKING else ACCEPT) + way
        if more:
            action = more if way & 1 else 0
            way >>= 1
        if way >= of_left:
            way -= of_left
            card = right_card(self.hands[self.seat])
            action += RIGHT
        return action + (5 + way if card == JOKER else card - 1)

    def any_choice(self) -> cython.int:
        """A random legal action."""
        return self.choice(self.below(self.choices()))
