"""What any game gets without writing it: words and a rulebook, from what it says of itself.

They serve until a game has its own `words.py` and `RULES.md`: plain, complete, and made from views and
witnessed events alone, so that they can't say more than a seat may know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from textwrap import wrap
from typing import Any

from wonderland.core.language import ENGLISH, Language
from wonderland.core.outcome import Result
from wonderland.core.protocol import AnyGame
from wonderland.core.registry import game as named_game
from wonderland.core.registry import package_of
from wonderland.core.wire import plain

_WIDTH = 80
_WHOSE = "seat"
"""The field of views and events that names a seat."""


class GeneralWords:
    """The words of a game that has none of its own."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def tell(self, event: Any, names: Sequence[str], say: Language = ENGLISH) -> str:
        """What happened: whose doing it was, the kind of the event, and the rest of it."""
        for field in event.__struct_fields__:
            if isinstance(result := getattr(event, field), Result):
                return result.reasoned(names, say)
        found = plain(event)
        seat = found.pop(_WHOSE, None)
        what = _text(found)
        return f"{names[seat]}: {what}." if isinstance(seat, int) else f"{what.capitalize()}."

    def describe(self, view: Any, names: Sequence[str]) -> list[str]:
        """A line for the seats, counted as the values count them, and one for each part of the view."""
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        lines = [f"Seats: {players}"]
        for field, found in plain(view).items():
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


def rulebook_of(name: str, language: str = ENGLISH.code) -> str:
    """The rulebook of a game as Markdown: in a language if it is there in it, or else in English."""
    home = files(package_of(name))
    for file in (home / "locale" / f"RULES.{language}.md", home / "RULES.md"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    info = named_game(name).info
    missing = "Its rules have not been written down yet: they belong into the file `RULES.md`."
    return f"# {info.title}\n\n{info.about}\n\n{missing}\n\n{info.credits}\n"
