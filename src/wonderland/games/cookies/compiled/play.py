"""One play of Cookies in numbers: the same rules as in `rules.py` and `journey.py`, compiled to C.

`packing.py` says what the numbers mean, `play.pxd` has their types. A hand has three bits for each
card, the left one lowest. A pile or a stack has four bits for each kind of thing, saying how many there
are, and from bit 32 on how many there are in all. What a seat has taken is counted alike: four bits for
each large cookie, small ones from bit 24, and its points in the lowest eight bits, where no kind is.

An action is below 60 for a card: five ways to play a 1 to 5, five more a Joker; ten more for the right
card; twenty more with 1 added, forty more to walk. Then come `UP`, `DOWN`, `ACCEPT` and `AGAIN`.
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

    # `play.pxd` has the same for C
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
    """The card at the right end of a hand of two or three."""
    return hand >> 6 if hand > 63 else hand >> 3


def steps_of(action: cython.int) -> cython.int:
    """The number that a card is played as, with the 1 if it is added (C8)."""
    return action % 5 + (2 if PLUS <= action < WALK else 1)


class PlayState:
    """All that a copy of a play copies: its position, and the state of its random numbers."""


class FastPlay(PlayState):
    """One play, and its random numbers."""

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
        self.spin_worth = 0
        for space in range(self.size):
            self.spin_worth += self.number_at(space)

    def words(self) -> list[int]:
        words = [self.stage, self.seat, self.first, self.spins, self.large, self.stuck, self.spinner]
        words += [self.last, self.face_up, self.small_left, self.stack, self.cats, self.cats_used]
        words += [self.seats, self.size, self.hand_size, self.hands_open, self.kind_hole]
        words += list(self.pawns) + list(self.hands) + list(self.taken)
        return words + list(self.piles) + list(self.cat_order) + list(self.board)

    def copy(self, other: FastPlay) -> cython.void:
        """Take over the other's position, but keep one's own random numbers."""
        random: cython.ulonglong = self.random
        copy_fields(self, other)
        self.random = random

    def restart(self, home: FastPlay, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Take over the position of another, with the random numbers of a stream."""
        copy_fields(self, home)
        self.reseed(seed, stream)

    def clone(self) -> FastPlay:
        """Another play with the same position and the same random numbers."""
        other: FastPlay = FastPlay()
        copy_fields(other, self)
        return other

    # Luck

    def reseed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = start_stream(seed, stream + 1)

    def below(self, number: cython.int) -> cython.int:
        """A random number from 0 up to but not including this one."""
        self.random = advance(self.random)
        return scale(splitmix64(self.random), number)

    def pick(self, pile: cython.ulonglong) -> cython.int:
        """What comes off a pile: each thing as likely as any other."""
        left: cython.int = self.below(cython.cast(cython.int, pile >> 32))
        kind: cython.int = 0
        there: cython.int = pile & 15
        while left >= there:
            left -= there
            kind += 1
            there = pile >> (4 * kind) & 15
        return kind

    def luck(self) -> cython.int:
        """What luck decides now."""
        if self.stage in (DRAWING, DEALING):
            return self.pick(self.piles[self.seat])
        if self.stage in (CLIMBING, SPINNING):
            return self.below(self.size)
        return self.below(self.seats) if self.stage == STARTING else self.pick(self.stack)

    def settle(self) -> cython.void:
        """Let luck decide until a seat must, or the game is over."""
        while self.stage != ENDED and not self.is_asking():
            self.apply(self.luck())

    # How a pawn travels, and what follows: as in `journey.py`

    def kind_at(self, space: cython.int) -> cython.int:
        return self.board[space >> 4] >> ((space & 15) << 2) & 15

    def number_at(self, space: cython.int) -> cython.int:
        return self.board[3 + (space >> 4)] >> ((space & 15) << 2) & 15

    def free_from(self, seat: cython.int, target: cython.int) -> cython.int:
        """C9: this space, or the next one without another pawn; beyond the last one it counts on."""
        others: cython.ulonglong = 0
        each: cython.int
        for each in range(self.seats):
            if each != seat:
                others |= ONE << self.pawns[each]
        while others >> (target if target < self.size else target - self.size) & 1:
            target += 1
        return target

    def take(self, cookie: cython.int) -> cython.void:
        """A large cookie comes to lie in front of the player."""
        self.taken[self.seat] += ONE_THING + (ONE << (4 * cookie)) + cookie

    def travel(self, target: cython.int) -> cython.void:
        """C9, C10: to this space, counted on beyond the last one."""
        self.pawns[self.seat] = target if target < self.size else target - self.size
        if target > self.size and self.face_up:
            self.take(self.face_up)
            self.face_up = 0
            if self.stack:
                self.stage = TURNING_UP
                return
        self.arrive()

    def arrive(self) -> cython.void:
        """C11: the pawn has stopped, and the player must do what the space says."""
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
        """C16; each word of `cat_order` holds ten spaces in the order in which they were used."""
        word: cython.int = self.cats_used // 10
        at: cython.int = self.cats_used % 10
        earlier: cython.ulonglong = self.cat_order[word] if at else 0
        self.cat_order[word] = earlier | (cython.cast(cython.ulonglong, cat) << (6 * at))
        self.cats |= ONE << cat
        self.cats_used += 1
        self.travel(self.free_from(self.seat, cat + steps_of(self.last - 1)))

    def end_turn(self) -> cython.void:
        """C12: the player draws, if there is a pile; then the turn goes round; C19."""
        following: cython.int = self.seat + 1 if self.seat + 1 < self.seats else 0
        if self.piles[self.seat] and self.stage != DRAWING:
            self.stage = DRAWING
        elif self.hands[following]:
            self.stage = PLAYING
            self.seat = following
        else:
            self.stage = ENDED

    # What seats decide

    def play_card(self, action: cython.int) -> cython.void:
        """C7, C8; C18: in the Rabbit Hole the number is how many spins there are; C22."""
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
        """C18: where the spinner points, counted on beyond the last space if the way leads there."""
        space: cython.int = self.spinner - 1
        return space if space > self.pawns[self.seat] else space + self.size

    def answer(self, action: cython.int) -> cython.void:
        """C13, C18."""
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

    # What luck has decided

    def draw(self, card: cython.int) -> cython.void:
        """C6: to the right of the hand; C12, C21: to the right of its first card."""
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
        """C5, C10, C13: the top one of the stack is taken, or turned up."""
        self.stack -= ONE_THING + (ONE << (4 * cookie))
        if self.stage == TAKING_DOWN:
            self.take(cookie)
            self.end_turn()
            return
        self.face_up = cookie
        if self.stage == TURNING_FIRST:
            self.stage = PLAYING
        elif self.pawns[self.seat] == TEA_PARTY:  # it stopped there, and has had its cookie
            self.end_turn()
        else:
            self.arrive()

    def spin(self, space: cython.int) -> cython.void:
        """C14, C18."""
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
        """What a seat or luck has decided is carried out."""
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

    # What is legal

    def is_asking(self) -> cython.bint:
        """Whether a seat is to decide."""
        return self.stage in (PLAYING, TAKING, DECIDING)

    def more(self) -> cython.int:
        """What may be added to the number of an action (C8, C22), or nothing."""
        if self.large == self.seat:
            return PLUS
        return WALK if self.kind_hole and self.stuck >> self.seat & 1 else 0

    def choices(self) -> cython.int:
        """How many things the seat whose turn it is may do."""
        hand: cython.int = self.hands[self.seat]
        ways: cython.int = 5 if hand & 7 == JOKER else 1
        if self.stage != PLAYING:
            return 2
        if hand > 7:
            ways += 5 if right_card(hand) == JOKER else 1
        return ways * 2 if self.more() else ways

    def choice(self, way: cython.int) -> cython.int:
        """The n-th of the actions that are legal, counted from 0."""
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
        """Any of the actions that are legal."""
        return self.choice(self.below(self.choices()))
