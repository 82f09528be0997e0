"""Parses arguments that several commands share: counts, seats, seeds, languages, options of a game.

Errors that `argparse` finds by itself are reworded and translated here too.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from wonderland.components.catalogues import LANGUAGES, environment_language, load_language
from wonderland.engine.errors import FileProblem, NotationError, UsageError, quote, shorten
from wonderland.engine.language import Language, Message, phrase
from wonderland.engine.options import Option, read_options, read_pairs
from wonderland.engine.protocol import AnyGame

GAME_NAME = "the name of a game (see 'wonderland games')"
"""The help text of every argument that names a game."""
LONGEST_PATH = 300
"""The number of characters of a path that error messages show."""
_MAX_COUNT = 10**12
_COUNT = re.compile(r"(?P<number>\d{1,15}(?:\.\d{1,12})?)(?:e(?P<power>\d{1,2})|(?P<unit>[kM]))?")
_UNITS = {"k": 3, "M": 6}
_SHELL_SAFE = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
"""Text that needs no quoting in a shell, by the rules of `shlex.quote`."""
_ARGPARSE_MESSAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "argument %(argument_name)s: %(message)s": (
        phrase("{argument}: {problem}"),
        {"argument": "%(argument_name)s", "problem": "%(message)s"},
    ),
    "the following arguments are required: %s": (phrase("missing: {names}"), {"names": "%s"}),
    "expected one argument": (phrase("a value is missing"), {}),
    "ignored explicit argument %r": (phrase("takes no value, but got {value}"), {"value": "%r"}),
    "invalid %(type)s value: %(value)r": (  # `int` is the only type that commands use
        phrase("{value} isn't a whole number"),
        {"value": "%(value)r"},
    ),
    "invalid choice: %(value)r (choose from %(choices)s)": (
        phrase("{value} isn't one of {choices}"),
        {"value": "%(value)r", "choices": "%(choices)s"},
    ),
    "ambiguous option: %(option)s could match %(matches)s": (
        phrase("{option} could mean {options}"),
        {"option": "%(option)s", "options": "%(matches)s"},
    ),
}
"""What `argparse` says about wrong arguments, with our wording, and its fields for ours."""


def add_game_name(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument for a game."""
    parser.add_argument("game", help=GAME_NAME)


def language_code(options: argparse.Namespace) -> str:
    """Return the code of the language of a run: as `--language` says, or else the environment."""
    chosen: str | None = getattr(options, "language", None)
    if chosen is None:
        return environment_language(os.environ)
    if chosen not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise UsageError(
            phrase("--language {chosen} isn't supported. Choose one of {known}."),
            chosen=quote(chosen),
            known=known,
        )
    return chosen


def language_of(options: argparse.Namespace) -> Language:
    """Return the language of a run of the command line; English is used without loading any file."""
    return load_language(language_code(options))


def requested_language(words: Sequence[str]) -> Language:
    """Return the language for errors in arguments that can't be parsed; never raises."""
    finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    finder.add_argument("--language", nargs="?")  # a missing value must not be an error here again
    try:
        return language_of(finder.parse_known_args(words)[0])
    except (argparse.ArgumentError, UsageError):
        return language_of(argparse.Namespace())


@contextmanager
def translated_argparse(words: Sequence[str]) -> Iterator[None]:
    """Let `argparse` report errors in our wording and in the language that the words ask for.

    It looks up its messages with the function `_` of its module; those of the help stay as they are.
    """

    def translate(text: str) -> str:
        if text not in _ARGPARSE_MESSAGES:
            return str(ordinary(text))
        ours, fields = _ARGPARSE_MESSAGES[text]
        return requested_language(words)(ours, **fields)

    names = vars(argparse)
    ordinary = names["_"]
    names["_"] = translate
    try:
        yield
    finally:
        names["_"] = ordinary


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
        phrase(
            "{flag} must be a whole number, {least} or more, such as 500, 10_000, 20k or 1e6, not "
            "{text}."
        ),
        flag=flag,
        least=least,
        text=quote(text),
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
        raise UsageError(
            phrase("--seed must be one word without spaces or quotes here, not {seed}."),
            seed=quote(seed),
        )
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
            raise UsageError(
                phrase("unknown option: {option}. {known}"),
                option=shorten(word),
                known=_describe_options(the_game),
            )
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else "true"
        options.append(f"{name}={option_text(known[name], value)}")
    return options


def _describe_options(the_game: AnyGame | None) -> Message:
    """Say which options a game has, for an error message."""
    if the_game is None:
        return Message(phrase("Put the name of a game before its options."))
    flags = sorted(f"--{option.name.replace('_', '-')}" for option in the_game.info.options)
    title = the_game.info.title
    if not flags:
        return Message(phrase("{title} has no options."), {"title": title})
    return Message(
        phrase("The options of {title} are {flags}."), {"title": title, "flags": tuple(flags)}
    )


def option_text(option: Option, value: str) -> str:
    """Return the text of an option, loading it if the value names a TOML file."""
    if option.from_file is None or not value.endswith(".toml"):
        return value
    try:
        text = Path(value).read_text(encoding="utf-8")
    except OSError as error:
        raise FileProblem(
            phrase("{file} can't be read: {reason}."),
            file=quote(value, LONGEST_PATH),
            reason=error.strerror,
        ) from error
    except ValueError as error:  # not UTF-8, or an invalid file name
        raise FileProblem(
            phrase("{file} can't be read: it isn't a text file."), file=quote(value, LONGEST_PATH)
        ) from error
    try:
        return option.from_file(text)
    except NotationError as error:
        raise FileProblem(
            phrase("{file} can't be used: {reason}"),
            rule=error.rule,
            file=quote(value, LONGEST_PATH),
            reason=error.message,
        ) from error
