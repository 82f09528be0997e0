"""Bit sets of up to 64 members, for uncompiled kernels; compiled ones use `bits.h`."""

from __future__ import annotations


def lowest(members: int, how_many: int) -> int:
    """Return the `how_many` lowest members of a set.

    >>> bin(lowest(0b110101, 2))
    '0b101'
    """
    others = members
    for _ in range(how_many):
        others &= others - 1
    return members & ~others


def count(members: int) -> int:
    """Return the number of members of a set."""
    return members.bit_count()


def first(members: int) -> int:
    """Return the index of the lowest member of a set; 64 if it is empty.

    >>> first(0b101000), first(0)
    (3, 64)
    """
    return (members & -members).bit_length() - 1 if members else 64
