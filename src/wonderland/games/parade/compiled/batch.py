"""Batched Parade for learning agents: the encoding of `learning.py`, built on the rules in `play.py`.

A negative action lets a built-in policy decide: -1 plays at random, -2 plays like the White Rabbit.
"""

# ruff: noqa: SLF001 - the worker holds a game instead of inheriting from it, and needs its internals

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

from wonderland.games.parade.compiled.kernel import KernelState

if cython.compiled:
    from cython.cimports.wonderland.games.parade.compiled.position import (  # noqa: I001
        EMPTY_PILE, ENDED, KEEPING, PLAYING, SIXTH_COLOUR, fields, fields_size,
    )  # fmt: skip
    from cython.cimports.wonderland.games.parade.compiled.zones import (
        ADDED,
        FIELD,
        best_two,
        needed_by,
    )
    from cython.cimports.wonderland.kernels.batch import Batch, GameWorker
    from cython.cimports.wonderland.kernels.bits import count, first
else:
    from wonderland.games.parade.compiled.zones import ADDED, best_two, needed_by
    from wonderland.games.parade.encoding.layout import (
        EMPTY_PILE,
        ENDED,
        FIELD,
        KEEPING,
        PLAYING,
        SIXTH_COLOUR,
    )
    from wonderland.kernels.batch import Batch, GameWorker
    from wonderland.kernels.bits import count, first

    CARDS, LARGEST = 66, 127  # `batch.pxd` declares the same for C

COMPILED = cython.compiled


def batch(words: Sequence[int], plays: int, seats: int, actions: int, features: int) -> Batch:
    """Create a batch of games that start from this state."""
    return Batch(ParadeWorker, words, plays, seats, actions, features)


