"""Bitboard implementation of Parade's rules in 64-bit words, compiled to C if there is a compiler.

A card that enters the parade takes the next lower bit of a word, its *slot*. The end of the parade is at
the low bits, so the safe cards (P5) are the lowest ones present, and those that leave (P6) take one AND
with a slot set per colour and per "value at most v". A seat's cards are a set of slots too: taking cards
is one OR. Only from the last round on do zones have counts and sums (`zones`): one word with four bits
per colour to count the cards, and six to add up their values. A hand is eight bytes, one per card.
Nothing is allocated; no GIL is held.

`packing.py` defines the words; `rules.py` is the source of truth, and law 10 checks this against it.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.position import (  # noqa: I001
        DEALING, DECENT, DRAWING, EMPTY_PILE, FORMING, GREEDY, HALF, HAND_SIZE, KEEPING, PLAYING,
        SIXTH_COLOUR, STARTING, Position, copy_fields,
    )  # fmt: skip
    from cython.cimports.wonderland.games.parade.compiled.zones import (
        COLOUR, COLOURS, LOWER, MARKS, MASK, ODD, SETS, TWOS, VALUE, best_two, joined, needed_by,
    )  # fmt: skip
    from cython.cimports.wonderland.kernels.bits import count, join_marked, lowest, meets_each
    from cython.cimports.wonderland.kernels.rng import advance, scale, splitmix64
else:
    from wonderland.games.parade.compiled.position import Position
    from wonderland.games.parade.compiled.zones import (
        COLOUR,
        LOWER,
        MARKS,
        VALUE,
        best_two,
        joined,
        needed_by,
    )  # fmt: skip
    from wonderland.games.parade.encoding.layout import (
        COLOURS,
        DEALING,
        DECENT,
        DRAWING,
        EMPTY_PILE,
        FORMING,
        GREEDY,
        HALF,
        HAND_SIZE,
        KEEPING,
        MASK,
        ODD,
        PLAYING,
        SETS,
        SIXTH_COLOUR,
        STARTING,
        TWOS,
    )  # fmt: skip
    from wonderland.kernels.bits import count, join_marked, lowest, meets_each
    from wonderland.kernels.fields import copy_fields
    from wonderland.kernels.rng import advance, scale, splitmix64

COMPILED = cython.compiled


class FastPlay(Position):
    """A game as numbers, with its own random number generator; use one per thread."""

    def clone(self) -> FastPlay:
        """Return a new game with the same position and the same random numbers."""
        other: FastPlay = FastPlay()
        copy_fields(other, self)
        return other

    # Rules

    def leaving(self, present: cython.ulonglong, card: cython.int) -> cython.ulonglong:
        """P5, P6: return the slots of the cards that leave this parade if the card is played."""
        removal_mode: cython.ulonglong = present & ~lowest(present, VALUE[card])
        return removal_mode & (self.sets[COLOUR[card]] | self.sets[LOWER[card]])

    def _enter(self, card: cython.int, slot: cython.int) -> cython.void:
        """Give a card that enters the parade its slot."""
        self.cards[slot] = card
        join_marked(self.sets, MARKS, SETS * card, cython.cast(cython.ulonglong, 1) << slot, SETS)

    def _play(self, place: cython.int) -> cython.void:
        """P4 to P6: add a card of the hand to the parade, and take the cards that leave."""
        seat: cython.int = self.seat
        slot: cython.int = 63 - self.entered
        card: cython.int = self.hands[8 * seat + place]
        leaving: cython.ulonglong = self.leaving(self.present, card)
        self.taken[seat] |= leaving
        if self.turns_left:
            self.zones[seat] = joined(self.zones[seat], self.cards, leaving)
        self._enter(card, slot)
        self.present &= ~leaving
        self.present |= cython.cast(cython.ulonglong, 1) << slot
        self.entered += 1
        if self.ends == 0 and meets_each(self.sets, COLOURS, COLOURS + 6, self.taken[seat]):
            self.ends = SIXTH_COLOUR  # P8 (a); not again in the last round (P10)

    def _drop(self, place: cython.int) -> cython.void:
        """Remove a card from the hand of the seat to move; the last card takes its position."""
        seat: cython.int = self.seat
        last: cython.int = self.held[seat] - 1
        self.hands[8 * seat + place] = self.hands[8 * seat + last]
        self.hands[8 * seat + last] = 0
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
        self.hands[8 * seat + place] = self.deck[at]
        self.pile -= 1
        self.deck[at] = self.deck[self.pile]
        if self.pile == 0:
            self.ends |= EMPTY_PILE
        if self.ends:
            self.turns_left = self.seats + 1
            self._fill_zones()
        self._pass_on()

    # Playouts

    def cost(self, leaving: cython.ulonglong) -> cython.int:
        """Return the points of the leaving cards times 32, plus their number."""
        fours: cython.ulonglong = self.sets[7] ^ self.sets[3]  # 4 to 7; 8 to 10 are those above 7
        return (
            count(leaving)
            + 32 * count(leaving & self.sets[ODD])
            + 64 * count(leaving & self.sets[TWOS])
            + 128 * count(leaving & fours)
            + 256 * count(leaving & ~self.sets[7])
        )

    def _fewest_points(self, present: cython.ulonglong, seat: cython.int) -> cython.int:
        """Return the position of the card that takes the fewest points now, then the fewest cards."""
        place: cython.int
        best: cython.int = 0
        least: cython.int = 1 << 30
        for place in range(self.held[seat]):
            leaving: cython.ulonglong = self.leaving(present, self.hands[8 * seat + place])
            if leaving == 0:
                return place
            cost: cython.int = self.cost(leaving)
            if cost < least:
                least, best = cost, place
        return best

    def _cheaper(
        self, present: cython.ulonglong, seat: cython.int, chosen: cython.ulonglong
    ) -> cython.int:
        """Return the position of the cheaper of two cards picked by a random number."""
        one: cython.int = cython.cast(cython.int, ((chosen >> 48) * HAND_SIZE) >> 16)
        other: cython.int = cython.cast(cython.int, ((chosen >> 32 & 0xFFFF) * HAND_SIZE) >> 16)
        a: cython.int = self.cost(self.leaving(present, self.hands[8 * seat + one]))
        b: cython.int = self.cost(self.leaving(present, self.hands[8 * seat + other]))
        return one if a <= b else other

    def _choose(
        self,
        policy: cython.int,
        present: cython.ulonglong,
        seat: cython.int,
        chosen: cython.ulonglong,
    ) -> cython.int:
        """Return the position of the card that a policy plays, given a random number."""
        if policy == GREEDY:
            return self._fewest_points(present, seat)
        if policy == DECENT:
            return self._cheaper(present, seat, chosen)
        return scale(chosen, HAND_SIZE)

    def _last_card(self, present: cython.ulonglong, seat: cython.int) -> cython.int:
        """Return the position of the card that gives the lowest score with the best two cards kept."""
        place: cython.int
        best: cython.int = 0
        least: cython.int = 1 << 30
        zone: cython.ulonglong = self.zones[seat]
        hand: cython.ulonglong = self.hand(seat)
        needed: cython.ulonglong = needed_by(self.zones, self.seats, seat)
        for place in range(HAND_SIZE):
            leaving: cython.ulonglong = self.leaving(present, hand >> (8 * place) & 0xFF)
            moved: cython.ulonglong = (hand >> 32 ^ hand >> (8 * place)) & 0xFF  # as in `_drop`
            left: cython.ulonglong = hand ^ moved << (8 * place)
            cost: cython.int = best_two(joined(zone, self.cards, leaving), left, needed) >> 16
            if cost < least:
                least, best = cost, place
        return best

    def run(self, policies: cython.p_int) -> cython.int:
        """Play to the end; return the number of decisions."""
        decisions: cython.int = 0
        self.deal()
        if self.stage == PLAYING and self.turns_left == 0:
            decisions = self._play_until_last_round(policies)
        if self.stage == PLAYING:
            decisions += self._play_last_round(policies)
        return decisions + self._finish(policies)

    def _play_until_last_round(self, policies: cython.p_int) -> cython.int:
        """P4 to P8: play until the last round begins; return the number of turns.

        The same as `_play` and `_draw`, with the numbers that change in every turn in local variables.
        """
        place: cython.int
        card: cython.int
        at: cython.int
        chosen: cython.ulonglong
        leaving: cython.ulonglong
        taken: cython.ulonglong
        seat: cython.int = self.seat
        pile: cython.int = self.pile
        slot: cython.int = 64 - self.entered
        seats: cython.int = self.seats
        ends: cython.int = self.ends
        present: cython.ulonglong = self.present
        random: cython.ulonglong = self.random
        while ends == 0:
            slot -= 1
            random = advance(random)
            chosen = splitmix64(random)
            place = self._choose(policies[seat], present, seat, chosen)
            card = self.hands[8 * seat + place]
            at = cython.cast(cython.int, ((chosen & HALF) * pile) >> 32)
            pile -= 1
            self.hands[8 * seat + place] = self.deck[at]
            self.deck[at] = self.deck[pile]
            leaving = self.leaving(present, card)
            present = present & ~leaving | cython.cast(cython.ulonglong, 1) << slot
            taken = self.taken[seat] | leaving
            self.taken[seat] = taken
            if meets_each(self.sets, COLOURS, COLOURS + 6, taken):
                ends = SIXTH_COLOUR
            if pile == 0:
                ends |= EMPTY_PILE
            self._enter(card, slot)
            seat += 1
            if seat == seats:
                seat = 0
        at = 64 - slot - self.entered
        self.seat, self.pile, self.entered, self.present, self.random = (
            seat,
            pile,
            64 - slot,
            present,
            random,
        )
        self.turns_left, self.ends = seats, ends
        return at

    def _play_last_round(self, policies: cython.p_int) -> cython.int:
        """P9, P10: play the last round from here; return the number of turns."""
        place: cython.int
        card: cython.int
        seat: cython.int
        is_counting: cython.bint = False
        leaving: cython.ulonglong
        turns: cython.int = self.turns_left
        slot: cython.int = 64 - self.entered
        present: cython.ulonglong = self.present
        random: cython.ulonglong = self.random
        for seat in range(self.seats):
            is_counting |= policies[seat] == DECENT
        if is_counting:
            self._fill_zones()
        seat = self.seat
        for _ in range(turns):
            slot -= 1
            random = advance(random)
            if policies[seat] == DECENT:
                place = self._last_card(present, seat)
            else:
                place = self._choose(policies[seat], present, seat, splitmix64(random))
            card = self.hands[8 * seat + place]
            self.hands[8 * seat + place] = self.hands[8 * seat + HAND_SIZE - 1]  # as in `_drop`
            self.hands[8 * seat + HAND_SIZE - 1], self.held[seat] = 0, HAND_SIZE - 1
            leaving = self.leaving(present, card)
            present = present & ~leaving | cython.cast(cython.ulonglong, 1) << slot
            self.taken[seat] |= leaving
            if is_counting:
                self.zones[seat] = joined(self.zones[seat], self.cards, leaving)
            self._enter(card, slot)
            seat = seat + 1 if seat + 1 < self.seats else 0
        if not is_counting:
            self._fill_zones()
        self.entered, self.present, self.random = 64 - slot, present, random
        self.turns_left, self.stage, self.seat = 0, KEEPING, 0
        return turns

    def take_turn(self, place: cython.int) -> cython.void:
        """Play the card at this position of the hand, and draw unless it is the last round."""
        self._play(place)
        if self.turns_left:
            self._drop(place)
            self._pass_on()
        else:
            self._draw(place, self.below(self.pile))

    def deal(self) -> cython.void:
        """P2, P3, P7: draw chance outcomes until a seat must act."""
        place: cython.int
        at: cython.int
        seat: cython.int
        pile: cython.int
        random: cython.ulonglong
        if self.stage in (STARTING, DRAWING):
            self._decide(self.below(self.seats if self.stage == STARTING else self.pile))
        if self.stage not in (DEALING, FORMING):
            return
        pile, random = self.pile, self.random
        for seat in range(self.seat, self.seats):
            for place in range(self.held[seat], HAND_SIZE):
                random = advance(random)
                at = scale(splitmix64(random), pile)
                pile -= 1
                self.hands[8 * seat + place] = self.deck[at]
                self.deck[at] = self.deck[pile]
            self.held[seat] = HAND_SIZE
        for place in range(self.entered, 6):
            random = advance(random)
            at = scale(splitmix64(random), pile)
            pile -= 1
            self._enter(self.deck[at], 63 - place)
            self.deck[at] = self.deck[pile]
        self.present, self.entered = MASK << 58 & MASK, 6
        self.stage, self.seat, self.pile, self.random = PLAYING, self.begins, pile, random

    def _decide(self, at: cython.int) -> cython.void:
        """Apply a chance outcome: the start player (P2), or a card by its index in the pile (P3, P7)."""
        seat: cython.int = self.seat
        slot: cython.int = 63 - self.entered
        if self.stage == STARTING:
            self.stage, self.seat, self.begins = DEALING, 0, at
            return
        if self.stage == DRAWING:
            place: cython.int = self.held[seat]
            self.held[seat] += 1
            self._draw(place, at)
            return
        if self.stage == DEALING:
            self.hands[8 * seat + self.held[seat]] = self.deck[at]
            self.held[seat] += 1
            if self.held[seat] == HAND_SIZE:
                self.seat += 1
                if self.seat == self.seats:
                    self.stage = FORMING
        else:
            self._enter(self.deck[at], slot)
            self.present |= cython.cast(cython.ulonglong, 1) << slot
            self.entered += 1
            if self.entered == 6:
                self.stage, self.seat = PLAYING, self.begins
        self.pile -= 1
        self.deck[at] = self.deck[self.pile]
