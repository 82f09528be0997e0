"""Letters for machines: the rules of `rules.py` in numbers, compiled to C where there is a compiler.

A set of cards is a number with a bit for each card. Inside a play-out nobody looks at spaces: cards that
were never turned are all alike, and a letter that was turned down again is known by what it is. So
play-outs move sets of cards only, and spaces are settled afterwards, where somebody may ask for them.

`packing.py` says what the words of a state mean; law 10 ties this file to the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

if cython.compiled:
    from cython.cimports.wonderland.core.bits import count, first, lowest
else:
    from wonderland.core.bits import count, first, lowest

COMPILED = cython.compiled
POLICIES = ("dodo", "elephant")  # who never forgets

STARTING = cython.declare(cython.int, 0)
CHOOSING = cython.declare(cython.int, 1)
TURNING = cython.declare(cython.int, 2)
ENDED = cython.declare(cython.int, 3)
TURNED = cython.declare(cython.int, 0)
CLAIMED_AFTER = cython.declare(cython.int, 1)
CLAIMED_FIRST = cython.declare(cython.int, 2)

ONE = cython.declare(cython.uint, 1)
WORD = cython.declare(cython.uint, 31)
DUCHESS = cython.declare(cython.uint, 1 << 20)
MENACES = cython.declare(cython.uint, 127 << 20)
FULL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)

PLAYABLE = cython.declare(cython.int[32])
"""How many of the exposed letters, a bit each and the next one lowest, can be played in a row."""
if not cython.compiled:
    PLAYABLE = [0] * 32
_exposed: cython.int
for _exposed in range(32):
    PLAYABLE[_exposed] = first(~_exposed & 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mixed(number: cython.ulonglong) -> cython.ulonglong:
    """The bits of a number stirred well (splitmix64)."""
    number = ((number ^ (number >> 30)) * cython.cast(cython.ulonglong, 0xBF58476D1CE4E5B9)) & FULL
    number = ((number ^ (number >> 27)) * cython.cast(cython.ulonglong, 0x94D049BB133111EB)) & FULL
    return number ^ (number >> 31)


@cython.final
@cython.cclass
class Table:
    """One play and its random numbers."""

    given: cython.ulonglong[7]
    """The words of the state to which plays return; the last three are not kept anywhere else."""
    stage: cython.int
    seat: cython.int
    space: cython.int
    ended: cython.int
    seats: cython.int
    options: cython.int
    colours: cython.int[4]
    """For each seat, the number of the A of its colour."""
    rails: cython.int[4]
    in_play: cython.uint
    """All letters of the colours that somebody plays."""
    unseen: cython.uint
    removed: cython.uint
    up: cython.uint
    down: cython.uint
    never: cython.uint
    pile: cython.uint[27]
    """The cards never turned, one bit each, in no order that matters; only the first `left` count."""
    left: cython.int
    began: cython.int
    policies: cython.int
    random: cython.ulonglong

    def __init__(self) -> None:
        if not cython.compiled:
            self.given, self.colours, self.rails, self.pile = [0] * 7, [0] * 4, [0] * 4, [0] * 27
            self.random = 0

    def load(self, words: Sequence[int]) -> None:
        for i in range(7):
            self.given[i] = words[i]
        self._unpack()

    def words(self) -> list[int]:
        self._pack()
        return [self.given[i] for i in range(7)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unpack(self) -> cython.void:
        facts: cython.ulonglong = self.given[0]
        self.stage, self.seat, self.space = facts & 3, (facts >> 2) & 3, (facts >> 4) & 31
        self.ended, self.seats, self.options = (facts >> 9) & 3, (facts >> 11) & 7, (facts >> 14) & 7
        self.in_play = 0
        seat: cython.int
        for seat in range(4):
            self.colours[seat] = 5 * ((facts >> (17 + 2 * seat)) & 3)
            self.rails[seat] = (facts >> (25 + 3 * seat)) & 7
            if seat < self.seats:
                self.in_play |= WORD << self.colours[seat]
        self.unseen, self.removed = self.given[1] & 0x7FFFFFF, self.given[1] >> 32
        self.up, self.down = self.given[2] & 0x7FFFFFF, self.given[2] >> 32
        self.never = self.given[3]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pack(self) -> cython.void:
        facts: cython.ulonglong = self.stage | (self.seat << 2) | (self.space << 4) | (self.ended << 9)
        facts |= (self.seats << 11) | (self.options << 14)
        seat: cython.int
        for seat in range(4):
            facts |= cython.cast(cython.ulonglong, self.colours[seat] // 5) << (17 + 2 * seat)
            facts |= cython.cast(cython.ulonglong, self.rails[seat]) << (25 + 3 * seat)
        self.given[0] = facts
        self.given[1] = self.unseen | (cython.cast(cython.ulonglong, self.removed) << 32)
        self.given[2] = self.up | (cython.cast(cython.ulonglong, self.down) << 32)
        self.given[3] = self.never

    def turn(self) -> int:
        if self.stage == CHOOSING:
            return self.seat
        return -2 if self.stage == ENDED else -1

    def legal(self, seat: int) -> list[int]:
        if self.stage != CHOOSING or self.seat != seat:
            return []
        again = {self._space_of(card) for card in range(20) if (self.down >> card) & 1}
        return [space for space in range(27) if (self.never >> space) & 1 or space in again]  # L5

    def chances(self) -> list[tuple[int, int]]:
        if self.stage == STARTING:
            return [(seat, 1) for seat in range(self.seats)]  # L4
        known: cython.uint = self._turned_down_here() or self.unseen
        return [(card, 1) for card in range(27) if (known >> card) & 1]

    def winners(self) -> int:
        return 1 << self.seat if self.stage == ENDED else 0

    def scores(self) -> list[int]:
        return [self.rails[seat] for seat in range(self.seats)]

    def ending(self) -> int:
        return self.ended

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _space_of(self, card: cython.int) -> cython.int:
        return (self.given[4 + card // 9] >> (5 * (card % 9))) & 31

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _clear_spaces(self) -> cython.void:
        """Cards that have left the table lie nowhere."""
        card: cython.int
        for card in range(27):
            if not ((self.up | self.down) >> card) & 1:
                self.given[4 + card // 9] &= ~(cython.cast(cython.ulonglong, 31) << (5 * (card % 9)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turned_down_here(self) -> cython.uint:
        """The letter that lies face down again on the space being turned, if one does."""
        card: cython.int
        for card in range(20):
            if (self.down >> card) & 1 and self._space_of(card) == self.space:
                return ONE << card
        return 0

    def apply(self, actor: int, action: cython.int) -> None:  # noqa: ARG002 - the stage says who
        if self.stage == STARTING:
            self.stage, self.seat = CHOOSING, action
        elif self.stage == CHOOSING:
            self.stage, self.space = TURNING, action
        else:
            self._lay_open(action)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay_open(self, card: cython.int) -> cython.void:
        """L5: the card on the space being turned is this one."""
        if (self.never >> self.space) & 1:
            self.never ^= ONE << self.space
            self.given[4 + card // 9] |= cython.cast(cython.ulonglong, self.space) << (5 * (card % 9))
        self._turn_up(ONE << card)
        self._clear_spaces()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turn_up(self, card: cython.uint) -> cython.void:
        """L6 to L12: the turned card has its effect, letters are played, the next player is on."""
        own: cython.uint = WORD << self.colours[self.seat]
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
        self.space = 0
        self._play_exposed()  # L6, L9
        if self.rails[self.seat] == 5:  # L12
            self.stage = ENDED
            self.ended = TURNED if card & own else CLAIMED_AFTER
            return
        self.stage = CHOOSING
        self.seat = self.seat + 1 if self.seat + 1 < self.seats else 0  # L4
        if self.options & 2:
            self._play_exposed()  # L9
            if self.rails[self.seat] == 5:  # L12
                self.stage = ENDED
                self.ended = CLAIMED_FIRST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_exposed(self) -> cython.void:
        """L6, L9: every exposed letter of the player that is next in order moves to their rail."""
        colour: cython.int = self.colours[self.seat]
        rail: cython.int = self.rails[self.seat]
        after: cython.int = rail + PLAYABLE[((self.up >> colour) & 31) >> rail]
        self.up ^= ((ONE << after) - (ONE << rail)) << colour
        self.rails[self.seat] = after

    def seed(self, seed: int, stream: int = 0) -> None:
        self._seed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _seed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = mixed((seed + mixed((stream + STEP) & FULL)) & FULL)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, limit: cython.int) -> cython.int:
        """A random number from 0 up to but not including the limit."""
        self.random = (self.random + STEP) & FULL
        return ((mixed(self.random) >> 32) * cython.cast(cython.ulonglong, limit)) >> 32

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _shuffle(self) -> cython.void:
        """The cards never turned become a pile, from which any may be drawn."""
        rest: cython.uint = self.unseen
        self.left = 0
        while rest:
            self.pile[self.left] = ONE << first(rest)
            self.left += 1
            rest &= rest - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw(self, number: cython.int) -> cython.uint:
        """The card of this number leaves the pile."""
        card: cython.uint = self.pile[number]
        self.left -= 1
        self.pile[number] = self.pile[self.left]
        return card

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _chosen_by_dodo(self) -> cython.uint:
        """Any card that lies face down: one never turned, or one of the letters turned down again."""
        number: cython.int = self._below(self.left + (count(self.down) if self.down else 0))
        if number < self.left:
            return self._draw(number)
        number -= self.left
        return lowest(self.down, number + 1) ^ lowest(self.down, number)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _chosen_by_white_rabbit(self) -> cython.uint:
        """The first of its own letters that lies face down again; otherwise something new."""
        own: cython.uint = self.down & (WORD << self.colours[self.seat])
        if own:
            return lowest(own, 1)
        return self._draw(self._below(self.left)) if self.left else self._chosen_by_dodo()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _luck(self) -> cython.uint:
        """Who begins, if that is open; the card on the space being turned, if one is."""
        card: cython.uint = 0
        if self.stage == STARTING:
            self.stage, self.seat = CHOOSING, self._below(self.seats)
        self.began = self.seat
        if self.stage == TURNING:
            self._shuffle()
            card = self._turned_down_here()
            if card == 0:
                card = self.pile[self._below(self.left)]
        return card

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_on(self) -> cython.int:
        """To the end, without a look at spaces; gives the number of decisions."""
        decisions: cython.int = 0
        self._shuffle()
        while self.stage == CHOOSING:
            decisions += 1
            if (self.policies >> (4 * self.seat)) & 15:
                self._turn_up(self._chosen_by_white_rabbit())
            else:
                self._turn_up(self._chosen_by_dodo())
        return decisions

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_again(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.int:
        """From the packed state to the end; gives the number of decisions."""
        self._unpack()
        self._seed(seed, stream)
        card: cython.uint = self._luck()
        if card:
            self._turn_up(card)
        return self._play_on()

    def _sit_down(self, policies: Sequence[int]) -> None:
        """Each seat plays by the policy of this number."""
        self.policies = sum(policy << (4 * seat) for seat, policy in enumerate(policies))
        self._pack()

    def play_out(self, policies: Sequence[int]) -> int:
        self._sit_down(policies)
        card: cython.uint = self._luck()
        if card:
            self._lay_open(first(card))
        turned: cython.uint = self.unseen
        decisions: cython.int
        with cython.nogil:
            decisions = self._play_on()
        turned ^= self.unseen
        for number in range(27):  # on which spaces they lay is settled now: on any, each as likely
            if (turned >> number) & 1:
                place: cython.int = self._below(count(self.never))
                space: cython.uint = lowest(self.never, place + 1) ^ lowest(self.never, place)
                self.never ^= space
                self.given[4 + number // 9] |= first(space) << (5 * (number % 9))
        self._clear_spaces()
        return decisions

    def simulate(
        self, rows: cython.int[::1], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """A play that had begun before counts as begun by the seat on turn."""
        key: cython.ulonglong = seed & 0xFFFFFFFFFFFFFFFF
        stream: cython.ulonglong = first
        row: cython.int
        seat: cython.int
        end: cython.int = 10 * count
        self._sit_down(policies)
        with cython.nogil:
            for row in range(0, end, 10):
                rows[row + 2] = self._play_again(key, stream)
                stream += 1
                rows[row], rows[row + 1], rows[row + 3] = 1 << self.seat, self.began, self.ended
                for seat in range(4):
                    rows[row + 4 + seat] = self.rails[seat]
                rows[row + 8] = rows[row + 9] = 0
            self._unpack()
