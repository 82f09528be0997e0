"""Parses arguments that several commands share: counts, seats, seeds, and the options of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import SystemRandom

from wonderland.engine.errors import FileProblem, NotationError, UsageError, quote
from wonderland.engine.options import Option, read_options, read_pairs
from wonderland.engine.protocol import AnyGame

LONGEST_PATH = 300
"""The number of characters of a path that error messages show."""
_MAX_COUNT = 10**12
_COUNT = re.compile(r"(?P<number>\d{1,15}(?:\.\d{1,12})?)(?:e(?P<power>\d{1,2})|(?P<unit>[kM]))?")
_UNITS = {"k": 3, "M": 6}
_SHELL_SAFE = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
"""Text that needs no quoting in a shell, by the rules of `shlex.quote`."""


def read_count(flag: str, text: str, least: int = 1) -> int:
    """Parse a whole number in any common notation for large ones.

    >>> [read_count("--games", text) for text in ("250", "10_000", "10,000", "1.5M", "1e6", "20k")]
    [250, 10000, 10000, 1500000, 1000000, 20000]
    """
    match = _COUNT.fullmatch(text.strip().replace("_", "").replace(",", ""))
    if match is not None:
        power = int(match["power"] or _UNITS.get(match["unit"], 0))
        whole, _, fraction = match["number"].partition(".")
        if len(fraction.rstrip("0")) <= power:
            number: int = int(whole + fraction) * 10**power // 10 ** len(fraction)
            if least <= number <= _MAX_COUNT:
                return number
    raise UsageError(
        f"{flag} {quote(text)} is not possible: it is a whole number from {least} on, such as 500, "
        "10_000, 20k or 1e6."
    )


def read_seats(text: str | None, default: int) -> int:
    """Parse a number of seats; the game itself checks whether it supports that many."""
    return default if text is None else read_count("--seats", text)


def read_seed(text: str | None) -> str:
    """Return the given seed, or a random one, which commands print so that a run can be repeated."""
    return str(SystemRandom().randrange(10**8)) if text is None else text


def read_word(text: str | None, default: str) -> str:
    """Check a seed that must need no shell quoting, since results store the command that made them."""
    seed = default if text is None else text
    if not _SHELL_SAFE.fullmatch(seed):
        raise UsageError(f"--seed {quote(seed)} is not possible here: it is a word without blanks.")
    return seed


def options_of(
    rules: AnyGame, texts: Sequence[str], default: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Parse `name=value` options of a game, validate them, and return their texts by name."""
    known = {option.name: option for option in rules.info.options}
    options = dict(default or {})
    for name, text in read_pairs(texts).items():
        options[name] = option_text(known[name], text) if name in known else text
    read_options(rules, options)
    return options


def options_in(the_game: AnyGame | None, flags: list[str]) -> list[str]:
    """Convert flags to options of a game: `--claim first`, `--claim=first`, `--duchess` for true."""
    known = {option.name: option for option in the_game.info.options} if the_game is not None else {}
    options = []
    rest = list(flags)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        name = name.replace("-", "_")
        if not word.startswith("--") or name not in known:
            owner = f"{the_game.info.title} has" if the_game is not None else "without a game there are"
            listed = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(known)) or "none"
            raise UsageError(f"{quote(word)} is not an option here: {owner} {listed}.")
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else "true"
        options.append(f"{name}={option_text(known[name], value)}")
    return options


def option_text(option: Option, value: str) -> str:
    """Return the text of an option, loading it if the value names a TOML file."""
    if option.from_file is None or not value.endswith(".toml"):
        return value
    try:
        text = Path(value).read_text(encoding="utf-8")
    except OSError as error:
        raise FileProblem(f"{quote(value, LONGEST_PATH)} can't be read: {error.strerror}.") from error
    except ValueError as error:  # not UTF-8, or an invalid file name
        raise FileProblem(
            f"{quote(value, LONGEST_PATH)} can't be read: it is not a text file."
        ) from error
    try:
        return option.from_file(text)
    except NotationError as error:
        raise FileProblem(f"{quote(value, LONGEST_PATH)} can't be used: {error}") from error
