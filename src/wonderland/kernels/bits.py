"""Sets of up to 64 things, a bit each, for kernels that run uncompiled; compiled ones use `bits.h`."""

from __future__ import annotations


def lowest(members: int, how_many: int) -> int:
    """The lowest members of a set.

    >>> bin(lowest(0b110101, 2))
    '0b101'
    """
    others = members
    for _ in range(how_many):
        others &= others - 1
    return members & ~others


def count(members: int) -> int:
    """How many members a set has."""
    return members.bit_count()


def first(members: int) -> int:
    """The number of the lowest member of a set; 64 if it has none.

    >>> first(0b101000), first(0)
    (3, 64)
    """
    return (members & -members).bit_length() - 1 if members else 64
