"""The command `wonderland solve`: the component `ui.solve` of a game that can be solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, cast

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.registry import component


class ExactSolver(Protocol):
    """The component `ui.solve` of a game."""

    def solve_command(
        self, options: Sequence[str], show: Callable[[str], None], say: Language = ENGLISH
    ) -> None:
        """Solve the game with options such as `claim=first`, and show the result line by line.

        Without options, every combination of options is solved.
        """
        ...


def solver_of(game: str) -> ExactSolver | None:
    """Return the solver of a game, if it can be solved."""
    return cast("ExactSolver | None", component(game, "ui.solve"))
