"""Bit sets of up to 64 members, for uncompiled kernels; compiled ones use `bits.h`."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


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


def meets_each(sets: Sequence[int], start: int, stop: int, members: int) -> bool:
    """Whether a set has a member in common with each of the sets from `start` to `stop - 1`.

    >>> meets_each([0, 0b100, 0b11], 1, 3, 0b110), meets_each([0, 0b100, 0b11], 0, 3, 0b110)
    (True, False)
    """
    return all(members & sets[at] for at in range(start, stop))


def join_marked(
    sets: MutableSequence[int], marks: Sequence[int], start: int, members: int, how_many: int
) -> None:
    """Add members to those of the first sets whose mark, from `start` on, has all bits, not none.

    The number of sets is a multiple of four.
    """
    for at in range(how_many):
        sets[at] |= members & marks[start + at]
