"""An observation that is made when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LATE = "observation"


class LazyObservation(dict[str, Any]):
    """What an agent observes when all is over.

    Every loop asks each agent for it, and hardly any looks at it; to make it takes as long as dozens of
    moves. So it is made at the first look. Its copies and pickles are dictionaries like any other.

    >>> late = LazyObservation(lambda: "the end", action_mask="nothing")
    >>> late["action_mask"], late["observation"], dict(late)
    ('nothing', 'the end', {'observation': 'the end', 'action_mask': 'nothing'})
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Any], **ready: Any) -> None:
        super().__init__(observation=None, **ready)
        self._make: Callable[[], Any] | None = make

    def _look(self) -> None:
        if self._make is not None:
            make, self._make = self._make, None
            dict.__setitem__(self, _LATE, make())

    def __getitem__(self, name: str) -> Any:
        if name == _LATE:
            self._look()
        return dict.__getitem__(self, name)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return dict, (dict(self.items()),)


def _looking(name: str) -> Any:
    """A method of dictionaries that looks first."""
    method = getattr(dict, name)

    def look(self: LazyObservation, *arguments: Any, **named: Any) -> Any:
        self._look()
        return method(self, *arguments, **named)

    return look


# Whoever copies a dictionary in C goes round all this, unless it has an `__iter__` of its own.
_LOOKING = ("setitem", "delitem", "iter", "reversed", "eq", "ne", "or", "ror", "ior", "repr")
_NAMED = [name for name in vars(dict) if not name.startswith("_")]
for _name in (*[f"__{word}__" for word in _LOOKING], *_NAMED):
    setattr(LazyObservation, _name, _looking(_name))
