"""`wonderland solve letters`: the start player's win probability, for one set of options or for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal

from wonderland.engine.errors import UsageError, quote
from wonderland.engine.options import read_options
from wonderland.engine.registry import game
from wonderland.games.letters.bots.solution import COMPILED, solve
from wonderland.games.letters.rules.options import Options

_CLAIMS: tuple[Literal["after", "first"], ...] = ("after", "first")
_HEADING = "claim  duchess  who begins wins  positions   seconds  memory"


def solve_command(options: Sequence[str], show: Callable[[str], None]) -> None:
    """Solve the game for options such as `claim=first`, or for all combinations; show the results."""
    variants = [_read_variant(options)] if options else _all_variants()
    show("Letters for two players who forget nothing and play as well as can be.")
    show("One pass over all positions, from the end: there are no circles, so each value is final.")
    if not COMPILED:
        show("The solver is not compiled here: this takes some minutes.")
    show("")
    show(_HEADING)
    for variant in variants:
        solution = solve(variant, refresh=True)
        show(
            f"{variant.claim:<5}  {'yes' if variant.duchess else 'no':<7}  {solution.value:>15.6f}"
            f"  {solution.states:>10,}  {solution.seconds:>7.2f}  {solution.memory / 2**20:>3.0f} MiB"
        )


def _all_variants() -> list[Options]:
    return [Options(duchess=duchess, claim=claim) for claim, duchess in product(_CLAIMS, (False, True))]


def _read_variant(options: Sequence[str]) -> Options:
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"{quote(option)} is not an option: write it as claim=first.")
        texts[name] = value
    found: Options = read_options(game("letters"), texts)
    return found
