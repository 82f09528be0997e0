"""What can go wrong, in three words: it can't be read, it isn't allowed, it is over.

Every message is one sentence that names what was wrong and what would be right, fit to be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class WonderlandError(Exception):
    """The parent of every error that this package raises on purpose.

    What people may meet in their own language is given as a text with fields, as a `Language` takes it.

    >>> str(WonderlandError("Seat {number} is not yours.", number=2))
    'Seat 2 is not yours.'
    """

    def __init__(self, text: str = "", **fields: object) -> None:
        super().__init__(text.format(**fields) if fields else text)
        self.text = text
        self.fields = fields

    def said(self, say: Callable[..., str]) -> str:
        """The same in a language."""
        return say(self.text, **self.fields)


class NotationError(WonderlandError, ValueError):
    """A text that should be an action, an option, a position, a board or a record, and is not."""


class Impossible(NotationError):  # noqa: N818 - it says what the position is
    """A position that there can't be, and why: a text with fields, of which `seat` is a seat.

    >>> str(Impossible("{seat} has no pile.", seat=1))
    'there is no such position: seat 2 has no pile.'
    """

    def __init__(self, reason: str, **fields: object) -> None:
        self.reason, self.found = reason, fields
        why = self.why(str.format, seat=lambda seat: f"seat {seat + 1}")
        super().__init__("there is no such position: {why}", why=why)

    def why(self, say: Callable[..., str], **names: Callable[[Any], str]) -> str:
        """The reason alone, in a language; `names` say what seats, or cards, are called in it."""
        fields = {key: names.get(key, str)(value) for key, value in self.found.items()}
        return say(self.reason, **fields)


class IllegalAction(WonderlandError):  # noqa: N818 - it names what was tried, as a player would
    """An action that the rules don't allow now; `rule` is the number of the rule that forbids it."""

    def __init__(self, action: str, reason: str, rule: str) -> None:
        super().__init__(f"{action} is not allowed: {reason} ({rule}).")
        self.action = action
        self.reason = reason
        self.rule = rule


class GameOver(WonderlandError):  # noqa: N818 - it states a fact, as a player would
    """An action after the end of the game."""

    def __init__(self, action: str) -> None:
        super().__init__(f"{action} comes too late: the game is over.")
        self.action = action


_LONGEST_QUOTE = 60


def shortened(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """A text that is not too long to stand in a sentence."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quoted(found: object, longest: int = _LONGEST_QUOTE) -> str:
    """What was found, fit to stand in a sentence: in quotes if it is a text, and not too long.

    >>> quoted("R11"), quoted(11)
    ("'R11'", '11')
    >>> quoted("R" * 1000, longest=8)
    "'RRRRRRR…'"
    """
    if isinstance(found, str):
        return repr(shortened(found, longest))
    try:
        return shortened(repr(found), longest)
    except ValueError:  # Python does not write out numbers of thousands of digits
        return "a number of thousands of digits"
