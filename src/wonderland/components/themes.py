"""Themes: what a position is about, so that players can practise one thing at a time.

A game defines them in its component `bots.themes`. A theme is a fact about a position, or about what a
choice does. A question is about a choice's theme if exactly one of the best and the tempting choice has
it: whether to do it or not is then the question, so the name of the theme doesn't give the answer away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, cast

from wonderland.components.heuristics import equivalence_of
from wonderland.engine.registry import component
from wonderland.engine.values import Value


class Theme(Value, frozen=True):
    """One theme."""

    key: str
    """The identifier in data files and addresses."""
    title: str
    """A translatable message of a few words."""


class Themes(Protocol):
    """The component `bots.themes` of a game."""

    @property
    def THEMES(self) -> Sequence[Theme]:  # noqa: N802 - a constant of the module
        """All themes, in the order in which players choose from them."""
        ...

    def of_position(self, view: Any) -> Iterable[str]:
        """Return the keys of the themes of a position, whatever is chosen."""
        ...

    def of_choice(self, view: Any, action: Any) -> Iterable[str]:
        """Return the keys of the themes of a choice."""
        ...


def themes_of(name: str) -> tuple[Theme, ...]:
    """Return the themes of a game; empty if it has none."""
    own = _component(name)
    return () if own is None else tuple(own.THEMES)


def find_themes(name: str, view: Any, legal: Sequence[Any], best: Any, tempting: Any) -> tuple[str, ...]:
    """Return the keys of the themes of a question, in the order of the game's themes.

    A theme of choices is left out if it singles out the best choice: if no other choice has it, or every
    other choice does.
    """
    own = _component(name)
    if own is None:
        return ()
    found = set(own.of_position(view))
    alike, good, bad = (
        equivalence_of(name),
        set(own.of_choice(view, best)),
        own.of_choice(view, tempting),
    )
    others = {alike(view, action): action for action in legal}
    others.pop(alike(view, best), None)
    with_theme = [set(own.of_choice(view, action)) for action in others.values()]
    for key in good ^ set(bad):
        number = sum(key in keys for keys in with_theme)
        if (number > 0) if key in good else (number < len(with_theme)):
            found.add(key)
    return tuple(theme.key for theme in own.THEMES if theme.key in found)


def _component(name: str) -> Themes | None:
    return cast("Themes | None", component(name, "bots.themes"))
