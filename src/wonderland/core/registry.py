"""The games that are there: each folder below `wonderland.games` that offers a `GAME`.

A game from another package joins through the entry point group `wonderland.games`, under the name that
its `info` has; the value is the package that offers the `GAME`. See `docs/adding-a-game.md`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wonderland.core.errors import NotationError, quoted

if TYPE_CHECKING:
    from types import ModuleType

    from wonderland.core.protocol import AnyGame

HOME = "wonderland.games"


@cache
def _ours() -> dict[str, str]:
    """The name of each game of this package with the folder that holds it."""
    modules = pkgutil.iter_modules(import_module(HOME).__path__)
    return {module.name: f"{HOME}.{module.name}" for module in modules if module.ispkg}


@cache
def _all() -> dict[str, str]:
    """The same with the games of other packages; slow, since all that is installed is looked at."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

    others = {point.name: point.value for point in entry_points(group=HOME)}
    return dict(sorted((others | _ours()).items()))


def game_names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order.

    >>> game_names()
    ('cookies', 'letters', 'parade')
    """
    return tuple(_all())


def game(name: str) -> AnyGame:
    """The game of this name, whatever its case.

    >>> game("Parade").info.seats
    range(2, 7)
    """
    home = package(name)
    try:
        offered: AnyGame = import_module(home).GAME
    except (ImportError, AttributeError) as error:
        raise NotationError(f"the game {quoted(name)} can't be loaded from {home}: {error}.") from error
    return offered


def part(name: str, which: str) -> ModuleType | None:
    """A module of a game's package beside its rules, such as its `words`; `None` if it has none."""
    module = f"{package(name)}.{which}"
    return import_module(module) if find_spec(module) else None


def package(name: str) -> str:
    """The package that holds the game of this name, whatever its case."""
    wanted = name.strip().lower()
    found = _ours().get(wanted) or _all().get(wanted)
    if found is None:
        raise NotationError(
            f"there is no game called {quoted(name)}: the games are {', '.join(game_names())}."
        )
    return found
