"""What any game gets without writing it: words and a rulebook, from what it says of itself.

They serve until a game has its own `words.py` and `RULES.md`: plain, complete, and made from views and
witnessed events alone, so that they can't say more than a seat may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import AnyGame
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game
from wonderland.engine.serialization import to_plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTH = 80
_WHOSE = "seat"
"""The field of views and events that names a seat."""


class GenericWords:
    """The words of a game that has none of its own."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def tell(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str:
        """What happened: whose doing it was, the kind of the event, and the rest of it."""
        for field in event.__struct_fields__:
            if isinstance(result := getattr(event, field), Result):
                return result.sentence(names, say)
        found = to_plain(event)
        seat = found.pop(_WHOSE, None)
        what = _text(found)
        return f"{names[seat]}: {what}." if isinstance(seat, int) else f"{what.capitalize()}."

    def describe(self, view: Any, names: Sequence[str]) -> list[str]:
        """A line for the seats, counted as the values count them, and one for each part of the view."""
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        lines = [f"Seats: {players}"]
        for field, found in to_plain(view).items():
            if field == _WHOSE:
                lines += [] if found is None else [f"You: {names[found]}"]
            elif field != "type":
                heading = _spaced(field)
                lines.append(f"{heading.capitalize()}: {_text(found, under=heading)}")
        return [part for line in lines for part in wrap(line, _WIDTH, subsequent_indent="  ")]

    def offer(self, view: Any, action: Any, say: Language = ENGLISH) -> str:  # noqa: ARG002 - nothing is known of it
        """The action as records have it."""
        return self.game.write(action)


def _text(found: Any, under: str = "") -> str:
    """What JSON holds, in words: things of a list side by side, lists of a list with bars between them.

    The kind of a value is named, unless it stands under a heading that says the same.
    """
    if isinstance(found, Mapping):
        kind = _spaced(found["type"])
        fields = ", ".join(f"{_spaced(key)} {_text(found[key])}" for key in found if key != "type")
        if kind == under and fields:
            return fields
        return f"{kind} ({fields})" if fields else kind
    if isinstance(found, list):
        is_nested = any(isinstance(each, (list, Mapping)) for each in found)
        return (" | " if is_nested else " ").join(map(_text, found)) or "-"
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "-" if found is None else str(found)


def _spaced(name: str) -> str:
    """The name of a class or a field as words.

    >>> _spaced("CardPlayed"), _spaced("turns_left")
    ('card played', 'turns left')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()


class Words(Protocol):
    """The words of one game."""

    def tell(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str | None:
        """What happened, in one sentence; `None` if it goes without saying."""
        ...

    def describe(self, view: Any, names: Sequence[str]) -> list[str]:
        """The table as this view shows it, in lines of English text of at most 80 characters."""
        ...

    def offer(self, view: Any, action: Any, say: Language = ENGLISH) -> str:
        """An action that the seat of this view may take, with what can be said of it beforehand."""
        ...


@runtime_checkable
class LogWords(Protocol):
    """Optional words of a game of memory, whose log must not do the remembering."""

    def retell(self, event: Any, view: Any, names: Sequence[str], say: Language = ENGLISH) -> str | None:
        """Tell an event later on, in a log that can be read again; `None` to leave it out."""
        ...


@runtime_checkable
class CardNames(Protocol):
    """Optional words of a game whose messages about impossible positions name cards."""

    def card_name(self, card: Any, say: Language = ENGLISH) -> str:
        """What people call a card."""
        ...


@runtime_checkable
class EndingNames(Protocol):
    """Optional words for the different ways in which games end."""

    @property
    def ENDINGS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """A text of the catalogues for each `Result.ending`."""
        ...


def words_of(game: str) -> Words:
    """The words of the game of this name: its own, or general ones."""
    own = component(game, "ui.words")
    return GenericWords(named_game(game)) if own is None else cast("Words", own)


def tell_events(words: Words, events: Iterable[Any], names: Sequence[str]) -> list[str]:
    """Events as they are told when they happen, to whoever saw them like that."""
    return [sentence for event in events if (sentence := words.tell(event, names))]


def retell_events(words: Words, events: Iterable[Any], view: Any, names: Sequence[str]) -> list[str]:
    """The same later on, in a log: a game of memory does not do the remembering."""
    if not isinstance(words, LogWords):
        return tell_events(words, events, names)
    return [sentence for event in events if (sentence := words.retell(event, view, names))]
