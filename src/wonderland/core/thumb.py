"""Rules of thumb: what somebody plays who does not think ahead, and what puzzles are missed by.

A game's `thumb.py` offers `RULES`, the simplest one first, and may offer `alike(view, action)`: what
choices have in common that are one and the same thing, such as two cards that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from wonderland.core.registry import part
from wonderland.core.values import Value


class Thumb(Value, frozen=True):
    """One rule of thumb."""

    key: str
    """How a file calls it."""
    says: str
    """What it tells people to do: a text of the catalogues."""
    choices: Callable[[Any, Sequence[Any]], Sequence[Any]]
    """Of all that is legal by a view, whatever the rule allows; everything where it says nothing."""

    def misses(self, view: Any, legal: Sequence[Any], action: Any) -> bool:
        """Whether somebody who keeps this rule never does that."""
        return action not in self.choices(view, legal)


def thumbs_of(name: str) -> tuple[Thumb, ...]:
    """The rules of thumb of a game; none for a game that has not written any down."""
    own = part(name, "thumb")
    return () if own is None else tuple(own.RULES)


def alike_in(name: str) -> Callable[[Any, Any], Hashable]:
    """What makes two choices of a game the same thing: mostly nothing does."""
    found: Callable[[Any, Any], Hashable] = getattr(part(name, "thumb"), "alike", _itself)
    return found


def _itself(_view: Any, action: Hashable) -> Hashable:
    return action
