"""Random numbers (splitmix64) for uncompiled kernels; compiled ones use `rng.h`.

The generator's state is a 64-bit number in the kernel's own fields: `advance` it, and `splitmix64` of it
is the next output.
"""

from __future__ import annotations

GAMMA = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF


def splitmix64(state: int) -> int:
    """Return the output for a state: a 64-bit permutation that makes neighbours look unrelated.

    >>> splitmix64(GAMMA) == 0xE220A8397B1DCDAF  # the first output of the generator that starts at 0
    True
    """
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return state ^ (state >> 31)


def advance(state: int) -> int:
    """Return the next state."""
    return (state + GAMMA) & _MASK


def start_stream(seed: int, stream: int) -> int:
    """Return the initial state of a stream of a seed."""
    return splitmix64((seed + splitmix64(stream & _MASK)) & _MASK)


def scale(output: int, limit: int) -> int:
    """Return a number in `range(limit)`, from the upper half of an output.

    >>> scale(1 << 63, 6)
    3
    """
    return ((output >> 32) * limit) >> 32
