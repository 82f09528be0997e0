"""Kernels: fast reimplementations of the rules, for simulation, search and learning.

A game's `kernel.py` is Python that Cython compiles to C when the package is built; without a compiler
the same file runs interpreted, slowly, with the same results. It handles only numbers: a state is an
array of 64-bit *words*, and an action or chance outcome is a small number. The game's `packing.py`
converts between these and the game's own values. Code outside a game's folder gets both through this
module.

`check_kernel` in `wonderland.kernels.laws` checks that a kernel agrees with the readable rules, move by
move: the same states, legal actions, chance outcomes and results.
"""

from __future__ import annotations

import sys
from collections.abc import MutableSequence, Sequence
from importlib import import_module, invalidate_caches
from importlib.util import find_spec
from typing import Any, Protocol, cast

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.registry import component, component_module, game_names, package_of
from wonderland.kernels.processor import is_modern

CHANCE = -1
"""The value of `KernelState.turn` at a chance node."""
OVER = -2
"""The value of `KernelState.turn` after the end."""

WINNERS, FIRST, DECISIONS, ENDING, SCORES = range(5)
"""The columns in the row of a finished game: the winners (as a bit set of seats), the starting seat, the
number of decisions, the ending (its index in `Packing.ENDINGS`), and the first of the scores."""
SEATS = 6
"""The number of scores in a row; those of unused seats are 0."""
ROW = SCORES + SEATS
"""The length of the row of a finished game."""

_SHARED_MODULES = frozenset(
    f"wonderland.{module}{variant}"
    for module in ("kernels.batch", "kernels.simulation", "lab.tally")
    for variant in ("", "_v3")
)
"""The compiled modules outside the games' folders."""


class KernelState(Protocol):
    """The state of one game, with its own random number generator; not shared between threads."""

    def load(self, words: Sequence[int]) -> None:
        """Load a state."""
        ...

    def words(self) -> list[int]:
        """Return the current state."""
        ...

    def seed(self, seed: int, stream: int = 0) -> None:
        """Seed the random numbers: the same seed and stream give the same games."""
        ...

    def turn(self) -> int:
        """Return the lowest seat that may act now, or `CHANCE`, or `OVER`."""
        ...

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a seat."""
        ...

    def chances(self) -> list[tuple[int, int]]:
        """Return the possible chance outcomes with their weights."""
        ...

    def apply(self, actor: int, action: int) -> None:
        """Apply a legal action or a possible chance outcome, without checking it."""
        ...

    def winners(self) -> int:
        """Return the winners as a bit set of seats."""
        ...

    def scores(self) -> list[int]:
        """Return the score of each seat."""
        ...

    def ending(self) -> int:
        """Return how the game ended, as an index in `Packing.ENDINGS`."""
        ...

    def play_out(self, policies: Sequence[int]) -> int:
        """Play to the end, each seat by its policy; return the number of decisions."""
        ...

    def simulate(
        self, rows: MutableSequence[int], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state to the end `count` times, with the GIL released.

        Game number `first + i` uses the random stream of that number, and writes its row to `rows` (an
        `array` of C integers) at `ROW * i`.
        """
        ...


class Kernel(Protocol):
    """The component `compiled.kernel` of a game."""

    @property
    def COMPILED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the module is compiled, rather than interpreted by Python."""
        ...

    @property
    def POLICIES(self) -> Sequence[str]:  # noqa: N802 - a constant of the module
        """The names of the playout policies built into the kernel, by number; 0 plays at random."""
        ...

    def KernelState(self) -> KernelState:  # noqa: N802 - a class
        """Create an empty state, to be loaded."""
        ...


class Packing(Protocol):
    """The component `encoding.packing` of a game: converts to and from the numbers of its kernel."""

    @property
    def ENDINGS(self) -> Sequence[str]:  # noqa: N802 - a constant of the module
        """The values of `Result.ending`, by the kernel's number."""
        ...

    def pack(self, state: Any) -> list[int]:
        """Convert a state to words."""
        ...

    def unpack(self, words: Sequence[int]) -> Any:
        """Convert words to a state."""
        ...

    def number(self, action: Any) -> int:
        """Return the number of an action or chance outcome."""
        ...

    def action(self, number: int, state: Any) -> Any:
        """Return the action or chance outcome with this number in this state."""
        ...


def kernel(name: str) -> Kernel | None:
    """Return the fastest kernel of a game that this machine can run; `None` if it has none."""
    module = component_module(name, "compiled.kernel")
    return None if module is None else cast("Kernel", import_fastest(module))


def packing(name: str) -> Packing:
    """Return the packing of a game with a kernel."""
    found = component(name, "encoding.packing")
    if found is None:
        raise LookupError(f"{name} has no component encoding.packing, which its kernel needs")
    return cast("Packing", found)


def import_fastest(module: str) -> Any:
    """Import the fastest variant of a module: compiled for this processor, for any, or uncompiled."""
    variant = f"{module}_v3"
    if is_modern() and find_spec(variant):
        return import_module(variant)
    return import_module(module)


def reload_kernels() -> None:  # pragma: no cover - tested in a process of its own
    """Forget all compiled modules and the bots that use them, so that the next use imports them again.

    For a process that was started before its kernels were compiled. Bots that are thinking finish with
    what they have; whatever looks up a kernel or a level from now on gets the compiled one.
    """
    invalidate_caches()
    packages = [
        f"{package_of(name)}.{folder}" for name in game_names() for folder in ("bots", "compiled")
    ]
    for module in list(sys.modules):
        if module in _SHARED_MODULES or any(module.startswith(f"{package}.") for package in packages):
            del sys.modules[module]
            package, _, name = module.rpartition(".")
            if hasattr(parent := sys.modules.get(package), name):
                delattr(parent, name)  # or `from package import name` would still find it


def describe_kernels(say: Language = ENGLISH) -> str:
    """Describe how the kernels run here, for `wonderland --version`."""
    kernels = [found for found in map(kernel, game_names()) if found is not None]
    is_compiled = all(found.COMPILED for found in kernels)
    tuned = say("kernels compiled for this processor") if is_modern() else say("kernels compiled")
    how = tuned if is_compiled else say("kernels not compiled, slower")
    return say.join_list([how, f"Python {sys.version.split()[0]}"])
