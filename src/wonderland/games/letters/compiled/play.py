"""Bitboard implementation of the rules in `rules.py`, compiled to C.

`packing.py` defines the numbers, `play.pxd` declares their types. A set of cards or spaces is a number
with one bit per member. Playouts ignore spaces: cards never turned are interchangeable, and a letter
that was turned down again is identified by itself. So playouts only move sets of cards, and spaces are
assigned afterwards if they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.kernels.bits import count, first, lowest
    from cython.cimports.wonderland.kernels.rng import advance, scale, splitmix64, start_stream
else:
    from wonderland.kernels.bits import count, first, lowest
    from wonderland.kernels.fields import copy_fields
    from wonderland.kernels.rng import advance, scale, splitmix64, start_stream

    # `play.pxd` declares the same for C
    STARTING, CHOOSING, TURNING, ENDED = range(4)
    TURNED, CLAIMED_AFTER, CLAIMED_FIRST = range(3)
    DUCHESS_COUNTS, CLAIM_FIRST, OPEN_MEMORY = 1, 2, 4
    ONE, CARDS, WORD, DUCHESS, MENACES = 1, 27, 31, 1 << 20, 127 << 20
    PLAYABLE = [0] * 32
    """The number of exposed letters (one bit each, the next one lowest) that can be played in a row."""

for _exposed in range(32):
    PLAYABLE[_exposed] = first(~_exposed & 63)


class PlayState:
    """The fields that copying a game copies: its position and the state of its random numbers."""


class FastPlay(PlayState):
    """A game as numbers, with its own random number generator; use one per thread."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.colours, self.rails = [0] * 4, [0] * 4
            self.space_of, self.lies, self.pile = [0] * 27, [0] * 27, [0] * 27
        self.load([0] * 7)
        self.random = 0

    def load(self, words: Sequence[int]) -> None:
        facts: cython.ulonglong = words[0]
        some: cython.ulonglong
        seat: cython.int
        card: cython.int
        self.stage, self.seat, self.space = facts & 3, facts >> 2 & 3, facts >> 4 & 31
        self.ended, self.seats, self.options = facts >> 9 & 3, facts >> 11 & 7, facts >> 14 & 7
        self.in_play = 0
        for seat in range(4):
            self.colours[seat] = 5 * (facts >> (17 + 2 * seat) & 3)
            self.rails[seat] = facts >> (25 + 3 * seat) & 7
            if seat < self.seats:
                self.in_play |= WORD << self.colours[seat]
        self.unseen, self.removed = words[1] & 0x7FFFFFF, words[1] >> 32
        self.up, self.down = words[2] & 0x7FFFFFF, words[2] >> 32
        self.never = words[3]
        for card in range(CARDS):
            some = words[4 + card // 9]
            self.space_of[card] = some >> (5 * (card % 9)) & 31
        for card in range(CARDS):
            if (self.up | self.down) >> card & 1:
                self.lies[self.space_of[card]] = card

    def words(self) -> list[int]:
        facts = self.stage | self.seat << 2 | self.space << 4 | self.ended << 9
        facts |= self.seats << 11 | self.options << 14
        for seat in range(4):
            facts |= int(self.colours[seat] // 5) << (17 + 2 * seat)
            facts |= int(self.rails[seat]) << (25 + 3 * seat)
        where = [0, 0, 0]
        for card in range(27):
            if (self.up | self.down) >> card & 1:  # the others have no space, or an unknown one
                where[card // 9] |= int(self.space_of[card]) << (5 * (card % 9))
        sets = [self.unseen | int(self.removed) << 32, self.up | int(self.down) << 32, self.never]
        return [facts, *sets, *where]

    def copy(self, other: FastPlay) -> cython.void:
        """Copy the other's position, but keep this game's random numbers."""
        random: cython.ulonglong = self.random
        copy_fields(self, other)
        self.random = random

    def restart(self, home: FastPlay, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        """Copy another game's position, and reseed the random numbers from a stream."""
        copy_fields(self, home)
        self.reseed(seed, stream)

    def clone(self) -> FastPlay:
        """Return a new game with the same position and the same random numbers."""
        other: FastPlay = FastPlay()
        copy_fields(other, self)
        return other

    # Chance

    def reseed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = start_stream(seed, advance(stream))

    def below(self, limit: cython.int) -> cython.int:
        """Return a random number from 0 up to but not including the limit."""
        self.random = advance(self.random)
        return scale(splitmix64(self.random), limit)

    def one_of(self, members: cython.uint) -> cython.int:
        """Return a random member of a set."""
        number: cython.int = self.below(count(members))
        return first(members & ~cython.cast(cython.uint, lowest(members, number)))

    def settle(self) -> cython.void:
        """Apply random chance outcomes until a seat has to decide or the game is over."""
        if self.stage == STARTING:
            self.stage, self.seat = CHOOSING, self.below(self.seats)  # L4
        self.began = self.seat
        if self.stage == TURNING:
            self.turn()

    # Rules

    def face_down(self) -> cython.uint:
        """L5: return the spaces whose card can be turned."""
        spaces: cython.uint = self.never
        cards: cython.uint = self.down
        while cards:
            spaces |= ONE << self.space_of[first(cards)]
            cards &= cards - 1
        return spaces

    def possible(self) -> cython.uint:
        """Return the cards that may be on the space being turned: one, if it was turned before."""
        return self.unseen if self.never >> self.space & 1 else ONE << self.lies[self.space]

    def turn(self) -> cython.void:
        """L5: turn the chosen space; chance picks the card if it was never turned."""
        if self.never >> self.space & 1:
            self.lay_open(self.one_of(self.unseen))
        else:
            self.turn_up(ONE << self.lies[self.space])

    def lay_open(self, card: cython.int) -> cython.void:
        """L5: turn up this card on the space being turned."""
        if self.never >> self.space & 1:
            self.never ^= ONE << self.space
            self.space_of[card], self.lies[self.space] = self.space, card
        self.turn_up(ONE << card)

    def turn_up(self, card: cython.uint) -> cython.void:
        """L6 to L12: apply the card's effect, play letters, and pass the turn."""
        own: cython.uint = WORD << self.colours[self.seat]
        hit: cython.uint
        self.unseen &= ~card
        self.down &= ~card
        if card & MENACES:
            hit = self.up & (self.in_play if card == DUCHESS and self.options & DUCHESS_COUNTS else own)
            self.up ^= hit | card  # L10, L14
            self.down |= hit
        elif card & self.in_play:
            self.up |= card  # L7, L8
        else:
            self.removed |= card  # L11
        self.space = 0
        if self.is_complete():  # L6, L9, L12
            self.stage, self.ended = ENDED, TURNED if card & own else CLAIMED_AFTER
            return
        self.stage = CHOOSING
        self.seat = self.seat + 1 if self.seat + 1 < self.seats else 0  # L4
        if self.options & CLAIM_FIRST and self.is_complete():  # L9, L12
            self.stage, self.ended = ENDED, CLAIMED_FIRST

    def is_complete(self) -> cython.bint:
        """L6, L9: play the exposed letters that are next in order; return whether that was the last."""
        colour: cython.int = self.colours[self.seat]
        rail: cython.int = self.rails[self.seat]
        after: cython.int = rail + PLAYABLE[(self.up >> colour & WORD) >> rail]
        self.up ^= ((ONE << after) - (ONE << rail)) << colour
        self.rails[self.seat] = after
        return after == 5

    # Playouts, which ignore spaces

    def shuffle(self) -> cython.void:
        """Collect the cards never turned in a pile to draw from at random."""
        rest: cython.uint = self.unseen
        self.left = 0
        while rest:
            self.pile[self.left] = ONE << first(rest)
            self.left += 1
            rest &= rest - 1

    def draw(self, number: cython.int) -> cython.uint:
        """Remove and return the card at this index of the pile."""
        card: cython.uint = self.pile[number]
        self.left -= 1
        self.pile[number] = self.pile[self.left]
        return card

    def chosen_by_dodo(self) -> cython.uint:
        """Choose any face-down card: one never turned, or a letter turned down again."""
        number: cython.int = self.below(self.left + (count(self.down) if self.down else 0))
        if number < self.left:
            return self.draw(number)
        number -= self.left
        return lowest(self.down, number + 1) ^ lowest(self.down, number)

    def chosen_by_elephant(self) -> cython.uint:
        """Choose the first of the seat's own turned-down letters, or else a new card."""
        own: cython.uint = self.down & (WORD << self.colours[self.seat])
        if own:
            return lowest(own, 1)
        return self.draw(self.below(self.left)) if self.left else self.chosen_by_dodo()

    def play_on(self, policies: cython.int) -> cython.int:
        """Play to the end; `policies` has a bit per Elephant seat. Return the number of decisions."""
        decisions: cython.int = 0
        self.settle()
        self.shuffle()
        while self.stage == CHOOSING:
            decisions += 1
            if policies >> self.seat & 1:
                self.turn_up(self.chosen_by_elephant())
            else:
                self.turn_up(self.chosen_by_dodo())
        return decisions

    def settle_spaces(self, turned: cython.uint) -> cython.void:
        """Assign random spaces to the cards that a playout has turned."""
        card: cython.int
        for card in range(CARDS):
            if turned >> card & 1:
                self.space_of[card] = self.one_of(self.never)
                self.lies[self.space_of[card]] = card
                self.never ^= ONE << self.space_of[card]
