"""Cookies for machines: the same game as in `rules.py` and `journey.py`, in numbers, compiled to C.

`packing.py` says what the numbers mean. Cards lie in hands and piles as threes of bits, the first card
lowest; the cookies of the stack as twos (a 2 is 0). What a seat has taken is one number: its points in
the lowest eight bits, then how many small cookies and large cookies in five each, then how many of each
value in three each. An action is 0 to 59 for a card (see `_steps`), then `UP`, `DOWN`, `ACCEPT`, `AGAIN`.
"""

from __future__ import annotations

from wonderland.core import kernel

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

COMPILED = cython.compiled
POLICIES = ("dodo", "white-rabbit")

STARTING = cython.declare(cython.int, 0)
DEALING = cython.declare(cython.int, 1)
TURNING_FIRST = cython.declare(cython.int, 2)
PLAYING = cython.declare(cython.int, 3)
CLIMBING = cython.declare(cython.int, 4)
DECIDING = cython.declare(cython.int, 5)
SPINNING = cython.declare(cython.int, 6)
TAKING = cython.declare(cython.int, 7)
TAKING_DOWN = cython.declare(cython.int, 8)
TURNING_UP = cython.declare(cython.int, 9)
DRAWING = cython.declare(cython.int, 10)
ENDED = cython.declare(cython.int, 11)

TEA_PARTY = cython.declare(cython.int, 0)
SMALL_COOKIES = cython.declare(cython.int, 1)
CATERPILLAR = cython.declare(cython.int, 2)
CHESHIRE_CAT = cython.declare(cython.int, 3)
RABBIT_HOLE = cython.declare(cython.int, 4)

UP = cython.declare(cython.int, 60)
DOWN = cython.declare(cython.int, 61)
ACCEPT = cython.declare(cython.int, 62)
AGAIN = cython.declare(cython.int, 63)
JOKER = cython.declare(cython.int, 6)
NOBODY = cython.declare(cython.int, 4)
ROW = cython.declare(cython.int, kernel.ROW)
SCORES = cython.declare(cython.int, kernel.SCORES)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mixed(number: cython.ulonglong) -> cython.ulonglong:
    """The bits of a number stirred well (splitmix64)."""
    every: cython.ulonglong = cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
    number = ((number ^ (number >> 30)) * cython.cast(cython.ulonglong, 0xBF58476D1CE4E5B9)) & every
    number = ((number ^ (number >> 27)) * cython.cast(cython.ulonglong, 0x94D049BB133111EB)) & every
    return number ^ (number >> 31)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def without(things: cython.ulonglong, at: cython.int, width: cython.int) -> cython.ulonglong:
    """A row of things of so many bits, less the one at this place."""
    below: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << at * width) - 1
    return (things & below) | (things >> width & ~below)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place(things: cython.ulonglong, thing: cython.ulonglong, width: cython.int) -> cython.int:
    """Where in a row of things of so many bits the first of this kind lies; it must be there."""
    at: cython.int = 0
    while things >> at * width & ((cython.cast(cython.ulonglong, 1) << width) - 1) != thing:
        at += 1
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cards_in(hand: cython.int) -> cython.int:
    return 3 if hand > 63 else 2 if hand > 7 else 1 if hand else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def steps_of(action: cython.int) -> cython.int:
    """What a card is played as: twenty actions each as it is, with 1 more, and to walk; of these ten
    with the left card, ten with the right; of these five with a card and five with a Joker."""
    return action % 5 + 1 + (20 <= action < 40)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def large_cookie(value: cython.int) -> cython.int:
    """What taking a large cookie adds to what a seat has."""
    return value + (1 << 13) + (1 << 18 + 3 * (value - 2))


