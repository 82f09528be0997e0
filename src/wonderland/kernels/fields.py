"""Copies of all fields of a play at once, for kernels that run uncompiled; compiled ones use `fields.h`.

No field is named here or in a game, so none can be forgotten. The `.pxd` of a game declares what is in
`fields.h` for its own `PlayState`, since C has to know the class to know its size.
"""

from __future__ import annotations


def copy_fields(target: object, source: object) -> None:
    """Give the target every field of the source, and lists of its own."""
    for name, value in vars(source).items():
        setattr(target, name, value.copy() if isinstance(value, list) else value)
