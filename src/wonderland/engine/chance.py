"""Sources of random numbers for chance outcomes. Only matches draw from them, never games."""

from __future__ import annotations

import random
from typing import Protocol


class ChanceSource(Protocol):
    """A source of uniformly distributed integers."""

    def below(self, limit: int, label: str) -> int:
        """Return a number in `range(limit)` for the stream called `label`."""
        ...


class Seeded:
    """A seeded source: the same seed gives the same numbers on every Python version and machine.

    >>> source = Seeded("tea")
    >>> [source.below(100, "spin") for _ in range(3)]
    [0, 97, 87]
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int, label: str) -> int:  # noqa: ARG002 - one generator serves every label
        """Return a number in `range(limit)`, by rejection sampling.

        Not `randrange`, whose algorithm may change between Python versions.
        """
        if limit < 1:
            raise ValueError(f"there is no number below {limit}")
        bits = (limit - 1).bit_length()
        while (number := self._random.getrandbits(bits) if bits else 0) >= limit:
            pass
        return number
