"""Reads a game's rulebook, whole or one rule of it."""

from __future__ import annotations

import re

from wonderland.core.errors import UsageError, quoted
from wonderland.core.general import rulebook_of


def rulebook(name: str) -> str:
    """The text of a game's rulebook."""
    return rulebook_of(name)


def rules_in(text: str) -> dict[str, str]:
    """Every numbered rule of a rulebook with its text."""
    found = re.findall(r"^- \*\*([A-Z]\d+)\*\* (.*(?:\n(?:  .*|\s*$))*)", text, flags=re.MULTILINE)
    return {number: " ".join(rule.split()) for number, rule in found}


def one_rule(name: str, number: str) -> str:
    """The text of one rule, such as P6."""
    rules = rules_in(rulebook(name))
    try:
        return f"- **{number.upper()}** {rules[number.upper()]}"
    except KeyError:
        raise UsageError(
            f"{name} has no rule {quoted(number)}: its rules are {', '.join(rules)}."
        ) from None
