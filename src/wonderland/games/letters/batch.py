"""Letters for many learning agents at once: `learning.py` in numbers, with the rules as in `kernel.py`.

The kernel's play-outs don't look at spaces, and here somebody always does; so a play is laid out anew.
A decision below 0 lets a simple player decide: -1 the one that turns anything, -2 the one who never
forgets.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

if cython.compiled:
    from cython.cimports.libc.string import memcpy
    from cython.cimports.wonderland.core.batch import Batch, Worker
    from cython.cimports.wonderland.core.bits import count, first, lowest
else:
    from wonderland.core.batch import Batch, Worker
    from wonderland.core.bits import count, first, lowest

    # `batch.pxd` has the same for C
    CARDS, WORD, DUCHESS, MENACES = 27, 31, 1 << 20, 127 << 20
    STEP, FULL = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
    FIRST_MIX, SECOND_MIX = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

COMPILED = cython.compiled


def batch(words: Sequence[int], plays: int, seats: int, actions: int, features: int) -> Batch:
    """So many plays that begin with this state."""
    return Batch(Desk, words, plays, seats, actions, features)


def mixed(number: cython.ulonglong) -> cython.ulonglong:
    """The bits of a number stirred well (splitmix64)."""
    number = ((number ^ (number >> 30)) * FIRST_MIX) & FULL
    number = ((number ^ (number >> 27)) * SECOND_MIX) & FULL
    return number ^ (number >> 31)


class Desk(Worker):
    """One play of Letters after the other."""

    def __init__(self, words: Sequence[int]) -> None:
        facts: cython.ulonglong = words[0]
        seat: cython.int
        if not cython.compiled:
            self.colours, self.rails, self.space_of, self.lies = [0] * 4, [0] * 4, [0] * 27, [0] * 27
        self.seats, self.options, self.in_play = facts >> 11 & 7, facts >> 14 & 7, 0
        for seat in range(self.seats):
            self.colours[seat] = 5 * (facts >> (17 + 2 * seat) & 3)
            self.in_play |= WORD << self.colours[seat]
        if (
            cython.compiled
        ):  # all that makes up a play lies side by side: `batch.pxd` has it in this order
            begins: cython.size_t = cython.cast(cython.size_t, cython.address(self.random))
            ends: cython.size_t = cython.cast(cython.size_t, cython.address(self.lies[26]))
            self.span = cython.cast(cython.int, ends - begins) + 1

    def words(self) -> list[int]:
        """The state as `packing.py` describes it."""
        facts = (3 if self.over else 1) | self.seat << 2 | self.ending << 9
        facts |= self.seats << 11 | self.options << 14
        for seat in range(self.seats):
            facts |= self.colours[seat] // 5 << (17 + 2 * seat) | self.rails[seat] << (25 + 3 * seat)
        where = [0, 0, 0]
        for card in range(27):
            if (self.up | self.down) >> card & 1:
                where[card // 9] |= int(self.space_of[card]) << (5 * (card % 9))
        sets = [self.unseen | int(self.removed) << 32, self.up | int(self.down) << 32, self.never]
        return [facts, *sets, *where]

    def size(self) -> cython.int:
        return self.span

    def fetch(self, row: cython.p_uchar) -> cython.void:
        memcpy(cython.address(self.random), row, self.span)

    def store(self, row: cython.p_uchar) -> cython.void:
        memcpy(row, cython.address(self.random), self.span)

    def begin(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        which: cython.int
        self.random = mixed((seed + mixed((stream + STEP) & FULL)) & FULL)
        self.over = self.ending = 0
        self.unseen = self.never = (1 << CARDS) - 1
        self.removed = self.up = self.down = 0
        for which in range(4):
            self.rails[which] = 0
        for which in range(CARDS):
            self.space_of[which] = self.lies[which] = 0
        self.seat = self.below(self.seats)  # L4

    def below(self, limit: cython.int) -> cython.int:
        """A random number from 0 up to but not including the limit."""
        self.random = (self.random + STEP) & FULL
        return cython.cast(cython.int, ((mixed(self.random) >> 32) * limit) >> 32)

    def one_of(self, members: cython.uint) -> cython.int:
        """Any of the members of a set."""
        number: cython.int = self.below(count(members))
        return first(members & ~cython.cast(cython.uint, lowest(members, number)))

    def on_turn(self) -> cython.int:
        return -1 if self.over else self.seat

    def winners(self) -> cython.int:
        return 1 << self.seat

    def face_down(self) -> cython.uint:
        """L5: the spaces whose card can be turned."""
        spaces: cython.uint = self.never
        cards: cython.uint = self.down
        while cards:
            spaces |= cython.cast(cython.uint, 1) << self.space_of[first(cards)]
            cards &= cards - 1
        return spaces

    def decide(self, action: cython.int) -> cython.bint:
        """L5: turn the card on a space; luck says what it is, if it was never turned."""
        can: cython.uint = self.face_down()
        own: cython.uint = self.down & (cython.cast(cython.uint, WORD) << self.colours[self.seat])
        is_wrong: cython.bint = False
        if action == -2 and own:
            action = self.space_of[first(own)]
        elif action == -2 and self.never:
            action = self.one_of(self.never)
        elif action in (-1, -2):
            action = self.one_of(can)
        elif action < 0 or action >= CARDS or not can >> action & 1:
            is_wrong, action = True, first(can)
        if self.never >> action & 1:
            card: cython.int = self.one_of(self.unseen)
            self.never ^= cython.cast(cython.uint, 1) << action
            self.space_of[card], self.lies[action] = action, card
        self.turn_up(cython.cast(cython.uint, 1) << self.lies[action])
        return is_wrong

    def turn_up(self, card: cython.uint) -> cython.void:
        """L6 to L12: the turned card has its effect, letters are played, the next player is on."""
        own: cython.uint = cython.cast(cython.uint, WORD) << self.colours[self.seat]
        hit: cython.uint
        self.unseen &= ~card
        self.down &= ~card
        if card & MENACES:
            hit = self.up & (self.in_play if card == DUCHESS and self.options & 1 else own)  # L14
            self.up ^= hit | card  # L10
            self.down |= hit
        elif card & self.in_play:
            self.up |= card  # L7, L8
        else:
            self.removed |= card  # L11
        if self.play_exposed():  # L6, L9, L12
            self.over, self.ending = 1, 0 if card & own else 1
            return
        self.seat = self.seat + 1 if self.seat + 1 < self.seats else 0  # L4
        if self.options & 2 and self.play_exposed():  # L9, L12
            self.over, self.ending = 1, 2

    def play_exposed(self) -> cython.bint:
        """L6, L9: exposed letters that are next in order are played; whether the word is complete."""
        colour: cython.int = self.colours[self.seat]
        rail: cython.int = self.rails[self.seat]
        while rail < 5 and self.up >> (colour + rail) & 1:
            self.up ^= cython.cast(cython.uint, 1) << (colour + rail)
            rail += 1
        self.rails[self.seat] = rail
        return rail == 5

    def allow(self, into: cython.p_schar) -> cython.void:
        space: cython.int
        can: cython.uint = self.face_down()
        for space in range(CARDS):
            into[space] = can >> space & 1

    def observe(self, into: cython.p_schar) -> cython.void:
        """As `features` of `learning.py` says, in the same order."""
        other: cython.int
        seat: cython.int = self.seat
        seats: cython.int = self.seats
        is_open: cython.bint = self.options & 4 != 0
        menaces: cython.int = CARDS * (1 + seats)
        rails: cython.int = menaces + CARDS
        known: cython.int = rails + 2 * seats + CARDS + 2 + 5 * (4 - seats)
        self.allow(into)
        for other in range(seats):
            self.show_letters(into, CARDS * (1 + other), self.up, self.colours[seat])
            if is_open:
                self.show_letters(into, known + CARDS * other, self.down, self.colours[seat])
            into[rails + other] = self.rails[seat]
            seat = seat + 1 if seat + 1 < seats else 0
        self.show_menaces(into, menaces)
        into[rails + seats] = 1  # the seat on turn is oneself
        into[rails + 2 * seats + CARDS] = 1  # it is to choose
        self.show_removed(into, rails + 2 * seats + CARDS + 2)

    def show_letters(
        self, into: cython.p_schar, at: cython.int, cards: cython.uint, colour: cython.int
    ) -> cython.void:
        """Which of these cards are letters of this colour, on the spaces where they lie."""
        place: cython.int
        for place in range(5):
            if cards >> (colour + place) & 1:
                into[at + self.space_of[colour + place]] = place + 1

    def show_menaces(self, into: cython.p_schar, at: cython.int) -> cython.void:
        cards: cython.uint = self.up & MENACES
        while cards:
            into[at + self.space_of[first(cards)]] = first(cards) - 19
            cards &= cards - 1

    def show_removed(self, into: cython.p_schar, at: cython.int) -> cython.void:
        """The letters of colours that nobody plays, in the order of the colours."""
        card: cython.int
        for card in range(20):
            if not self.in_play >> card & 1:
                into[at] = self.removed >> card & 1
                at += 1
