"""Bitboard implementation of Parade's rules in 64-bit words, compiled to C if there is a compiler.

A card that enters the parade takes the next lower bit of a word, its *slot*. The end of the parade is at
the low bits, so the safe cards (P5) are the lowest ones present, and those that leave (P6) take one AND
with a slot set per colour and per "value at most v". A zone is one word: per colour, four bits count the
cards and six add up their values. A hand is one byte per card. Nothing is allocated; no GIL is held.

`packing.py` defines the words; `rules.py` is the source of truth, and law 10 checks this against it.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.kernels.bits import count, first, lowest
    from cython.cimports.wonderland.kernels.rng import advance, scale, splitmix64, start_stream
else:
    from wonderland.games.parade.encoding.layout import (  # noqa: I001
        ABOVE, AT_MOST, CHOSEN, COUNTS, DEALING, DECENT, DRAWING, EMPTY_PILE, ENDED, FIELD, FORMING,
        GREEDY, HALF, KEEPING, MASK, NO_CARD, NO_SLOT, ONE_IN_EACH, PLAYING, RANDOM, SIXTH_COLOUR,
        STARTING, SUMS,
    )  # fmt: skip
    from wonderland.kernels.bits import count, first, lowest
    from wonderland.kernels.fields import copy_fields
    from wonderland.kernels.rng import advance, scale, splitmix64, start_stream

    VALUE, COLOUR, ADDED, MARKS = [0] * 66, [0] * 66, [0] * 67, [0] * 176


def _prepare() -> None:
    card: cython.int
    value: cython.int
    bit: cython.int
    for card in range(66):
        VALUE[card] = card % 11
        COLOUR[card] = card // 11
        ADDED[card] = cython.cast(cython.ulonglong, 1 + 16 * (card % 11)) << (FIELD * (card // 11))
    for value in range(11):
        for bit in range(16):
            marked: cython.int = value >> bit & 1 if bit < AT_MOST else value <= bit - AT_MOST
            MARKS[16 * value + bit] = MASK if marked else 0


_prepare()


def larger(one: cython.ulonglong, other: cython.ulonglong) -> cython.ulonglong:
    """Return the larger of two zones' counts in each colour."""
    is_larger: cython.ulonglong = (one + ABOVE - other) & ABOVE
    mine: cython.ulonglong = is_larger - (is_larger >> 4)
    return (one & mine) | (other & COUNTS & ~mine)


def worth(zone: cython.ulonglong, needed: cython.ulonglong) -> cython.int:
    """P12, P14: return a zone's score, given the cards needed for the majority of each colour."""
    majorities: cython.ulonglong = ((zone & COUNTS) + ABOVE - needed) & ABOVE
    counted: cython.ulonglong = zone & (majorities - (majorities >> 4))
    printed: cython.ulonglong = (zone >> 4) & SUMS & ~((majorities << 2) - (majorities >> 4))
    return ((counted + printed) * ONE_IN_EACH) >> 50 & 1023


class PlayState:
    """The fields that copying a game copies: its position and the state of its random numbers."""


