"""The base of all values: states, actions, events, views.

A value is what a frozen dataclass with slots is. It stands on `msgspec.Struct`, which makes one in a
fifth of the time (plays make millions of them) and can write it as JSON, with its kind as `type`.
Values hold other values and tuples, never each other in a circle, so the garbage collector need not look
at them: `gc=False`.
"""

from __future__ import annotations

from msgspec import Struct


class Value(Struct, frozen=True, gc=False, tag=True):
    """A frozen value; say `frozen=True` again in each class, for the type checker.

    >>> class Pawn(Value, frozen=True):
    ...     space: int
    ...     large: bool = False
    >>> Pawn(3)
    Pawn(space=3, large=False)
    """
