"""Plugin discovery: finds the commands, pages, services and browser files that packages contribute.

A package's manifest is its `__init__.py`, which contains only data and imports nothing, because every
run of the command line reads all manifests. Modules are found by name and imported lazily:

- `COMMANDS` in the manifest names the commands, each with one line of help. `command.py` (or, for one of
  several, `<name>_command.py`) defines `add_<name>(parser)`, which adds the arguments to an
  `argparse.ArgumentParser` and sets `run`.
- `pages.py` defines `ROUTES` of the HTTP API, `PAGES` with their handlers, and `links(game)`, which
  returns addresses for the home page by feature name; all three are optional. `PAGE_MODULES` in the
  manifest names other modules to use instead.
- `service.py` defines `create(site)`, which returns the feature's `Service`; it is available as
  `site.services[<feature>]`.
- `static/` and `templates/` contain files for the browser, in one namespace for all packages.

Features are the packages below `wonderland.features`, in alphabetical order. The shells never import
them directly, only through this module, which itself imports nothing of ours at load time.
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
"""The other packages with a manifest."""


class DiscoveryError(Exception):
    """A manifest that can't be imported, or doesn't match its package."""


class CommandEntry(NamedTuple):
    """A subcommand, imported only when it runs."""

    name: str
    help: str
    package: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Import the command and add its arguments to the parser."""
        module = _import_optional(self.package, f"{self.name}_command") or _import_optional(
            self.package, "command"
        )
        add = getattr(module, f"add_{self.name}", None)
        if add is None:
            raise DiscoveryError(
                f"{self.package} declares the command '{self.name}', but none of its modules defines "
                f"add_{self.name}()."
            )
        add(parser)


class Service:
    """The state of a feature while a site is served: queues, caches, rate limits."""

    def start(self) -> None:
        """Start background work; the storage is open."""

    async def close(self) -> None:
        """Stop background work; the storage is still open."""


def features() -> tuple[str, ...]:
    """Return the package names of all features."""
    spec = find_spec(FEATURES)
    folders = spec.submodule_search_locations if spec is not None else None
    modules = pkgutil.iter_modules(folders or [])
    return tuple(f"{FEATURES}.{module.name}" for module in modules if module.ispkg)


def commands() -> dict[str, CommandEntry]:
    """Return all commands by name, without importing them."""
    by_name: dict[str, CommandEntry] = {}
    for package in _packages_with_manifest():
        for name, about in getattr(_import_manifest(package), "COMMANDS", {}).items():
            if name in by_name:
                raise DiscoveryError(
                    f"the command '{name}' is declared by both {by_name[name].package} and {package}."
                )
            by_name[name] = CommandEntry(name, about, package)
    return by_name


def page_modules() -> Iterator[ModuleType]:
    """Import the modules of features that handle requests."""
    for package in features():
        named = getattr(_import_manifest(package), "PAGE_MODULES", ())
        for name in named or ("pages",):
            module = _import_optional(package, name)
            if module is not None:
                yield module
            elif named:
                raise DiscoveryError(f"{package} declares the module '{name}', which doesn't exist.")


def routes() -> tuple[Any, ...]:
    """Return the routes that features add to the HTTP API."""
    return tuple(route for module in page_modules() for route in getattr(module, "ROUTES", ()))


def pages() -> tuple[Any, ...]:
    """Return the pages of features: paths with their handlers."""
    return tuple(page for module in page_modules() for page in getattr(module, "PAGES", ()))


def links(game: str) -> dict[str, str]:
    """Return the addresses of a game's feature pages, by feature name."""
    addresses: dict[str, str] = {}
    for module in page_modules():
        if hasattr(module, "links"):
            addresses |= module.links(game)
    return addresses


def service_workers() -> tuple[str, ...]:
    """Return the addresses of the service workers that features bring."""
    found = (getattr(module, "SERVICE_WORKER", "") for module in page_modules())
    return tuple(address for address in found if address)


def services(site: Any) -> dict[str, Service]:
    """Create the service of each feature that has one, by feature name."""
    modules = ((package, _import_optional(package, "service")) for package in features())
    return {
        package.rpartition(".")[2]: module.create(site)
        for package, module in modules
        if module is not None
    }


def packages_with(folder: str) -> tuple[str, ...]:
    """Return the packages that have a folder of this name, such as `static` or `templates`."""
    from importlib.resources import files  # noqa: PLC0415 - slow to import, and unused by commands

    return tuple(package for package in _packages_with_manifest() if (files(package) / folder).is_dir())


def _packages_with_manifest() -> tuple[str, ...]:
    return (*filter(_module_exists, PACKAGES), *features())


def _module_exists(module: str) -> bool:
    """Whether a module exists; its parent package may be missing too."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _import_manifest(package: str) -> ModuleType:
    try:
        return import_module(package)
    except Exception as error:  # whatever a manifest raises, the message must name its package
        raise DiscoveryError(f"the manifest of {package} can't be read: {error!r}.") from error


def _import_optional(package: str, name: str) -> ModuleType | None:
    """Import a module of a package; `None` if it has no such module."""
    module = f"{package}.{name}"
    return import_module(module) if _module_exists(module) else None