class FastPlay(PlayState):
    """A game as numbers, with its own random number generator; use one per thread."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.sets, self.colours, self.zones = [0] * 16, [0] * 6, [0] * 6
            self.hands, self.taken, self.kept = [0] * 6, [0] * 6, [0] * 6
            self.held, self.points = [0] * 6, [0] * 6
            self.deck, self.cards = [0] * 72, [0] * 72
        self.cards[NO_SLOT], self.random = NO_CARD, 0

    def reseed(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.random = start_stream(seed, stream + 1)

    def _number(self) -> cython.ulonglong:
        self.random = advance(self.random)
        return splitmix64(self.random)

    def below(self, limit: cython.int) -> cython.int:
        return scale(self._number(), limit)

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

    # Rules

    def leaving(self, card: cython.int) -> cython.ulonglong:
        """P5, P6: return the slots of the cards that leave the parade if this one is played."""
        value: cython.int = VALUE[card]
        removal_mode: cython.ulonglong = self.present & ~lowest(self.present, value)
        return removal_mode & (self.colours[COLOUR[card]] | self.sets[AT_MOST + value])

    def _enter(self, card: cython.int) -> cython.void:
        """Add a card to the end of the parade."""
        slot: cython.int = 63 - self.entered
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << slot
        marks: cython.int = 16 * VALUE[card]
        which: cython.int
        self.entered += 1
        self.cards[slot] = card
        self.present |= bit
        self.colours[COLOUR[card]] |= bit
        for which in range(16):
            self.sets[which] |= bit & MARKS[marks + which]

    def _play(self, place: cython.int, leaving: cython.ulonglong) -> cython.void:
        """P4 to P6: add a card of the hand to the parade, and take the cards that leave."""
        seat: cython.int = self.seat
        zone: cython.ulonglong = self.joined(self.zones[seat], leaving)
        card: cython.int = self.hands[seat] >> (8 * place) & 0xFF
        self.present &= ~leaving
        self.taken[seat] |= leaving
        self.zones[seat] = zone
        self._enter(card)
        if self.ends == 0 and ((zone & COUNTS) + COUNTS) & (ONE_IN_EACH << 4) == ONE_IN_EACH << 4:
            self.ends = SIXTH_COLOUR  # P8 (a); not again in the last round (P10)

    def joined(self, zone: cython.ulonglong, leaving: cython.ulonglong) -> cython.ulonglong:
        """Return a zone with the cards of these slots added."""
        for _ in range(3):  # unrolled: the number that leave is unpredictable; `NO_SLOT` adds nothing
            zone, leaving = zone + ADDED[self.cards[first(leaving)]], leaving & (leaving - 1)
        while leaving:
            zone, leaving = zone + ADDED[self.cards[first(leaving)]], leaving & (leaving - 1)
        return zone

    def _drop(self, place: cython.int) -> cython.void:
        """Remove a card from the hand of the seat to move; the last card takes its position."""
        seat: cython.int = self.seat
        last: cython.int = self.held[seat] - 1
        hand: cython.ulonglong = self.hands[seat]
        moved: cython.ulonglong = (hand >> (8 * last) ^ hand >> (8 * place)) & 0xFF
        hand ^= moved << (8 * place)
        self.hands[seat] = hand & ~(cython.cast(cython.ulonglong, 0xFF) << (8 * last))
        self.held[seat] = last

    def _pass_on(self) -> cython.void:
        """P9: pass the turn, counting down the last round; after that, all choose (P11)."""
        self.seat += 1
        if self.seat == self.seats:
            self.seat = 0
        self.stage = PLAYING
        if self.turns_left:
            self.turns_left -= 1
            if self.turns_left == 0:
                self.stage, self.seat = KEEPING, 0

    def _draw(self, place: cython.int, at: cython.int) -> cython.void:
        """P7, P8 (b): move a card from this index of the pile to this position of the hand."""
        seat: cython.int = self.seat
        shift: cython.int = 8 * place
        hand: cython.ulonglong = self.hands[seat] & ~(cython.cast(cython.ulonglong, 0xFF) << shift)
        self.hands[seat] = hand | cython.cast(cython.ulonglong, self.deck[at]) << shift
        self.pile -= 1
        self.deck[at] = self.deck[self.pile]
        if self.pile == 0:
            self.ends |= EMPTY_PILE
        if self.ends:
            self.turns_left = self.seats + 1
        self._pass_on()

    def _needed(self, seat: cython.int) -> cython.ulonglong:
        """P12, P13: return the number of cards of each colour this seat needs for the majority."""
        other: cython.int
        most: cython.ulonglong = ONE_IN_EACH
        if self.seats == 2:
            return (self.zones[1 - seat] & COUNTS) + 2 * ONE_IN_EACH
        for other in range(self.seats):
            if other != seat:
                most = larger(most, self.zones[other] & COUNTS)
        return most

    def _count(self) -> cython.void:
        """P12 to P14: score all seats."""
        seat: cython.int
        for seat in range(self.seats):
            self.points[seat] = worth(self.zones[seat], self._needed(seat))

    def who_won(self) -> cython.int:
        """P15: return the winners as bits: fewest points, then fewest cards, shared if still tied."""
        seat: cython.int
        best: cython.int = 1 << 30
        winners: cython.int = 0
        for seat in range(self.seats):
            counts: cython.ulonglong = self.zones[seat] & COUNTS
            cards: cython.int = (counts * ONE_IN_EACH) >> 50 & 63
            worth: cython.int = 64 * self.points[seat] + cards
            if worth < best:
                best, winners = worth, 0
            if worth == best:
                winners |= 1 << seat
        return winners

    def _keep(self, seat: cython.int, one: cython.int, other: cython.int) -> cython.void:
        """P11: record a secret choice; after the last one, reveal and score them all."""
        owner: cython.int
        self.kept[seat] = CHOSEN | (one << 8) | other
        self.seat = 0
        while self.seat < self.seats and self.kept[self.seat]:
            self.seat += 1
        for owner in range(self.seats):
            if not self.kept[owner]:
                return
        for owner in range(self.seats):
            self.zones[owner] += ADDED[self.kept[owner] >> 8 & 0xFF] + ADDED[self.kept[owner] & 0xFF]
        self.stage = ENDED
        self._count()

    # Play-outs

    def cost(self, leaving: cython.ulonglong) -> cython.int:
        """Return the points of the leaving cards times 32, plus their number."""
        return (
            count(leaving)
            + 32 * count(leaving & self.sets[0])
            + 64 * count(leaving & self.sets[1])
            + 128 * count(leaving & self.sets[2])
            + 256 * count(leaving & self.sets[3])
        )

    def _fewest_points(self) -> cython.int:
        """Return the position of the card that takes the fewest points now, then the fewest cards."""
        place: cython.int
        best: cython.int = 0
        least: cython.int = 1 << 30
        hand: cython.ulonglong = self.hands[self.seat]
        for place in range(self.held[self.seat]):
            leaving: cython.ulonglong = self.leaving(hand & 0xFF)
            if leaving == 0:
                return place
            cost: cython.int = self.cost(leaving)
            if cost < least:
                least, best = cost, place
            hand >>= 8
        return best

    def _cheaper(self, chosen: cython.ulonglong) -> cython.int:
        """Return the position of the cheaper of two cards picked by a random number."""
        hand: cython.ulonglong = self.hands[self.seat]
        one: cython.int = cython.cast(cython.int, ((chosen >> 48) * 5) >> 16)
        other: cython.int = cython.cast(cython.int, ((chosen >> 32 & 0xFFFF) * 5) >> 16)
        a: cython.int = self.cost(self.leaving(hand >> (8 * one) & 0xFF))
        b: cython.int = self.cost(self.leaving(hand >> (8 * other) & 0xFF))
        return one if a <= b else other

    def _last_card(self) -> cython.int:
        """Return the position of the card that gives the lowest score with the best two cards kept."""
        place: cython.int
        best: cython.int = 0
        least: cython.int = 1 << 30
        zone: cython.ulonglong = self.zones[self.seat]
        hand: cython.ulonglong = self.hands[self.seat]
        needed: cython.ulonglong = self._needed(self.seat)
        for place in range(5):
            leaving: cython.ulonglong = self.leaving(hand >> (8 * place) & 0xFF)
            moved: cython.ulonglong = (hand >> 32 ^ hand >> (8 * place)) & 0xFF  # as in `_drop`
            left: cython.ulonglong = hand ^ moved << (8 * place)
            cost: cython.int = self._best_two(self.joined(zone, leaving), left, needed) >> 16
            if cost < least:
                least, best = cost, place
        return best

    def _best_two(
        self, zone: cython.ulonglong, hand: cython.ulonglong, needed: cython.ulonglong
    ) -> cython.int:
        """Return a zone's score with the cheapest two of four cards, and those two in the low bytes."""
        one: cython.int
        other: cython.int
        best: cython.int = 1 << 14
        choice: cython.int = 0
        for one in range(3):
            with_one: cython.ulonglong = zone + ADDED[hand >> (8 * one) & 0xFF]
            for other in range(one + 1, 4):
                cost: cython.int = worth(with_one + ADDED[hand >> (8 * other) & 0xFF], needed)
                if cost < best:
                    best, choice = cost, (hand >> (8 * one) & 0xFF) << 8 | (hand >> (8 * other) & 0xFF)
        return best << 16 | choice

    def run(self, policies: cython.p_int) -> cython.int:
        """Play to the end; return the number of decisions."""
        decisions: cython.int = 0
        place: cython.int
        seat: cython.int
        chosen: cython.ulonglong
        while self.stage < PLAYING or self.stage == DRAWING:
            self._decide(self.below(self.seats if self.stage == STARTING else self.pile))
        while self.stage == PLAYING:
            chosen = self._number()
            seat = self.seat
            if policies[seat] == GREEDY:
                place = self._fewest_points()
            elif policies[seat] == DECENT:
                place = self._last_card() if self.turns_left else self._cheaper(chosen)
            else:
                place = scale(chosen, self.held[seat])
            self._play(place, self.leaving(self.hands[seat] >> (8 * place) & 0xFF))
            decisions += 1
            if self.turns_left == 0:
                chosen &= HALF
                self._draw(place, cython.cast(cython.int, (chosen * self.pile) >> 32))
            else:
                self._drop(place)
                self._pass_on()
        return decisions + self._finish(policies)

    def take_turn(self, place: cython.int) -> cython.void:
        """Play the card at this position of the hand, and draw unless it is the last round."""
        self._play(place, self.leaving(self.hands[self.seat] >> (8 * place) & 0xFF))
        if self.turns_left:
            self._drop(place)
            self._pass_on()
        else:
            self._draw(place, self.below(self.pile))

    def _finish(self, policies: cython.p_int) -> cython.int:
        """P11: choose for all seats that haven't yet; return how many did."""
        seat: cython.int
        two: cython.int
        chose: cython.int = 0
        for seat in range(self.seats):
            if self.kept[seat] == 0:
                chose += 1
                if policies[seat] == RANDOM:
                    self._keep_any(seat)
                else:
                    two = self._best_two(self.zones[seat], self.hands[seat], self._needed(seat))
                    self.kept[seat] = CHOSEN | two & 0xFFFF
        for seat in range(self.seats):
            self.zones[seat] += ADDED[self.kept[seat] >> 8 & 0xFF] + ADDED[self.kept[seat] & 0xFF]
        self.stage = ENDED
        self._count()
        return chose

    def _keep_any(self, seat: cython.int) -> cython.void:
        """Keep two random cards of the four."""
        one: cython.int = self.below(4)
        other: cython.int = (one + 1 + self.below(3)) & 3
        hand: cython.ulonglong = self.hands[seat]
        self.kept[seat] = CHOSEN | (hand >> (8 * one) & 0xFF) << 8 | (hand >> (8 * other) & 0xFF)

    def _decide(self, at: cython.int) -> cython.void:
        """Apply a chance outcome: the start player (P2), or a card by its index in the pile (P3, P7)."""
        seat: cython.int = self.seat
        if self.stage == STARTING:
            self.stage, self.seat, self.begins = DEALING, 0, at
            return
        if self.stage == DRAWING:
            self._draw(self.held[seat], at)
            self.held[seat] += 1
            return
        if self.stage == DEALING:
            self.hands[seat] |= cython.cast(cython.ulonglong, self.deck[at]) << (8 * self.held[seat])
            self.held[seat] += 1
            if self.held[seat] == 5:
                self.seat += 1
                if self.seat == self.seats:
                    self.stage = FORMING
        else:
            self._enter(self.deck[at])
            if self.entered == 6:
                self.stage, self.seat = PLAYING, self.begins
        self.pile -= 1
        self.deck[at] = self.deck[self.pile]

    def _fill_zones(self) -> cython.void:
        seat: cython.int
        for seat in range(self.seats):
            self.zones[seat] = self.joined(self.zones[seat], self.taken[seat])
            if self.stage == ENDED and self.kept[seat]:
                self.zones[seat] += ADDED[self.kept[seat] >> 8 & 0xFF] + ADDED[self.kept[seat] & 0xFF]
        if self.stage == ENDED:
            self._count()
