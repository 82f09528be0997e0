"""For tests: the kernels of a game in all the ways they can run here, and mutants of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from wonderland.core.processor import is_modern
from wonderland.core.registry import package

SOURCE = Path(__file__).parents[2] / "src"


def ways(game: str) -> list[str]:
    """How the kernel of a game can run here: compiled for any processor, for this one, or not."""
    compiled = import_module(f"{package(game)}.kernel").COMPILED
    special = is_modern() and find_spec(f"{package(game)}.kernel_v3") is not None
    return ["uncompiled", *["compiled"] * compiled, *["tuned"] * special]


def kernel(game: str, way: str, which: str = "kernel") -> ModuleType:
    """The kernel of a game, or another of its compiled modules, running in this way."""
    if way == "uncompiled":
        return uncompiled(f"{package(game)}.{which}")
    return import_module(f"{package(game)}.{which}" + ("_v3" if way == "tuned" else ""))


def uncompiled(name: str, edits: Mapping[str, str] | None = None) -> ModuleType:
    """A module as Python, and those written for Cython that it stands on; with edits, a mutant."""
    path = (SOURCE / name.replace(".", "/")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    for old, new in (edits or {}).items():
        if old in text:
            text = text.replace(old, new, 1)
    below = {}
    for needed in set(re.findall(r"from (wonderland\.(?:games\.\w+|core)\.\w+) import", text)):
        source = (SOURCE / needed.replace(".", "/")).with_suffix(".py")
        if "\n    import cython\n" in source.read_text(encoding="utf-8"):
            below[needed] = uncompiled(needed, edits)
    module = ModuleType(name)
    module.__file__ = str(path)
    with _standing_on(below):
        exec(compile(text, str(path), "exec"), module.__dict__)  # noqa: S102 - our own source
    return module


@contextmanager
def _standing_on(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """While this lasts, these modules are imported instead of the compiled ones."""
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
