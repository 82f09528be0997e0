"""Where the numbers come from that luck decides by. Games never call this: matches do."""

from __future__ import annotations

import random
from typing import Protocol


class ChanceSource(Protocol):
    """Anything that can pick a number, evenly, for a labelled use."""

    def below(self, limit: int, label: str) -> int:
        """A number from 0 up to but not including `limit`."""
        ...


class Seeded:
    """Repeatable luck: the same seed gives the same numbers, on every Python and every machine.

    >>> luck = Seeded("tea")
    >>> [luck.below(100, "spin") for _ in range(3)]
    [0, 97, 87]
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int, label: str) -> int:  # noqa: ARG002 - one stream serves every label
        """Take just enough bits, and again while they are too large: even, and stable for ever."""
        if limit < 1:
            raise ValueError(f"there is no number below {limit}")
        bits = (limit - 1).bit_length()
        while (number := self._random.getrandbits(bits) if bits else 0) >= limit:
            pass
        return number
