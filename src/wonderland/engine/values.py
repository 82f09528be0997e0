"""The base class of all values: states, actions, events, views.

A value behaves like a frozen dataclass with slots. It is a `msgspec.Struct`, which is five times faster
to create (a simulation creates millions) and serializes to JSON with its class name as `type`. Values
contain only values and tuples and never form reference cycles, so garbage-collector tracking is off:
`gc=False`.
"""

from __future__ import annotations

from msgspec import Struct


class Value(Struct, frozen=True, gc=False, tag=True):
    """A frozen value; repeat `frozen=True` in each subclass for the type checker.

    >>> class Pawn(Value, frozen=True):
    ...     space: int
    ...     large: bool = False
    >>> Pawn(3)
    Pawn(space=3, large=False)
    """
