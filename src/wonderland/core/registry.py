"""The games that are there: each folder below `wonderland.games` that offers a `GAME`.

A game from another package joins through the entry point group `wonderland.games`, whose value is the
package that offers the `GAME`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wonderland.core.errors import NotationError

if TYPE_CHECKING:
    from types import ModuleType

    from wonderland.core.protocol import AnyGame

HOME = "wonderland.games"


@cache
def _packages() -> dict[str, str]:
    """The name of each game with the package that holds it."""
    ours = {
        module.name: f"{HOME}.{module.name}"
        for module in pkgutil.iter_modules(import_module(HOME).__path__)
        if module.ispkg
    }
    others = {point.name: point.value for point in entry_points(group=HOME)}
    return dict(sorted((others | ours).items()))


def game_names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order.

    >>> game_names()
    ('cookies', 'letters', 'parade')
    """
    return tuple(_packages())


def game(name: str) -> AnyGame:
    """The game of this name, whatever its case.

    >>> game("Parade").info.seats
    range(2, 7)
    """
    offered: AnyGame = import_module(package(name)).GAME
    return offered


def part(name: str, which: str) -> ModuleType | None:
    """A module of a game's package beside its rules, such as its `words`; `None` if it has none."""
    module = f"{package(name)}.{which}"
    return import_module(module) if find_spec(module) else None


def package(name: str) -> str:
    """The package that holds the game of this name, whatever its case."""
    try:
        return _packages()[name.strip().lower()]
    except KeyError:
        raise NotationError(
            f"there is no game called {name!r}: the games are {', '.join(game_names())}."
        ) from None