class ParadeWorker(GameWorker):
    """Plays one game of Parade after another."""

    def __init__(self, words: Sequence[int]) -> None:
        self.home, self.play = KernelState(), KernelState()
        self.home.load(words)
        if cython.compiled:
            self.fields, self.size = fields(self.play), fields_size(self.play)

    def words(self) -> list[int]:
        return self.play.words()

    def begin(self, seed: cython.ulonglong, stream: cython.ulonglong) -> cython.void:
        self.play.restart(self.home, seed, stream)
        self.play.deal()

    def on_turn(self) -> cython.int:
        return -1 if self.play.stage == ENDED else self.play.seat

    def winners(self) -> cython.int:
        return self.play.who_won()

    def decide(self, action: cython.int) -> cython.bint:
        """P4: play a card; P11: keep two."""
        seat: cython.int = self.play.seat
        held: cython.int = self.play.held[seat]
        hand: cython.int = 8 * seat
        place: cython.int = 0
        is_wrong: cython.bint
        if self.play.stage == KEEPING:
            return self.keep(action)
        if action < 0:
            place = (
                self.play._fewest_points(self.play.present, seat)
                if action < -1
                else self.play.below(held)
            )
        else:
            while place < held and self.play.hands[hand + place] != action:
                place += 1
        is_wrong = place == held or action < -2
        if is_wrong:
            place = self.lowest_place()
        self.play.take_turn(place)
        return is_wrong

    def lowest_place(self) -> cython.int:
        """Return the position of the lowest card in hand."""
        place: cython.int
        best: cython.int = 0
        hand: cython.int = 8 * self.play.seat
        for place in range(1, self.play.held[self.play.seat]):
            if self.play.hands[hand + place] < self.play.hands[hand + best]:
                best = place
        return best

    def keep(self, action: cython.int) -> cython.bint:
        """P11: keep the two cards at the positions of the sorted hand that the action encodes."""
        seat: cython.int = self.play.seat
        pair: cython.int = action - CARDS
        is_wrong: cython.bint = action < -2 or 0 <= action < CARDS or pair > 5
        two: cython.int
        if action == -2:
            needed: cython.ulonglong = needed_by(self.play.zones, self.play.seats, seat)
            two = best_two(self.play.zones[seat], self.play.hand(seat), needed)
            self.play._keep(seat, two >> 8 & 0xFF, two & 0xFF)
            return False
        if action == -1:
            pair = self.play.below(6)
        if is_wrong:
            pair = 0
        one: cython.int = 0 if pair < 3 else 1 if pair < 5 else 2
        other: cython.int = pair + 1 if pair < 3 else pair - 1 if pair < 5 else 3
        self.play._keep(seat, self.card_at(one), self.card_at(other))
        return is_wrong

    def card_at(self, rank: cython.int) -> cython.int:
        """Return the card at this rank of the sorted hand."""
        place: cython.int
        other: cython.int
        lower: cython.int
        hand: cython.int = 8 * self.play.seat
        for place in range(4):
            lower = 0
            for other in range(4):
                lower += self.play.hands[hand + other] < self.play.hands[hand + place]
            if lower == rank:
                break
        return self.play.hands[hand + place]

    def allow(self, into: cython.p_schar) -> cython.void:
        place: cython.int
        hand: cython.int = 8 * self.play.seat
        if self.play.stage == KEEPING:
            for place in range(6):
                into[CARDS + place] = 1
        else:
            for place in range(self.play.held[self.play.seat]):
                into[self.play.hands[hand + place]] = 1

    def observe(self, into: cython.p_schar) -> cython.void:
        """Write the observation in the layout of `learning.features`."""
        self.show_cards(into)
        at: cython.int = self.show_seats(into, 4 * CARDS)
        into[at] = self.play.turns_left
        into[at + 1] = self.play.ends & SIXTH_COLOUR != 0
        into[at + 2] = self.play.ends & EMPTY_PILE != 0
        into[at + 3] = self.play.stage == PLAYING
        into[at + 4] = self.play.stage == KEEPING
        at += 6 + CARDS  # the seat to move has kept nothing yet
        self.show_choices(into, at)

    def show_cards(self, into: cython.p_schar) -> cython.void:
        """Write the hand, the parade, and what each card of the hand would take."""
        place: cython.int
        card: cython.int
        taken: cython.int
        points: cython.int
        hand: cython.int = 8 * self.play.seat
        slots: cython.ulonglong = self.play.present
        place = 1
        while slots:
            into[CARDS + self.play.cards[first(slots)]] = place
            slots &= slots - 1
            place += 1
        for place in range(self.play.held[self.play.seat]):
            card = self.play.hands[hand + place]
            into[card] = 1
            if self.play.stage == PLAYING:
                slots = self.play.leaving(self.play.present, card)
                taken = count(slots)
                points = (self.play.cost(slots) - taken) >> 5
                into[2 * CARDS + card] = taken
                into[3 * CARDS + card] = min(points, LARGEST)

    def show_seats(self, into: cython.p_schar, at: cython.int) -> cython.int:
        """Write the zones, hand sizes, pile and seats to act; return the next offset."""
        other: cython.int
        card: cython.int
        colour: cython.int
        seat: cython.int = self.play.seat
        seats: cython.int = self.play.seats
        counts: cython.int = at + seats * CARDS
        held: cython.int = counts + 12 * seats
        slots: cython.ulonglong
        zone: cython.ulonglong
        for other in range(seats):
            slots = self.play.taken[seat]
            zone = 0
            while slots:
                card = self.play.cards[first(slots)]
                into[at + card] = 1
                zone += ADDED[card]
                slots &= slots - 1
            for colour in range(6):
                into[counts + 6 * other + colour] = zone >> (FIELD * colour) & 15
                into[counts + 6 * (seats + other) + colour] = zone >> (FIELD * colour + 4) & 63
            into[held + other] = self.play.held[seat]
            into[held + seats + 1 + other] = (
                other == 0 if self.play.stage == PLAYING else self.play.kept[seat] == 0
            )
            at += CARDS
            seat = seat + 1 if seat + 1 < seats else 0
        into[held + seats] = self.play.pile
        return held + 2 * seats + 1

    def show_choices(self, into: cython.p_schar, at: cython.int) -> cython.void:
        """Write which seats have chosen what to keep."""
        other: cython.int
        seat: cython.int = self.play.seat
        for other in range(self.play.seats):
            into[at + other] = self.play.kept[seat] != 0
            seat = seat + 1 if seat + 1 < self.play.seats else 0
