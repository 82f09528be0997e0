"""All variants of a game: numbers of seats and options."""

from __future__ import annotations

from itertools import product
from typing import Any

from wonderland.engine import UsageError, game
from wonderland.engine.options import read_options


def all_variants(name: str) -> list[tuple[int, Any]]:
    """Return every number of seats with every combination of the options' examples."""
    found = []
    rules = game(name)
    names = [option.name for option in rules.info.options]
    for texts in product(*[option.examples for option in rules.info.options]):
        options = read_options(rules, dict(zip(names, texts, strict=True)))
        for seats in rules.info.seats:
            try:
                rules.start(seats, options)
            except UsageError:  # such as colours for another number of seats
                continue
            found.append((seats, options))
    return found
