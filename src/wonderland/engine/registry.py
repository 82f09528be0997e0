"""The registry of games: every package below `wonderland.games`, and plugins from other distributions.

A plugin registers in the entry point group `wonderland.games` under the name in its `info`; the value is
the package that defines `GAME`. See `docs/adding-a-game.md`. A plugin that fails to load is logged and
left out of the list; asking for it by name raises `GameFailed`.

Besides its rules a game may have optional components, found by module name: `ui.words` is the module
`words` in its folder `ui`, or in the package itself. `wonderland.components` lists them all.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wonderland.engine.errors import GameFailed, UsageError, quote
from wonderland.engine.language import phrase

if TYPE_CHECKING:
    from wonderland.engine.protocol import AnyGame

HOME = "wonderland.games"


@cache
def _bundled_games() -> dict[str, str]:
    """Map the name of each bundled game to its package."""
    modules = pkgutil.iter_modules(import_module(HOME).__path__)
    return {module.name: f"{HOME}.{module.name}" for module in modules if module.ispkg}


@cache
def _plugin_games() -> dict[str, str]:
    """Map the name of each game plugin to its package; slow, because it scans every distribution."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

    return {
        point.name: point.value
        for point in entry_points(group=HOME)
        if point.name not in _bundled_games()
    }


@cache
def _loadable_names() -> tuple[str, ...]:
    return tuple(sorted([*_bundled_games(), *filter(_loads, _plugin_games())]))


_failed_games: dict[str, GameFailed] = {}
"""The first error of each plugin that failed to load."""


def is_registered(name: str) -> bool:
    """Whether a game of this name exists, ignoring case; it may still fail to load."""
    wanted = name.strip().lower()
    return wanted in _bundled_games() or wanted in _plugin_games()


def refresh() -> None:
    """Clear the cache of installed games and components."""
    _plugin_games.cache_clear()
    _loadable_names.cache_clear()
    _failed_games.clear()
    _find_module.cache_clear()


def _loads(name: str) -> bool:
    """Whether a plugin loads; if not, log the reason, once even if several threads ask."""
    import logging  # noqa: PLC0415 - rarely needed

    try:
        game(name)
    except GameFailed as error:
        if _failed_games.setdefault(name, error) is error:  # atomic
            logging.getLogger("wonderland.games").warning("An installed game is left out: %s", error)
        return False
    return True


def game_names() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order.

    >>> game_names()
    ('cookies', 'letters', 'parade')
    """
    return _loadable_names()


def ranked_game_names() -> tuple[str, ...]:
    """Return the names of all games in the order in which to show them.

    >>> ranked_game_names()
    ('parade', 'letters', 'cookies')
    """
    return tuple(sorted(game_names(), key=lambda name: (game(name).info.rank, name)))


def game(name: str) -> AnyGame:
    """Return the game of this name, ignoring case.

    >>> game("Parade").info.seats
    range(2, 7)
    """
    return _load_game(name, _find_package(name))


def _load_game(name: str, package: str) -> AnyGame:
    """Import the `GAME` of a package."""
    try:
        loaded: AnyGame = import_module(package).GAME
        _ = loaded.info.name
    except Exception as error:  # third-party code may raise anything
        reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
        raise GameFailed(
            phrase("the game {name} can't be loaded from {package}: {reason}."),
            name=quote(name),
            package=package,
            reason=reason,
        ) from error
    return loaded


def component(name: str, which: str) -> object | None:
    """Import an optional component of a game, such as its `ui.words`; `None` if it has none.

    The type is `object`, because mypy can't know a module that is found by name: callers cast it to its
    Protocol. Errors raised during the import, including `ImportError`, propagate.
    """
    module = component_module(name, which)
    return None if module is None else import_module(module)


def component_module(name: str, which: str) -> str | None:
    """Return the full name of a component's module, without importing it.

    >>> component_module("parade", "ui.words")
    'wonderland.games.parade.ui.words'
    """
    return _find_module(package_of(name), which)


@cache
def _find_module(package: str, which: str) -> str | None:
    """Look for a component in its subfolder, then in the game's package itself."""
    folder, _, file = which.rpartition(".")
    candidates = [which] if _is_package(f"{package}.{folder}") else []
    candidates.append(file)
    return next(
        (f"{package}.{module}" for module in candidates if find_spec(f"{package}.{module}")), None
    )


def _is_package(module: str) -> bool:
    """Whether a package exists; `find_spec` raises for a module in a missing one."""
    spec = find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


def package_of(name: str) -> str:
    """Return the package of the game of this name, ignoring case."""
    package = _find_package(name)
    if package not in _bundled_games().values():
        _load_game(name, package)  # components of a broken plugin are unusable: raise its error
    return package


def _find_package(name: str) -> str:
    """Return the package of a game without checking that it loads."""
    wanted = name.strip().lower()
    found = _bundled_games().get(wanted) or _plugin_games().get(wanted)
    if found is None:
        raise UsageError(
            phrase("there is no game called {name}. The games are {known}."),
            name=quote(name),
            known=game_names(),
        )
    return found
