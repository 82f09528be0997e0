"""Memory layout of a packed Parade state in 64-bit words, shared by the kernel and `packing.py`.

`play.pxd` declares the same constants for C and must stay in step.
"""

from __future__ import annotations

# Word offsets in a state.
HEADER, UNSEEN, HANDS, KEPT, TAKEN, PRESENT, SLOTS = 0, 1, 3, 9, 15, 21, 22
WORDS = 30

# Stages, in the lowest bits of the header.
STARTING, DEALING, FORMING, PLAYING, DRAWING, KEEPING, ENDED = range(7)

# Flags for what triggered the last round (P8); both may be set.
SIXTH_COLOUR, EMPTY_PILE = 1, 2

CHOSEN = 1 << 16
"""Flag: the seat has chosen what to keep; the two cards are in the two bytes below."""
PAIRS = 128
"""Keeping cards a and b is the action number `PAIRS + 66 * a + b`."""

# Playout policies. RANDOM: any card. GREEDY: the card that takes the fewest points. CARELESS: any card,
# but the best two to keep. DECENT: the better of two random cards, the best last card and the best pair.
RANDOM, GREEDY, CARELESS, DECENT = 0, 1, 2, 3

FIELD = 10
"""Bits per colour in a zone: four count the cards, six add up their printed values."""
ONE_IN_EACH = 0x0004010040100401
COUNTS, SUMS, ABOVE = 15 * ONE_IN_EACH, 63 * ONE_IN_EACH, 16 * ONE_IN_EACH
HAND_SIZE = 5
SETS = 20
"""Number of slot sets: 0 to 7 and `EIGHT`, `NINE` for the values up to that number, then those below."""
COLOURS, EIGHT, NINE, ODD, TWOS, ANY = 8, 14, 15, 16, 17, 18
"""Slot sets: the first of six colours; values up to 8 and 9; values with bit 0 or bit 1; all cards.

The order matters: `bits.meets_each` tests the colours in two groups of four words."""
HAND = 0xFFFFFFFFFF
NO_SLOT, NO_CARD = 64, 66
"""The slot that `bits.first` returns for an empty set, and its dummy card, which adds no points."""

MASK, HALF = 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF
"""All bits of a word, and its lower half."""
