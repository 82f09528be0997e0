"""The options of a game: one declaration that every parser and writer uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wonderland.engine.errors import NotationError, UsageError, quote, shorten
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wonderland.engine.protocol import A, E, Game, O, S, V


class Option(Value, frozen=True):
    """One option of a game, with the same name as its field in the game's `Options`."""

    name: str
    meaning: str
    values: str
    """The accepted values, as text for people."""
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    examples: tuple[str, ...]
    """Representative values for tests and menus, including the default."""
    from_file: Callable[[str], str] | None = None
    """Converts the text of a TOML file to a value, for options that are written in a file. Games never
    open files: shells do, and records contain the value itself."""


def choice(name: str, values: tuple[str, ...], meaning: str) -> Option:
    """Return an option with a few named values."""

    def read(text: str) -> str:
        if text not in values:
            raise NotationError(f"{name}={shorten(text)} is not known: {name} is {' or '.join(values)}.")
        return text

    return Option(name, meaning, " or ".join(values), read, str, values)


def flag(name: str, meaning: str) -> Option:
    """Return a boolean option."""
    words = {"false": False, "true": True}

    def read(text: str) -> bool:
        if text not in words:
            raise NotationError(f"{name}={shorten(text)} is not known: {name} is true or false.")
        return words[text]

    def write(value: bool) -> str:  # noqa: FBT001 - the value to write, not a switch
        return "true" if value else "false"

    return Option(name, meaning, "true or false", read, write, tuple(words))


def read_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Parse `name=value` arguments of a command.

    >>> read_pairs(["hand-size=2"])
    {'hand_size': '2'}
    """
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{quote(text)} is not a name with its value, such as name=value.")
        pairs[name.replace("-", "_")] = value
    return pairs


def read_options(game: Game[O, S, A, E, V], texts: Mapping[str, str]) -> O:
    """Parse a game's options, with defaults for the rest; `UsageError` for a bad name or value."""
    known = {option.name: option for option in game.info.options}
    for name in texts:
        if name not in known:
            hint = f"its options are {', '.join(known)}" if known else "it has no options"
            raise UsageError(f"{game.info.title} has no option {quote(name)}: {hint}.")
    try:
        return game.options_type(**{name: known[name].read(text) for name, text in texts.items()})
    except NotationError as error:
        raise UsageError(str(error)) from error


def write_options(game: Game[O, S, A, E, V], options: O) -> dict[str, str]:
    """Return the options that differ from their defaults, as text."""
    defaults = game.options_type()
    return {
        option.name: option.write(getattr(options, option.name))
        for option in game.info.options
        if getattr(options, option.name) != getattr(defaults, option.name)
    }


def default_text(game: Game[O, S, A, E, V], option: Option) -> str:
    """Return the default of an option, as text."""
    return option.write(getattr(game.options_type(), option.name))