@cython.final
@cython.cclass
class Table:
    """One play in numbers, and a generator of random numbers."""

    random: cython.ulonglong
    stage: cython.int
    seat: cython.int
    first: cython.int
    spins: cython.int
    large: cython.int
    stuck: cython.int
    spinner: cython.int
    last: cython.int
    face_up: cython.int
    small_left: cython.int
    stack_size: cython.int
    stack: cython.ulonglong
    cats: cython.ulonglong
    cats_used: cython.int
    seats: cython.int
    size: cython.int
    hand_size: cython.int
    hands_open: cython.int
    kind_hole: cython.int
    pawns: cython.int[4]
    hands: cython.int[4]
    taken: cython.int[4]
    pile_sizes: cython.int[4]
    piles: cython.ulonglong[4]
    cat_order: cython.ulonglong[4]
    board: cython.ulonglong[6]

    def __init__(self) -> None:
        self.load([0] * 50)
        self.seed(0)

    def load(self, words) -> None:
        words = list(words)
        self.stage, self.seat, self.first, self.spins, self.large, self.stuck = words[:6]
        self.spinner, self.last, self.face_up, self.small_left, self.stack_size = words[6:11]
        self.stack, self.cats, self.cats_used, self.seats, self.size, self.hand_size = words[11:17]
        self.hands_open, self.kind_hole = words[17:19]
        self.pawns, self.hands, self.taken = words[19:23], words[23:27], words[27:31]
        self.pile_sizes, self.piles, self.cat_order = words[31:35], words[35:39], words[39:43]
        self.board = words[43:49]

    def words(self) -> list[int]:
        numbers = [self.stage, self.seat, self.first, self.spins, self.large, self.stuck]
        numbers += [self.spinner, self.last, self.face_up, self.small_left, self.stack_size]
        numbers += [self.stack, self.cats, self.cats_used, self.seats, self.size, self.hand_size]
        numbers += [self.hands_open, self.kind_hole]
        for row in (self.pawns, self.hands, self.taken, self.pile_sizes):
            numbers += list(row)
        for row in (self.piles, self.cat_order, self.board):
            numbers += list(row)
        return numbers

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _copy(self, other: Table) -> cython.void:
        """All that a play changes, as at another table of the same board and options."""
        self.stage, self.seat, self.first, self.spins = other.stage, other.seat, other.first, other.spins
        self.large, self.stuck, self.spinner = other.large, other.stuck, other.spinner
        self.last, self.face_up, self.small_left = other.last, other.face_up, other.small_left
        self.stack_size, self.stack = other.stack_size, other.stack
        self.cats, self.cats_used = other.cats, other.cats_used
        self.pawns[:] = other.pawns
        self.hands[:] = other.hands
        self.taken[:] = other.taken
        self.pile_sizes[:] = other.pile_sizes
        self.piles[:] = other.piles
        self.cat_order[:] = other.cat_order

    # Where things are.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _kind(self, space: cython.int) -> cython.int:
        return self.board[space >> 4] >> ((space & 15) << 2) & 15

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _others(self, seat: cython.int) -> cython.ulonglong:
        """A bit for each space with another pawn."""
        spaces: cython.ulonglong = 0
        each: cython.int
        for each in range(self.seats):
            if each != seat:
                spaces |= cython.cast(cython.ulonglong, 1) << self.pawns[each]
        return spaces

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _free(self, seat: cython.int, target: cython.int) -> cython.int:
        """C9: this space, counted on beyond the Tea Party, or the next one without another pawn."""
        others: cython.ulonglong = self._others(seat)
        while others >> (target if target < self.size else target - self.size) & 1:
            target += 1
        return target

    # How a pawn travels and what follows: as in `journey.py`.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _travel(self, target: cython.int) -> cython.void:
        """C9, C10: to this space, counted on beyond the Tea Party."""
        seat: cython.int = self.seat
        self.pawns[seat] = target if target < self.size else target - self.size
        if target > self.size and self.face_up:
            self.taken[seat] += large_cookie(self.face_up)
            self.face_up = 0
            if self.stack_size:
                self.stage = TURNING_UP
                return
        self._arrive()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _arrive(self) -> cython.void:
        """C11: the pawn has stopped, and the player must do what the space says."""
        seat: cython.int = self.seat
        space: cython.int = self.pawns[seat]
        kind: cython.int = self._kind(space)
        if kind == CHESHIRE_CAT and not self.cats >> space & 1:  # C16
            self._remember_cat(space)
            self._travel(self._free(seat, space + steps_of(self.last - 1)))
            return
        if kind == TEA_PARTY:  # C13
            if self.stack_size:
                self.stage = TAKING
                return
            if self.face_up:
                self.taken[seat] += large_cookie(self.face_up)
                self.face_up = 0
        elif kind == SMALL_COOKIES and self.small_left:  # C14
            self.stage = SPINNING
            return
        elif kind == CATERPILLAR:  # C15
            self.large = NOBODY if self.large == seat else seat
        self._end_turn()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remember_cat(self, space: cython.int) -> cython.void:
        """Each word of `cat_order` holds ten spaces in the order in which they were used."""
        word: cython.int = self.cats_used // 10
        at: cython.int = self.cats_used % 10
        earlier: cython.ulonglong = self.cat_order[word] if at else 0
        self.cat_order[word] = earlier | (cython.cast(cython.ulonglong, space) << 6 * at)
        self.cats |= cython.cast(cython.ulonglong, 1) << space
        self.cats_used += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_turn(self) -> cython.void:
        """C12, C19."""
        if self.pile_sizes[self.seat]:
            self.stage = DRAWING
        else:
            self._next_turn()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_turn(self) -> cython.void:
        following: cython.int = self.seat + 1 if self.seat + 1 < self.seats else 0
        if self.hands[following]:
            self.seat = following
            self.stage = PLAYING
        else:
            self.stage = ENDED

    # What seats do.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, action: cython.int) -> cython.void:
        """C7, C8, C18, C22."""
        seat: cython.int = self.seat
        space: cython.int = self.pawns[seat]
        hand: cython.int = self.hands[seat]
        if action // 10 & 1:
            self.hands[seat] = hand & (63 if hand > 63 else 7)
        else:
            self.hands[seat] = hand >> 3
        self.last = action + 1
        self.stuck &= ~(1 << seat)
        self.cats = 0
        self.cats_used = 0
        if self.large != seat and action < 40 and self._kind(space) == RABBIT_HOLE:
            self.stage = CLIMBING
            self.spins = steps_of(action)
        else:
            self._travel(self._free(seat, space + steps_of(action)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _climb_out(self) -> cython.void:
        """C18: to the space at which the spinner points, which is behind the Tea Party if it is lower."""
        space: cython.int = self.spinner - 1
        self._travel(space if space > self.pawns[self.seat] else space + self.size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _answer(self, action: cython.int) -> cython.void:
        """C13 and C18."""
        if action == UP:
            self.taken[self.seat] += large_cookie(self.face_up)
            self.face_up = 0
            self.cats = 0
            self.cats_used = 0
            self.stage = TURNING_UP
        elif action == DOWN:
            self.stage = TAKING_DOWN
        elif action == ACCEPT:
            self._climb_out()
        else:
            self.stage = CLIMBING

    # What luck does: a card, a cookie and a seat by their place in the row that they come from.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw(self, at: cython.int) -> cython.void:
        """C6, C12: a card of the pile comes to the right of the hand, or between the two in it."""
        seat: cython.int = self.seat
        hand: cython.int = self.hands[seat]
        held: cython.int = cards_in(hand)
        card: cython.int = self.piles[seat] >> 3 * at & 7
        self.piles[seat] = without(self.piles[seat], at, 3)
        self.pile_sizes[seat] -= 1
        if self.stage == DRAWING:
            self.hands[seat] = hand & 7 | card << 3 | hand >> 3 << 6
            self._next_turn()
            return
        self.hands[seat] = hand | card << 3 * held
        if held + 1 == self.hand_size:
            self.seat = seat + 1
            if self.seat == self.seats:
                self.seat = self.first
                self.stage = TURNING_FIRST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turn_cookie(self, at: cython.int) -> cython.void:
        """C5, C10, C13: the top one of the stack is turned up, or taken."""
        cookie: cython.int = (self.stack >> 2 * at & 3) + 2
        self.stack = without(self.stack, at, 2)
        self.stack_size -= 1
        if self.stage == TAKING_DOWN:
            self.taken[self.seat] += large_cookie(cookie)
            self._end_turn()
            return
        self.face_up = cookie
        if self.stage == TURNING_FIRST:
            self.stage = PLAYING
        elif self.pawns[self.seat] == TEA_PARTY:
            self._end_turn()
        else:
            self._arrive()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spin(self, space: cython.int) -> cython.void:
        """C14, C18."""
        number: cython.int
        self.spinner = space + 1
        if self.stage == SPINNING:
            number = self.board[3 + (space >> 4)] >> ((space & 15) << 2) & 15
            number = min(number, self.small_left)
            self.small_left -= number
            self.taken[self.seat] += number * 257
            self._end_turn()
            return
        self.spins -= 1
        if self._kind(space) != RABBIT_HOLE and not self._others(NOBODY) >> space & 1:
            if self.spins:
                self.stage = DECIDING
            else:
                self._climb_out()
        elif self.spins:
            self.stage = CLIMBING
        else:
            self.stuck |= 1 << self.seat
            self._end_turn()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, number: cython.int) -> cython.int:
        """A random number from 0 up to but not including this one."""
        every: cython.ulonglong = cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        self.random = (self.random + cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)) & every
        return (mixed(self.random) >> 32) * number >> 32

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _luck(self) -> cython.void:
        """Luck decides."""
        if self.stage == DRAWING or self.stage == DEALING:  # noqa: PLR1714 - quicker in C
            self._draw(self._below(self.pile_sizes[self.seat]))
        elif self.stage == CLIMBING or self.stage == SPINNING:  # noqa: PLR1714
            self._spin(self._below(self.size))
        elif self.stage == STARTING:
            self._begin(self._below(self.seats))
        else:
            self._turn_cookie(self._below(self.stack_size))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, seat: cython.int) -> cython.void:
        self.first = seat
        self.seat = 0
        self.stage = DEALING

    # What is legal, and the simple bots.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ways(self) -> cython.int:
        """How many things the seat whose turn it is may do."""
        hand: cython.int = self.hands[self.seat]
        ways: cython.int
        if self.stage != PLAYING:
            return 2
        ways = 5 if hand & 7 == JOKER else 1
        if hand > 7:
            ways += 5 if self._right(hand) == JOKER else 1
        return ways * 2 if self._more() else ways

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _right(self, hand: cython.int) -> cython.int:
        return hand >> 6 if hand > 63 else hand >> 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _more(self) -> cython.int:
        """What can be added to the number of an action: 1 more (C8), or to walk (C22), or nothing."""
        if self.large == self.seat:
            return 20
        return 40 if self.kind_hole and self.stuck >> self.seat & 1 else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _way(self, way: cython.int) -> cython.int:
        """The action that is the n-th of those that are legal, counted from 0."""
        hand: cython.int = self.hands[self.seat]
        card: cython.int = hand & 7
        more: cython.int = self._more()
        action: cython.int = 0
        if self.stage != PLAYING:
            return (UP if self.stage == TAKING else ACCEPT) + way
        if more:
            action = more if way & 1 else 0
            way >>= 1
        if way >= (5 if card == JOKER else 1):
            way -= 5 if card == JOKER else 1
            card = self._right(hand)
            action += 10
        return action + (5 + way if card == JOKER else card - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self, policy: cython.int) -> cython.int:
        """What a simple bot does now."""
        return self._way(self._below(self._ways()))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_on(self, policies: cython.int) -> cython.int:
        """Play to the end; the policy of each seat in four bits. Gives the number of decisions."""
        decisions: cython.int = 0
        while self.stage != ENDED:
            if self.stage == PLAYING:
                self._play(self._choose(policies >> 4 * self.seat & 15))
                decisions += 1
            elif self.stage == TAKING or self.stage == DECIDING:  # noqa: PLR1714
                self._answer(self._choose(policies >> 4 * self.seat & 15))
                decisions += 1
            else:
                self._luck()
        return decisions

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _winners(self) -> cython.int:
        """C19: most points, then most large cookies, then the pawn farthest on."""
        best: cython.int = -1
        winners: cython.int = 0
        mine: cython.int
        seat: cython.int
        for seat in range(self.seats):
            mine = (self.taken[seat] & 255) << 11 | (self.taken[seat] >> 13 & 31) << 6 | self.pawns[seat]
            if mine > best:
                best = mine
                winners = 0
            if mine == best:
                winners |= 1 << seat
        return winners

    # What the rest of the program calls: see `wonderland.core.kernel.Table`.

    def seed(self, seed, stream=0) -> None:
        self._seed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _seed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = mixed((seed + mixed(stream + 1)) & cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF))

    def turn(self) -> int:
        if self.stage == PLAYING or self.stage == TAKING or self.stage == DECIDING:  # noqa: PLR1714
            return self.seat
        return kernel.OVER if self.stage == ENDED else kernel.LUCK

    def legal(self, seat) -> list[int]:
        return [self._way(way) for way in range(self._ways())] if self.turn() == seat else []

    def chances(self) -> list[tuple[int, int]]:
        things = []
        at: cython.int
        if self.stage == STARTING:
            things = list(range(self.seats))
        elif self.stage == CLIMBING or self.stage == SPINNING:  # noqa: PLR1714
            things = list(range(self.size))
        elif self.stage == DRAWING or self.stage == DEALING:  # noqa: PLR1714
            for at in range(self.pile_sizes[self.seat]):
                things.append(self.piles[self.seat] >> 3 * at & 7)
        elif self.turn() == kernel.LUCK:
            for at in range(self.stack_size):
                things.append((self.stack >> 2 * at & 3) + 2)
        return [(thing, things.count(thing)) for thing in dict.fromkeys(things)]

    def apply(self, actor, action: cython.int) -> None:  # noqa: ARG002 - whose turn it is, is known
        if self.stage == PLAYING:
            self._play(action)
        elif self.stage == TAKING or self.stage == DECIDING:  # noqa: PLR1714
            self._answer(action)
        elif self.stage == DRAWING or self.stage == DEALING:  # noqa: PLR1714
            self._draw(place(self.piles[self.seat], action, 3))
        elif self.stage == CLIMBING or self.stage == SPINNING:  # noqa: PLR1714
            self._spin(action)
        elif self.stage == STARTING:
            self._begin(action)
        else:
            self._turn_cookie(place(self.stack, action - 2, 2))

    def winners(self) -> int:
        return self._winners()

    def scores(self) -> list[int]:
        return [self.taken[seat] & 255 for seat in range(self.seats)]

    def ending(self) -> int:
        return 0

    def play_out(self, policies) -> int:
        return self._play_on(packed(policies))

    def simulate(self, rows: cython.int[::1], policies, seed, first, count: cython.long) -> None:
        home: Table = Table()
        play: cython.long
        chosen: cython.int = packed(policies)
        seeds: cython.ulonglong = seed & 0xFFFFFFFFFFFFFFFF
        stream: cython.ulonglong = first & 0xFFFFFFFFFFFFFFFF
        home._copy(self)
        with cython.nogil:
            for play in range(count):
                self._copy(home)
                self._seed(seeds, stream + play)
                rows[play * ROW + 2] = self._play_on(chosen)
                self._write(rows, play * ROW)
            self._copy(home)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write(self, rows: cython.int[::1], at: cython.long) -> cython.void:
        seat: cython.int
        rows[at] = self._winners()
        rows[at + 1] = self.first
        rows[at + 3] = 0
        for seat in range(6):
            rows[at + SCORES + seat] = self.taken[seat] & 255 if seat < self.seats else 0


def packed(policies) -> int:
    """The policy of each seat in four bits."""
    return sum(policy << 4 * seat for seat, policy in enumerate(policies))
