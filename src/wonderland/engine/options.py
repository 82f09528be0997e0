"""The options of a game: one declaration that every parser and writer uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wonderland.engine.errors import NotationError, UsageError, convert_error, quote
from wonderland.engine.language import phrase
from wonderland.engine.position import read_word
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
    labels: Mapping[str, str] = {}
    """Translatable texts for values, where the words of the API don't explain themselves."""
    from_file: Callable[[str], str] | None = None
    """Converts the text of a TOML file to a value, for options that are written in a file. Games never
    open files: shells do, and records contain the value itself."""

    def label(self, value: str) -> str:
        """Return the text for a value, to be translated."""
        return self.labels.get(value, value)


def choice(name: str, values: Mapping[str, str], meaning: str) -> Option:
    """Return an option with a few named values, each with its label."""
    words = {value: value for value in values}

    def read(text: str) -> str:
        return read_word(name, text, words)

    return Option(name, meaning, " or ".join(values), read, str, tuple(values), labels=values)


def flag(name: str, meaning: str) -> Option:
    """Return a boolean option."""
    words = {"false": False, "true": True}

    def read(text: str) -> bool:
        return read_word(name, text, words)

    def write(value: bool) -> str:  # noqa: FBT001 - the value to write, not a switch
        return "true" if value else "false"

    labels = {"false": phrase("no"), "true": phrase("yes")}
    return Option(name, meaning, "true or false", read, write, tuple(words), labels=labels)


def read_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Parse `name=value` arguments of a command.

    >>> read_pairs(["hand-size=2"])
    {'hand_size': '2'}
    """
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(phrase("{text} needs a value, as in name=value."), text=quote(text))
        pairs[name.replace("-", "_")] = value
    return pairs


def read_options(game: Game[O, S, A, E, V], texts: Mapping[str, str]) -> O:
    """Parse a game's options, with defaults for the rest; `UsageError` for a bad name or value."""
    known = {option.name: option for option in game.info.options}
    for name in texts:
        if name not in known:
            if not known:
                raise UsageError(
                    phrase("{title} has no options, so {option} can't be set."),
                    title=game.info.title,
                    option=quote(name),
                )
            raise UsageError(
                phrase("{title} has no option {option}. Its options are {known}."),
                title=game.info.title,
                option=quote(name),
                known=tuple(known),
            )
    try:
        return game.options_type(**{name: known[name].read(text) for name, text in texts.items()})
    except NotationError as error:
        raise convert_error(error, UsageError) from error


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
