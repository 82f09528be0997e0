"""How a state of Parade is laid out in words: shared by the kernel and by `packing.py`.

`play.pxd` says the same for C.
"""

from __future__ import annotations

# Words of a state.
HEADER, UNSEEN, HANDS, KEPT, TAKEN, PRESENT, SLOTS = 0, 1, 3, 9, 15, 21, 22
WORDS = 30

# Stages, in the lowest bits of the header.
STARTING, DEALING, FORMING, PLAYING, DRAWING, KEEPING, ENDED = range(7)

# What set off the last round (P8); together: both.
SIXTH_COLOUR, EMPTY_PILE = 1, 2

CHOSEN = 1 << 16
"""Marks that a seat has chosen what to keep: the two cards stand in the bytes below."""
PAIRS = 128
"""The number of keeping cards a and b is this, and 66 a, and b."""

# Policies: any card; the card that takes the fewest points; any card, but the two to keep chosen with
# care; the better of any two cards, and the last round and the two to keep with care.
RANDOM, GREEDY, CARELESS, DECENT = 0, 1, 2, 3

FIELD = 10
"""A colour's bits in a zone: four for the number of cards, six for what is printed on them."""
ONE_IN_EACH = 0x0004010040100401
COUNTS, SUMS, ABOVE = 15 * ONE_IN_EACH, 63 * ONE_IN_EACH, 16 * ONE_IN_EACH
AT_MOST = 4
"""Of the sets of slots, the first four are the bits of the values; then come "at most v"."""
HAND = 0xFFFFFFFFFF
NO_SLOT, NO_CARD = 64, 66
"""The first slot of none (`bits.first`), and the card that lies there: it adds nothing to a zone."""

MASK, HALF = 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF
"""All bits of a word, and the lower half of them."""
