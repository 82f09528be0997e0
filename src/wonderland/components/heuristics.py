"""Rules of thumb: what somebody plays who does not think ahead, and what puzzles are missed by.

A game has them in its component `bots.heuristics`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Heuristic(Value, frozen=True):
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


class Heuristics(Protocol):
    """The component `bots.heuristics` of a game."""

    @property
    def RULES(self) -> Sequence[Heuristic]:  # noqa: N802 - a constant of the module
        """The rules of thumb, the simplest one first."""
        ...


@runtime_checkable
class Equivalence(Protocol):
    """Optional part of a game's heuristics: which choices are one and the same thing."""

    def alike(self, view: Any, action: Any) -> Hashable:
        """What such choices have in common, such as two cards that nobody has seen."""
        ...


def heuristics_of(name: str) -> tuple[Heuristic, ...]:
    """The rules of thumb of a game; none for a game that has not written any down."""
    own = cast("Heuristics | None", component(name, "bots.heuristics"))
    return () if own is None else tuple(own.RULES)


def equivalence_of(name: str) -> Callable[[Any, Any], Hashable]:
    """What makes two choices of a game the same thing: mostly nothing does."""
    own = component(name, "bots.heuristics")
    return own.alike if isinstance(own, Equivalence) else _itself


def _itself(_view: Any, action: Hashable) -> Hashable:
    return action
