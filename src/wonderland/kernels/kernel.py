"""Kernels: the rules once more, for machines, tied to the readable rules by a law.

A game's `kernel.py` is Python that Cython compiles to C when the package is built; where there is no
compiler the same file runs as it is, slowly, with the same results. It knows nothing but numbers: a
state is a row of 64-bit *words*, an action or an outcome of luck is a small number. The game's
`packing.py` says what the numbers mean. Nobody outside a game's folder needs either: bots, simulation
and learning environments ask this module for them.

`check_kernel` in `wonderland.kernels.laws` is the law: the same states, legal actions, chances and
results as the rules, move by move.
"""

from __future__ import annotations

import sys
from collections.abc import MutableSequence, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from wonderland.engine.registry import component, component_module, game_names
from wonderland.kernels.processor import is_modern

LUCK = -1
"""What `Table.turn` gives where luck decides."""
OVER = -2
"""What `Table.turn` gives when nobody acts any more."""

WINNERS, FIRST, DECISIONS, ENDING, SCORES = range(5)
"""Where in the row of one finished play its winners (a bit for each seat), the seat that began, the
number of decisions, the ending (its place in `Packing.ENDINGS`) and the scores of the seats stand."""
SEATS = 6
"""For how many seats there is a score in a row; the scores of seats that nobody has are 0."""
ROW = SCORES + SEATS
"""How many numbers make up the row of one finished play."""


class KernelState(Protocol):
    """One play in numbers, and a generator of random numbers: one for each thread."""

    def load(self, words: Sequence[int]) -> None:
        """Go on from this state."""
        ...

    def words(self) -> list[int]:
        """The state now."""
        ...

    def seed(self, seed: int, stream: int = 0) -> None:
        """Start the random numbers anew: the same two numbers give the same plays."""
        ...

    def turn(self) -> int:
        """The lowest seat that may act now, or `LUCK`, or `OVER`."""
        ...

    def legal(self, seat: int) -> list[int]:
        """What this seat may do now."""
        ...

    def chances(self) -> list[tuple[int, int]]:
        """What luck may decide now, each outcome with its weight."""
        ...

    def apply(self, actor: int, action: int) -> None:
        """Carry out an action that is legal, or an outcome that is possible: nothing is checked."""
        ...

    def winners(self) -> int:
        """A bit for each seat that has won."""
        ...

    def scores(self) -> list[int]:
        """The points of each seat."""
        ...

    def ending(self) -> int:
        """How the play ended, by its place in `Packing.ENDINGS`."""
        ...

    def play_out(self, policies: Sequence[int]) -> int:
        """Play on to the end, each seat by its policy; gives the number of decisions made."""
        ...

    def simulate(
        self, rows: MutableSequence[int], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state to the end `count` times, without holding Python's lock.

        Play number `first + i` takes its random numbers from the stream of that number, and leaves its
        row in `rows` (an `array` of C integers) at `ROW * i`.
        """
        ...


class Kernel(Protocol):
    """The module `kernel` of a game."""

    @property
    def COMPILED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether this is machine code, and not the same source run by Python."""
        ...

    @property
    def POLICIES(self) -> Sequence[str]:  # noqa: N802 - a constant of the module
        """The names of the simple bots that can play inside the kernel, by their number; 0 is random."""
        ...

    def KernelState(self) -> KernelState:  # noqa: N802 - a class
        """A table at which nothing has been loaded yet."""
        ...


class Packing(Protocol):
    """The module `packing` of a game: what the numbers of its kernel mean."""

    @property
    def ENDINGS(self) -> Sequence[str]:  # noqa: N802 - a constant of the module
        """The texts of `Result.ending`, by the kernel's number."""
        ...

    def pack(self, state: Any) -> list[int]:
        """The state in words."""
        ...

    def unpack(self, words: Sequence[int]) -> Any:
        """The state that the words stand for."""
        ...

    def number(self, action: Any) -> int:
        """The number of an action or an outcome."""
        ...

    def action(self, number: int, state: Any) -> Any:
        """The action or outcome that a number stands for in this state."""
        ...


def kernel(name: str) -> Kernel | None:
    """The kernel of a game, if it has one: the quickest that this machine can run."""
    module = component_module(name, "compiled.kernel")
    return None if module is None else cast("Kernel", quickest(module))


def packing(name: str) -> Packing:
    """What the numbers of a game's kernel mean."""
    found = component(name, "encoding.packing")
    if found is None:
        raise LookupError(f"{name} has no component encoding.packing, which its kernel needs")
    return cast("Packing", found)


def quickest(module: str) -> Any:
    """The module as it is compiled for this processor, or for any, or not compiled."""
    special = f"{module}_v3"
    if is_modern() and find_spec(special):
        return import_module(special)
    return import_module(module)


def description() -> str:
    """For `wonderland --version`: how the kernels run here."""
    kernels = [found for found in map(kernel, game_names()) if found is not None]
    how = "compiled" if all(found.COMPILED for found in kernels) else "not compiled, slower"
    tuned = ", for this processor" if how == "compiled" and is_modern() else ""
    return f"kernels {how}{tuned}; Python {sys.version.split()[0]}"
