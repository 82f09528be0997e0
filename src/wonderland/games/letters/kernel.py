"""Letters for machines: the rules of `rules.py` in numbers, compiled to C where there is a compiler.

A set of cards is a number with a bit for each card, in the order of `CARDS`: five letters for each
colour, then the seven menaces, the Duchess first. A state is seven words:

0    stage (2 bits), seat on turn or winner (2), space being turned (5), ending (2), number of seats (3),
     duchess, claim first, open memory (1 each), colours of the seats (4 x 2), rails (4 x 3)
1    the cards never turned (from bit 0), the letters removed (from bit 32)
2    the cards that lie open (from bit 0), the letters that lie face down again (from bit 32)
3    the spaces whose card was never turned
4-6  the space of each card of word 2 (9 x 5 bits in each), 0 for all others

Inside a play-out nobody looks at spaces: cards that were never turned are all alike, and a letter that
was turned down again is known by what it is. So play-outs move sets of cards only, and the spaces are
settled afterwards, where somebody may ask for them.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.core import uncompiled as cython

if cython.compiled:
    from cython.cimports.wonderland.core.bits import count, first, lowest
else:
    from wonderland.core.bits import count, first, lowest

COMPILED = cython.compiled
POLICIES = ("dodo", "white-rabbit")

STARTING = cython.declare(cython.int, 0)
CHOOSING = cython.declare(cython.int, 1)
TURNING = cython.declare(cython.int, 2)
ENDED = cython.declare(cython.int, 3)

TURNED = cython.declare(cython.int, 0)
CLAIMED_AFTER = cython.declare(cython.int, 1)
CLAIMED_FIRST = cython.declare(cython.int, 2)

DUCHESS = cython.declare(cython.uint, 1 << 20)
MENACES = cython.declare(cython.uint, 0x7F << 20)

NEXT_LETTERS = cython.declare(cython.int[32])
"""Of the exposed letters from the next one on, as bits: how many can be played one after the other."""
if not cython.compiled:
    NEXT_LETTERS = [0] * 32
_exposed: cython.int
for _exposed in range(32):
    NEXT_LETTERS[_exposed] = 0
    while (_exposed >> NEXT_LETTERS[_exposed]) & 1:
        NEXT_LETTERS[_exposed] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mixed(number: cython.ulonglong) -> cython.ulonglong:
    """The output function of splitmix64."""
    full: cython.ulonglong = cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
    number = ((number ^ (number >> 30)) * cython.cast(cython.ulonglong, 0xBF58476D1CE4E5B9)) & full
    number = ((number ^ (number >> 27)) * cython.cast(cython.ulonglong, 0x94D049BB133111EB)) & full
    return number ^ (number >> 31)


@cython.final
@cython.cclass
class Table:
    """One play and its random numbers."""

    given: cython.ulonglong[7]
    """The words of the state that was loaded, or to which plays return."""
    stage: cython.int
    seat: cython.int
    space: cython.int
    ended: cython.int
    seats: cython.int
    duchess: cython.int
    claim_first: cython.int
    open_memory: cython.int
    shift: cython.int[4]
    """For each seat, the bit of the A of its colour."""
    rails: cython.int[4]
    in_play: cython.uint
    """All letters of the colours that somebody plays."""
    unseen: cython.uint
    removed: cython.uint
    up: cython.uint
    down: cython.uint
    never: cython.uint
    where: cython.int[27]
    pile: cython.uint[28]
    """The cards never turned, one bit each, in no order that matters; only the first `left` count."""
    left: cython.int
    began: cython.int
    policies: cython.ulonglong
    random: cython.ulonglong

    def __init__(self) -> None:
        if not cython.compiled:
            self.given, self.shift, self.rails = [0] * 7, [0] * 4, [0] * 4
            self.where, self.pile = [0] * 27, [0] * 28
            self.stage = self.seat = self.left = self.random = 0
        self.seats = 2

    # States and their words

    def load(self, words):
        for i in range(7):
            self.given[i] = words[i]
        self._unpack()
        self._unpack_spaces()

    def words(self):
        self._pack()
        return [self.given[i] for i in range(7)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unpack(self) -> cython.void:
        facts: cython.ulonglong = self.given[0]
        self.stage, self.seat, self.space = facts & 3, (facts >> 2) & 3, (facts >> 4) & 31
        self.ended, self.seats = (facts >> 9) & 3, (facts >> 11) & 7
        self.duchess, self.claim_first = (facts >> 14) & 1, (facts >> 15) & 1
        self.open_memory = (facts >> 16) & 1
        self.in_play = 0
        i: cython.int
        for i in range(4):
            self.shift[i] = 5 * ((facts >> (17 + 2 * i)) & 3)
            self.rails[i] = (facts >> (25 + 3 * i)) & 7
            if i < self.seats:
                self.in_play |= cython.cast(cython.uint, 31) << self.shift[i]
        self.unseen, self.removed = self.given[1] & 0x7FFFFFF, self.given[1] >> 32
        self.up, self.down = self.given[2] & 0x7FFFFFF, self.given[2] >> 32
        self.never = self.given[3] & 0x7FFFFFF

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unpack_spaces(self) -> cython.void:
        i: cython.int
        for i in range(27):
            self.where[i] = (self.given[4 + i // 9] >> (5 * (i % 9))) & 31

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pack(self) -> cython.void:
        facts: cython.ulonglong = self.stage | (self.seat << 2) | (self.space << 4) | (self.ended << 9)
        facts |= (self.seats << 11) | (self.duchess << 14) | (self.claim_first << 15)
        facts |= self.open_memory << 16
        i: cython.int
        for i in range(4):
            facts |= cython.cast(cython.ulonglong, self.shift[i] // 5) << (17 + 2 * i)
            facts |= cython.cast(cython.ulonglong, self.rails[i]) << (25 + 3 * i)
        self.given[0] = facts
        self.given[1] = self.unseen | (cython.cast(cython.ulonglong, self.removed) << 32)
        self.given[2] = self.up | (cython.cast(cython.ulonglong, self.down) << 32)
        self.given[3] = self.never
        self.given[4] = self.given[5] = self.given[6] = 0
        for i in range(27):
            self.given[4 + i // 9] |= cython.cast(cython.ulonglong, self.where[i]) << (5 * (i % 9))

    # What can be asked of a state

    def turn(self):
        if self.stage == CHOOSING:
            return self.seat
        return -2 if self.stage == ENDED else -1

    def legal(self, seat):
        if self.stage != CHOOSING or self.seat != seat:
            return []
        again = {self.where[card] for card in range(20) if (self.down >> card) & 1}
        return [space for space in range(27) if (self.never >> space) & 1 or space in again]  # L5

    def chances(self):
        if self.stage == STARTING:
            return [(seat, 1) for seat in range(self.seats)]  # L4
        if self.stage != TURNING:
            return []
        known: cython.int = self._turned_down_here()
        if known >= 0:
            return [(known, 1)]
        return [(card, 1) for card in range(27) if (self.unseen >> card) & 1]

    def winners(self):
        return 1 << self.seat if self.stage == ENDED else 0

    def scores(self):
        return [self.rails[seat] for seat in range(self.seats)]

    def ending(self):
        return self.ended

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turned_down_here(self) -> cython.int:
        """The letter that lies face down again on the space being turned; -1 if it was never turned."""
        card: cython.int
        for card in range(20):
            if (self.down >> card) & 1 and self.where[card] == self.space:
                return card
        return -1

    # One move

    def apply(self, actor, action):
        if self.stage == STARTING:
            self.stage, self.seat = CHOOSING, action
        elif self.stage == CHOOSING:
            self.stage, self.space = TURNING, action
        else:
            self._turn_space(action)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turn_space(self, card: cython.int) -> cython.void:
        """L5: the card on the space being turned is this one."""
        bit: cython.uint = cython.cast(cython.uint, 1) << card
        if (self.never >> self.space) & 1:
            self.never ^= cython.cast(cython.uint, 1) << self.space
            self.unseen ^= bit
            self.where[card] = self.space
        else:
            self.down ^= bit
        self._turn_up(bit)
        self.space = 0
        self._clear_spaces()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _clear_spaces(self) -> cython.void:
        """Cards that have left the table lie nowhere."""
        card: cython.int
        for card in range(27):
            if not ((self.up | self.down) >> card) & 1:
                self.where[card] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turn_up(self, card: cython.uint) -> cython.void:
        """L6 to L12: the turned card has its effect, letters are played, the next player is on."""
        own: cython.uint = cython.cast(cython.uint, 31) << self.shift[self.seat]
        if card & MENACES:
            if card == DUCHESS and self.duchess:
                own = self.in_play  # L14
            own &= self.up
            self.up = (self.up ^ own) | card  # L10
            self.down |= own
        elif card & self.in_play:
            self.up |= card  # L7, L8
        else:
            self.removed |= card  # L11
        self._play_exposed()  # L6, L9
        if self.rails[self.seat] == 5:  # L12
            own = cython.cast(cython.uint, 31) << self.shift[self.seat]
            self.ended = TURNED if card & own else CLAIMED_AFTER
            self.stage = ENDED
            return
        self.seat = self.seat + 1 if self.seat + 1 < self.seats else 0  # L4
        self.stage = CHOOSING
        if self.claim_first:
            self._play_exposed()  # L9
            if self.rails[self.seat] == 5:  # L12
                self.ended = CLAIMED_FIRST
                self.stage = ENDED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_exposed(self) -> cython.void:
        """L6, L9: every exposed letter of the player that is next in order moves to their rail."""
        rail: cython.int = self.rails[self.seat]
        after: cython.int = rail + NEXT_LETTERS[((self.up >> self.shift[self.seat]) & 31) >> rail]
        self.rails[self.seat] = after
        played: cython.uint = (cython.cast(cython.uint, 1) << after) - (
            cython.cast(cython.uint, 1) << rail
        )
        self.up ^= played << self.shift[self.seat]

    # Whole plays

    def seed(self, seed, stream=0):
        self._seed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _seed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        # A stream starts a whole walk of the generator away from its neighbours.
        full: cython.ulonglong = cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        start: cython.ulonglong = (stream + cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)) & full
        self.random = mixed((seed + mixed(start)) & full)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, limit: cython.int) -> cython.int:
        """A random number from 0 up to but not including the limit."""
        self.random = (self.random + cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)) & cython.cast(
            cython.ulonglong, 0xFFFFFFFFFFFFFFFF
        )
        return cython.cast(
            cython.int, ((mixed(self.random) >> 32) * cython.cast(cython.ulonglong, limit)) >> 32
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _shuffle(self) -> cython.void:
        """The cards never turned become a pile, from which any may be drawn."""
        rest: cython.uint = self.unseen
        self.left = 0
        while rest:
            self.pile[self.left] = cython.cast(cython.uint, 1) << first(rest)
            rest &= rest - 1
            self.left += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw(self, number: cython.int) -> cython.uint:
        """The card of this number in the pile, which is never turned no more."""
        card: cython.uint = self.pile[number]
        self.left -= 1
        self.pile[number] = self.pile[self.left]
        self.unseen ^= card
        return card

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _chosen_by_dodo(self) -> cython.uint:
        """Any card that lies face down: never turned, or one of the letters turned down again."""
        number: cython.int = self._below(self.left + (count(self.down) if self.down else 0))
        if number < self.left:
            return self._draw(number)
        number -= self.left
        letter: cython.uint = lowest(self.down, number + 1) ^ lowest(self.down, number)
        self.down ^= letter
        return letter

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _chosen_by_white_rabbit(self) -> cython.uint:
        """The letter that is needed next, if it lies face down again; otherwise something new."""
        needed: cython.uint = cython.cast(cython.uint, 1) << (
            self.shift[self.seat] + self.rails[self.seat]
        )
        if self.down & needed:
            self.down ^= needed
            return needed
        return self._draw(self._below(self.left)) if self.left else self._chosen_by_dodo()

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
    def _settle(self) -> cython.void:
        """What luck has to decide before a seat chooses."""
        card: cython.int
        if self.stage == STARTING:
            self.stage, self.seat = CHOOSING, self._below(self.seats)
        self.began = self.seat
        if self.stage == TURNING:
            self._unpack_spaces()
            card = self._turned_down_here()
            if card < 0:
                self._shuffle()
                card = first(self.pile[self._below(self.left)])
            self._turn_space(card)

    def play_out(self, policies):
        self._sit_down(policies)
        self._pack()
        turned: cython.uint
        decisions: cython.int
        with cython.nogil:
            self._settle()
            turned = self.unseen
            decisions = self._play_on()
            self._lay_out(turned ^ self.unseen)
        return decisions

    def _sit_down(self, policies):
        """Each seat plays by the policy of this number."""
        self.policies = sum(policy << (4 * seat) for seat, policy in enumerate(policies))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay_out(self, turned: cython.uint) -> cython.void:
        """Settle on which spaces the cards lay that a play-out has turned: any, each as likely."""
        card: cython.int
        space: cython.int
        for card in range(27):
            if (turned >> card) & 1:
                space = self._below(count(self.never))
                space = first(lowest(self.never, space + 1) ^ lowest(self.never, space))
                self.never ^= cython.cast(cython.uint, 1) << space
                self.where[card] = space
        self._clear_spaces()

    def simulate(
        self,
        rows: cython.int[::1],
        policies,
        seed: cython.ulonglong,
        begin: cython.ulonglong,
        plays: cython.int,
    ):
        """A play that had begun before counts as begun by the seat on turn."""
        play: cython.int
        row: cython.int
        place: cython.int
        self._sit_down(policies)
        self._pack()
        with cython.nogil:
            for play in range(plays):
                row = 10 * play
                rows[row + 2] = self._play_again(seed, begin + play)
                rows[row] = 1 << self.seat
                rows[row + 1] = self.began
                rows[row + 3] = self.ended
                for place in range(4):
                    rows[row + 4 + place] = self.rails[place]
                rows[row + 8] = rows[row + 9] = 0
            self._unpack()
            self._unpack_spaces()

    def wins(
        self,
        seat: cython.int,
        policies,
        seed: cython.ulonglong,
        begin: cython.ulonglong,
        plays: cython.int,
    ):
        """How many of so many plays, as `simulate` plays them, this seat wins."""
        play: cython.int
        won: cython.int = 0
        self._sit_down(policies)
        self._pack()
        with cython.nogil:
            for play in range(plays):
                self._play_again(seed, begin + play)
                won += self.seat == seat
            self._unpack()
            self._unpack_spaces()
        return won

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_again(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.int:
        """From the packed state to the end; gives the number of decisions."""
        self._unpack()
        self._seed(seed, stream)
        self._settle()
        return self._play_on()
