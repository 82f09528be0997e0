"""Reads arguments that several commands take: counts, seats, seeds, and the options of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import SystemRandom

from wonderland.engine.errors import FileProblem, NotationError, UsageError, quote
from wonderland.engine.options import Option, read_options, read_pairs
from wonderland.engine.protocol import AnyGame

LONGEST_PATH = 300
"""Characters of a path that are shown when a file can't be used."""
_MOST = 10**12
_COUNT = re.compile(r"(?P<number>\d{1,15}(?:\.\d{1,12})?)(?:e(?P<power>\d{1,2})|(?P<unit>[kM]))?")
_UNITS = {"k": 3, "M": 6}
_WORD = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
"""What no shell needs in quotes, as `shlex.quote` has it."""


def read_count(flag: str, text: str, least: int = 1) -> int:
    """A whole number as people write large ones.

    >>> [read_count("--games", text) for text in ("250", "10_000", "10,000", "1.5M", "1e6", "20k")]
    [250, 10000, 10000, 1500000, 1000000, 20000]
    """
    found = _COUNT.fullmatch(text.strip().replace("_", "").replace(",", ""))
    if found is not None:
        power = int(found["power"] or _UNITS.get(found["unit"], 0))
        whole, _, part = found["number"].partition(".")
        if len(part.rstrip("0")) <= power:
            number: int = int(whole + part) * 10**power // 10 ** len(part)
            if least <= number <= _MOST:
                return number
    raise UsageError(
        f"{flag} {quote(text)} is not possible: it is a whole number from {least} on, such as 500, "
        "10_000, 20k or 1e6."
    )


def read_seats(text: str | None, usual: int) -> int:
    """How many sit at the table; the game itself says whether they can."""
    return usual if text is None else read_count("--seats", text)


def read_seed(text: str | None) -> str:
    """The seed that was given, or a new one, which is shown so that it can be given again."""
    return str(SystemRandom().randrange(10**8)) if text is None else text


def read_word(text: str | None, usual: str) -> str:
    """A seed that can stand in a command as it is: such a command is kept with what it has found."""
    found = usual if text is None else text
    if not _WORD.fullmatch(found):
        raise UsageError(f"--seed {quote(found)} is not possible here: it is a word without blanks.")
    return found


def options_of(
    rules: AnyGame, texts: Sequence[str], usual: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Options of a game as names with their texts, checked."""
    known = {option.name: option for option in rules.info.options}
    found = dict(usual or {})
    for name, text in read_pairs(texts).items():
        found[name] = option_text(known[name], text) if name in known else text
    read_options(rules, found)
    return found


def options_in(the_game: AnyGame | None, flags: list[str]) -> list[str]:
    """Options of a game from flags: `--claim first`, `--claim=first`, and `--duchess` for true."""
    known = {option.name: option for option in the_game.info.options} if the_game is not None else {}
    options = []
    rest = list(flags)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        name = name.replace("-", "_")
        if not word.startswith("--") or name not in known:
            of = f"{the_game.info.title} has" if the_game is not None else "without a game there are"
            there = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(known)) or "none"
            raise UsageError(f"{quote(word)} is not an option here: {of} {there}.")
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else "true"
        options.append(f"{name}={option_text(known[name], value)}")
    return options


def option_text(option: Option, value: str) -> str:
    """The text of an option: as it was given, or what the TOML file stands for that it names."""
    if option.from_file is None or not value.endswith(".toml"):
        return value
    try:
        text = Path(value).read_text(encoding="utf-8")
    except OSError as error:
        raise FileProblem(f"{quote(value, LONGEST_PATH)} can't be read: {error.strerror}.") from error
    except ValueError as error:  # bytes that are not UTF-8, or a name that no file can have
        raise FileProblem(
            f"{quote(value, LONGEST_PATH)} can't be read: it is not a text file."
        ) from error
    try:
        return option.from_file(text)
    except NotationError as error:
        raise FileProblem(f"{quote(value, LONGEST_PATH)} can't be used: {error}") from error
