"""`wonderland solve letters`: the start player's win probability, for one set of options or for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal

from rich.cells import cell_len

from wonderland.components.formatting import number
from wonderland.components.text_layout import align_left, align_right, wrap_text
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.options import read_options
from wonderland.engine.registry import game
from wonderland.games.letters.bots.solution import COMPILED, solve
from wonderland.games.letters.rules.options import Options

_CLAIMS: tuple[Literal["after", "first"], ...] = ("after", "first")
_OPTIONS = 2
"""The number of columns with options, written as on the command line."""
_LEAST_WIDTHS = (5, 7, 8, 10, 7, 7)
_WIDTH = 80


def solve_command(options: Sequence[str], show: Callable[[str], None], say: Language = ENGLISH) -> None:
    """Solve the game for options such as `claim=first`, or for all combinations; show the results."""
    variants = [_read_variant(options)] if options else _all_variants()
    show(say("Letters with two players who have perfect memory and play perfectly."))
    for line in wrap_text(
        say("All positions are solved in one pass, backwards from the end, so the values are exact."),
        _WIDTH,
    ):
        show(line)
    if not COMPILED:
        show(say("The solver isn't compiled here, so this takes a few minutes."))
    show("")
    head = (
        "claim",
        "duchess",
        say("First player wins"),
        say("positions"),
        say("seconds"),
        say("memory"),
    )
    widths = [max(cell_len(text), least) for text, least in zip(head, _LEAST_WIDTHS, strict=True)]
    show(_line(head, widths))
    for variant in variants:
        solution = solve(variant, refresh=True)
        cells = (
            variant.claim,
            say("yes") if variant.duchess else say("no"),
            number(solution.value, say, 6),
            number(solution.states, say),
            number(solution.seconds, say, 2),
            f"{number(solution.memory / 2**20, say)} MiB",
        )
        show(_line(cells, widths))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Lay out a row: the options are aligned left, and the numbers right."""
    aligned = [
        (align_left if column < _OPTIONS else align_right)(cell, width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned)


def _all_variants() -> list[Options]:
    return [Options(duchess=duchess, claim=claim) for claim, duchess in product(_CLAIMS, (False, True))]


def _read_variant(options: Sequence[str]) -> Options:
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise UsageError(
                phrase("{text} isn't an option. Write it like this: {example}."),
                text=quote(option),
                example="claim=first",
            )
        texts[name] = value
    found: Options = read_options(game("letters"), texts)
    return found
