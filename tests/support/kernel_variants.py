"""Kernels in each variant that runs here (Python, compiled, tuned for this processor), and mutants."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from support.faults import Fault, FaultError
from support.paths import SOURCE
from wonderland.engine.registry import component_module
from wonderland.kernels.processor import is_modern


def compiled_module(game: str, name: str = "kernel") -> str:
    """Return the dotted name of a game's module written for Cython."""
    module = component_module(game, f"compiled.{name}")
    assert module is not None, f"{game} has no {name}"
    return module


def variants(game: str) -> list[str]:
    """Variants of a game's kernel that run here: Python, compiled for any processor, or for this one."""
    compiled = import_module(compiled_module(game)).COMPILED
    tuned = is_modern() and find_spec(f"{compiled_module(game)}_v3") is not None
    return ["uncompiled", *["compiled"] * compiled, *["tuned"] * tuned]


def kernel(game: str, variant: str, name: str = "kernel") -> ModuleType:
    """Load a variant of a game's kernel, or of another of its compiled modules."""
    if variant == "uncompiled":
        return uncompiled(compiled_module(game, name))
    return import_module(compiled_module(game, name) + ("_v3" if variant == "tuned" else ""))


def uncompiled(name: str, *faults: Fault) -> ModuleType:
    """Load a module as Python, with those written for Cython that it imports; with faults, a mutant."""
    loaded: dict[str, ModuleType] = {}
    module = _load(name, faults, loaded)
    for fault in faults:
        if fault.module not in loaded:
            raise FaultError(f"{name} does not import {fault.module}.")
    return module


def _load(name: str, faults: Sequence[Fault], loaded: dict[str, ModuleType]) -> ModuleType:
    tree = _tree(name)
    for needed in _imported_modules(tree):
        if needed not in loaded and _is_for_cython(needed):
            _load(needed, faults, loaded)
    for fault in faults:
        if fault.module == name:
            tree = fault.plant(tree)
    module = ModuleType(name)
    module.__file__ = str(_path(name))
    with _replace_modules(loaded):
        exec(compile(tree, _path(name), "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - our own
    loaded[name] = module
    return module


def _path(name: str) -> Path:
    return (SOURCE / name.replace(".", "/")).with_suffix(".py")


@cache
def _tree(name: str) -> ast.Module:
    return ast.parse(_path(name).read_text(encoding="utf-8"))


def _imported_modules(tree: ast.Module) -> list[str]:
    """Modules in `from … import …`, either imported or imported from."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
            found |= dict.fromkeys(names)
    return list(found)


@cache
def _is_for_cython(name: str) -> bool:
    path = _path(name)
    return path.is_file() and "\n    import cython\n" in path.read_text(encoding="utf-8")


@contextmanager
def _replace_modules(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Import these modules instead of the compiled ones."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
