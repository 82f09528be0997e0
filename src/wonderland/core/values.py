"""The decorator for values: states, actions, events, views.

`@value` makes what `@dataclass(frozen=True, slots=True)` makes, with one difference: the constructor
writes through the slots themselves instead of through `object.__setattr__`, which halves the time that
making a value takes. Plays make millions of them.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots and a quick constructor.

    >>> @value
    ... class Pawn:
    ...     space: int
    ...     large: bool = False
    >>> Pawn(3)
    Pawn(space=3, large=False)
    """
    made: Any = dataclass(frozen=True, slots=True)(cls)
    if fields(made):
        made.__init__ = _constructor(made)
    quick: type[T] = made
    return quick


def _constructor(made: Any) -> Any:
    names = [field.name for field in fields(made)]
    scope: dict[str, Any] = {f"set_{name}": getattr(made, name).__set__ for name in names}
    parameters = []
    for field in fields(made):
        if field.default is MISSING:
            parameters.append(field.name)
        else:
            scope[f"default_{field.name}"] = field.default
            parameters.append(f"{field.name}=default_{field.name}")
    lines = [f"    set_{name}(self, {name})" for name in names]
    code = "\n".join([f"def __init__(self, {', '.join(parameters)}):", *lines])
    exec(code, scope)  # noqa: S102 - only the names of fields go in, as in dataclasses itself
    return scope["__init__"]
