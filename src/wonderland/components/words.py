"""Descriptions of tables, events and choices: the component `ui.words`, and a fallback for any game.

The generic words are plain but complete, and derived only from views and witnessed events, so they can't
reveal more than a seat may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from wonderland.components.text_layout import wrap_text
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game
from wonderland.engine.serialization import to_plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTH = 80
_SEAT_FIELD = "seat"
"""The field of views and events that contains a seat."""


class GenericWords:
    """The fallback for a game without its own words."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def describe_event(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str:
        """Describe an event: the player, the class of the event, and its fields."""
        for field in event.__struct_fields__:
            if isinstance(result := getattr(event, field), Result):
                return result.sentence(names, say)
        found = to_plain(event)
        seat = found.pop(_SEAT_FIELD, None)
        what = _text(found)
        return f"{names[seat]}: {what}." if isinstance(seat, int) else f"{what.capitalize()}."

    def describe(self, view: Any, names: Sequence[str], say: Language = ENGLISH) -> list[str]:
        """Describe a view: a line for the players, with their seat numbers, and one for each field."""
        players = say.join_list(f"{seat} {name}" for seat, name in enumerate(names))
        lines = [say("Seats: {players}", players=players)]
        for field, found in to_plain(view).items():
            if field == _SEAT_FIELD:
                lines += [] if found is None else [say("You: {name}", name=names[found])]
            elif field != "type":
                heading = _split_words(field)
                lines.append(f"{heading.capitalize()}: {_text(found, under=heading)}")
        return [part for line in lines for part in wrap_text(line, _WIDTH, "  ")]

    def describe_action(self, view: Any, action: Any, say: Language = ENGLISH) -> str:  # noqa: ARG002 - every game has notation
        """Return the notation of the action."""
        return self.game.write(action)


def _text(found: Any, under: str = "") -> str:
    """Render decoded JSON as text: list items separated by spaces, nested lists by bars.

    A value is preceded by its class name, unless the heading says the same.
    """
    if isinstance(found, Mapping):
        kind = _split_words(found["type"])
        fields = ", ".join(f"{_split_words(key)} {_text(found[key])}" for key in found if key != "type")
        if kind == under and fields:
            return fields
        return f"{kind} ({fields})" if fields else kind
    if isinstance(found, list):
        is_nested = any(isinstance(each, (list, Mapping)) for each in found)
        return (" | " if is_nested else " ").join(map(_text, found)) or "-"
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "-" if found is None else str(found)


def _split_words(name: str) -> str:
    """Split the name of a class or field into words.

    >>> _split_words("CardPlayed"), _split_words("turns_left")
    ('card played', 'turns left')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()


class Words(Protocol):
    """The component `ui.words` of a game."""

    def describe_event(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str | None:
        """Describe an event in one sentence; `None` if it isn't worth mentioning."""
        ...

    def describe(self, view: Any, names: Sequence[str], say: Language = ENGLISH) -> list[str]:
        """Describe the table as this view shows it, in lines of at most 80 cells."""
        ...

    def describe_action(self, view: Any, action: Any, say: Language = ENGLISH) -> str:
        """Describe a legal action of the view's seat, with its known consequences."""
        ...


@runtime_checkable
class LogWords(Protocol):
    """Optional extra of `ui.words`, for games of memory whose log must not do the remembering."""

    def describe_past_event(
        self, event: Any, view: Any, names: Sequence[str], say: Language = ENGLISH
    ) -> str | None:
        """Describe a past event in the log, which stays readable; `None` to leave it out."""
        ...


@runtime_checkable
class CardNames(Protocol):
    """Optional extra of `ui.words`, for messages about impossible positions that name cards."""

    def card_name(self, card: Any, say: Language = ENGLISH) -> str:
        """Return the name of a card."""
        ...


@runtime_checkable
class TurnWords(Protocol):
    """Optional extra of `ui.words`, for games whose choices don't say by themselves what to do."""

    def prompt(self, view: Any, say: Language = ENGLISH) -> str:
        """Say in a short sentence what the view's seat does on its turn."""
        ...


@runtime_checkable
class EndingNames(Protocol):
    """Optional extra of `ui.words`: names of the game's endings."""

    @property
    def ENDINGS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """A translatable message for each `Result.ending`."""
        ...


def words_of(game: str) -> Words:
    """Return the words of a game: its own component, or the fallback."""
    own = component(game, "ui.words")
    return GenericWords(named_game(game)) if own is None else cast("Words", own)


def describe_events(
    words: Words, events: Iterable[Any], names: Sequence[str], say: Language = ENGLISH
) -> list[str]:
    """Describe events as they happen."""
    return [sentence for event in events if (sentence := words.describe_event(event, names, say))]


def describe_past_events(
    words: Words, events: Iterable[Any], view: Any, names: Sequence[str], say: Language = ENGLISH
) -> list[str]:
    """Describe past events for a log, which in games of memory omits what must be remembered."""
    if not isinstance(words, LogWords):
        return describe_events(words, events, names, say)
    return [
        sentence for event in events if (sentence := words.describe_past_event(event, view, names, say))
    ]
