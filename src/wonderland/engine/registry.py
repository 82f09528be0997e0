"""The games that are there: each folder below `wonderland.games` that offers a `GAME`.

A game from another package joins through the entry point group `wonderland.games`, under the name that
its `info` has; the value is the package that offers the `GAME`. See `docs/adding-a-game.md`. One that
can't be loaded is left out, and what is wrong with it is logged, and said to who asks for it.

Beside its rules a game may have optional components, found by the names of their modules: `ui.words` is
the module `words` in its folder `ui`, or in the package itself. `wonderland.components` lists them all.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wonderland.engine.errors import GameFailed, UsageError, quote

if TYPE_CHECKING:
    from wonderland.engine.protocol import AnyGame

HOME = "wonderland.games"


@cache
def _ours() -> dict[str, str]:
    """The name of each game of this package with the folder that holds it."""
    modules = pkgutil.iter_modules(import_module(HOME).__path__)
    return {module.name: f"{HOME}.{module.name}" for module in modules if module.ispkg}


@cache
def _others() -> dict[str, str]:
    """The same for the games of other packages; slow, since all that is installed is looked at."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

    return {point.name: point.value for point in entry_points(group=HOME) if point.name not in _ours()}


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted([*_ours(), *filter(_can_be_loaded, _others())]))


def is_registered(name: str) -> bool:
    """Whether there is a game of this name, whatever its case; it may still fail to load."""
    wanted = name.strip().lower()
    return wanted in _ours() or wanted in _others()


def refresh() -> None:
    """Forget what was installed until now."""
    _others.cache_clear()
    _names.cache_clear()
    _find_module.cache_clear()


def _can_be_loaded(name: str) -> bool:
    """Whether a game of another package works; if not, the log says why."""
    import logging  # noqa: PLC0415 - most never need it

    try:
        game(name)
    except GameFailed as error:
        logging.getLogger("wonderland.games").warning("An installed game is left out: %s", error)
        return False
    return True


def game_names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order.

    >>> game_names()
    ('cookies', 'letters', 'parade')
    """
    return _names()


def game(name: str) -> AnyGame:
    """The game of this name, whatever its case.

    >>> game("Parade").info.seats
    range(2, 7)
    """
    return _offered(name, _home(name))


def _offered(name: str, home: str) -> AnyGame:
    """The game that a package offers."""
    try:
        offered: AnyGame = import_module(home).GAME
        _ = offered.info.name
    except Exception as error:  # another's package may fail in any way
        reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
        raise GameFailed(f"the game {quote(name)} can't be loaded from {home}: {reason}.") from error
    return offered


def component(name: str, which: str) -> object | None:
    """The module of an optional component of a game, such as its `ui.words`; `None` if it has none.

    It is an `object` to mypy, because the members of a module found by its name are not known: a caller
    says which Protocol it takes it for. An error raised while the module is imported, an `ImportError`
    included, is passed on.
    """
    module = component_module(name, which)
    return None if module is None else import_module(module)


def component_module(name: str, which: str) -> str | None:
    """The full name of that module, without importing it.

    >>> component_module("parade", "ui.words")
    'wonderland.games.parade.ui.words'
    """
    return _find_module(package_of(name), which)


@cache
def _find_module(home: str, which: str) -> str | None:
    """Look for a component in its folder, then beside the game's rules."""
    folder, _, file = which.rpartition(".")
    places = [which] if _is_package(f"{home}.{folder}") else []
    places.append(file)
    return next((f"{home}.{place}" for place in places if find_spec(f"{home}.{place}")), None)


def _is_package(module: str) -> bool:
    """Whether there is a folder to look in: `find_spec` raises for a module in a missing one."""
    spec = find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


def package_of(name: str) -> str:
    """The package that holds the game of this name, whatever its case."""
    home = _home(name)
    if home not in _ours().values():
        _offered(name, home)  # a component of a broken game can't be used: say what is wrong with it
    return home


def _home(name: str) -> str:
    """The same, whether it works or not."""
    wanted = name.strip().lower()
    found = _ours().get(wanted) or _others().get(wanted)
    if found is None:
        raise UsageError(
            f"there is no game called {quote(name)}: the games are {', '.join(game_names())}."
        )
    return found
