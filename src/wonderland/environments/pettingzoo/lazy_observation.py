"""An observation that is computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LAZY_KEY = "observation"


class LazyObservation(dict[str, Any]):
    """An agent's final observation, computed lazily.

    Every training loop requests it, few read it, and computing it takes as long as dozens of moves.
    Copies and pickles are ordinary dictionaries.

    >>> late = LazyObservation(lambda: "the end", action_mask="nothing")
    >>> late["action_mask"], late["observation"], dict(late)
    ('nothing', 'the end', {'observation': 'the end', 'action_mask': 'nothing'})
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Any], **ready: Any) -> None:
        super().__init__(observation=None, **ready)
        self._make: Callable[[], Any] | None = make

    def _compute(self) -> None:
        if self._make is not None:
            make, self._make = self._make, None
            dict.__setitem__(self, _LAZY_KEY, make())

    def __getitem__(self, name: str) -> Any:
        if name == _LAZY_KEY:
            self._compute()
        return dict.__getitem__(self, name)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return dict, (dict(self.items()),)


def _computing(name: str) -> Any:
    """Wrap a method of `dict` so that it computes the observation first."""
    method = getattr(dict, name)

    def wrapper(self: LazyObservation, *arguments: Any, **named: Any) -> Any:
        self._compute()
        return method(self, *arguments, **named)

    return wrapper


# C code that copies a dictionary bypasses all of these, unless the class defines `__iter__`.
_OPERATORS = ("setitem", "delitem", "iter", "reversed", "eq", "ne", "or", "ror", "ior", "repr")
_METHODS = [name for name in vars(dict) if not name.startswith("_")]
for _name in (*[f"__{word}__" for word in _OPERATORS], *_METHODS):
    setattr(LazyObservation, _name, _computing(_name))
