"""Finds what packages add to the program: commands, pages, services, and files for the browser.

A package declares itself in its manifest, its `__init__.py`, which holds data only and imports nothing:
every run of the command line reads all manifests. Modules are found by their names and imported when
they are needed:

- `COMMANDS` in the manifest names the commands, each with one line of help. `command.py` (or, for one of
  several, `<name>_command.py`) has `add_<name>(parser)`, which adds the arguments to an
  `argparse.ArgumentParser` and sets `run`.
- `pages.py` has `ROUTES` of the HTTP API, `PAGES` with their handlers, and `links(game)`, which gives
  addresses for the home page by the names of features; all three are optional. A manifest with
  `PAGE_MODULES` names other modules in its place.
- `service.py` has `create(site)`, which makes the feature's `Service`; `site.services` has it by the
  name of the feature.
- `static/` and `templates/` hold files for the browser, in one namespace for all packages.

Features are the packages below `wonderland.features`, in alphabetical order. The shells import none of
them: they ask here. This module imports nothing of ours before that.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from types import ModuleType

FEATURES = "wonderland.features"
PACKAGES = ("wonderland.terminal", "wonderland.terminal.remote", "wonderland.web", "wonderland.lab")
"""The other packages that have a manifest."""


class DiscoveryError(Exception):
    """A package whose manifest can't be read, or does not say what is there."""


class Command(NamedTuple):
    """A command of the command line, which is imported only when it runs."""

    name: str
    help: str
    package: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Import the command and add its arguments to the parser."""
        module = _module(self.package, f"{self.name}_command") or _module(self.package, "command")
        add = getattr(module, f"add_{self.name}", None)
        if add is None:
            raise DiscoveryError(
                f"{self.package} names the command '{self.name}', but no module of it has "
                f"add_{self.name}()."
            )
        add(parser)


class Service:
    """What a feature keeps while a site is served: queues, caches, rate limits."""

    def start(self) -> None:
        """Begin to work in the background; the storage is open."""

    async def close(self) -> None:
        """Stop before the storage is closed."""


def features() -> tuple[str, ...]:
    """The packages of all features."""
    spec = find_spec(FEATURES)
    folders = spec.submodule_search_locations if spec is not None else None
    found = pkgutil.iter_modules(folders or [])
    return tuple(f"{FEATURES}.{module.name}" for module in found if module.ispkg)


def commands() -> dict[str, Command]:
    """All commands by their names; no command is imported."""
    found: dict[str, Command] = {}
    for package in _packages():
        for name, about in getattr(_manifest(package), "COMMANDS", {}).items():
            if name in found:
                raise DiscoveryError(
                    f"the command '{name}' is named by both {found[name].package} and {package}."
                )
            found[name] = Command(name, about, package)
    return found


def page_modules() -> Iterator[ModuleType]:
    """The modules of features that answer requests."""
    for package in features():
        named = getattr(_manifest(package), "PAGE_MODULES", ())
        for name in named or ("pages",):
            module = _module(package, name)
            if module is not None:
                yield module
            elif named:
                raise DiscoveryError(f"{package} names the module '{name}', which it does not have.")


def routes() -> tuple[Any, ...]:
    """What features add to the HTTP API."""
    return tuple(route for module in page_modules() for route in getattr(module, "ROUTES", ()))


def pages() -> tuple[Any, ...]:
    """The pages of features: paths with their handlers."""
    return tuple(page for module in page_modules() for page in getattr(module, "PAGES", ()))


def links(game: str) -> dict[str, str]:
    """Where features lead from a game: addresses by the names of the features."""
    found: dict[str, str] = {}
    for module in page_modules():
        if hasattr(module, "links"):
            found |= module.links(game)
    return found


def services(site: Any) -> dict[str, Service]:
    """What each feature keeps while a site is served, by the name of the feature."""
    modules = ((package, _module(package, "service")) for package in features())
    return {
        package.rpartition(".")[2]: module.create(site)
        for package, module in modules
        if module is not None
    }


def packages_with(folder: str) -> tuple[str, ...]:
    """The packages that have such a folder, as `static` or `templates`."""
    from importlib.resources import files  # noqa: PLC0415 - slow to import, and no command needs it

    return tuple(package for package in _packages() if (files(package) / folder).is_dir())


def _packages() -> tuple[str, ...]:
    return (*filter(_is_there, PACKAGES), *features())


def _is_there(module: str) -> bool:
    """Whether there is such a module; its parent may be missing too."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _manifest(package: str) -> ModuleType:
    try:
        return import_module(package)
    except Exception as error:  # a manifest may fail in any way, and its package must be named
        raise DiscoveryError(f"the manifest of {package} can't be read: {error!r}.") from error


def _module(package: str, name: str) -> ModuleType | None:
    """A module of a package; `None` if it has none of this name."""
    module = f"{package}.{name}"
    return import_module(module) if _is_there(module) else None
