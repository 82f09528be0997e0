"""Loads the rulebook of a game, whole or rule by rule."""

from __future__ import annotations

import re
from importlib.resources import files

from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, phrase
from wonderland.engine.registry import game as named_game
from wonderland.engine.registry import package_of


def rules_in(text: str) -> dict[str, str]:
    """Return the text of every numbered rule in a rulebook."""
    found = re.findall(r"^- \*\*([A-Z]\d+)\*\* (.*(?:\n(?:  .*|\s*$))*)", text, flags=re.MULTILINE)
    return {number: " ".join(rule.split()) for number, rule in found}


def one_rule(name: str, number: str, language: str = ENGLISH.code) -> str:
    """Return the text of one rule, such as P6."""
    rules = rules_in(rulebook(name, language))
    try:
        return f"- **{number.upper()}** {rules[number.upper()]}"
    except KeyError:
        raise UsageError(
            phrase("{title} has no rule {number}. Its rules are {rules}."),
            title=named_game(name).info.title,
            number=quote(number),
            rules=", ".join(rules),
        ) from None


def rulebook(name: str, language: str = ENGLISH.code) -> str:
    """Return the rulebook of a game as Markdown: translated if possible, or else in English."""
    home = files(package_of(name))
    for file in (home / "locale" / f"RULES.{language}.md", home / "RULES.md"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    info = named_game(name).info
    missing = "Its rules have not been written down yet: they belong into the file `RULES.md`."
    return f"# {info.title}\n\n{info.about}\n\n{missing}\n\n{info.credits}\n"
