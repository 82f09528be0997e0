"""Copies all fields of a state at once, for uncompiled kernels; compiled ones use `fields.h`.

No field is listed by name, so none can be forgotten. The `.pxd` of a game declares the macros of
`fields.h` for its own `PlayState`, since C needs the class to know its size.
"""

from __future__ import annotations


def copy_fields(target: object, source: object) -> None:
    """Copy every field of the source to the target, with independent lists."""
    for name, value in vars(source).items():
        setattr(target, name, value.copy() if isinstance(value, list) else value)
