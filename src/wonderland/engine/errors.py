"""Every kind of problem has one class, and every class means one thing.

    WonderlandError        the root: commands catch it, print its sentence and exit with code 2
        NotationError          text that should be an action, a position, a record or a value, and isn't
            Impossible             a position that can't occur
        IllegalAction          an action that the rules don't allow now
        GameOver               an action after the end of the game
        UsageError             a bad option or argument, on the command line or in Python
        FileProblem            a file that can't be read or written, or has the wrong contents
        GameFailed             a game that can't be loaded or used here
        BotFailed              a bot that can't be loaded, raises an error or makes an illegal move
        ClusterFailed          worker processes that can't be started or reached, or that died

Packages add what only they raise: `StorageError` and `Refusal` for tables, `Gone` and `Denied` for
clients. Errors of any other kind are bugs, and are never turned into one of these.

Each message is one sentence, ready to be shown, that names what was wrong and what would be right.
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

    def __reduce__(self) -> tuple[Any, ...]:
        """How an error comes back from another process, whatever its class is made from."""
        return _restored, (type(self), self.args, self.__dict__)

    def said(self, say: Callable[..., str]) -> str:
        """The same in a language."""
        return say(self.text, **self.fields)


def _restored(
    kind: type[WonderlandError], args: tuple[Any, ...], fields: dict[str, Any]
) -> WonderlandError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class NotationError(WonderlandError, ValueError):
    """Text that should be an action, a position, a record or the value of an option, and isn't."""


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


class UsageError(WonderlandError, ValueError):
    """A bad option or argument: of a command, of a call from Python, or the name of a game or bot."""


class FileProblem(WonderlandError):  # noqa: N818 - the file may be fine, and only the disk full
    """A file that can't be read or written, or whose contents are not what they should be."""


class GameFailed(WonderlandError):  # noqa: N818 - named like `BotFailed` and `ClusterFailed`
    """A game that can't be loaded, or can't do what is needed of it."""


class BotFailed(WonderlandError):  # noqa: N818 - it says what happened
    """A bot that can't be loaded, raises an error, or chooses something that isn't allowed."""


class ClusterFailed(WonderlandError):  # noqa: N818 - it says what happened
    """Worker processes, here or on other machines, that can't be started or reached, or that died."""


_LONGEST_QUOTE = 60


def shorten(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """A text that is not too long to stand in a sentence."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quote(found: object, longest: int = _LONGEST_QUOTE) -> str:
    """What was found, fit to stand in a sentence: in quotes if it is a text, and not too long.

    >>> quote("R11"), quote(11)
    ("'R11'", '11')
    >>> quote("R" * 1000, longest=8)
    "'RRRRRRR…'"
    """
    if isinstance(found, str):
        return repr(shorten(found, longest))
    try:
        return shorten(repr(found), longest)
    except ValueError:  # Python does not write out numbers of thousands of digits
        return "a number of thousands of digits"
