"""Heuristics: simple rules of play that look no move ahead, and that a good puzzle defeats.

A game defines them in its component `bots.heuristics`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Heuristic(Value, frozen=True):
    """One heuristic."""

    key: str
    """The identifier in data files."""
    says: str
    """The advice, as a translatable message."""
    choices: Callable[[Any, Sequence[Any]], Sequence[Any]]
    """Filters the legal actions of a view; returns all of them where the heuristic does not apply."""

    def misses(self, view: Any, legal: Sequence[Any], action: Any) -> bool:
        """Whether a player who follows this heuristic never chooses the action."""
        return action not in self.choices(view, legal)


class Heuristics(Protocol):
    """The component `bots.heuristics` of a game."""

    @property
    def RULES(self) -> Sequence[Heuristic]:  # noqa: N802 - a constant of the module
        """The heuristics, simplest first."""
        ...


@runtime_checkable
class Equivalence(Protocol):
    """Optional extra of `bots.heuristics`: which actions are equivalent."""

    def alike(self, view: Any, action: Any) -> Hashable:
        """Return a key that equivalent actions share, such as drawing either of two unseen cards."""
        ...


def heuristics_of(name: str) -> tuple[Heuristic, ...]:
    """Return the heuristics of a game; empty if it has none."""
    own = cast("Heuristics | None", component(name, "bots.heuristics"))
    return () if own is None else tuple(own.RULES)


def equivalence_of(name: str) -> Callable[[Any, Any], Hashable]:
    """Return the equivalence key function of a game; by default every action is distinct."""
    own = component(name, "bots.heuristics")
    return own.alike if isinstance(own, Equivalence) else _identity


def _identity(_view: Any, action: Hashable) -> Hashable:
    return action
